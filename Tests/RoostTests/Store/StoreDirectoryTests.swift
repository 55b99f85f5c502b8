import Foundation
import Roost
import RoostTestSupport
import Testing

/// Stores by names of any text: one for each account.
@Suite struct StoreDirectoryTests {
  private static let oddNames = [
    "", ".", "..", "../ann", "/", "/etc/passwd", "a/b", "ann", "Ann", "ANN", ".ann", "ann.", "a.b",
    "ann.roost", "ann.roost.new", "ann.new", ".roost", "%", "%41", "con", "nul", "a b", " ", "\n",
    "a\0b", "ann@example.com", "Ann+List@Example.com", "https://example.com/~ann?x=1#y", "Größe",
    "日本語", "👩‍👧", "e\u{301}a", "ß", "ẞ", "ı", "İ", "ﬁ", "-", "_", "~", "a:b", "a\\b", "*?\"<>|",
    UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map(\.uuidString) ?? "",
  ]

  /// A text of characters that are odd in file names.
  private func randomName(_ random: inout SeededGenerator) -> String {
    let alphabet: [Character] = [
      "a", "A", "b", ".", "/", "%", "4", "1", "é", "\u{301}", " ", "日", "\0",
    ]
    return String(
      (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
        alphabet.randomElement(using: &random)
      })
  }

  private func touch(_ path: String) throws {
    try Data([1]).write(to: URL(fileURLWithPath: path))
  }

  private func make(_ path: String, _ name: String) throws {
    let store = try Store(.file(path), models: Group.self)
    try store.write { try $0.insert(Group(id: 1, name: name, size: nil)) }
  }

  @Test func anyNameIsAFileOfItsOwnInTheDirectoryAndIsListedAsItWas() throws {
    try withTemporaryDirectory { parent in
      let directory = try StoreDirectory(parent + "/deep/accounts")
      var random = SeededGenerator(seed: 1)
      let names = Set(Self.oddNames + (0..<400).map { _ in randomName(&random) })
      #expect(names.count > 250)
      var files: [String: String] = [:]
      for name in names {
        let path = try directory.path(of: name)
        let file = String(path.dropFirst(directory.path.count + 1))
        #expect(path.hasPrefix(directory.path + "/") && !file.contains("/") && !file.hasPrefix("."))
        #expect(file.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        // Also where a file system knows no upper case, and composes what is written in parts.
        #expect(files.updateValue(name, forKey: file.lowercased()) == nil, "\(file)")
        try touch(path)
      }
      let listed = try directory.names
      #expect(Set(listed).subtracting(names) == [])
      #expect(names.subtracting(listed) == [])
      #expect(listed == listed.sorted() && listed.count == names.count)
      #expect(try directory.path(of: "caf\u{e9}") == directory.path(of: "cafe\u{301}"))
    }
  }

  @Test func storesAreListedAndRemovedWithAllThatLiesBesideThem() throws {
    try withTemporaryDirectory { parent in
      let directory = try StoreDirectory(parent + "/accounts")
      #expect(try directory.names == [])
      let names = ["Ann", "ann", "a.roost", "日本"]
      for name in names { try make(directory.path(of: name), name) }
      let others = ["notes.txt", "Ann.roost", "x.roost.bak", "x.roost.unreadable-1", "%4.roost"]
      for other in others {
        try touch(directory.path + "/" + other)
      }
      let ann = try directory.path(of: "ann")
      let endings = [".new", ".compacting", ".unreadable", ".unreadable-2", ".unreadable-17"]
      for ending in endings {
        try touch(ann + ending)
      }
      #expect(try directory.names == names.sorted())
      #expect(Set(try Store.files(at: ann)) == Set([ann] + endings.map { ann + $0 }))
      try directory.remove("ann")
      #expect(try Store.files(at: ann) == [])
      #expect(try directory.names == names.filter { $0 != "ann" }.sorted())
      for name in ["Ann", "a.roost", "日本"] {
        let store = try Store(.file(directory.path(of: name)), models: Group.self)
        #expect(try store.snapshot().fetch(Group.all).map(\.name) == [name])
      }
      // What is left of a store that is gone is listed, so that it can be removed.
      try touch(ann + ".unreadable")
      #expect(try directory.names.contains("ann"))
      for name in try directory.names { try directory.remove(name) }
      #expect(try directory.names == [])
      #expect(
        try Set(FileManager.default.contentsOfDirectory(atPath: directory.path)) == Set(others))
      try directory.remove("ann")
    }
  }

  @Test func aStoreThatIsOpenIsNotRemovedAndNothingBesideItIs() throws {
    try withTemporaryDirectory { parent in
      let directory = try StoreDirectory(parent)
      let path = try directory.path(of: "ann")
      let store = try Store(.file(path), models: Group.self)
      try touch(path + ".unreadable")
      #expect { try directory.remove("ann") } throws: { ($0 as? StoreError)?.code == .inUse }
      #expect(try Store.files(at: path) == [path, path + ".unreadable"])
      store.close()
      try directory.remove("ann")
      #expect(try Store.files(at: path) == [])
    }
  }

  @Test func aNameThatNoFileCanHaveIsRefusedBeforeAnythingIsDone() throws {
    try withTemporaryDirectory { parent in
      let directory = try StoreDirectory(parent)
      let limit = StoreError.limitExceeded(StoreLimit(.nameBytes, maximum: 200))
      for longest in [String(repeating: "a", count: 200), String(repeating: "日", count: 22)] {
        let path = try directory.path(of: longest)
        try make(path, "x")
        // Side files have room, too.
        try touch(path + ".unreadable-1000")
        #expect(try Store.files(at: path).count == 2)
        try directory.remove(longest)
        #expect(throws: limit) { try directory.path(of: longest + "A") }
        #expect(throws: limit) { try directory.remove(longest + "A") }
      }
      #expect(try directory.names == [])
    }
  }

  @Test func aDirectoryThatIsGoneHasNoStoresAndOneThatCannotBeMadeIsAnError() throws {
    try withTemporaryDirectory { parent in
      let directory = try StoreDirectory(parent + "/accounts")
      try FileManager.default.removeItem(atPath: directory.path)
      #expect(try directory.names == [])
      try directory.remove("ann")
      try touch(parent + "/file")
      #expect(
        throws: StoreError.permissionDenied(operation: .create, path: parent + "/file/accounts")
      ) { try StoreDirectory(parent + "/file/accounts") }
    }
  }
}
