internal import Roost
internal import RoostImport

/// An SQLite file to import from: a copy of it, opened.
final class SQLiteSource: OpenedSource {
  typealias Object = SQLiteRow

  let connection: Connection
  private let copy: SourceCopy
  private let tables: [Table]
  private let byName: [String: Int]
  private var roundings: [Place: Int] = [:]
  /// The tables that links were read through.
  private var joined: Set<String> = []
  private var lookups: [Lookup: Statement] = [:]
  let definitions: [ImportReport.Definition]

  private struct Place: Hashable {
    var table: String
    var column: String
  }

  /// What a statement is prepared for once.
  enum Lookup: Hashable {
    case key(table: String, column: String, target: String?)
    case joined(table: String, from: String, to: String, target: String?, orderedBy: String?)
  }

  init(path: String, valueBytesMax: Int) throws(SQLiteError) {
    copy = try SourceCopy(path)
    connection = try Connection(copy, valueBytesMax: valueBytesMax)
    try connection.checkPages()
    let schema = try FileSchema(connection)
    tables = schema.tables
    definitions = schema.definitions
    var byName: [String: Int] = [:]
    for (place, table) in tables.enumerated() { byName[table.name.caseFolded] = place }
    self.byName = byName
  }

  var importableClasses: [String] { tables.map(\.name) }

  var countedClasses: [String] { tables.map(\.name).filter { !joined.contains($0) } }

  /// The table of a name, whatever the case of its letters.
  func table(_ name: String) throws(SQLiteError) -> Table {
    guard let place = byName[name.caseFolded] else {
      throw .unknownTable(name, tables: tables.map(\.name))
    }
    return tables[place]
  }

  func unknown(_ className: String) -> any Error {
    for definition in definitions where definition.name == className {
      switch definition.kind {
      case .view: return SQLiteError.notATable(className, kind: "view")
      case .virtualTable: return SQLiteError.notATable(className, kind: "virtual table")
      case .shadowTable:
        return SQLiteError.notATable(className, kind: "table of a virtual table's own")
      default: continue
      }
    }
    return SQLiteError.unknownTable(className, tables: tables.map(\.name))
  }

  func count(of className: String) throws -> Int {
    let name = try table(className).name.quotedName
    let statement = try connection.prepare("SELECT count(*) FROM main.\(name) NOT INDEXED")
    guard try statement.step() else { return 0 }
    return try statement.integer(at: 0)
  }

  func forEachObject(of className: String, _ body: (SQLiteRow) throws -> Void) throws {
    let cursor = try RowCursor(table(className), connection)
    while let position = try cursor.next() {
      try body(SQLiteRow(source: self, cursor: cursor, position: position))
    }
  }

  static func placed(_ error: any Error, at row: SQLiteRow) -> any Error {
    switch error {
    case is SQLiteError: error
    case let error as StoreError:
      SQLiteError.notStored(table: row.table, row: row.keyInWords, error)
    default:
      SQLiteError.mapping(table: row.table, row: row.keyInWords, reason: "\(error)")
    }
  }

  var countedRoundings: [ImportReport.Rounding] {
    roundings.map {
      ImportReport.Rounding(className: $0.key.table, property: $0.key.column, count: $0.value)
    }
    .sorted { ($0.className, $0.property) < ($1.className, $1.property) }
  }

  func countRounding(_ table: String, _ column: String) {
    roundings[Place(table: table, column: column), default: 0] += 1
  }

  func checkUnchanged() throws { try copy.checkUnchanged() }

  /// Notes that links are read through a table, which no mapping needs to name then.
  func noteJoined(_ table: String) { joined.insert(table) }

  /// The statement of a lookup, prepared once.
  func statement(
    _ lookup: Lookup, _ sql: () throws(SQLiteError) -> String
  ) throws(SQLiteError) -> Statement {
    if let known = lookups[lookup] { return known }
    let statement = try connection.prepare(try sql())
    lookups[lookup] = statement
    return statement
  }
}
