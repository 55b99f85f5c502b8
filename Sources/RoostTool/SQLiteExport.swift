internal import Roost
package import RoostDynamic
internal import RoostEngine
internal import RoostImportSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes a version of a store as an SQLite file: a table for each model, with its key, foreign keys and indexes, and one for each
/// list of links.
package struct SQLiteExport {
  private let snapshot: DynamicSnapshot
  private let layout: SQLiteLayout

  /// - Parameter snapshot: The version.
  package init(_ snapshot: DynamicSnapshot) {
    self.snapshot = snapshot
    layout = SQLiteLayout(snapshot.tables.filter { !$0.name.hasPrefix("value:roost.") })
  }

  /// Writes the file, in one transaction; it must not exist.
  ///
  /// - Parameter progress: Called with a model, and how many objects of how many are done, of all models.
  package func write(
    to path: String, progress: (_ model: String, _ done: Int, _ total: Int) -> Void
  ) throws {
    do {
      try write(to: try DatabaseHandle(newFile: path), progress)
    } catch let error as SQLiteError {
      throw ExportError(error)
    }
  }

  private func write(
    to database: DatabaseHandle, _ progress: (_ model: String, _ done: Int, _ total: Int) -> Void
  ) throws {
    for line in ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = FULL", "BEGIN"] {
      try database.run(line)
    }
    for table in layout.tables { try create(table, in: database) }
    let total = try layout.tables.map { try snapshot.count(of: $0.source.name) }.reduce(0, +)
    var done = 0
    for table in layout.tables {
      try fill(table, in: database) {
        done += 1
        progress(table.source.name, done, total)
      }
    }
    for table in layout.tables { try index(table, in: database) }
    try database.run("COMMIT")
  }

  // MARK: Tables

  private func create(_ table: SQLiteLayout.Table, in database: DatabaseHandle) throws {
    var lines = table.columns.map { column in
      let isAlone = table.key == [column.name]
      return column.line + (isAlone ? " PRIMARY KEY" : "")
    }
    if table.key.count > 1 { lines.append("PRIMARY KEY (\(table.key.quotedList))") }
    lines += table.foreignKeys
    try database.run(
      "CREATE TABLE \(table.name.quoted) (\n  \(lines.joined(separator: ",\n  "))\n)")
    for list in table.lists {
      try database.run(
        "CREATE TABLE \(list.name.quoted) (\n  \(list.lines.joined(separator: ",\n  "))\n)")
    }
  }

  private func insertion(
    _ table: String, _ columns: [String], in database: DatabaseHandle
  ) throws -> Statement {
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    return try Statement(
      "INSERT INTO \(table.quoted) (\(columns.quotedList)) VALUES (\(places))", of: database)
  }

  private func fill(
    _ table: SQLiteLayout.Table, in database: DatabaseHandle, _ didWrite: () -> Void
  ) throws {
    let rows = try insertion(table.name, table.columns.map(\.name), in: database)
    let lists = try table.lists.map { list in
      let names = list.source.map(\.name) + ["position"] + list.target.map(\.name)
      return (list: list, insertion: try insertion(list.name, names, in: database))
    }
    let objects = try snapshot.objects(.all(table.source.name))
    let key = table.source.key?.name ?? ""
    for object in objects {
      try rows.run(with: try table.columns.map { try value(of: $0, in: object) })
      for list in lists {
        let source = try list.list.source.map {
          SQLiteValue(try object[key], part: $0.part, $0.type)
        }
        guard case .list(let targets) = try object[list.list.field] else { continue }
        for (position, target) in targets.enumerated() {
          let values = list.list.target.map { SQLiteValue(target, part: $0.part, $0.type) }
          try list.insertion.run(with: source + [.integer(Int64(position))] + values)
        }
      }
      didWrite()
    }
  }

  private func value(
    of column: SQLiteLayout.Column, in object: DynamicObject
  ) throws -> SQLiteValue {
    if column.type == .blob {
      let count = try object.byteCount(of: column.field)
      return .blob(Data(try object.bytes(of: column.field, in: 0..<count)))
    }
    return SQLiteValue(try object[column.field], part: column.part, column.type)
  }

  // MARK: Indexes

  private func index(_ table: SQLiteLayout.Table, in database: DatabaseHandle) throws {
    var taken = Set(layout.tables.flatMap { [$0.name] + $0.lists.map(\.name) })
    func create(
      _ name: String, _ table: String, _ columns: [String], _ isUnique: Bool, _ test: String
    )
      throws
    {
      let name = SQLiteLayout.unique(name, in: &taken)
      try database.run(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quoted) ON \(table.quoted) "
          + "(\(columns.quotedList))\(test)")
    }
    for field in table.source.fields where !field.isKey {
      let columns = table.columns(of: field.name)
      let isLink = if case .link = field.type { true } else { false }
      guard !columns.isEmpty, isLink || field.isIndexed || field.isUnique,
        !(field.isUnique && columns.count == 1)
      else { continue }
      try create(
        "\(table.name) by \(field.name)", table.name, columns.map(\.name), field.isUnique, "")
    }
    for list in table.lists {
      try create("\(list.name) by target", list.name, list.target.map(\.name), false, "")
    }
    guard let definition = snapshot.catalog.table(named: table.source.name) else { return }
    for index in definition.indexes {
      let fields = index.fields.compactMap { definition.field($0)?.name }
      let tests = try index.condition.map { try test($0, definition, table) }
      try create(
        "\(table.name) by \(fields.joined(separator: ", "))", table.name,
        fields.flatMap { table.columns(of: $0).map(\.name) }, index.isUnique,
        tests.isEmpty ? "" : " WHERE " + tests.joined(separator: " AND "))
    }
  }

  private func test(
    _ condition: IndexCondition, _ definition: TableDefinition, _ table: SQLiteLayout.Table
  ) throws -> String {
    guard let field = definition.field(condition.field),
      let column = table.columns(of: field.name).first
    else { return "1" }
    switch condition.test {
    case .isNull: return "\(column.name.quoted) IS NULL"
    case .isNotNull: return "\(column.name.quoted) IS NOT NULL"
    case .compare(let comparison, let constant):
      var value = DynamicValue(stored: constant, field.type, field.parts)
      if field.type == .link, let target = snapshot.catalog.table(field.target) {
        value = try snapshot.key(constant, of: target)
      }
      let sign = comparison.sign == "==" ? "=" : comparison.sign == "!=" ? "<>" : comparison.sign
      return "\(column.name.quoted) \(sign) "
        + SQLiteValue(value, part: column.part, column.type).literal
    }
  }
}

extension SQLiteValue {
  /// The form of a value of a type in SQLite.
  ///
  /// - Parameter part: The part of a compound key that it is.
  init(_ value: DynamicValue, part: String?, _ type: DynamicType) {
    if let part {
      guard case .record(let parts) = value else {
        self = .null
        return
      }
      self.init(parts.first { $0.name == part }?.value ?? .null, part: nil, type)
      return
    }
    switch value {
    case .null: self = .null
    case .bool(let holds): self = .integer(holds ? 1 : 0)
    case .int(let number): self = .integer(number)
    case .uint(let number):
      self = Int64(exactly: number).map { .integer($0) } ?? .text("\(number)")
    case .double(let number): self = number.isNaN ? .text("nan") : .real(number)
    case .float(let number): self = number.isNaN ? .text("nan") : .real(Double(number))
    case .string(let text), .json(let text): self = .text(text)
    case .data(let data): self = .blob(data)
    case .date(let date):
      self =
        SQLiteDateForm.grdbText(date).map { .text($0) }
        ?? .real(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid): self = .text(uuid.uuidString)
    case .duration, .decimal: self = .text(String(value.json.dropFirst().dropLast()))
    case .list, .dictionary, .record: self = .text(value.json)
    }
  }

  /// The value as a literal in SQL.
  var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'" + text.replacing("'", with: "''") + "'"
    case .malformedText(let bytes), .blob(let bytes):
      "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}
