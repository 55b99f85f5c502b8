internal import RoostDynamic

/// The tables of an SQLite file for those of a store.
struct SQLiteLayout {
  private(set) var tables: [Table] = []

  /// A table for the objects of a model.
  struct Table {
    /// The table of the store.
    var source: DynamicTable
    var name: String
    var columns: [Column] = []
    /// The names of the columns of the key.
    var key: [String] = []
    var foreignKeys: [String] = []
    var lists: [List] = []

    /// The columns of a field.
    func columns(of field: String) -> [Column] { columns.filter { $0.field == field } }
  }

  /// A column for a field, or for a part of a compound key.
  struct Column {
    var name: String
    var field: String
    /// The part of a compound key that the field is, or leads to.
    var part: String?
    /// The type of the values.
    var type: DynamicType
    var isRequired: Bool
    var isUnique = false

    /// The line that declares it.
    var line: String {
      name.quoted + " " + type.sqlType + (isRequired ? " NOT NULL" : "")
        + (isUnique ? " UNIQUE" : "")
    }
  }

  /// A table for a list of links.
  struct List {
    var name: String
    var field: String
    var source: [Column]
    var target: [Column]
    /// The lines that declare it.
    var lines: [String]
  }

  init(_ tables: [DynamicTable]) {
    // SQLite does not tell cases of ASCII letters apart.
    var taken: Set<String> = []
    self.tables = tables.map { Table(source: $0, name: Self.unique($0.name, in: &taken)) }
    for place in self.tables.indices { addColumns(to: place) }
    for place in self.tables.indices { addLinks(to: place, &taken) }
  }

  static func unique(_ name: String, in taken: inout Set<String>) -> String {
    let start = name.lowercased().hasPrefix("sqlite_") ? "_" + name : name
    var (found, number) = (start, 2)
    while !taken.insert(found.lowercased()).inserted {
      found = "\(start)_\(number)"
      number += 1
    }
    return found
  }

  /// A table by its name in the store.
  func table(_ name: String) -> Table? { tables.first { $0.source.name == name } }

  private mutating func addColumns(to place: Int) {
    var taken: Set<String> = []
    let source = tables[place].source
    for field in source.fields {
      var columns: [Column] = []
      switch field.type {
      case .links: continue
      case .compound(let parts) where field.isKey:
        columns = parts.map { part in
          Column(
            name: field.name + "." + part.name, field: field.name, part: part.name,
            type: part.type, isRequired: !part.isOptional)
        }
      case .link(let target): columns = keyColumns(of: target, for: field)
      default:
        columns = [
          Column(
            name: field.name, field: field.name, type: field.type, isRequired: !field.isOptional)
        ]
      }
      if columns.count == 1, !field.isKey { columns[0].isUnique = field.isUnique }
      for index in columns.indices {
        columns[index].name = Self.unique(columns[index].name, in: &taken)
      }
      tables[place].columns += columns
      if field.isKey { tables[place].key = columns.map(\.name) }
    }
  }

  /// The columns for a link, which are like those of its target's key.
  private func keyColumns(of target: String, for field: DynamicField) -> [Column] {
    let key = table(target)?.source.key
    if case .compound(let parts) = key?.type {
      return parts.map { part in
        Column(
          name: field.name + "." + part.name, field: field.name, part: part.name, type: part.type,
          isRequired: !field.isOptional && !part.isOptional)
      }
    }
    return [
      Column(
        name: field.name, field: field.name, type: key?.type ?? .int,
        isRequired: !field.isOptional)
    ]
  }

  private mutating func addLinks(to place: Int, _ taken: inout Set<String>) {
    let table = tables[place]
    for field in table.source.fields {
      switch field.type {
      case .link(let target):
        guard let target = self.table(target) else { continue }
        let rule =
          switch field.deleteRule {
          case .cascade: " ON DELETE CASCADE"
          case .nullify: " ON DELETE SET NULL"
          case .deny: ""
          }
        tables[place].foreignKeys.append(
          Self.foreignKey(table.columns(of: field.name).map(\.name), target, rule))
      case .links(let target):
        guard let target = self.table(target) else { continue }
        tables[place].lists.append(list(field, of: table, to: target, &taken))
      default: continue
      }
    }
  }

  private static func foreignKey(_ columns: [String], _ target: Table, _ rule: String) -> String {
    "FOREIGN KEY (\(columns.quotedList)) REFERENCES \(target.name.quoted) (\(target.key.quotedList))"
      + rule + " DEFERRABLE INITIALLY DEFERRED"
  }

  /// The table for a list of links: the object, the place in the list, and the target.
  private func list(
    _ field: DynamicField, of table: Table, to target: Table, _ taken: inout Set<String>
  ) -> List {
    func keys(_ table: Table, _ name: String) -> [Column] {
      table.columns(of: table.source.key?.name ?? "").map { column in
        var column = column
        column.name = column.part.map { name + "." + $0 } ?? name
        column.isRequired = true
        return column
      }
    }
    let (source, targets) = (keys(table, "source"), keys(target, "target"))
    let rule = field.deleteRule == .deny ? "" : " ON DELETE CASCADE"
    let names = source.map(\.name) + ["position"]
    let lines =
      source.map(\.line) + ["\"position\" INTEGER NOT NULL"] + targets.map(\.line) + [
        "PRIMARY KEY (\(names.quotedList))",
        Self.foreignKey(source.map(\.name), table, " ON DELETE CASCADE"),
        Self.foreignKey(targets.map(\.name), target, rule),
      ]
    return List(
      name: Self.unique("\(table.name).\(field.name)", in: &taken), field: field.name,
      source: source, target: targets, lines: lines)
  }
}

extension DynamicType {
  /// The declared type of a column. Words with TEXT, BLOB and REAL keep SQLite from converting values.
  var sqlType: String {
    switch self {
    case .bool: "BOOLEAN"
    case .int: "INTEGER"
    // One above those of 64 bits is a text; any other affinity would make a real of it.
    case .uint: "UNSIGNED BLOB"
    case .double: "DOUBLE"
    case .float: "FLOAT"
    case .string: "TEXT"
    case .data, .blob: "BLOB"
    case .date: "DATETIME"
    case .uuid: "UUID"
    case .duration: "DURATION TEXT"
    case .decimal: "DECIMAL TEXT"
    case .json, .list, .set, .dictionary, .compound, .record, .link, .links: "JSON TEXT"
    }
  }
}

extension String {
  /// The name in quotes.
  var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}

extension [String] {
  /// The names in quotes, with commas between them.
  var quotedList: String { map(\.quoted).joined(separator: ", ") }
}
