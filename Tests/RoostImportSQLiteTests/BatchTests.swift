import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// Rows that are inserted many at a time.
@Suite struct BatchTests {
  private struct Coded: Model {
    let id: Int
    var code: String
    static let schema = Schema(Coded.init, Key("id", \.id), Field("code", \.code, .unique))
  }

  private static func file(_ sql: String) throws -> SQLiteFile {
    try SQLiteFile(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT);
      WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 1600)
      INSERT INTO item SELECT i, 'code ' || i FROM number;
      """ + sql)
  }

  private static let mapping: @Sendable (inout Importer) -> Void = {
    $0.rows("item") { Coded(id: try $0.id(), code: try $0["code"]) }
  }

  /// The rows are at the beginning and at the ends of batches, and the last one.
  @Test(arguments: [2, 512, 513, 514, 1600])
  func aRowThatTheStoreRefusesIsNamed(row: Int) async throws {
    let file = try Self.file("UPDATE item SET code = 'code 1' WHERE id = \(row)")
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await Store.open(
        .inMemory, models: Coded.self, importing: file.source, Self.mapping)
    }
    #expect(
      error
        == .notStored(
          table: "item", row: "id \(row)",
          .duplicateKey(model: "Coded", field: "code", value: "code 1")))
  }

  @Test func rowsThatCannotBeReadAreListedBeforeOneThatTheStoreRefuses() async throws {
    let file = try Self.file(
      "UPDATE item SET code = 'code 1' WHERE id = 700; UPDATE item SET code = NULL WHERE id IN (701, 1500);"
    )
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await Store.open(
        .inMemory, models: Coded.self, importing: file.source, Self.mapping)
    }
    guard case .misfits(let misfits) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(misfits.count == 1)
  }

  @Test func columnsMayBeReadInAnyOrderAndAgain() async throws {
    let file = try Self.file("")
    let store = try await Store.open(.inMemory, models: Coded.self, importing: file.source) {
      $0.rows("item") { row in
        let id = try row.id() as Int
        // Another order in each row, and other letters.
        if id.isMultiple(of: 2) {
          return Coded(id: try row["ID"], code: try row["CODE"])
        }
        let code = try row["code"] as String
        let again = try row["Code"] as String
        #expect(code == again)
        return Coded(id: try row["id"], code: code)
      }
    }
    let all = try store.snapshot().fetch(Coded.all.order(by: \.id))
    #expect(all.map(\.code) == (1...1600).map { "code \($0)" })
  }
}
