import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// Rows that belong to rows of another table.
@Suite struct OwnedRowsTests {
  private struct Line: Embedded, Equatable {
    var name: String
    var count: Int
    static let fields = Fields(Line.init, Part("name", \.name), Part("count", \.count))
  }

  private struct Order: Model, Equatable {
    let id: Int
    var lines: [Line]
    static let schema = Schema(Order.init, Key("id", \.id), Field("lines", \.lines))
  }

  private static let orders = """
    CREATE TABLE "order" (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
    CREATE TABLE line (order_id INTEGER REFERENCES "order", name TEXT, count INTEGER, place INTEGER);
    INSERT INTO "order" VALUES (1, 'a'), (2, 'b'), (3, 'c');
    INSERT INTO line VALUES (3, 'tea', 2, 2), (1, 'milk', 1, 1), (3, 'cake', 1, 1);

    """

  private func open(
    _ sql: String, by column: String = "order_id", orderedBy order: String? = nil
  ) async throws -> Store {
    let file = try SQLiteFile(sql)
    return try await Store.open(.inMemory, models: Order.self, importing: file.source) {
      $0.rows("order") { row in
        Order(
          id: try row.id(),
          lines: try row.rows("line", by: column, orderedBy: order) {
            Line(name: try $0["name"], count: try $0["count"])
          })
      }
    }
  }

  private func lines(_ store: Store) throws -> [[String]] {
    try store.snapshot().fetch(Order.all).map { $0.lines.map { "\($0.name) \($0.count)" } }
  }

  @Test func rowsThatBelongToARowBecomeAListOfStructs() async throws {
    let store = try await open(Self.orders)
    #expect(try lines(store) == [["milk 1"], [], ["tea 2", "cake 1"]])
    let report = try #require(try store.importReport)
    #expect(report.unnamed.isEmpty)
    #expect(report.omissions.isEmpty)
    #expect(try lines(try await open(Self.orders, orderedBy: "place"))[2] == ["cake 1", "tea 2"])
  }

  @Test func theColumnThatAForeignKeyNamesIsWhatTheRowsHave() async throws {
    let store = try await open(
      Self.orders.replacing(
        "order_id INTEGER REFERENCES \"order\"", with: "order_id TEXT REFERENCES \"order\" (code)")
        + "UPDATE line SET order_id = CASE order_id WHEN 3 THEN 'b' ELSE 'a' END;")
    #expect(try lines(store) == [["milk 1"], ["tea 2", "cake 1"], []])
  }

  @Test func rowsThatBelongToNoneAreCounted() async throws {
    let store = try await open(
      Self.orders + "INSERT INTO line VALUES (9, 'gone', 1, 1), (NULL, 'loose', 1, 1);")
    #expect(try lines(store).joined().count == 3)
    let report = try #require(try store.importReport)
    #expect(
      report.omissions.map { "\($0.className).\($0.property) \($0.count)" } == ["line.order_id 2"])
  }

  @Test func rowsThatTheMappingLeavesOutAreCounted() async throws {
    let file = try SQLiteFile(Self.orders)
    let store = try await Store.open(.inMemory, models: Order.self, importing: file.source) {
      $0.rows("order") { row in
        Order(
          id: try row.id(),
          lines: try row.rows("line", by: "order_id") {
            let line = Line(name: try $0["name"], count: try $0["count"])
            return line.count > 1 ? nil : line
          })
      }
    }
    #expect(try lines(store) == [["milk 1"], [], ["cake 1"]])
    let report = try #require(try store.importReport)
    #expect(
      report.omissions.map { "\($0.className).\($0.property) \($0.count)" } == ["line.order_id 1"])
  }

  @Test func aRowThatAStructCannotHoldIsNamed() async throws {
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await open(Self.orders + "UPDATE line SET count = 'many' WHERE name = 'tea';")
    }
    let words = try #require(error.map { "\($0)" })
    #expect(words.contains("line.count") && words.contains("\"many\""), "\(words)")
  }

  @Test func aColumnThatIsNotThereIsAnError() async throws {
    await #expect(
      throws: SQLiteError.unknownColumn(
        table: "line", column: "orderID", columns: ["order_id", "name", "count", "place"])
    ) { _ = try await open(Self.orders, by: "orderID") }
  }

  /// A tree: the rows of a table that belong to others of it.
  @Test func rowsOfTheSameTableMayBeReadWithinOneAnother() async throws {
    let file = try SQLiteFile(
      """
      CREATE TABLE node (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES node);
      INSERT INTO node VALUES (1, NULL), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3);
      """)
    let store = try await Store.open(.inMemory, models: Order.self, importing: file.source) {
      $0.rows("node") { row -> Order? in
        @Sendable func names(_ row: SQLiteRow) throws -> [String] {
          let below = try row.rows("node", by: "parent") { try names($0) }
          return ["\(try row.id() as Int)"] + below.flatMap { $0 }
        }
        guard try row["parent"] as Int? == nil else { return nil }
        return Order(
          id: try row.id(), lines: try names(row).map { Line(name: $0, count: 0) })
      }
    }
    #expect(try lines(store) == [["1 0", "2 0", "4 0", "5 0", "3 0", "6 0"]])
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    replacingOccurrences(of: part, with: other)
  }
}
