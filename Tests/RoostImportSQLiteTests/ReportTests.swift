import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// What else a file has, which no mapping names.
@Suite struct ReportTests {
  private static let sql = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT UNIQUE, a INTEGER, b INTEGER, twice AS (a * 2));
    CREATE TABLE log (at INTEGER, words TEXT);
    CREATE TABLE empty (x TEXT PRIMARY KEY);
    CREATE INDEX by_a_b ON item (a, b);
    CREATE UNIQUE INDEX by_upper ON item (upper(text), b) WHERE b > 0;
    CREATE VIEW texts AS SELECT text FROM item;
    CREATE TRIGGER noted AFTER INSERT ON item BEGIN INSERT INTO log VALUES (1, new.text); END;
    CREATE VIRTUAL TABLE search USING fts5 (text, content = 'item');
    CREATE TABLE search_history (words TEXT);
    INSERT INTO item (id, text, a, b) VALUES (1, 'one', 1, 2), (2, 'two', 3, 4);

    """

  private static func open(
    _ file: SQLiteFile, ignoring ignored: [String] = []
  ) async throws -> ImportReport {
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows("item") { Item(id: try $0.id(), text: try $0["text"]) }
      for name in ignored { $0.ignore(name) }
    }
    return try #require(try store.importReport)
  }

  @Test func viewsTriggersIndexesAndSearchTablesAreReported() async throws {
    let file = try SQLiteFile(Self.sql)
    let report = try await Self.open(file)
    let found = report.definitions.map {
      "\($0.kind) \($0.name) \($0.table ?? "") \($0.columns.joined(separator: ","))"
    }
    #expect(
      found == [
        "generatedColumn twice item twice",
        "index by_a_b item a,b",
        "uniqueIndex by_upper item an expression,b",
        "uniqueIndex sqlite_autoindex_item_1 item text",
        "virtualTable search  ",
        "shadowTable search_config search ",
        "shadowTable search_data search ",
        "shadowTable search_docsize search ",
        "shadowTable search_idx search ",
        "view texts  ",
        "trigger noted item ",
      ])
    #expect(report.unnamed.map { "\($0.className) \($0.count)" } == ["log 2"])
    #expect(!report.isComplete)
  }

  @Test func aVirtualTableMustBeIgnored() async throws {
    let file = try SQLiteFile(Self.sql)
    #expect(try await !Self.open(file, ignoring: ["log"]).isComplete)
    let report = try await Self.open(file, ignoring: ["log", "search"])
    #expect(report.isComplete)
    #expect(report.ignored.map(\.className) == ["log"])
  }

  @Test func theTablesOfAModuleThatIsNotThereAreRecognised() async throws {
    let file = try SQLiteFile(Self.sql)
    try file.run(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'fts5', 'unknown_module') WHERE name = 'search';
      """)
    file.close()
    let report = try await Self.open(file)
    #expect(report.definitions.filter { $0.kind == .shadowTable }.count == 4)
    #expect(report.unnamed.map(\.className) == ["log"])
  }

  @Test func aColumnThatNeedsTheAppsFunctionIsAnErrorOnlyWhereItIsRead() async throws {
    let file = try SQLiteFile(
      "CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT, c AS (abs(id)));")
    try file.run(
      """
      INSERT INTO item (id, text) VALUES (1, 'one');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'abs', 'own_function');
      """)
    file.close()
    let report = try await Self.open(file)
    #expect(report.classes.map(\.written) == [1])
    let error = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: file.source) {
        $0.rows("item") { Item(id: try $0["c"], text: "") }
      }
    }
    guard case .notCalculated(table: "item", column: "c", _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
