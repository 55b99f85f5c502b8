import Foundation
import Roost
import RoostDynamic
import RoostTestSupport
import Testing

/// What is said of a file that this process has open, where it must not be.
@Suite struct FileHoldersTests {
  /// What keeps the file from being removed.
  private func holders(_ path: String) throws -> FileHolders {
    do throws(StoreError) { try Store.remove(at: path) } catch {
      #expect(error.code == .inUse)
      guard case .inUse(path, by: let holders) = error else { throw error }
      #expect(error == .inUse(path: path, by: holders))
      #expect(FileManager.default.fileExists(atPath: path))
      return holders
    }
    Issue.record("It was removed.")
    throw StoreError.closed
  }

  private func counts(_ holders: FileHolders) -> [Int] {
    [holders.stores, holders.transactions, holders.observations, holders.versions]
  }

  @Test func storesAreCountedAndTheOldestSaysWhereItWasOpened() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let first = try Store(path, models: Group.self)
      let place = "\(#fileID):\(#line - 1)"
      let second = try DynamicStore(path, access: .write)
      let secondPlace = "\(#fileID):\(#line - 1)"
      _ = try first.read { try $0.count(Group.all) }
      let both = try holders(path)
      #expect(counts(both) == [2, 0, 0, 0])
      #expect(both.oldest?.kind == .store && both.oldest?.place == place)
      #expect(try #require(both.oldest).age > .zero)
      first.close()
      first.close()
      let one = try holders(path)
      #expect(counts(one) == [1, 0, 0, 0])
      #expect(one.oldest?.place == secondPlace)
      second.close()
      try Store.remove(at: path)
    }
  }

  @Test func aStoreThatIsOpenedByATaskSaysWhereThatIs() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try await Store.open(.file(path), models: Group.self)
      let place = "\(#fileID):\(#line - 1)"
      #expect(try holders(path).oldest?.place == place)
      store.close()
    }
  }

  @Test func aRunningTransactionIsCounted() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(path, models: Group.self)
      let within = try store.write { _ in try counts(holders(path)) }
      #expect(within == [1, 1, 0, 0])
      #expect(try counts(holders(path)) == [1, 0, 0, 0])
    }
  }

  @Test func anObservationIsCounted() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(path, models: Group.self)
      do {
        var changes = store.changes(of: Group.all).makeAsyncIterator()
        #expect(try counts(holders(path)) == [1, 0, 1, 0])
        _ = try await changes.next()
        // It holds the version that it has seen.
        #expect(try counts(holders(path)) == [1, 0, 1, 1])
        _ = changes
      }
      #expect(try counts(holders(path)) == [1, 0, 0, 0])
    }
  }

  @Test func anObservationThatHasEndedIsNotCounted() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(path, models: Group.self)
      let other = try Store(path, models: Group.self)
      var changes = store.changes(of: Group.all).makeAsyncIterator()
      _ = try await changes.next()
      store.close()
      #expect(try counts(holders(path)) == [1, 0, 1, 1])
      #expect(try await changes.next() == nil)
      #expect(try counts(holders(path)) == [1, 0, 0, 0])
      withExtendedLifetime((other, changes)) {}
    }
  }

  @Test func aVersionThatTwoStoresHoldIsCountedOnce() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(path, models: Group.self)
      let other = try Store(path, models: Group.self)
      let snapshots = [store.snapshot(), other.snapshot()]
      #expect(try counts(holders(path)) == [2, 0, 0, 1])
      try other.write { try $0.insert(Group(id: 1, name: "a", size: nil)) }
      let later = other.snapshot()
      #expect(try counts(holders(path)) == [2, 0, 0, 2])
      withExtendedLifetime((snapshots, later)) {}
    }
  }

  @Test func versionsAreCountedOnceHoweverManySnapshotsAndRowsHoldThem() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(path, models: Group.self)
      try store.write { try $0.insert(Group(id: 1, name: "a", size: nil)) }
      var snapshots = [store.snapshot(), store.snapshot()]
      var rows: Rows<Group>? = try snapshots[0].rows(Group.all)
      try store.write { try $0.insert(Group(id: 2, name: "b", size: nil)) }
      let kept = try store.snapshot(
        of: { () throws -> String in
          try store.keep("kept")
          return "kept"
        }())
      #expect(try counts(holders(path)) == [1, 0, 0, 2])
      store.close()
      let all = try holders(path)
      #expect(counts(all) == [0, 0, 0, 2] && all.oldest?.kind == .version)
      snapshots = []
      #expect(try counts(holders(path)) == [0, 0, 0, 2])
      var row = rows?.first
      rows = nil
      #expect(try counts(holders(path)) == [0, 0, 0, 2])
      #expect(try row?.name == "a")
      row = nil
      #expect(try counts(holders(path)) == [0, 0, 0, 1])
      #expect(try kept.count(Group.all) == 2)
    }
  }

  @Test func aSnapshotWithoutModelsIsCountedToo() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      try Store(path, models: Group.self).write {
        try $0.insert(Group(id: 1, name: "a", size: nil))
      }
      let store = try DynamicStore(path)
      var object = try store.snapshot().object("Group", 1)
      store.close()
      #expect(try counts(holders(path)) == [0, 0, 0, 1])
      #expect(try object?["name"] == "a")
      object = nil
      try Store.remove(at: path)
    }
  }

  @Test func theFileIsFreeAsSoonAsTheLastHolderIsGone() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      var store: Store? = try Store(path, models: Group.self)
      var snapshot = store?.snapshot()
      store = nil
      #expect(try snapshot?.count(Group.all) == 0)
      #expect(try counts(holders(path)) == [0, 0, 0, 1])
      snapshot = nil
      try Store.remove(at: path)
    }
  }

  @Test func whatReadsTheFileItselfIsRefusedWhileItIsOpenHere() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(path, models: Group.self)
      func expectInUse(_ body: () throws -> Void) {
        do {
          try body()
          Issue.record("It is not in use.")
        } catch {
          guard case .inUse(path, by: let holders)? = error as? StoreError else {
            Issue.record("\(error)")
            return
          }
          #expect(counts(holders) == [1, 0, 0, 0])
        }
      }
      expectInUse { _ = try DynamicStore.compact(path) }
      expectInUse { _ = try DynamicStore.salvage(path, to: directory + "/saved.roost") }
      expectInUse { _ = try Store.dryRun(at: .file(path), models: Group.self) }
      expectInUse {
        let seed = URL(fileURLWithPath: path)
        _ = try Store(.file(directory + "/copy.roost", seed: seed), models: Group.self)
      }
      store.close()
      _ = try DynamicStore.compact(path)
    }
  }

  @Test func aFileThatMirrorsAStoreInMemoryIsInUseByNoneThatIsKnown() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(.inMemory(mirroredTo: path), models: Group.self)
      let unknown = try holders(path)
      #expect(counts(unknown) == [0, 0, 0, 0] && unknown.oldest == nil)
      for location in [Location.file(path), .inMemory(mirroredTo: path)] {
        #expect(throws: StoreError.inUse(path: path, by: unknown)) {
          _ = try Store(location, models: Group.self)
        }
      }
      #expect(
        StoreError.inUse(path: "p", by: unknown).message
          == "p is in use in this process: it is being opened, copied or compacted, or mirrors a store in memory. "
          + "Wait for that, or close the store.")
      store.close()
    }
  }

  @Test func whoReadsAVersionSaysInDebugBuildsWhereItWasRead() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      func expectPlace(_ line: Int) throws {
        let oldest = try holders(path).oldest
        #expect(oldest?.kind == .version)
        #if DEBUG
        #expect(oldest?.place == "\(#fileID):\(line)")
        #else
        #expect(oldest?.place == nil)
        #endif
      }
      do {
        let store = try Store(path, models: Group.self)
        let snapshot = store.snapshot()
        store.close()
        try expectPlace(#line - 2)
        withExtendedLifetime(snapshot) {}
      }
      do {
        let store = try Store(path, models: Group.self)
        try store.write { try $0.insert(Group(id: 1, name: "a", size: nil)) }
        let rows = try store.read { try $0.rows(Group.all) }
        store.close()
        try expectPlace(#line - 2)
        #expect(rows.count == 1)
      }
      do {
        let store = try Store(path, models: Group.self)
        let rows = try store.scope(Group.self).read { try $0.rows() }
        store.close()
        try expectPlace(#line - 2)
        #expect(rows.count == 1)
      }
    }
  }

  @Test func theMessageNamesAllHoldersAndTheOldest() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let first = try Store(path, models: Group.self)
      let line = #line - 1
      let holders = try holders(path)
      let age = try #require(holders.oldest).age.components.seconds
      #expect(
        StoreError.inUse(path: "p", by: holders).message
          == "p is in use in this process: an open store. The oldest is a store, opened \(age) s ago at "
          + "\(#fileID):\(line). Close the stores, and release the snapshots and rows, then try again."
      )
      let second = try Store(path, models: Group.self)
      let old = first.snapshot()
      try second.write { transaction in
        try transaction.insert(Group(id: 1, name: "a", size: nil))
        let snapshots = [old, first.snapshot()]
        let changes = [first.changes(of: Group.all), first.changes(of: Group.all)]
        let iterators = changes.map { $0.makeAsyncIterator() }
        let message = StoreError.inUse(path: "p", by: try self.holders(path)).message
        #expect(
          message.hasPrefix(
            "p is in use in this process: 2 open stores, a running transaction, 2 observations, "
              + "snapshots or rows of a version. The oldest is a store"), "\(message)")
        withExtendedLifetime((snapshots, iterators)) {}
      }
      let new = second.snapshot()
      let message = StoreError.inUse(path: "p", by: try self.holders(path)).message
      #expect(message.contains("snapshots or rows of 2 versions. "), "\(message)")
      withExtendedLifetime((old, new)) {}
    }
  }
}
