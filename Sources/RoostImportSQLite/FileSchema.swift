internal import RoostImport

/// What a file defines.
struct FileSchema {
  private(set) var tables: [Table] = []
  private(set) var definitions: [ImportReport.Definition] = []
  private let connection: Connection

  private enum Kind { case table, view, virtual, shadow }

  private struct Listed {
    var name: String
    var kind: Kind
    var hasRowID: Bool
  }

  init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let listed = try list()
    for found in listed {
      switch found.kind {
      case .table: try add(found)
      case .view: definitions.append(ImportReport.Definition(kind: .view, name: found.name))
      case .virtual:
        definitions.append(ImportReport.Definition(kind: .virtualTable, name: found.name))
      case .shadow:
        let owner = Self.owner(of: found.name, in: listed)
        definitions.append(
          ImportReport.Definition(kind: .shadowTable, name: found.name, table: owner))
      }
    }
    try addTriggers()
  }

  /// All tables and views, in the order of their names.
  private func list() throws(SQLiteError) -> [Listed] {
    var listed: [Listed] = []
    let statement = try connection.prepare("PRAGMA main.table_list")
    while try statement.step() {
      guard try statement.text(at: 0) == "main", let name = try statement.text(at: 1),
        !name.caseFolded.hasPrefix("sqlite_")
      else { continue }
      let kind: Kind =
        switch try statement.text(at: 2) {
        case "view": .view
        case "virtual": .virtual
        case "shadow": .shadow
        default: .table
        }
      listed.append(
        Listed(name: name, kind: kind, hasRowID: try statement.integer(at: 4) == 0))
    }
    // SQLite does not know the shadow tables of modules that it was built without.
    let all = listed
    for place in listed.indices
    where listed[place].kind == .table && Self.owner(of: listed[place].name, in: all) != nil {
      listed[place].kind = .shadow
    }
    return listed.sorted { $0.name < $1.name }
  }

  /// The endings of the shadow tables of SQLite's own modules: FTS3, FTS4, FTS5, R*Tree.
  private static let shadows: Set<String> = [
    "content", "segments", "segdir", "docsize", "stat", "data", "idx", "config", "node", "rowid",
    "parent",
  ]

  /// The virtual table that a shadow table belongs to.
  private static func owner(of name: String, in listed: [Listed]) -> String? {
    guard let line = name.lastIndex(of: "_"),
      shadows.contains(String(name[line...].dropFirst()).caseFolded)
    else { return nil }
    let owner = String(name[..<line]).caseFolded
    return listed.first { $0.kind == .virtual && $0.name.caseFolded == owner }?.name
  }

  private mutating func add(_ found: Listed) throws(SQLiteError) {
    var columns: [Table.Column] = []
    var key: [(order: Int, place: Int)] = []
    let statement = try connection.prepare("PRAGMA main.table_xinfo(\(found.name.quotedName))")
    while try statement.step() {
      let hidden = try statement.integer(at: 6)
      guard hidden != 1, let name = try statement.text(at: 1) else { continue }
      let order = try statement.integer(at: 5)
      if order > 0 { key.append((order, columns.count)) }
      columns.append(
        Table.Column(
          name: name, declared: try statement.text(at: 2) ?? "", isGenerated: hidden > 1,
          isVirtual: hidden == 2, isRequired: try statement.integer(at: 3) != 0))
    }
    key.sort { $0.order < $1.order }
    for column in columns where column.isGenerated {
      definitions.append(
        ImportReport.Definition(
          kind: .generatedColumn, name: column.name, table: found.name, columns: [column.name]))
    }
    try addIndexes(of: found.name)
    tables.append(
      Table(
        found.name, columns, key: key.map(\.place), hasRowID: found.hasRowID,
        foreignKeys: try foreignKeys(of: found.name)))
  }

  private func foreignKeys(of table: String) throws(SQLiteError) -> [Table.ForeignKey] {
    var keys: [(id: Int, key: Table.ForeignKey)] = []
    let statement = try connection.prepare("PRAGMA main.foreign_key_list(\(table.quotedName))")
    while try statement.step() {
      let id = try statement.integer(at: 0)
      guard let target = try statement.text(at: 2), let column = try statement.text(at: 3) else {
        continue
      }
      let to = try statement.text(at: 4)
      if keys.last?.id == id {
        keys[keys.count - 1].key.columns.append(column)
        keys[keys.count - 1].key.targets.append(to)
      } else {
        let rule = try statement.text(at: 6) ?? ""
        keys.append(
          (
            id,
            Table.ForeignKey(columns: [column], table: target, targets: [to], onDelete: rule)
          ))
      }
    }
    return keys.map(\.key)
  }

  private mutating func addIndexes(of table: String) throws(SQLiteError) {
    var found: [ImportReport.Definition] = []
    let statement = try connection.prepare("PRAGMA main.index_list(\(table.quotedName))")
    while try statement.step() {
      guard let name = try statement.text(at: 1), try statement.text(at: 3) != "pk" else {
        continue
      }
      let isUnique = try statement.integer(at: 2) == 1
      found.append(
        ImportReport.Definition(
          kind: isUnique ? .uniqueIndex : .index, name: name, table: table,
          columns: try columns(ofIndex: name)))
    }
    definitions += found.sorted { $0.name < $1.name }
  }

  private func columns(ofIndex name: String) throws(SQLiteError) -> [String] {
    var columns: [String] = []
    let statement = try connection.prepare("PRAGMA main.index_info(\(name.quotedName))")
    while try statement.step() { columns.append(try statement.text(at: 2) ?? "an expression") }
    return columns
  }

  /// Whether an index, or the table's own order, finds rows by a column.
  static func finds(
    _ table: Table, by column: Int, _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    let name = table.columns[column].name.caseFolded
    let indexes = try connection.prepare("PRAGMA main.index_list(\(table.name.quotedName))")
    while try indexes.step() {
      guard let index = try indexes.text(at: 1), try indexes.integer(at: 4) == 0 else { continue }
      let info = try connection.prepare("PRAGMA main.index_info(\(index.quotedName))")
      if try info.step(), try info.text(at: 2)?.caseFolded == name { return true }
    }
    // The rowid by another name has no index.
    return table.key == [column] && table.columns[column].declared.caseFolded == "integer"
  }

  private mutating func addTriggers() throws(SQLiteError) {
    let statement = try connection.prepare(
      "SELECT name, tbl_name FROM main.sqlite_master WHERE type = 'trigger' ORDER BY name")
    while try statement.step() {
      guard let name = try statement.text(at: 0) else { continue }
      definitions.append(
        ImportReport.Definition(kind: .trigger, name: name, table: try statement.text(at: 1)))
    }
  }
}
