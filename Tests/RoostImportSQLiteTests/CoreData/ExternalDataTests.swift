import Foundation
import Roost
import RoostEngine
import RoostImport
import RoostImportSQLite
import RoostTestSupport
import Testing

/// Binary attributes that allow external storage.
@Suite struct ExternalDataTests {
  private static let name = "0B6D3C4E-7A1F-4D52-9C3B-2F1E0A9D8C7B"
  private static let names = Array(name.utf8)

  /// Ada's photo is within the file, Bob's in one of its own.
  private static func file(_ sql: String = "") throws -> CoreDataFile {
    let file = try CoreDataFile(
      """
      UPDATE ZPERSON SET ZPHOTO = x'010102' WHERE Z_PK = 1;
      UPDATE ZPERSON SET ZPHOTO = \(([2] + names + [0]).sqlLiteral) WHERE Z_PK = 2;

      """ + sql)
    try FileManager.default.createDirectory(at: folder(file), withIntermediateDirectories: true)
    try Data([3, 4, 5]).write(to: folder(file).appendingPathComponent(name))
    return file
  }

  private static func folder(_ file: CoreDataFile) -> URL {
    file.file.folder.appendingPathComponent(".app_SUPPORT/_EXTERNAL_DATA")
  }

  private static func photo(_ row: CoreDataRow) throws -> String {
    "\(try row.externalData("photo").map { Array($0) } ?? [])"
  }

  private static func error(
    _ file: CoreDataFile, _ text: @escaping @Sendable (CoreDataRow) throws -> String = photo
  ) async -> SQLiteError? {
    await #expect(throws: SQLiteError.self) {
      _ = try await file.read("Person", "Manager", text: text)
    }
  }

  @Test func valuesAreReadFromTheStoreAndFromFilesOfTheirOwn() async throws {
    let photos = try await Self.file().read("Person", "Manager", text: Self.photo)
    #expect(photos == [1: "[1, 2]", 2: "[3, 4, 5]", 4: "[]"])
  }

  @Test func readingThemAsDataIsAnErrorWithTheLineThatReadsThem() async throws {
    let error = await Self.error(try Self.file("UPDATE ZPERSON SET ZPHOTO = NULL WHERE Z_PK = 2;"))
    {
      "\(try $0["photo"] as Data?)"
    }
    #expect(
      error?.only
        == .mismatch(
          table: "Person", column: "photo", row: "Z_PK 1", declared: "Binary Data",
          found: "a blob of 3 bytes (010102), as attributes that allow external storage do",
          asked: "Data",
          line:
            "`try row.externalData(\"photo\")`, or, if it does not allow that, `try row.value(\"photo\")`"
        ))
    // Another value that begins in another way shows that the attribute does not allow it.
    let file = try Self.file("UPDATE ZPERSON SET ZPHOTO = x'0300' WHERE Z_PK = 2;")
    let read = try await file.read("Person") {
      let photo: Data? = try $0["photo"]
      return "\(photo.map { Array($0) } ?? [])"
    }
    #expect(read == [1: "[1, 1, 2]", 4: "[]"])
  }

  @Test func aFileThatIsMissingIsAnErrorWithTheLineThatLeavesItOut() async throws {
    let file = try Self.file()
    let photo = Self.folder(file).appendingPathComponent(Self.name)
    try FileManager.default.removeItem(at: photo)
    // A symbolic link is none.
    try Data([6]).write(to: file.file.folder.appendingPathComponent("other"))
    try FileManager.default.createSymbolicLink(
      at: photo, withDestinationURL: file.file.folder.appendingPathComponent("other"))
    #expect(
      await Self.error(file)?.only
        == .mismatch(
          table: "Manager", column: "photo", row: "Z_PK 2", declared: "Binary Data",
          found: "the name of the file \(Self.name), which is missing", asked: "external data",
          line: "`try row.externalData(\"photo\", skippingMissing: true)`"))
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows(of: "Manager") {
        let photo = try $0.externalData("photo", skippingMissing: true)
        return Item(id: try $0.id(), text: "\(photo == nil)")
      }
    }
    #expect(try store.snapshot().fetch(Item.all).map(\.text) == ["true"])
    let report = try #require(try store.importReport)
    #expect(
      report.omissions.map { "\($0.className).\($0.property) \($0.count)" } == ["Manager.photo 1"])
  }

  @Test(arguments: ["../../other", "", "/etc/hostname", "0B6D3C4E"])
  func aNameThatIsNoUUIDIsNotFollowed(_ name: String) async throws {
    let bytes = ([2] + Array(name.utf8) + [0]).sqlLiteral
    let file = try Self.file("UPDATE ZPERSON SET ZPHOTO = \(bytes) WHERE Z_PK = 2;")
    try Data([6]).write(to: file.file.folder.appendingPathComponent("other"))
    let error = await Self.error(file)
    guard case .mismatch("Manager", "photo", _, _, _, "external data", _)? = error?.only else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func aFileOfTooManyBytesIsAnError() async throws {
    let file = try Self.file()
    let photo = Self.folder(file).appendingPathComponent(Self.name)
    try Data(count: 200_000).write(to: photo)
    let source = ImportSource.coreData(file.file.url, valueBytesMax: 100_000)
    let error = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: source) {
        $0.rows(of: "Manager") { Item(id: try $0.id(), text: try Self.photo($0)) }
      }
    }
    guard case .tooLarge(_, 100_000)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func theCheckOfFreeSpaceCountsTheFiles() async throws {
    let file = try Self.file()
    let photo = Self.folder(file).appendingPathComponent(Self.name)
    try Data(count: 3_000_000).write(to: photo)
    let disk = SimulatedDisk()
    disk.capacity = 2_000_000
    var configuration = Configuration()
    configuration.fileSystem = disk
    let bytes = try Data(contentsOf: file.file.url).count
    await #expect(
      throws: ImportError.notEnoughSpace(
        path: "app.roost", needed: UInt64(bytes + 3_000_000), available: 2_000_000)
    ) {
      try await Store.open(
        .file("app.roost"), models: Item.self, configuration: configuration, importing: file.source
      ) {
        $0.rows(of: "Note") { Item(id: try $0.id(), text: try $0["words"]) }
      }
    }
  }

  /// A store of all objects of a file.
  private static func store(of source: ImportSource) async throws -> Store {
    try await Store.open(.inMemory, models: Item.self, importing: source) {
      for entity in ["Person", "Manager", "Contractor"] {
        $0.rows(of: entity) { Item(id: try $0.id(), text: try Self.photo($0)) }
      }
      for entity in ["Company", "Tag", "Note", "Badge"] { $0.ignore(entity) }
    }
  }

  @Test func removingTheSourceRemovesTheFolderBesideIt() async throws {
    let file = try Self.file()
    let store = try await Self.store(of: file.source)
    // No other store: only a database of the same name shares the folder.
    let text = file.file.folder.appendingPathComponent("app.txt")
    try Data("text".utf8).write(to: text)
    try store.removeSource(file.source)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: file.file.folder.path) == ["app.txt"])
  }

  @Test func theFolderStaysWhileAStoreWithAnotherEndingSharesIt() async throws {
    let file = try Self.file()
    let store = try await Self.store(of: file.source)
    let folder = file.file.folder
    let other = folder.appendingPathComponent("app.store")
    try Data(contentsOf: file.file.url).write(to: other)
    try store.removeSource(file.source)
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: folder.path))
        == ["app.store", ".app_SUPPORT"])
    #expect(
      try Data(contentsOf: Self.folder(file).appendingPathComponent(Self.name)) == Data([3, 4, 5]))
    // The last one that goes takes it along.
    try await Self.store(of: .coreData(other)).removeSource(.coreData(other))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}
