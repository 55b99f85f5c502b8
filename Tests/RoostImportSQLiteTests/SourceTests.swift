import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// The source's file: states it may be in, and that it stays as it is.
@Suite(.serialized) struct SourceTests {
  private static let rows = (1...500).map { "(\($0), 'entry \($0)')" }.joined(separator: ", ")

  private static func mapping(_ importer: inout Importer) {
    importer.rows("item") { Item(id: try $0.id(), text: try $0["text"]) }
  }

  private static func open(_ source: ImportSource) async throws -> Store {
    try await Store.open(.inMemory, models: Item.self, importing: source, mapping)
  }

  private static func made(_ pragma: String = "") throws -> SQLiteFile {
    let file = try SQLiteFile()
    try file.run(
      "\(pragma); CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO item VALUES \(rows);"
    )
    return file
  }

  private func texts(_ store: Store) throws -> [String] {
    try store.snapshot().fetch(Item.all).map(\.text)
  }

  @Test func aLogThatIsNotCheckpointedIsReadAndTheFolderStaysAsItIs() async throws {
    let made = try Self.made("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    let file = try made.crashed()
    let before = try file.contents()
    #expect(Set(before.keys) == ["app.sqlite", "app.sqlite-wal"])
    let copies = try leftCopies(with: "entry 250")
    do {
      let store = try await Self.open(file.source)
      #expect(try texts(store) == (1...500).map { "entry \($0)" })
    }
    #expect(try file.contents() == before)
    #expect(try leftCopies(with: "entry 250").subtracting(copies).isEmpty)
    // Without the log there is no such table.
    try FileManager.default.removeItem(at: file.folder.appendingPathComponent("app.sqlite-wal"))
    await #expect(throws: SQLiteError.self) { _ = try await Self.open(file.source) }
  }

  @Test func aTransactionThatACrashInterruptedIsUndoneInTheCopy() async throws {
    let made = try Self.made("PRAGMA journal_mode = DELETE")
    try made.run(
      "PRAGMA cache_size = 2; PRAGMA synchronous = OFF; BEGIN; UPDATE item SET text = 'changed' || hex(zeroblob(200));"
    )
    let file = try made.crashed()
    // The file has pages of the transaction already.
    #expect(try Data(contentsOf: file.url).range(of: Data("changed".utf8)) != nil)
    let before = try file.contents()
    #expect(Set(before.keys) == ["app.sqlite", "app.sqlite-journal"])
    let store = try await Self.open(file.source)
    #expect(try texts(store) == (1...500).map { "entry \($0)" })
    #expect(try file.contents() == before)
  }

  @Test func aJournalThatNamesAnotherFileIsRefused() async throws {
    let made = try Self.made("PRAGMA journal_mode = DELETE")
    try made.run("BEGIN; UPDATE item SET text = 'changed';")
    let file = try made.crashed()
    let journal = file.folder.appendingPathComponent("app.sqlite-journal")
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    try (Data(magic) + Data(repeating: 0, count: 1024) + Data(magic)).write(to: journal)
    let error = await #expect(throws: SQLiteError.self) { _ = try await Self.open(file.source) }
    #expect(error == .unfinishedTransaction(path: file.url.resolvingSymlinksInPath().path))
  }

  @Test(arguments: ["DELETE", "WAL"])
  func aSourceThatChangesMeanwhileIsAnError(_ mode: String) async throws {
    let file = try Self.made("PRAGMA journal_mode = \(mode)")
    let error = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: file.source) {
        $0.rows("item") { row in
          let id: Int = try row.id()
          if id == 250 { try file.run("UPDATE item SET text = 'later' WHERE id = 3") }
          return Item(id: id, text: try row["text"])
        }
      }
    }
    #expect(error == .changed(path: file.url.resolvingSymlinksInPath().path))
  }

  @Test func whatIsNoDatabaseIsOneClearError() async throws {
    let file = try SQLiteFile()
    let path = file.url.resolvingSymlinksInPath().path
    func error(_ bytes: [UInt8]) async throws -> SQLiteError? {
      try Data(bytes).write(to: file.url)
      return await #expect(throws: SQLiteError.self) { _ = try await Self.open(file.source) }
    }
    #expect(try await error([]) == .empty(path: path))
    #expect(try await error(Array("SQLite 2".utf8)) == .notSQLite(path: path))
    let encrypted = (0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 5) }
    #expect(try await error(encrypted) == .notSQLite(path: path))
    #expect(try await error(Array("SQLite format 3\0".utf8) + encrypted) == .notSQLite(path: path))
    try FileManager.default.removeItem(at: file.url)
    await #expect(throws: ImportError.noSource(path: path)) { _ = try await Self.open(file.source) }
    try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: false)
    let folder = await #expect(throws: SQLiteError.self) { _ = try await Self.open(file.source) }
    #expect(folder == .cannotOpen(path: path, reason: "it is not a regular file"))
  }

  @Test func aDamagedFileIsAnErrorOrGivesRightValues() async throws {
    let made = try Self.made("PRAGMA page_size = 512")
    try made.run("CREATE INDEX by_text ON item (text)")
    made.close()
    let whole = [UInt8](try Data(contentsOf: made.url))
    let copies = try leftCopies(with: "entry 250")
    let file = try SQLiteFile()
    var state: UInt64 = 7
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var errors = 0
    var compared = 0
    for round in 0..<520 {
      var bytes = whole
      switch round % 4 {
      case 0: bytes[random(bytes.count)] ^= UInt8(1 << random(8))
      case 1: for _ in 0..<20 { bytes[random(bytes.count)] = UInt8(random(256)) }
      case 2: bytes.removeLast(1 + random(bytes.count - 100))
      default:
        let (from, to) = (random(bytes.count / 512) * 512, random(bytes.count / 512) * 512)
        bytes.replaceSubrange(to..<to + 512, with: bytes[from..<from + 512])
      }
      try Data(bytes).write(to: file.url)
      let store: Store
      do { store = try await Self.open(file.source) } catch {
        errors += 1
        continue
      }
      // SQLite reads another copy of the damaged file.
      let other = try SQLiteFile()
      try Data(bytes).write(to: other.url)
      guard let expected = try other.items() else { continue }
      compared += 1
      #expect(try texts(store) == expected)
    }
    #expect(errors > 200)
    #expect(compared > 20)
    #expect(try leftCopies(with: "entry 250").subtracting(copies).isEmpty)
  }

  @Test func pagesThatDoNotFitTogetherAreDamageThoughAllRowsCanBeRead() async throws {
    let file = try Self.made()
    file.close()
    var bytes = try Data(contentsOf: file.url)
    // How many pages are free.
    bytes.replaceSubrange(36..<40, with: [0, 0, 0, 5])
    try bytes.write(to: file.url)
    let error = await #expect(throws: SQLiteError.self) { _ = try await Self.open(file.source) }
    guard case .damaged? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func aRowThatIsTooLargeIsRefused() async throws {
    let file = try SQLiteFile(
      "CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO item VALUES (1, printf('%.*c', 100000, 'x'));"
    )
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await Self.open(.sqlite(file.url, valueBytesMax: 10_000))
    }
    #expect(error == .tooLarge(path: file.url.resolvingSymlinksInPath().path, bytesMax: 10_000))
  }

  @Test func aSourceIsRefreshedComparedAndRemoved() async throws {
    let file = try Self.made("PRAGMA journal_mode = WAL")
    file.close()
    let store = try await Self.open(file.source)
    try file.run(
      "DELETE FROM item WHERE id = 5; UPDATE item SET text = 'new' WHERE id = 6; INSERT INTO item VALUES (900, 'x');"
    )
    file.close()
    let comparison = try await store.compare(with: file.source, Self.mapping)
    #expect(
      comparison.differences.map(\.description) == [
        "Item 6: text is new in the source, and entry 6 in the store",
        "Item 900 is only in the source", "Item 5 is only in the store",
      ])
    #expect(throws: ImportError.changedSince(path: file.url.resolvingSymlinksInPath().path)) {
      try store.removeSource(file.source)
    }
    let changes = try await store.refresh(from: file.source, Self.mapping)
    #expect(
      changes.models.map { "\($0.name) \($0.inserted) \($0.updated) \($0.deleted)" } == [
        "Item 1 1 1"
      ])
    #expect(try await store.compare(with: file.source, Self.mapping).isEmpty)
    try store.removeSource(file.source)
    #expect(try file.contents().isEmpty)
  }

  @Test func aMappingForAnotherKindOfFileIsAnError() async throws {
    let file = try Self.made()
    file.close()
    await #expect(throws: ImportError.otherKindOfSource(className: "item")) {
      try await Store.open(.inMemory, models: Item.self, importing: file.source) {
        $0.objects("item") { Item(id: try $0.id(), text: try $0["text"]) }
      }
    }
  }

  @Test func whatTheStoreOrTheMappingRefusesIsNamedByItsRow() async throws {
    let file = try Self.made()
    file.close()
    struct Odd: Error {}
    let mapping = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: file.source) {
        $0.rows("item") { row in
          if try row.id() == 7 { throw Odd() }
          return Item(id: try row.id(), text: "")
        }
      }
    }
    #expect(mapping == .mapping(table: "item", row: "id 7", reason: "Odd()"))
    let twice = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: file.source) {
        $0.rows("item") { _ in Item(id: 1, text: "") }
      }
    }
    #expect(
      twice
        == .notStored(
          table: "item", row: "id 2", .duplicateKey(model: "Item", field: "id", value: "1")))
  }
}
