import Foundation
import Roost
import RoostTestSupport
import Testing

/// Stores in files: what may be opened, and what becomes of it.
@Suite struct FileTests {
  @Test func keepsObjectsFromOneOpeningToTheNext() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      let store = try Store(.file(path), models: Person.self, Group.self)
      try store.write { try $0.insert(contentsOf: (1...100).map { Person($0, "P\($0)") }) }
      store.close()
      let again = try Store(.file(path), models: Person.self, Group.self)
      #expect(try again.read { try $0.find(Person.self, id: 77).name } == "P77")
    }
  }

  @Test func sharesAFileThatThisProcessHasOpen() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      let first = try Store(.file(path), models: Group.self)
      let second = try Store(.file(directory + "/./people.roost"), models: Group.self)
      try first.write { try $0.insert(Group(id: 1, name: "a", size: nil)) }
      #expect(try second.read { try $0.contains(Group.self, id: 1) })
    }
  }

  @Test func showsTheNewestVersionThroughEveryStoreOfAFileUntilThatStoreIsClosed() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      let stores = [
        try Store(.file(path), models: Person.self, Group.self),
        try Store(.file(path), models: Group.self),
      ]
      for id in 1...6 {
        try stores[id % 2].write { try $0.insert(Group(id: id, name: "a", size: nil)) }
        let snapshots = stores.map { $0.snapshot() } + stores.map { $0.snapshot() }
        for snapshot in snapshots {
          #expect(try snapshot.contains(Group.self, id: id))
          #expect(try snapshot.version == snapshots[0].version)
        }
        // What another store keeps is read with its own models only.
        #expect(throws: StoreError.unknownModel(model: "Person")) {
          _ = try snapshots[3].contains(Person.self, id: 1)
        }
        #expect(try !snapshots[2].contains(Person.self, id: 1))
      }
      stores[0].close()
      #expect(throws: StoreError.closed) { _ = try stores[0].snapshot().version }
      #expect(try stores[1].snapshot().contains(Group.self, id: 6))
      stores[1].close()
      // Nobody reads any more, so the file is let go although the closed stores are still there.
      try Store.remove(at: path)
      withExtendedLifetime(stores) {}
    }
  }

  @Test func readsOnlyWhereItIsToldTo() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      var configuration = Configuration()
      configuration.isReadOnly = true
      #expect(throws: StoreError.fileNotFound(path: path)) {
        _ = try Store(.file(path), models: Group.self, configuration: configuration)
      }
      do {
        let store = try Store(.file(path), models: Group.self)
        try store.write { try $0.insert(Group(id: 1, name: "a", size: nil)) }
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let store = try Store(.file(path), models: Group.self, configuration: configuration)
      #expect(try store.read { try $0.contains(Group.self, id: 1) })
      #expect(throws: StoreError.readOnly) {
        try store.write { try $0.insert(Group(id: 2, name: "b", size: nil)) }
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
  }

  @Test func saysWhatAFileIsThatIsNoStore() throws {
    try withTemporaryDirectory { directory in
      func error(_ path: String) -> StoreError? {
        do {
          _ = try Store(.file(path), models: Group.self)
          return nil
        } catch { return error }
      }
      func write(_ name: String, _ data: Data) throws -> String {
        let path = directory + "/" + name
        try data.write(to: URL(fileURLWithPath: path))
        return path
      }
      #expect(error(directory) == .isDirectory(path: directory))
      let empty = try write("empty", Data())
      #expect(error(empty) == .notARoostFile(path: empty))
      let text = try write("text", Data(String(repeating: "hello ", count: 100_000).utf8))
      #expect(error(text) == .notARoostFile(path: text))
      #expect(try Data(contentsOf: URL(fileURLWithPath: text)).count == 600_000)
      let missing = directory + "/no/such/place.roost"
      #expect(error(missing) == .directoryNotFound(path: directory + "/no/such"))
      let url = URL(fileURLWithPath: missing).absoluteString
      #expect(error(url)?.message.contains("give the URL itself, or its `path`") == true)
      #expect(error("~/roost.roost")?.message.contains("`~` is not replaced") == true)

      let whole = directory + "/whole"
      do {
        let store = try Store(.file(whole), models: Group.self)
        try store.write {
          try $0.insert(contentsOf: (1...5000).map { Group(id: $0, name: "g\($0)", size: $0) })
        }
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
      for size in [10, 4096, 20_000, 66_000] {
        let cut = try write("cut\(size)", bytes.prefix(size))
        #expect(error(cut) == .fileTruncated(path: cut))
      }
    }
  }

  @Test func listsAndRemovesAStoreWithItsSideFiles() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      #expect(try Store.files(at: path).isEmpty)
      try Store.remove(at: path)
      let store = try Store(.file(path), models: Group.self)
      #expect(try Store.files(at: path) == [path])
      #expect { try Store.remove(at: path) } throws: { ($0 as? StoreError)?.code == .inUse }
      store.close()
      try Store.remove(at: path)
      #expect(try Store.files(at: path).isEmpty)
    }
  }

  @Test func findsAGoodPlaceByItself() throws {
    guard case .file(let path) = try Store.defaultLocation("test-of-roost") else {
      Issue.record("The default location is a file.")
      return
    }
    #expect(path.hasPrefix("/") && path.hasSuffix("/test-of-roost.roost"))
  }
}
