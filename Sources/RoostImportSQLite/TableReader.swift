internal import RoostImport

/// The tables of an opened file, what links are looked up with, and what reports and errors count of their values.
final class TableReader {
  let connection: Connection
  let tables: [Table]
  private let byName: [String: Int]
  /// The tables that links were read through.
  private(set) var joined: Set<String> = []
  let misfits = MisfitList()
  /// About how many bytes the links and rows take that were read of other tables.
  private(set) var otherBytes = 0
  /// Cursors over the rows that belong to others, which nobody uses now.
  var cursors: [Relation: [RowCursor]] = [:]
  private var lookups: [Lookup: Statement] = [:]
  private var roundings: [Place: Int] = [:]
  private var omissions: [Place: Int] = [:]

  private struct Place: Hashable {
    var table: String
    var column: String
  }

  /// What a statement is prepared for once.
  enum Lookup: Hashable {
    case key(table: String, column: String, target: String?)
    case joined(table: String, from: String, to: String, target: String?, orderedBy: String?)
  }

  init(_ tables: [Table], _ connection: Connection) {
    self.tables = tables
    self.connection = connection
    var byName: [String: Int] = [:]
    for (place, table) in tables.enumerated() { byName[table.name.caseFolded] = place }
    self.byName = byName
  }

  /// The table of a name, whatever the case of its letters.
  func table(_ name: String) throws(SQLiteError) -> Table {
    guard let place = byName[name.caseFolded] else {
      throw .unknownTable(name, tables: tables.map(\.name))
    }
    return tables[place]
  }

  /// Notes that links are read through a table, which no mapping needs to name then.
  func noteJoined(_ table: String) { joined.insert(table) }

  /// Notes that a row has links, or rows of its own.
  func noteBytes(_ count: Int) { otherBytes &+= count }

  /// The statement of a lookup, prepared once.
  func statement(
    _ lookup: Lookup, _ sql: () throws(SQLiteError) -> String
  ) throws(SQLiteError) -> Statement {
    if let known = lookups[lookup] { return known }
    let statement = try connection.prepare(try sql())
    lookups[lookup] = statement
    return statement
  }

  /// Counts a value that was rounded.
  func countRounding(_ table: String, _ column: String) {
    roundings[Place(table: table, column: column), default: 0] += 1
  }

  /// Counts values that are nil in the object, and are not NULL in the file.
  func countOmission(_ table: String, _ column: String, count: Int = 1) {
    omissions[Place(table: table, column: column), default: 0] += count
  }

  var countedRoundings: [ImportReport.Rounding] {
    Self.sorted(roundings).map {
      ImportReport.Rounding(className: $0.key.table, property: $0.key.column, count: $0.value)
    }
  }

  var countedOmissions: [ImportReport.Omission] {
    Self.sorted(omissions).map {
      ImportReport.Omission(className: $0.key.table, property: $0.key.column, count: $0.value)
    }
  }

  private static func sorted(_ counts: [Place: Int]) -> [(key: Place, value: Int)] {
    counts.sorted { ($0.key.table, $0.key.column) < ($1.key.table, $1.key.column) }
  }
}
