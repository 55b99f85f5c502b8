import Foundation
import Roost
import RoostTestSupport
import Synchronization
import Testing

/// A file that is opened again while this process still holds rows of it.
@Suite struct JoinedFileTests {
  private func groups(_ ids: Range<Int>, _ name: String) -> [Group] {
    ids.map { Group(id: $0, name: "\(name) \($0)", size: $0) }
  }

  @Test func rowsOfAClosedStoreStayAsTheyAreWhateverTheNextStoresWrite() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let old = groups(0..<3000, "old")
      let first = try Store(path, models: Group.self)
      try first.write { try $0.insert(contentsOf: old) }
      let rows = try first.snapshot().rows(Group.all)
      first.close()
      for round in 0..<6 {
        // Each joins the open file, also with other models, and closes again.
        let store = try Store(path, models: Group.self, Person.self)
        try store.write { try $0.delete(Group.all) }
        try store.write { try $0.insert(contentsOf: groups(0..<3000, "round \(round)")) }
        try store.write { try $0.insert(Person(round)) }
        #expect(try store.snapshot().count(Person.all) == round + 1)
        store.close()
        #expect(throws: StoreError.closed) { try store.snapshot().count(Person.all) }
        #expect(throws: StoreError.closed) { try store.write { _ in } }
      }
      #expect(try rows.map { try $0.value } == old)
      let last = try Store(path, models: Group.self)
      #expect(try last.verify() == [])
      #expect(try last.snapshot().fetch(Group.all) == groups(0..<3000, "round 5"))
      withExtendedLifetime(rows) {}
    }
  }

  @Test func whatTheRowsHeldIsFreeAgainWhenTheyAreGone() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      func rewrite() throws -> Int64? {
        let store = try Store(path, models: Group.self)
        try store.write { try $0.delete(Group.all) }
        try store.write { try $0.insert(contentsOf: groups(0..<3000, "new")) }
        return store.oldestSnapshot?.bytes
      }
      _ = try rewrite()
      var rows: Rows<Group>? = try Store(path, models: Group.self).snapshot().rows(Group.all)
      let bytes = try rewrite()
      #expect(try #require(bytes) > 0)
      #expect(rows?.count == 3000)
      rows = nil
      #expect(try rewrite() == nil)
    }
  }

  @Test func aMigrationByTheNextStoreLeavesTheRowsAlone() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let first = try Store(path, models: Group.self)
      try first.write { try $0.insert(contentsOf: groups(0..<10, "old")) }
      let snapshot = first.snapshot()
      first.close()
      let second = try Store(path, models: Visitor.self) {
        MigrationStep("2026-01") { try $0.removeModel("Group") }
      }
      #expect(try second.history.map(\.name) == ["2026-01"])
      #expect(try snapshot.fetch(Group.all) == groups(0..<10, "old"))
    }
  }

  @Test func closingOneStoreEndsNothingOfAnotherOne() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let first = try Store(path, models: Group.self)
      let second = try Store(path, models: Group.self, Person.self)
      try await first.write { try $0.insert(contentsOf: groups(0..<10, "old")) }
      let rows = (try first.snapshot().rows(Group.all), try second.snapshot().rows(Group.all))
      var ended = first.changes(of: Group.all).makeAsyncIterator()
      var changes = second.changes(of: Group.all).makeAsyncIterator()
      _ = try await ended.next()
      _ = try await changes.next()
      first.close()
      #expect(throws: StoreError.closed) { try first.snapshot().count(Group.all) }
      #expect(try await ended.next() == nil)
      try await second.write { transaction in
        try transaction.delete(Group.all)
        try transaction.insert(Person(1))
      }
      let change = try await changes.next()
      #expect(change?.results.count == 0)
      #expect(try rows.0.map { try $0.value } == groups(0..<10, "old"))
      #expect(try rows.1.map { try $0.value } == groups(0..<10, "old"))
      #expect(try second.snapshot().count(Person.all) == 1)
    }
  }

  @Test func aMigrationWhileAnotherStoreIsOpenLeavesItsRowsAndItsErrorSaysSo() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let first = try Store(path, models: Group.self)
      try await first.write { try $0.insert(contentsOf: groups(0..<10, "old")) }
      let rows = try first.snapshot().rows(Group.all)
      var changes = first.changes(of: Group.all).makeAsyncIterator()
      _ = try await changes.next()
      let second = try Store(path, models: Visitor.self) {
        MigrationStep("2026-01") { try $0.removeModel("Group") }
      }
      // Twice: also after a version that fits, nothing is remembered of one that does not.
      for _ in 0..<2 {
        #expect(throws: StoreError.modelsChanged) { try first.snapshot().count(Group.all) }
        await #expect(throws: StoreError.modelsChanged) { try await first.write { _ in } }
      }
      await #expect(throws: StoreError.modelsChanged) { try await changes.next() }
      try await second.write { try $0.insert(Visitor(id: 1)) }
      #expect(try rows.map { try $0.value } == groups(0..<10, "old"))
      first.close()
      second.close()
      #expect(try rows.first?.name == "old 0")
      #expect(
        try Store(path, models: Visitor.self) {
          MigrationStep("2026-01") { _ in }
        }.snapshot().count(Visitor.all) == 1)
    }
  }

  @Test(arguments: [
    MigrationStep("2026-01") { try $0.rename("name", of: "Group", to: "title") },
    MigrationStep("2026-01") { try $0.renameModel("Group", to: "Team") },
    MigrationStep("2026-01") { try $0.remove("name", of: "Group") },
    MigrationStep("2026-01") { try $0.makeRequired("size", of: "Group", default: 0) },
  ])
  func aStepThatChangesAModelOfAnotherStoreIsNoticedByThatStore(_ step: MigrationStep) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let first = try Store(path, models: Group.self)
      try first.write { try $0.insert(contentsOf: groups(0..<10, "old")) }
      let snapshot = first.snapshot()
      _ = try Store(path) { step }
      #expect(throws: StoreError.modelsChanged) { try first.snapshot().count(Group.all) }
      #expect(throws: StoreError.modelsChanged) { try first.write { _ in } }
      #expect(try snapshot.fetch(Group.all) == groups(0..<10, "old"))
    }
  }

  @Test func aStoreGoesOnWhileMigrationsOfOthersLeaveItsModelsAsTheyAre() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let first = try Store(path, models: Group.self)
      try first.write { try $0.insert(contentsOf: groups(0..<10, "old")) }
      let second = try Store(path, models: Visitor.self) {
        MigrationStep("2026-01") {
          try $0.rewrite("Group") { _, new in new.delete() }
          try $0.makeOptional("name", of: "Group")
        }
      }
      #expect(try first.snapshot().count(Group.all) == 0)
      try first.write { try $0.insert(contentsOf: groups(0..<5, "new")) }
      try second.write { try $0.insert(Visitor(id: 1)) }
      #expect(try first.snapshot().fetch(Group.all) == groups(0..<5, "new"))
      #expect(try second.snapshot().count(Visitor.all) == 1)
      let third = try Store(path, models: Group.self, Person.self) {
        MigrationStep("2026-01") { _ in }
        MigrationStep("2026-02") { try $0.removeModel("Visitor") }
      }
      #expect(throws: StoreError.modelsChanged) { try second.snapshot().count(Visitor.all) }
      #expect(throws: StoreError.modelsChanged) { try second.write { _ in } }
      try third.write { try $0.insert(Person(1)) }
      try first.write { try $0.delete(Group.all) }
      #expect(try first.snapshot().count(Group.all) == 0)
      #expect(try third.snapshot().count(Person.all) == 1)
      #expect(try first.verify() == [])
    }
  }

  @Test func theErrorOfAStoreWhoseModelsWereChangedSaysByWhatAndHowToGetOn() {
    #expect(
      StoreError.modelsChanged.message
        == "The file's models were changed while this store was open: another store of this process has migrated the file, "
        + "or a kept version was restored. Open the store again, with the models that the file has now. Snapshots and rows "
        + "from before stay readable.")
  }

  @Test func rowsThatAreReadWhileTheirStoreIsClosedAreJoinedLikeOthers() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      for round in 0..<150 {
        let store = try Store(path, models: Group.self)
        let old = groups(0..<20, "round \(round)")
        try store.write(durability: .relaxed) { transaction in
          try transaction.delete(Group.all)
          try transaction.insert(contentsOf: old)
        }
        let kept = Mutex<Rows<Group>?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
          if thread == 0 { return store.close() }
          for _ in 0..<20 {
            guard let rows = try? store.snapshot().rows(Group.all) else { return }
            kept.withLock { $0 = rows }
          }
        }
        let next = try Store(path, models: Group.self)
        try next.write(durability: .relaxed) { try $0.delete(Group.all) }
        try next.write(durability: .relaxed) { try $0.insert(contentsOf: groups(0..<20, "new")) }
        if let rows = kept.withLock({ $0 }) {
          #expect(try rows.map { try $0.value } == old)
        }
      }
    }
  }

  @Test func openingWaitsForWhatIsJustEndingInAnotherThread() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let errors = Mutex<[any Error]>([])
      for round in 0..<100 {
        let store = try Store(path, models: Group.self)
        try store.write(durability: .relaxed) {
          try $0.upsert(Group(id: 1, name: "\(round)", size: 0))
        }
        let rows = Mutex<Rows<Group>?>(try store.snapshot().rows(Group.all))
        if round % 2 == 0 { store.close() }
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
          do {
            if thread == 0 {
              store.close()
              rows.withLock { $0 = nil }
            } else if thread == 1 {
              // What is just ending is remembered, whatever else is opened meanwhile.
              for _ in 0..<4 { try Store(directory + "/other.roost", models: Group.self).close() }
            } else if round % 4 < 2 {
              let next = try Store(path, models: Group.self)
              let name = try next.snapshot().fetch(Group.self, id: 1)?.name
              if name != "\(round)" { throw StoreError.closed }
            } else {
              _ = try? Store.remove(at: path)
            }
          } catch { errors.withLock { $0.append(error) } }
        }
      }
      #expect(errors.withLock { $0.map { "\($0)" } } == [])
      try Store.remove(at: path)
    }
  }

  @Test(arguments: [true, false])
  func onlyAnotherModeIsRefused(isReadOnly: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      try Store(path, models: Group.self).close()
      func open(isReadOnly: Bool) throws(StoreError) -> Store {
        var configuration = Configuration()
        configuration.isReadOnly = isReadOnly
        return try Store(path, models: Group.self, configuration: configuration)
      }
      let error = StoreError.openInOtherMode(path: path, isReadOnly: isReadOnly)
      let store = try open(isReadOnly: isReadOnly)
      #expect(throws: error) { try open(isReadOnly: !isReadOnly) }
      var snapshot: Snapshot? = store.snapshot()
      store.close()
      #expect(throws: error) { try open(isReadOnly: !isReadOnly) }
      try open(isReadOnly: isReadOnly).close()
      #expect(try snapshot?.count(Group.all) == 0)
      snapshot = nil
      try open(isReadOnly: !isReadOnly).close()
    }
  }

  @Test func theRefusalOfAnotherModeSaysWhichOneIsOpen() {
    #expect(
      StoreError.openInOtherMode(path: "p", isReadOnly: true).message
        == "p is open read-only in this process. Open it with `isReadOnly`, or close it and release its snapshots and rows."
    )
    #expect(
      StoreError.openInOtherMode(path: "p", isReadOnly: false).message
        == "p is open for writing in this process. Open it without `isReadOnly`, or close it and release its snapshots and "
        + "rows.")
    #expect(StoreError.openInOtherMode(path: "p", isReadOnly: true).code == .openInOtherMode)
  }

  @Test func whatIsWrittenWithoutWaitingIsDurableWhenItsStoreIsClosedAlsoWhereRowsAreHeld() throws {
    let disk = SimulatedDisk()
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.durability = .relaxed
    let store = try Store("/groups", models: Group.self, configuration: configuration)
    try store.write { try $0.insert(contentsOf: groups(0..<10, "a")) }
    let snapshot = store.snapshot()
    store.close()
    configuration.fileSystem = disk.crashImage(seed: 1, survival: .nothing)
    let again = try Store("/groups", models: Group.self, configuration: configuration)
    #expect(try again.snapshot().fetch(Group.all) == snapshot.fetch(Group.all))
  }

  @Test func threadsThatOpenCloseReadAndKeepRowsShareTheFile() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      try Store(path, models: Group.self).write {
        try $0.insert(contentsOf: groups(0..<500, "start"))
      }
      let kept = Mutex<[(rows: Rows<Group>, sum: Int)]>([])
      let errors = Mutex<[any Error]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for round in 0..<60 {
          do {
            let store = try Store(path, models: Group.self)
            try store.write(durability: .relaxed) { transaction in
              try transaction.update(
                Group.where { $0.id % 4 == thread }, set: \.size, to: round)
            }
            let rows = try store.snapshot().rows(Group.all)
            let sum = try rows.reduce(0) { try $0 + ($1.size ?? 0) }
            kept.withLock { kept in
              if round % 3 == thread % 3 { kept.append((rows, sum)) }
              if kept.count > 5 { kept.removeFirst() }
              if round % 20 == 19 { kept = [] }
            }
            store.close()
          } catch { errors.withLock { $0.append(error) } }
        }
      }
      #expect(errors.withLock { $0.map { "\($0)" } } == [])
      for (rows, sum) in kept.withLock({ $0 }) {
        #expect(try rows.reduce(0) { try $0 + ($1.size ?? 0) } == sum)
      }
      kept.withLock { $0 = [] }
      #expect(try Store(path, models: Group.self).verify() == [])
      try Store.remove(at: path)
    }
  }
}

/// A model that links to no other one.
private struct Visitor: Model {
  let id: Int
  static let schema = Schema(Visitor.init, Key("id", \.id))
}
