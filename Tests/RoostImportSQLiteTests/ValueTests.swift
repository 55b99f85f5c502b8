import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// What rows become: every type of value, and every form of key.
@Suite struct ValueTests {
  private struct Thing: Model, Equatable {
    let id: Int
    var number: Int64?
    var real: Double?
    var text: String?
    var bytes: Data?
    var flag: Bool
    static let schema = Schema(
      Thing.init, Key("id", \.id), Field("number", \.number), Field("real", \.real),
      Field("text", \.text), Field("bytes", \.bytes), Field("flag", \.flag))

    static func mapping(_ importer: inout Importer) {
      importer.rows("thing") {
        Thing(
          id: try $0.id(), number: try $0["number"], real: try $0["Real"], text: try $0["text"],
          bytes: try $0["bytes"], flag: try $0["flag"])
      }
    }

    /// The row as SQL has it.
    var literal: String {
      let text = text.map { "CAST(x'\(Self.hexadecimal(Data($0.utf8)))' AS TEXT)" } ?? "NULL"
      let bytes = bytes.map { "x'\(Self.hexadecimal($0))'" } ?? "NULL"
      let real = real.map { $0.isInfinite ? ($0 > 0 ? "9e999" : "-9e999") : "\($0)" } ?? "NULL"
      let number = number.map { $0 == .min ? "-9223372036854775807 - 1" : "\($0)" } ?? "NULL"
      return "(\(id), \(number), \(real), \(text), \(bytes), \(flag ? 1 : 0))"
    }

    private static func hexadecimal(_ bytes: Data) -> String {
      bytes.map { String(format: "%02x", $0) }.joined()
    }
  }

  private static let things: [Thing] = {
    let numbers: [Int64?] = [nil, 0, 1, -1, 255, 1 << 40, .max, .min]
    let reals: [Double?] = [nil, 0, -2.5, 0.1, 1e300, 3, .leastNonzeroMagnitude, -.infinity]
    let texts: [String?] = [
      nil, "", "Zoë", "a\u{0}b", "e\u{301}", String(repeating: "x", count: 9000),
    ]
    let blobs: [Data?] = [
      nil, Data(), Data([0]), Data((0...255)), Data(repeating: 7, count: 20_000),
    ]
    return (0..<240).map { place in
      Thing(
        id: place * 7 - 100, number: numbers[place % numbers.count],
        real: reals[place / 2 % reals.count], text: texts[place % texts.count],
        bytes: blobs[place % blobs.count], flag: place.isMultiple(of: 3))
    }
  }()

  private static func file(encoding: String = "UTF-8", _ options: String = "") throws -> SQLiteFile
  {
    try SQLiteFile(
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE thing (id INTEGER PRIMARY KEY, number INTEGER, real REAL, text TEXT, bytes BLOB, flag BOOLEAN) \(options);
      INSERT INTO thing VALUES \(things.map(\.literal).joined(separator: ",\n"));
      """)
  }

  @Test(arguments: [("UTF-8", ""), ("UTF-8", "WITHOUT ROWID")])
  func everyTypeOfValueArrivesAsItIs(_ encoding: String, _ options: String) async throws {
    let file = try Self.file(encoding: encoding, options)
    let before = try file.contents()
    let store = try await Store.open(
      .inMemory, models: Thing.self, importing: file.source, Thing.mapping)
    let found = try store.snapshot().fetch(Thing.all)
    #expect(found == Self.things)
    let report = try #require(try store.importReport)
    #expect(report.isComplete)
    #expect(report.classes.map(\.inSource) == [240])
    #expect(report.classes.map(\.written) == [240])
    #expect(try file.contents() == before)
  }

  @Test func aDatabaseInUTF16IsReadTheSame() async throws {
    let file = try SQLiteFile(
      """
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE thing (id INTEGER PRIMARY KEY, number, real, text, bytes, flag);
      INSERT INTO thing VALUES (1, 2, 0.5, 'Zoë 🦉', x'00ff', 1);
      """)
    let store = try await Store.open(
      .inMemory, models: Thing.self, importing: file.source, Thing.mapping)
    let found = try store.snapshot().fetch(Thing.all)
    #expect(
      found == [
        Thing(id: 1, number: 2, real: 0.5, text: "Zoë 🦉", bytes: Data([0, 255]), flag: true)
      ])
  }

  private struct Seat: Model, Equatable {
    struct ID: CompoundKey {
      let row: Int
      let letter: String
      static let parts = KeyParts(ID.init, KeyPart("row", \.row), KeyPart("letter", \.letter))
    }
    let id: ID
    var guest: String?
    static let schema = Schema(Seat.init, Key("id", \.id), Field("guest", \.guest))
  }

  @Test(arguments: ["", "WITHOUT ROWID"])
  func aKeyOfSeveralColumnsBecomesACompoundKey(_ options: String) async throws {
    let file = try SQLiteFile(
      """
      CREATE TABLE seat (guest TEXT, letter TEXT, row INTEGER, PRIMARY KEY (row, letter)) \(options);
      INSERT INTO seat VALUES ('Ann', 'B', 7), (NULL, 'A', 7), ('Ben', 'A', 3);
      """)
    let store = try await Store.open(.inMemory, models: Seat.self, importing: file.source) {
      $0.rows("seat") {
        Seat(id: Seat.ID(row: try $0["row"], letter: try $0["letter"]), guest: try $0["guest"])
      }
    }
    let found = try store.snapshot().fetch(Seat.all.order(by: \.id))
    #expect(
      found == [
        Seat(id: .init(row: 3, letter: "A"), guest: "Ben"),
        Seat(id: .init(row: 7, letter: "A"), guest: nil),
        Seat(id: .init(row: 7, letter: "B"), guest: "Ann"),
      ])
    let error = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Named.self, importing: file.source) {
        $0.rows("seat") { Named(id: try $0.id(), text: "") }
      }
    }
    #expect(
      error
        == .compoundKey(
          table: "seat", columns: ["row", "letter"],
          line: "`ID(row: try row[\"row\"], letter: try row[\"letter\"])`"))
  }

  private struct Named: Model, Equatable {
    let id: String
    var text: String
    static let schema = Schema(Named.init, Key("id", \.id), Field("text", \.text))
  }

  private struct Tagged: Model, Equatable {
    let id: UUID
    var number: Int
    static let schema = Schema(Tagged.init, Key("id", \.id), Field("number", \.number))
  }

  @Test func keysAreTextsBytesOrRowids() async throws {
    let uuids = [UUID(), UUID()].map(\.uuidString)
    let file = try SQLiteFile(
      """
      CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
      INSERT INTO country VALUES ('nl', 'Nederland'), ('fr', 'France');
      CREATE TABLE token (id BLOB PRIMARY KEY, n INTEGER) WITHOUT ROWID;
      INSERT INTO token VALUES (x'\(uuids[0].replacing("-", with: ""))', 1);
      CREATE TABLE other (id TEXT PRIMARY KEY, n INTEGER);
      INSERT INTO other VALUES ('\(uuids[1].lowercased())', 2);
      CREATE TABLE line (rowid TEXT, words TEXT);
      INSERT INTO line VALUES ('x', 'first'), ('y', 'second');
      """)
    let store = try await Store.open(
      .inMemory, models: Named.self, Tagged.self, Item.self, importing: file.source
    ) {
      $0.rows("country") { Named(id: try $0.id(), text: try $0["name"]) }
      $0.rows("token") { Tagged(id: try $0.id(), number: try $0["n"]) }
      $0.rows("other") { Tagged(id: try $0.id(), number: try $0["n"]) }
      $0.rows("line") { Item(id: try $0.id(), text: try $0["words"]) }
    }
    let snapshot = store.snapshot()
    let names = try snapshot.fetch(Named.all.order(by: \.id))
    #expect(names == [Named(id: "fr", text: "France"), Named(id: "nl", text: "Nederland")])
    for (place, text) in uuids.enumerated() {
      let id = try #require(UUID(uuidString: text))
      #expect(try snapshot.find(Tagged.self, id: id).number == place + 1)
    }
    let items = try snapshot.fetch(Item.all)
    #expect(items == [Item(id: 1, text: "first"), Item(id: 2, text: "second")])
  }

  @Test func generatedColumnsAreRead() async throws {
    let file = try SQLiteFile(
      """
      CREATE TABLE person (
        id INTEGER PRIMARY KEY, first TEXT, last TEXT, full TEXT GENERATED ALWAYS AS (first || ' ' || last) VIRTUAL,
        length INTEGER AS (length(last)) STORED);
      INSERT INTO person (id, first, last) VALUES (1, 'Ann', 'Lee'), (2, 'Ben', 'Poe');
      """)
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows("person") {
        Item(id: try $0.id(), text: "\(try $0["full"] as String) \(try $0["length"] as Int)")
      }
    }
    let found = try store.snapshot().fetch(Item.all)
    #expect(found == [Item(id: 1, text: "Ann Lee 3"), Item(id: 2, text: "Ben Poe 3")])
    let report = try #require(try store.importReport)
    #expect(
      report.definitions.map { "\($0.kind) \($0.table ?? "").\($0.name)" }
        == ["generatedColumn person.full", "generatedColumn person.length"])
  }

  /// The error of reading a table `t (id, c)` with one row.
  private func error<Value: SQLiteDecodable & SendableMetatype>(
    _ literal: String, declared: String = "INTEGER", as type: Value.Type
  ) async throws -> SQLiteError? {
    let file = try SQLiteFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c \(declared)); INSERT INTO t VALUES (7, \(literal));"
    )
    let error = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: file.source) {
        $0.rows("t") { row in
          let value: Value = try row["c"]
          return Item(id: 1, text: "\(value)")
        }
      }
    }
    return error?.only
  }

  private func mismatch(
    _ found: String, _ asked: String, _ line: String, declared: String = "INTEGER"
  ) -> SQLiteError {
    .mismatch(
      table: "t", column: "c", row: "id 7", declared: declared, found: found, asked: asked,
      line: line)
  }

  @Test func aValueUnlikeTheTypeIsAnErrorWithTheLineThatReadsIt() async throws {
    let nilInstead = ", or, for nil in such rows, `try row[ifReadable: \"c\"]`"
    var found = try await error("'many'", as: Int.self)
    #expect(
      found
        == mismatch("the text \"many\"", "Int", "`Int(try row[\"c\"] as String)`" + nilInstead))
    #expect(
      found?.message
        == "t.c, declared INTEGER, was read as Int, but holds the text \"many\" in the row id 7. To read it: "
        + "`Int(try row[\"c\"] as String)`" + nilInstead)
    found = try await error("NULL", as: String.self)
    #expect(found == mismatch("NULL", "String", "`try row[\"c\"] as String?`"))
    found = try await error("1.5", as: Int?.self)
    #expect(
      found
        == mismatch(
          "the real 1.5", "Int?", "`Int(exactly: try row[\"c\"] as Double)`" + nilInstead))
    found = try await error("300", as: UInt8.self)
    #expect(found == mismatch("the integer 300", "UInt8", "`try row[\"c\"] as Int64`" + nilInstead))
    found = try await error("9007199254740993", as: Double.self)
    #expect(
      found
        == mismatch(
          "the integer 9007199254740993", "Double", "`try row[\"c\"] as Int64`" + nilInstead))
    found = try await error("2", as: Bool.self)
    #expect(
      found == mismatch("the integer 2", "Bool", "`try row[\"c\"] as Int != 0`" + nilInstead))
    found = try await error("0.1", declared: "REAL", as: Float.self)
    #expect(
      found
        == mismatch(
          "the real 0.1", "Float", "`Float(try row[\"c\"] as Double)`, which rounds" + nilInstead,
          declared: "REAL"))
    found = try await error("x'0102'", declared: "BLOB", as: UUID.self)
    #expect(
      found
        == mismatch(
          "a blob of 2 bytes (0102)", "UUID",
          "`try row.value(\"c\")`, a SQLiteValue" + nilInstead, declared: "BLOB"))
    found = try await error("CAST(x'41ff' AS TEXT)", declared: "TEXT", as: String.self)
    #expect(
      found
        == mismatch(
          "a text that is not UTF-8, of 2 bytes (41ff)", "String",
          "`try row[\"c\"] as Data`" + nilInstead, declared: "TEXT"))
  }

  @Test func aRealOfUpToFifteenDigitsIsReadAsTheDecimalNumberThatItWasWrittenAs() async throws {
    let numbers = [
      "39.16", "0.1", "45.13", "123456789012.345", "-0.00005", "1000000", "0", "-7.5", "1e20",
      "999999999999999",
    ]
    let rows = numbers.enumerated().map { "(\($0.offset), \($0.element))" }
    let file = try SQLiteFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, price REAL);
      INSERT INTO t VALUES \(rows.joined(separator: ", "));
      """)
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows("t") { row in
        let price: Decimal = try row["price"]
        return Item(id: try row.id(), text: "\(price)")
      }
    }
    let found = try store.snapshot().fetch(Item.all).map(\.text)
    #expect(found == numbers.map { Decimal(string: $0).map { "\($0)" } })
    for number in ["0.1 + 0.2", "1.0 / 3", "9e999", "1e300", "1e-200"] {
      let file = try SQLiteFile(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, price REAL);
        INSERT INTO t VALUES (1, \(number));
        """)
      let error = await #expect(throws: (any Error).self) {
        try await Store.open(.inMemory, models: Item.self, importing: file.source) {
          $0.rows("t") { row in
            let price: Decimal = try row["price"]
            return Item(id: try row.id(), text: "\(price)")
          }
        }
      }
      let line = "`Decimal(string: \"\\(try row[\"price\"] as Double)\")`"
      #expect("\(try #require(error))".contains(line), "\(number)")
    }
  }

  @Test func valuesAreConvertedWhereNothingIsLost() async throws {
    let file = try SQLiteFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n DECIMAL(10,2), price TEXT, odd TEXT, mood TEXT);
      INSERT INTO t VALUES (1, 3.0, '-0012.50', CAST(x'41ff' AS TEXT), 'calm'), (2, 2.5, '7', 'Zoë', 'what'),
        (3, 0, '0', '', NULL);
      """)
    enum Mood: String, SQLiteDecodable { case calm }
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows("t") { row in
        let n: Double = try row["n"]
        let price: Decimal = try row["price"]
        let odd: Data = try row["odd"]
        let mood: Mood? = try row[ifReadable: "mood"]
        return Item(
          id: try row.id(), text: "\(n) \(price) \(Array(odd)) \(mood.map { "\($0)" } ?? "none")")
      }
    }
    let found = try store.snapshot().fetch(Item.all).map(\.text)
    #expect(
      found == ["3.0 -12.5 [65, 255] calm", "2.5 7 [90, 111, 195, 171] none", "0.0 0 [] none"])
    // What is nil and not NULL is counted.
    let report = try #require(try store.importReport)
    #expect(report.omissions.map { "\($0.className).\($0.property) \($0.count)" } == ["t.mood 1"])
  }

  private struct Film: Model, Equatable {
    let id: Int
    var page: URL?
    var poster: URL
    var length: Duration
    static let schema = Schema(
      Film.init, Key("id", \.id), Field("page", \.page), Field("poster", \.poster),
      Field("length", \.length))
  }

  @Test func textsBecomeURLsAndNumbersOfSecondsDurations() async throws {
    let file = try SQLiteFile(
      """
      CREATE TABLE film (id INTEGER PRIMARY KEY, page TEXT, poster TEXT, length);
      INSERT INTO film VALUES (1, NULL, 'https://example.org/é?a=b', 90), (2, '', 'file:///a', 1.5), (3, '/x', '#', -0.25);
      """)
    let store = try await Store.open(.inMemory, models: Film.self, importing: file.source) {
      $0.rows("film") {
        Film(
          id: try $0.id(), page: try $0[ifReadable: "page"], poster: try $0["poster"],
          length: try $0["length"])
      }
    }
    let found = try store.snapshot().fetch(Film.all)
    #expect(found.map(\.length) == [.seconds(90), .milliseconds(1500), .milliseconds(-250)])
    #expect(found.map(\.page) == [nil, nil, URL(string: "/x")])
    #expect(
      found.map(\.poster)
        == ["https://example.org/é?a=b", "file:///a", "#"].compactMap { URL(string: $0) })
    let report = try #require(try store.importReport)
    #expect(
      report.omissions.map { "\($0.className).\($0.property) \($0.count)" } == ["film.page 1"])
  }

  @Test func whatIsNoURLOrDurationIsAnErrorWithTheLineThatReadsIt() async throws {
    let nilInstead = ", or, for nil in such rows, `try row[ifReadable: \"c\"]`"
    let nilForEmpty = "`try row[ifReadable: \"c\"]`, which is nil for an empty text"
    #expect(
      try await error("''", declared: "TEXT", as: URL.self)
        == mismatch("the text \"\"", "URL", nilForEmpty, declared: "TEXT"))
    #expect(
      try await error("''", declared: "TEXT", as: URL?.self)
        == mismatch("the text \"\"", "URL?", nilForEmpty, declared: "TEXT"))
    #expect(
      try await error("7", as: URL.self)
        == mismatch(
          "the integer 7", "URL", "`try row.value(\"c\")`, a SQLiteValue" + nilInstead))
    #expect(
      try await error("9e999", as: Duration.self)
        == mismatch(
          "the real inf", "Duration", "`try row.value(\"c\")`, a SQLiteValue" + nilInstead))
    #expect(
      try await error("'1:30'", declared: "TEXT", as: Duration.self)
        == mismatch(
          "the text \"1:30\"", "Duration", "`try row.value(\"c\")`, a SQLiteValue" + nilInstead,
          declared: "TEXT"))
  }

  @Test func aMissingColumnOrTableIsNamedWithThoseThatAreThere() async throws {
    let file = try SQLiteFile(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x); INSERT INTO a VALUES (1, 2); CREATE TABLE b (y);
      CREATE VIEW v AS SELECT x FROM a;
      """)
    func error(_ mapping: @Sendable (inout Importer) -> Void) async -> SQLiteError? {
      await #expect(throws: SQLiteError.self) {
        try await Store.open(.inMemory, models: Item.self, importing: file.source, mapping)
      }
    }
    let column = await error { $0.rows("a") { Item(id: try $0["z"], text: "") } }
    #expect(column == .unknownColumn(table: "a", column: "z", columns: ["id", "x"]))
    let table = await error { $0.rows("c") { Item(id: try $0["z"], text: "") } }
    #expect(table == .unknownTable("c", tables: ["a", "b"]))
    let view = await error { $0.rows("v") { Item(id: try $0["x"], text: "") } }
    #expect(view == .notATable("v", kind: "view"))
  }

  @Test func aRowThatIsKeptCannotBeReadLater() async throws {
    let file = try SQLiteFile("CREATE TABLE a (x); INSERT INTO a VALUES (1), (2);")
    let error = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: file.source) {
        let kept = Kept()
        $0.rows("a") { row in
          if let before = kept.row { return Item(id: try before["x"], text: "") }
          kept.row = row
          return nil
        }
      }
    }
    #expect(error == .rowIsGone(table: "a"))
  }

  private final class Kept: @unchecked Sendable { var row: SQLiteRow? }
}

struct Item: Model, Equatable {
  let id: Int
  var text: String
  static let schema = Schema(Item.init, Key("id", \.id), Field("text", \.text))
}
