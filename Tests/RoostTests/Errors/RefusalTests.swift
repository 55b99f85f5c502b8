import Foundation
import Roost
import RoostTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// What the system, or another process, keeps a store from.
@Suite struct RefusalTests {
  @Test func isLockedWhileAnotherProcessHasTheFileOpen() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/import.roost"
      let child = try ImportProcess(into: path)
      for isReadOnly in [false, true] {
        var configuration = Configuration()
        configuration.isReadOnly = isReadOnly
        #expect(throws: StoreError.locked(path: path)) {
          _ = try Store(.file(path), models: Group.self, configuration: configuration)
        }
      }
      #expect(throws: StoreError.locked(path: path)) { try Store.remove(at: path) }
      child.killed()
      let store = try Store(.file(path), models: Group.self)
      #expect(try store.read { try $0.count(Group.all) } == 0)
    }
  }

  @Test func saysWhatTheSystemDoesNotAllow() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/secret.roost"
      do {
        let store = try Store(.file(path), models: Group.self)
        try store.write { try $0.insert(Group(id: 1, name: "a", size: nil)) }
      }
      _ = unsafe chmod(path, 0)
      _ = unsafe chmod(directory, 0o555)
      defer { _ = unsafe chmod(directory, 0o755) }
      try asAnotherUser {
        #expect(throws: StoreError.permissionDenied(operation: .open, path: path)) {
          _ = try Store(.file(path), models: Group.self)
        }
        let new = directory + "/new.roost"
        #expect(throws: StoreError.permissionDenied(operation: .open, path: new)) {
          _ = try Store(.file(new), models: Group.self)
        }
      }
      _ = unsafe chmod(path, 0o600)
      let store = try Store(.file(path), models: Group.self)
      #expect(try store.read { try $0.contains(Group.self, id: 1) })
    }
  }

  @Test func isOneStoreUnderEachOfItsPaths() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      let first = try Store(.file(path), models: Group.self)
      let symbolic = directory + "/symbolic.roost"
      try FileManager.default.createSymbolicLink(atPath: symbolic, withDestinationPath: path)
      let hard = directory + "/hard.roost"
      try FileManager.default.linkItem(atPath: path, toPath: hard)
      let dotted = directory + "/../" + lastPart(directory) + "/people.roost"
      // From the working directory up to the root, and down again.
      let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
      let relative = String(repeating: "../", count: depth) + path.dropFirst()
      for (id, other) in [symbolic, hard, dotted, relative].enumerated() {
        let second = try Store(.file(other), models: Group.self)
        try second.write { try $0.insert(Group(id: id, name: "a", size: nil)) }
        #expect(try first.read { try $0.contains(Group.self, id: id) })
        // What is closed is that store alone.
        second.close()
        #expect(throws: StoreError.closed) { try second.read { try $0.count(Group.all) } }
        #expect(try first.read { try $0.count(Group.all) } == id + 1)
      }
    }
  }

  @Test func takesATransactionThatIsLargerThanItsMemory() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/large.roost"
      var configuration = Configuration()
      configuration.cacheBytesMax = 2 << 20
      let count = 300_000
      func name(_ id: Int) -> String { "person \(id) " + String(repeating: "x", count: 80) }
      func people(_ ids: Range<Int>) -> [Person] { ids.map { Person($0, name($0), age: $0 % 97) } }
      let store = try Store(
        .file(path), models: Person.self, Group.self, configuration: configuration)
      struct ChangedMyMind: Error {}
      #expect(throws: ChangedMyMind.self) {
        try store.write { tx in
          try tx.insert(contentsOf: people(0..<count))
          #expect(try tx.count(Person.all) == count)
          throw ChangedMyMind()
        }
      }
      #expect(try store.read { try $0.count(Person.all) } == 0)
      try store.write { tx in
        for start in stride(from: 0, to: count, by: 10_000) {
          try tx.insert(contentsOf: people(start..<start + 10_000))
        }
        #expect(try tx.find(Person.self, id: 4321).name == name(4321))
        try tx.delete(Person.where { $0.age == 13 })
      }
      #expect(try store.read { try $0.count(Person.where { $0.age == 14 }) } == count / 97 + 1)
      store.close()
      let again = try Store(
        .file(path), models: Person.self, Group.self, configuration: configuration)
      var expected = (0..<count).filter { $0 % 97 != 13 }.makeIterator()
      for row in try again.snapshot().rows(Person.all.order(by: \.id)) {
        let next = expected.next()
        let id = try #require(next)
        #expect(try row.id == id)
        #expect(try row.name == name(id))
      }
      let left = expected.next()
      #expect(left == nil)
    }
  }

  private func lastPart(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

  /// Runs `body` as somebody whom the modes of files bind: root is bound by none.
  private func asAnotherUser(_ body: () throws -> Void) throws {
    #if os(Linux)
    // Of this thread alone, and with it the right to pass over modes.
    if geteuid() == 0 {
      typealias SetUser = @convention(c) (UInt32) -> Int32
      let symbol = unsafe try #require(dlsym(nil, "setfsuid"))
      let setUser = unsafe unsafeBitCast(symbol, to: SetUser.self)
      _ = setUser(65_534)
      defer { _ = setUser(0) }
      return try body()
    }
    #endif
    try body()
  }
}
