/// YCSB's records in SQLite.
final class SQLiteRecords: RecordDatabase {
  private let database: SQLiteDatabase

  init(creating path: String) throws {
    database = try SQLiteDatabase(path: path)
    try database.execute(
      "CREATE TABLE record(id INTEGER PRIMARY KEY, \(Self.columns { "\($0) TEXT NOT NULL" }))")
  }

  init(opening path: String) throws { database = try SQLiteDatabase(path: path) }

  func execute(_ sql: String) throws { try database.execute(sql) }

  func close() throws { try database.close() }

  /// A text for each of the ten columns.
  private static func columns(_ text: (String) -> String) -> String {
    Record.fields.indices.map { text("field\($0)") }.joined(separator: ", ")
  }

  private static let allColumns = columns { $0 }
  private static let allChanges = columns { "\($0) = ?1" }

  private func columns(_ fields: FieldChoice) -> (list: String, count: Int32) {
    switch fields {
    case .all: (Self.allColumns, Int32(Record.fields.count))
    case .one(let field): ("field\(field)", 1)
    }
  }

  func insert(_ records: [Record]) throws {
    try database.transaction {
      let statement = try database.prepare(
        "INSERT INTO record VALUES (?, \(Self.columns { _ in "?" }))")
      for record in records {
        statement.bind(record.id, at: 1)
        for (place, field) in Record.fields.enumerated() {
          statement.bind(record[keyPath: field], at: Int32(place + 2))
        }
        try statement.run()
      }
    }
  }

  func read(_ id: Int, _ fields: FieldChoice) throws -> Int {
    let (list, count) = columns(fields)
    let statement = try database.prepare("SELECT \(list) FROM record WHERE id = ?")
    statement.bind(id, at: 1)
    return try touch(statement, count)
  }

  func scan(from id: Int, count rows: Int, _ fields: FieldChoice) throws -> Int {
    let (list, count) = columns(fields)
    let statement = try database.prepare(
      "SELECT \(list) FROM record WHERE id >= ? ORDER BY id LIMIT ?")
    statement.bind(id, at: 1)
    statement.bind(rows, at: 2)
    return try touch(statement, count)
  }

  private func touch(_ statement: SQLiteStatement, _ columns: Int32) throws -> Int {
    defer { statement.reset() }
    var sum = 0
    while try statement.step() {
      for column in 0..<columns { sum += textTouch(statement.text(column)) }
    }
    return sum
  }

  func update(_ id: Int, _ fields: FieldChoice, to text: String) throws {
    try database.transaction { try change(id, fields, to: text) }
  }

  func modify(_ id: Int, _ fields: FieldChoice, to text: String) throws -> Int {
    try database.transaction {
      let sum = try read(id, fields)
      try change(id, fields, to: text)
      return sum
    }
  }

  private func change(_ id: Int, _ fields: FieldChoice, to text: String) throws {
    let changes =
      switch fields {
      case .all: Self.allChanges
      case .one(let field): "field\(field) = ?1"
      }
    let statement = try database.prepare("UPDATE record SET \(changes) WHERE id = ?2")
    statement.bind(text, at: 1)
    statement.bind(id, at: 2)
    try statement.run()
  }
}
