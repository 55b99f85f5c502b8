import Foundation
import Roost
import RoostTestSupport
import Testing

/// A file that somebody takes from under an open store.
@Suite struct FilePlaceTests {
  private let ids = 0..<20_000

  private func withStore(_ body: (Store, _ path: String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(.file(path), models: Group.self)
      try store.write { tx in
        try tx.insert(contentsOf: ids.map { Group(id: $0, name: "group \($0)", size: $0) })
      }
      try body(store, path)
    }
  }

  /// Expects that nothing is written, in a small and in a large transaction, and that everything can be read.
  private func expectRefusal(
    _ displacement: Displacement, _ store: Store, _ path: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = StoreError.displaced(path: path, displacement)
    #expect(throws: error, sourceLocation: sourceLocation) {
      try store.write { try $0.insert(Group(id: 1_000_000, name: "new", size: nil)) }
    }
    #expect(throws: error, sourceLocation: sourceLocation) {
      try store.write(durability: .relaxed) {
        try $0.insert(Group(id: 1_000_000, name: "new", size: nil))
      }
    }
    // So large that it begins to write before its end.
    #expect(throws: error, sourceLocation: sourceLocation) {
      try store.write { tx in
        try tx.insert(
          contentsOf: (1_000_000..<1_200_000).map {
            Group(id: $0, name: String($0, radix: 2) + "\($0 &* 0x9E37_79B9)", size: $0)
          })
      }
    }
    #expect(
      try store.snapshot().fetch(Group.all).map(\.id) == Array(ids),
      sourceLocation: sourceLocation)
  }

  @Test func aFileThatWasRemovedTakesNoMoreWritesAndCanStillBeReadAndWrittenElsewhere() throws {
    try withStore { store, path in
      try FileManager.default.removeItem(atPath: path)
      try expectRefusal(.removed, store, path)
      let other = try Store(.file(path + "-2"), models: Group.self)
      let groups = try store.snapshot().fetch(Group.all)
      try other.write { try $0.insert(contentsOf: groups) }
      #expect(try other.snapshot().count(Group.all) == ids.count)
      // A new store in its place is another file, and this one does not write to it.
      let new = try Store(.file(path), models: Group.self)
      try expectRefusal(.replaced, store, path)
      #expect(try new.snapshot().count(Group.all) == 0)
    }
  }

  @Test func aFileThatWasMovedTakesWritesAgainWhereItIsPutBack() throws {
    try withStore { store, path in
      try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
      try expectRefusal(.moved, store, path)
      try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
      try store.write { try $0.insert(Group(id: 1_000_000, name: "new", size: nil)) }
      #expect(try store.snapshot().count(Group.all) == ids.count + 1)
      let damage: [StoreDamage] = try store.verify()
      #expect(damage == [])
    }
  }

  @Test func aFileThatAnotherTookThePlaceOfIsNotWrittenTo() throws {
    try withStore { store, path in
      let backup = path + ".backup"
      try FileManager.default.copyItem(atPath: path, toPath: backup)
      let before = try Data(contentsOf: URL(fileURLWithPath: backup))
      let code = unsafe rename(backup, path)
      #expect(code == 0)
      try expectRefusal(.replaced, store, path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func aFileThatWasCutOffIsNotMadeLongerAgain() throws {
    try withStore { store, path in
      let size: UInt64 = 70_000
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: size)
      try file.close()
      try expectRefusal(.shortened, store, path)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.size] as? UInt64 == size)
    }
  }

  @Test func aMirrorThatWasReplacedIsNotWrittenToAndSaysSo() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      let store = try Store(.inMemory(mirroredTo: path), models: Group.self)
      try store.write { try $0.insert(Group(id: 1, name: "one", size: nil)) }
      #expect(store.mirrorFailure == nil)
      try Data("not ours".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      try store.write { try $0.insert(Group(id: 2, name: "two", size: nil)) }
      #expect(store.mirrorFailure != nil)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "not ours")
      #expect(try store.snapshot().count(Group.all) == 2)
    }
  }

  @Test func theWorkingDirectoryMayChangeWhileAStoreIsOpen() throws {
    try withTemporaryDirectory { directory in
      // Through a link, which may go as well.
      let link = directory + "/link"
      try FileManager.default.createDirectory(
        atPath: directory + "/data", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "data")
      let store = try Store(.file(link + "/groups.roost"), models: Group.self)
      try FileManager.default.removeItem(atPath: link)
      try store.write { try $0.insert(Group(id: 1, name: "one", size: nil)) }
      #expect(try store.snapshot().count(Group.all) == 1)
    }
  }
}
