internal import RoostEngine

/// An object that a migration step changes.
///
/// Its old state stays readable: a step sees old and new at once.
public struct MigrationEditor {
  let changes: MigrationChanges
  let row: Int

  /// The object as it was before this closure changes it: `try other.old.value("name", as: String.self)`.
  ///
  /// - Throws: ``StoreError/migrationFailed(_:)`` for an object that is being inserted.
  public var old: MigrationObject {
    get throws(StoreError) { try changes.old(row) }
  }

  /// Sets the value of a field.
  ///
  /// An object that gets a value of a part of an optional struct has that struct then: set all parts that it needs, or opening the
  /// store fails with an error that names them. To remove the struct, set its own name to false: `try new.set("address", to: false)`.
  /// - Throws: ``StoreError/migrationFailed(_:)`` where there is no such field, or it stores another type.
  public func set<Value: Storable>(_ field: String, to value: Value) throws(StoreError) {
    try changes.set(field, row: row, to: value)
  }

  /// Sets the target of a link, or removes it.
  public func set(_ field: String, to target: MigrationObject?) throws(StoreError) {
    try changes.set(field, row: row, to: target)
  }

  /// Replaces the targets of a list of links.
  public func set(_ field: String, to targets: [MigrationObject]) throws(StoreError) {
    try changes.set(field, row: row, to: targets)
  }

  /// Deletes the object when the step has visited all objects of the model; delete rules of links to it are applied.
  public func delete() { changes.delete(row) }
}

/// The new values of some rows, by column: of a leaf's objects, or of an object to be inserted.
final class MigrationChanges {
  private let migration: MigrationContext
  private let table: TableDefinition
  /// The rows that change; nil for an object to be inserted.
  private let rows: MigrationRows?
  private var columns: [FieldID: Column] = [:]
  /// The same columns, by the names that the step uses.
  private var named: [String: Column] = [:]
  private(set) var deleted: [Int64] = []

  private final class Column {
    let field: FieldDefinition
    /// Whether the field has kinds, some of which become unknown.
    var lacksKinds = false
    let keys = ColumnBuffer(type: .integer)
    let sink: RowSink
    var cells: ColumnBuffer { sink.columns[0] }

    init(_ field: FieldDefinition) {
      self.field = field
      sink = RowSink(columns: [ColumnBuffer(type: field.type.physical)], links: NoLinks.shared)
    }
  }

  init(_ table: TableDefinition, _ rows: MigrationRows?, in migration: MigrationContext) {
    self.table = table
    self.rows = rows
    self.migration = migration
  }

  /// The object of a row before the changes.
  func old(_ row: Int) throws(StoreError) -> MigrationObject {
    guard let rows else {
      throw migration.failure(table.name, "The object is new: it was not there before.")
    }
    return MigrationObject(rows: rows, row: row)
  }

  func set<Value: Storable>(_ name: String, row: Int, to value: Value) throws(StoreError) {
    let type = Value._fieldType
    let column = try column(name, row)
    guard type.kind == column.field.type, type.parts == column.field.parts, !type.kind.isLink else {
      throw failure(name, row, "It stores \(migration.describe(column.field)), not \(type).")
    }
    let sink = column.sink
    let count = column.cells.count
    do throws(StoreError) {
      try value._write(to: sink.cell(0))
      try finish(column, row)
      if let kinds = table.kind(of: column.field) {
        try setKind(of: value, Value._Unwrapped.self, in: kinds, row)
      }
    } catch {
      // The closure may catch the error and continue: the field is then unset.
      column.cells.removeRows(from: count)
      throw error
    }
  }

  /// Sets the kind of a value; makes it unknown where the value's type has no kinds, or kinds of another type.
  private func setKind(
    of value: some Storable, _ type: any Storable.Type, in kinds: FieldDefinition, _ row: Int
  ) throws(StoreError) {
    if let named = type as? any CaseNamed.Type, try set(kinds, row: row, toKindOf: value, named) {
      return
    }
    let column = try column(kinds.name, row)
    if !kinds.lacksKinds, !column.lacksKinds {
      try migration.working { transaction throws(EngineError) in
        try transaction.setLacksKinds(true, [kinds.id], of: table.id)
      }
    }
    column.lacksKinds = true
    column.cells.appendNull()
    try finish(column, row)
  }

  private func set<Named: CaseNamed>(
    _ kinds: FieldDefinition, row: Int, toKindOf value: some Storable, _ type: Named.Type
  ) throws(StoreError) -> Bool {
    let wanted = Named.Kind._fieldType
    guard wanted.kind == kinds.type, wanted.parts == kinds.parts else { return false }
    try set(kinds.name, row: row, to: (value as? Named)?.kind)
    return true
  }

  func set(_ name: String, row: Int, to target: MigrationObject?) throws(StoreError) {
    let column = try column(name, row)
    if let target { try checkStore(of: target, name, row) }
    guard column.field.type == .link,
      target.map({ $0.rows.table.id == column.field.target }) ?? true
    else {
      throw failure(
        name, row,
        "It stores \(migration.describe(column.field)), no link to \(target?.model ?? "nil").")
    }
    if let target { column.cells.append(target.key) } else { column.cells.appendNull() }
    try finish(column, row)
  }

  func set(_ name: String, row: Int, to targets: [MigrationObject]) throws(StoreError) {
    let column = try column(name, row)
    for target in targets { try checkStore(of: target, name, row) }
    guard column.field.type == .links,
      let stranger = targets.first(where: { $0.rows.table.id != column.field.target })
    else {
      guard column.field.type == .links else {
        throw failure(
          name, row, "It stores \(migration.describe(column.field)), no list of links.")
      }
      column.cells.append(.bytes(LinkList.bytes(targets.map(\.key))))
      return try finish(column, row)
    }
    throw failure(
      name, row, "It stores \(migration.describe(column.field)), no links to \(stranger.model).")
  }

  private func checkStore(
    of target: MigrationObject, _ name: String, _ row: Int
  ) throws(StoreError) {
    guard target.rows.isOfOtherStore else { return }
    throw failure(
      name, row,
      "The \(target.model) is an object of another store. Insert one like it, and link to that.")
  }

  func delete(_ row: Int) {
    if let rows { deleted.append(rows.key(row)) }
  }

  /// Writes the new values of the rows to the transaction.
  func apply() throws(StoreError) {
    for column in columns.values {
      do {
        try migration.working { transaction throws(EngineError) in
          try transaction.update(
            table.id, field: column.field.id, of: column.keys, to: column.cells)
        }
      } catch { throw migration.mapped(error, table, column.field) }
    }
    for (presence, keys) in structs() {
      let (rows, cells) = (ColumnBuffer(type: .integer), ColumnBuffer(type: .integer))
      for key in keys.sorted() {
        rows.append(key)
        cells.append(1 as Int64)
      }
      try migration.working { transaction throws(EngineError) in
        try transaction.update(table.id, field: presence.id, of: rows, to: cells)
      }
    }
  }

  /// The objects, by key, that have an optional struct from now on, because they got a value of a part of it: without it, nobody
  /// would see the value. Where the step says itself whether an object has the struct, that stays.
  private func structs() -> [(presence: FieldDefinition, keys: Set<Int64>)] {
    table.fields.filter { table.isMark($0) }.compactMap { presence in
      var keys: Set<Int64> = []
      for column in columns.values where column.field.name.hasPrefix("\(presence.name).") {
        for row in 0..<column.cells.count where holdsValue(column, row) {
          keys.insert(column.keys.integer(row))
        }
      }
      if let told = columns[presence.id]?.keys, !keys.isEmpty {
        for row in 0..<told.count { keys.remove(told.integer(row)) }
      }
      return keys.isEmpty ? nil : (presence, keys)
    }
  }

  /// Whether a value that was set is one, rather than nil, no links, or that a struct is not there.
  private func holdsValue(_ column: Column, _ row: Int) -> Bool {
    guard !column.cells.isNull(row) else { return false }
    if table.isMark(column.field) { return column.cells.integer(row) != 0 }
    return column.field.type != .links || column.cells.value(row) != .bytes([])
  }

  /// Appends the values to a new row of a table's batch; fields without a value get their defaults.
  ///
  /// - Returns: The key, where the model's is an integer.
  func insert(into batch: RecordBatch) throws(StoreError) -> Int64? {
    var key: Int64?
    for field in table.fields {
      let column = columns[field.id]
      let cell = column.flatMap { $0.cells.count > 0 ? ($0.cells, $0.cells.count - 1) : nil }
      if field.isObjectKey {
        guard let cell else { throw failure(field.name, 0, "The new object has no key.") }
        key = cell.0.integer(cell.1)
      } else if let target = batch.column(field.id) {
        if let cell {
          target.append(cell.0, row: cell.1)
        } else if table.isMark(field), hasPart(of: field) {
          target.append(1 as Int64)
        } else if field.defaultValue == .null, !field.isOptional, !field.type.hasEmptyValue {
          throw failure(field.name, 0, "The new object has no value for it, and it has no default.")
        } else {
          let isEmpty = field.defaultValue == .null && field.type.hasEmptyValue
          target.append(isEmpty ? .bytes([]) : field.defaultValue)
        }
      }
    }
    return key
  }

  /// Whether the new object has a value of a part of a struct.
  private func hasPart(of presence: FieldDefinition) -> Bool {
    columns.values.contains {
      $0.field.name.hasPrefix("\(presence.name).") && $0.cells.count > 0
        && holdsValue($0, $0.cells.count - 1)
    }
  }

  /// The column of a field that a row is about to get a value of.
  private func column(_ name: String, _ row: Int) throws(StoreError) -> Column {
    if let known = named[name] { return known }
    guard let field = try migration.field(name, of: table) else {
      throw failure(name, row, "There is no such field. Add it with `add` before.")
    }
    guard rows == nil || !field.isIdentifier else {
      throw failure(
        name, row,
        "It is the key. Change another field, and make that the key by `changeKey`.")
    }
    guard field.type != .blob else {
      throw failure(name, row, "It is a blob, which no step writes.")
    }
    let column = columns[field.id] ?? Column(field)
    columns[field.id] = column
    named[name] = column
    return column
  }

  private func finish(_ column: Column, _ row: Int) throws(StoreError) {
    let last = column.cells.count - 1
    guard column.field.isOptional || column.lacksKinds || !column.cells.isNull(last) else {
      column.cells.removeRows(from: last)
      throw failure(column.field.name, row, "It must have a value, and got nil.")
    }
    guard let rows else { return }
    column.keys.append(rows.key(row))
  }

  private func failure(_ field: String, _ row: Int, _ reason: String) -> StoreError {
    guard let rows else { return migration.failure(table.name, field: field, reason) }
    return rows.failure(field, row, reason)
  }
}

extension FieldType {
  /// Whether an empty byte string is a valid empty value: for a list of links, and for a blob.
  fileprivate var hasEmptyValue: Bool { self == .links || self == .blob }
}
