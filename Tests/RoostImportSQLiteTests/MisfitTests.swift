import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// The error that lists all columns that a mapping does not fit.
@Suite struct MisfitTests {
  private struct Company: Model {
    let id: Int
    var name: String
    static let schema = Schema(Company.init, Key("id", \.id), Field("name", \.name))
  }

  private struct Person: Model {
    let id: Int
    var name: String
    var age: Int
    var born: Date
    var employer: Link<Company>?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("name", \.name), Field("age", \.age),
      Field("born", \.born), Field("employer", \.employer))
  }

  @Test func allColumnsThatDoNotFitAreListedWithTheLinesThatReadThem() async throws {
    let file = try SQLiteFile(
      """
      CREATE TABLE company (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO company VALUES (1, 'Acme'), (2, NULL);
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, born, employer INTEGER REFERENCES company);
      INSERT INTO person VALUES (1, 'Ann', 30, '2026-05-06', 1), (2, 'Ben', 'many', '2026-05-06', 1),
        (3, 'Cas', 31, '2026-05-06', 9), (4, 'Dee', 'some', '2026-05-06', 9), (5, NULL, 33, '2026-05-06', 1),
        (6, 'Fay', 34, 7, NULL);
      """)
    let store = file.folder.appendingPathComponent("app.roost").path
    let error = await #expect(throws: SQLiteError.self) {
      try await Store.open(
        .file(store), models: Person.self, Company.self, importing: file.source
      ) {
        $0.rows("person") { row in
          Person(
            id: try row.id(), name: try row["name"], age: try row["age"],
            born: try row.date("born", as: .grdbText), employer: try row.link("employer"))
        }
        $0.rows("company") { Company(id: try $0.id(), name: try $0["name"]) }
      }
    }
    #expect(
      error?.columns
        == [
          "person.age 2", "person.employer 1", "person.name 1", "person.born 1", "company.name 1",
        ]
    )
    #expect(
      error?.message == """
        The mapping does not fit these columns, and nothing was imported:
        - person.age (INTEGER), 2 rows not Int, as the text "many" in id 2: `let ageValue: Int? = switch try row.value("age") { case .integer(let value): Int(exactly: value) ?? row.omitted("age"); case .text(let value): Int(value) ?? row.omitted("age"); case .null: nil; default: row.omitted("age") }`
        - person.employer, 1 row without a row of "company", as the integer 9 in id 3: `try row.link("employer", skippingDangling: true)`
        - person.name (TEXT), 1 row not String, as NULL in id 5: `try row["name"] as String?`
        - person.born, 1 row not a Date of the form .grdbText, as the integer 7 in id 6: `try row.date("born", as: .unixSeconds)` is 1970-01-01 00:00:07 UTC; `try row.date("born", as: .unixMilliseconds)` is 1970-01-01 00:00:00 UTC; `try row.date("born", as: .since2001)` is 2001-01-01 00:00:07 UTC
        - company.name (TEXT), 1 row not String, as NULL in id 2: `try row["name"] as String?`
        """)
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  private static let unreached = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a DATETIME, b INTEGER, c VARCHAR(9), d DATE, e INTEGER REFERENCES t, f BOOLEAN,
      g REAL, h BLOB, i INTEGER, j DECIMAL);
    INSERT INTO t VALUES (1, 5, 'x', x'00', '2026-05-06', 7, 2, 'x', 1, 2, 'x'), (2, 6, 'y', 'y', NULL, 1, 1, 2, 'x', NULL, 1),
      (3, 7, 3, NULL, '2026-05-06', NULL, 0, NULL, x'00', -1, 1.5);
    """

  private func error(
    _ sql: String, _ mapping: @escaping @Sendable (SQLiteRow) throws -> Item?
  ) async throws -> SQLiteError? {
    let file = try SQLiteFile(sql)
    return await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: file.source) {
        $0.rows("t", mapping)
      }
    }
  }

  @Test func columnsThatNoRowGotToAreReadAsTheTableDeclaresThem() async throws {
    let error = try await error(Self.unreached) {
      Item(id: try $0.id(), text: "\(try $0["a"] as Date) \(try $0["b"] as Int)")
    }
    #expect(
      error?.columns == [
        "t.a 3", "t.b 2 not read", "t.c 1 not read", "t.d 2 not read", "t.e 1 not read",
        "t.f 1 not read", "t.g 1 not read",
      ])
    guard case .misfits(let misfits)? = error, misfits.count == 7 else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      misfits[3].lines == ["`try row.date(\"d\", as: .grdbText)` is 2026-05-06 00:00:00 UTC"])
    #expect(misfits[4].lines == ["`try row.link(\"e\", skippingDangling: true)`"])
    #expect(
      error?.message.contains(
        "- t.d, 2 rows a Date without a form, as the text \"2026-05-06\" in id 1, if the mapping reads it: `"
      ) == true)
  }

  @Test func columnsThatTheMappingDoesNotReadAreNotListed() async throws {
    // The second row is read to its end, so the mapping's columns are known.
    let second = Self.unreached + "UPDATE t SET a = NULL WHERE id = 2;"
    let found = try await error(second) {
      Item(id: try $0.id(), text: "\(String(describing: try $0["a"] as Date?))")
    }
    #expect(found?.columns == ["t.a 2"])
    // It is left out before, which says nothing of the columns after that.
    let left = try await error(second) {
      if try $0.value("a") == .null { return nil }
      let id: Int = try $0.id()
      return Item(id: id, text: "\(try $0["a"] as Date)")
    }
    #expect(left?.columns.count == 7)
  }

  @Test func theLineForAColumnOfSeveralTypesReadsIt() async throws {
    let sql =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c BLOB); INSERT INTO t VALUES (1, 1), (2, 'two'), (3, '3'), (4, 4.0), (5, 4.5), (6, x'41');"
    func line(_ error: SQLiteError?) -> [String] {
      guard case .misfits(let misfits)? = error else { return [] }
      return misfits.flatMap(\.lines)
    }
    let number = try await error(sql) { Item(id: try $0.id(), text: "\(try $0["c"] as Int)") }
    #expect(
      line(number) == [
        "`let cValue: Int? = switch try row.value(\"c\") { case .integer(let value): Int(exactly: value) ?? row.omitted(\"c\"); case .real(let value): Int(exactly: value) ?? row.omitted(\"c\"); case .text(let value): Int(value) ?? row.omitted(\"c\"); case .null: nil; default: row.omitted(\"c\") }`"
      ])
    let text = try await error(sql) { Item(id: try $0.id(), text: try $0["c"]) }
    #expect(
      line(text) == [
        "`let cValue: String? = switch try row.value(\"c\") { case .blob(let value): String(data: value, encoding: .utf8) ?? row.omitted(\"c\"); case .integer(let value): \"\\(value)\"; case .real(let value): \"\\(value)\"; case .text(let value): value; case .null: nil; default: row.omitted(\"c\") }`"
      ])
    let file = try SQLiteFile(sql)
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows("t") { row in
        let numberValue = try Self.number(row)
        let textValue = try Self.text(row)
        return Item(
          id: try row.id(), text: "\(numberValue.map { "\($0)" } ?? "none") \(textValue ?? "none")")
      }
    }
    let found = try store.snapshot().fetch(Item.all).map(\.text)
    #expect(found == ["1 1", "none two", "3 3", "4 4.0", "none 4.5", "none A"])
    // Those that are no number: none is nil in silence.
    let report = try #require(try store.importReport)
    #expect(report.omissions.map { "\($0.className).\($0.property) \($0.count)" } == ["t.c 3"])
  }

  @Test func whatTheStoreWouldRefuseDoesNotHideThem() async throws {
    let error = try await error(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, b, c);
      INSERT INTO t VALUES (1, NULL, 1), (2, 'a', 1), (3, 'b', 1), (4, 'd', 'x');
      """
    ) { Item(id: 1, text: "\(try $0["b"] as String) \(try $0["c"] as Int)") }
    #expect(error?.columns == ["t.b 1", "t.c 1"])
  }

  @Test func namesAndValuesAreEscaped() async throws {
    let error = try await error(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, "a ""b\\" TEXT);
      INSERT INTO t VALUES (1, NULL), (2, NULL);
      """
    ) { Item(id: try $0.id(), text: try $0[#"a "b\"#]) }
    guard case .misfits(let misfits)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(misfits.map(\.lines) == [[##"`try row["a \"b\\"] as String?`"##]])
    let control = try await self.error(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c); INSERT INTO t VALUES (1, char(27, 10));"
    ) { Item(id: try $0.id(), text: "\(try $0["c"] as Int)") }
    #expect(control?.message.split(separator: "\n").count == 2)
    #expect(control?.message.contains(#"as the text "\u001B\u000A" in id 1"#) == true)
  }

  // swift-format-ignore
  private static func number(_ row: SQLiteRow) throws -> Int? {
    let cValue: Int? = switch try row.value("c") { case .integer(let value): Int(exactly: value) ?? row.omitted("c"); case .real(let value): Int(exactly: value) ?? row.omitted("c"); case .text(let value): Int(value) ?? row.omitted("c"); case .null: nil; default: row.omitted("c") }
    return cValue
  }

  // swift-format-ignore
  private static func text(_ row: SQLiteRow) throws -> String? {
    let cValue: String? = switch try row.value("c") { case .blob(let value): String(data: value, encoding: .utf8) ?? row.omitted("c"); case .integer(let value): "\(value)"; case .real(let value): "\(value)"; case .text(let value): value; case .null: nil; default: row.omitted("c") }
    return cValue
  }

  @Test func theLineForADecimalOfSeveralTypesTakesRealsAndNoBeginningOfAText() async throws {
    let sql =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c BLOB); INSERT INTO t VALUES (1, 7), (2, 84177.79), (3, '360,659.86'), (4, '12.50');"
    let error = try await error(sql) { Item(id: try $0.id(), text: "\(try $0["c"] as Decimal)") }
    guard case .misfits(let misfits)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      misfits.flatMap(\.lines) == [
        #"`let cValue: Decimal? = switch try row.value("c") { case .integer(let value): Decimal(value); case .real(let value): Decimal(exactly: "\(value)") ?? row.omitted("c"); case .text(let value): Decimal(exactly: value) ?? row.omitted("c"); case .null: nil; default: row.omitted("c") }`"#
      ])
    let file = try SQLiteFile(sql)
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows("t") { row in
        Item(id: try row.id(), text: try Self.decimal(row).map { "\($0)" } ?? "none")
      }
    }
    let found = try store.snapshot().fetch(Item.all.order(by: \.id)).map(\.text)
    #expect(found == ["7", "84177.79", "none", "12.5"])
  }

  // swift-format-ignore
  private static func decimal(_ row: SQLiteRow) throws -> Decimal? {
    let cValue: Decimal? = switch try row.value("c") { case .integer(let value): Decimal(value); case .real(let value): Decimal(exactly: "\(value)") ?? row.omitted("c"); case .text(let value): Decimal(exactly: value) ?? row.omitted("c"); case .null: nil; default: row.omitted("c") }
    return cValue
  }

  @Test func refreshingAndComparingListThemToo() async throws {
    let file = try SQLiteFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');"
    )
    @Sendable func mapping(_ importer: inout Importer) {
      importer.rows("t") { Item(id: try $0.id(), text: try $0["c"]) }
    }
    let store = try await Store.open(
      .inMemory, models: Item.self, importing: file.source, mapping)
    try file.run("UPDATE t SET c = x'00' WHERE id < 3; UPDATE t SET c = 'new' WHERE id = 3;")
    file.close()
    let refreshed = await #expect(throws: SQLiteError.self) {
      try await store.refresh(from: file.source, mapping)
    }
    #expect(refreshed?.columns == ["t.c 2"])
    let compared = await #expect(throws: SQLiteError.self) {
      try await store.compare(with: file.source, mapping)
    }
    #expect(compared?.columns == ["t.c 2"])
    #expect(try store.snapshot().fetch(Item.all).map(\.text) == ["a", "b", "c"])
  }

  @Test func anotherErrorThatFollowsDoesNotHideThem() async throws {
    struct Odd: Error {}
    let error = try await error(Self.unreached) {
      if try $0.id() == 3 { throw Odd() }
      return Item(id: 1, text: "\(try $0["c"] as String)")
    }
    #expect(error?.columns == ["t.c 1"])
    let handled = try await self.error(Self.unreached) {
      if (try? $0["c"] as String) == nil { throw Odd() }
      return nil
    }
    #expect(handled == .mapping(table: "t", row: "id 1", reason: "Odd()"))
  }
}
