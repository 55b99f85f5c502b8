internal import RoostEngine

/// An object that a migration step reads, by the names that its fields have in the file.
///
/// It is valid only in the step that it was passed to.
public struct MigrationObject {
  let rows: MigrationRows
  let row: Int

  /// The model's name.
  public var model: String { rows.table.name }

  /// The value of a field.
  ///
  /// Parts of embedded structs are fields with points in their names. If the file lacks the field, for example because it
  /// skipped a release, an optional is nil, and ``Configuration/log`` is told; any other type is an error, and so is a name
  /// that the step has renamed before.
  /// - Complexity: Some tens of nanoseconds, and what the value takes.
  /// - Throws: ``StoreError/migrationFailed(_:)`` where the field stores another type, or has no value and the type no nil.
  public func value<Value: Storable>(
    _ field: String, as type: Value.Type = Value.self
  ) throws(StoreError) -> Value {
    try rows.value(field, row: row, as: type)
  }

  /// The target of a link, or the first of a list of links; nil if there is none, or the file has no such field.
  public func object(_ field: String) throws(StoreError) -> MigrationObject? {
    try rows.targets(field, row: row).first
  }

  /// The targets of a list of links, in its order, or the one of a link; empty if there is none, or the file has no such field.
  public func objects(_ field: String) throws(StoreError) -> [MigrationObject] {
    try rows.targets(field, row: row)
  }

  /// The objects of a model that link to this object, in key order.
  ///
  /// - Parameters:
  ///   - model: The model of the objects that link to this one.
  ///   - field: The link, or the list of links, of that model.
  public func objects(of model: String, linkingBy field: String) throws(StoreError)
    -> [MigrationObject]
  {
    try rows.sources(model, field, row: row)
  }

  /// The key in the file.
  var key: Int64 { rows.key(row) }
}

/// The rows of a leaf, or a single object, that a migration step reads: each column is decoded on first use.
final class MigrationRows {
  let migration: MigrationContext
  let table: TableDefinition
  private let source: Source
  /// The version of another store that the rows belong to; nil for the file being migrated.
  private let other: VersionContext?
  private var columns: [String: Column?] = [:]

  private enum Source {
    case leaf(LeafReference)
    /// The object with this key, wherever it is stored.
    case object(Int64)
  }

  private struct Column {
    let field: FieldDefinition
    let cells: ColumnBuffer
  }

  /// All rows of a leaf.
  init(
    _ leaf: LeafReference, of table: TableDefinition, in migration: MigrationContext,
    from other: VersionContext? = nil
  ) {
    source = .leaf(leaf)
    self.table = table
    self.migration = migration
    self.other = other
  }

  /// One object, as row 0.
  init(
    key: Int64, of table: TableDefinition, in migration: MigrationContext,
    from other: VersionContext? = nil
  ) {
    source = .object(key)
    self.table = table
    self.migration = migration
    self.other = other
  }

  /// Whether the rows belong to another store, which links cannot refer to.
  var isOfOtherStore: Bool { other != nil }

  private var catalog: Catalog { other?.snapshot.catalog ?? migration.catalog }

  /// Runs an operation of the engine on the version of the rows.
  private func reading<Result>(
    _ operation: (ReadView) throws(EngineError) -> Result
  ) throws(StoreError) -> Result {
    guard let other else {
      return try migration.working { transaction throws(EngineError) in
        try operation(transaction.view())
      }
    }
    return try working(on: other.file) { () throws(EngineError) in
      try operation(other.snapshot.view)
    }
  }

  func key(_ row: Int) -> Int64 {
    switch source {
    case .leaf(let leaf): leaf.key(row)
    case .object(let key): key
    }
  }

  /// The number of rows.
  var count: Int {
    switch source {
    case .leaf(let leaf): leaf.rowCount
    case .object: 1
    }
  }

  /// Whether a field of a row is null.
  func isNull(_ field: FieldDefinition, _ row: Int) throws(StoreError) -> Bool {
    try column(field.name)?.cells.isNull(row) ?? true
  }

  /// Appends a field's values of all rows.
  func append(_ field: FieldDefinition, to target: ColumnBuffer) throws(StoreError) {
    guard let column = try column(field.name) else { return }
    target.append(column.cells, rows: 0..<column.cells.count)
  }

  func value<Value: Storable>(
    _ name: String, row: Int, as type: Value.Type
  ) throws(StoreError) -> Value {
    let wanted = Value._fieldType
    guard let column = try column(name) else {
      guard wanted.isOptional else {
        let names = table.fields.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw failure(
          name, row,
          "The file has no such field, but \(names). Read it as an optional only where it may be missing."
        )
      }
      return try migration.readNull(type)
    }
    let isSame = wanted.parts == column.field.parts
    guard wanted.kind == column.field.type, !column.field.type.isLink,
      isSame || DeclaredElement.merged(column.field.parts, wanted.declaredElements) != nil
    else {
      throw failure(name, row, "It stores \(migration.describe(column.field)), not \(wanted).")
    }
    guard wanted.isOptional || !column.cells.isNull(row) else {
      throw failure(name, row, "It has no value. Read it as an optional.")
    }
    var place = (cells: column.cells, row: row)
    if !isSame, !column.cells.isNull(row) {
      // The program has more or fewer parts of the elements.
      place = (ColumnBuffer(type: .bytes), 0)
      place.cells.append(column.cells, row: row)
      place.cells = ElementConversion(
        of: column.field.type, from: column.field.parts, to: wanted.declaredElements
      ).converted(place.cells)
    }
    do { return try migration.read(type, place.cells, place.row) } catch {
      guard case .undecodable(_, _, let value) = error else { throw error }
      throw failure(name, row, "It holds \(value), which \(Value.self) does not know.")
    }
  }

  /// The targets of a link, or of a list of links.
  func targets(_ name: String, row: Int) throws(StoreError) -> [MigrationObject] {
    guard let column = try column(name) else { return [] }
    guard column.field.type.isLink, let target = catalog.table(column.field.target) else {
      throw failure(name, row, "It stores \(migration.describe(column.field)), no link.")
    }
    guard !column.cells.isNull(row) else { return [] }
    let keys =
      column.field.type == .links
      ? LinkList.targets(column.cells.bytes(row)) : [column.cells.integer(row)]
    return keys.map { object($0, of: target) }
  }

  private func object(_ key: Int64, of table: TableDefinition) -> MigrationObject {
    MigrationObject(
      rows: MigrationRows(key: key, of: table, in: migration, from: other), row: 0)
  }

  /// The objects that link to a row's object.
  func sources(_ model: String, _ name: String, row: Int) throws(StoreError) -> [MigrationObject] {
    guard let source = catalog.table(named: model), let field = try field(name, of: source)
    else { return [] }
    guard field.type.isLink, field.target == table.id else {
      throw failure(name, row, "\(model).\(name) does not link to \(table.name).")
    }
    let key = key(row)
    let owners = try reading { view throws(EngineError) in
      try view.owners(of: field.id, in: source.id, linkingTo: [key])
    }
    return owners[0].map { object($0, of: source) }
  }

  /// The field with a name; nil if the table has no such field.
  private func field(
    _ name: String, of table: TableDefinition
  ) throws(StoreError) -> FieldDefinition? {
    other == nil ? try migration.field(name, of: table) : table.field(named: name)
  }

  /// The column of a field; nil if the table has no such field.
  private func column(_ name: String) throws(StoreError) -> Column? {
    if let known = columns[name] { return known }
    guard let field = try field(name, of: table) else {
      if other == nil, let newName = migration.renamed.newName(of: name, in: table.id) {
        throw migration.failure(
          table.name, field: name,
          "The step has renamed it to \"\(newName)\" before. Read it by that name, or rename it afterwards."
        )
      }
      columns[name] = .some(nil)
      return nil
    }
    let cells = ColumnBuffer(type: field.type.physical)
    switch source {
    case .leaf(let leaf):
      try migration.working { _ throws(EngineError) in try leaf.append(field.id, to: cells) }
    case .object(let key):
      if field.isObjectKey {
        cells.append(key)
      } else {
        try append(field.id, ofObject: key, to: cells)
      }
    }
    let column = Column(field: field, cells: cells)
    columns[name] = column
    return column
  }

  private func append(
    _ field: FieldID, ofObject key: Int64, to cells: ColumnBuffer
  ) throws(StoreError) {
    guard other == nil else {
      return try reading { view throws(EngineError) in
        guard let found = try view.find(key, in: table.id) else { throw .missingKey(key) }
        try RowPlace.leaf(found.leaf, found.row).append(field, to: cells)
      }
    }
    try migration.working { transaction throws(EngineError) in
      guard let place = try transaction.row(in: table.id, key: key) else {
        throw .missingKey(key)
      }
      try place.append(field, to: cells)
    }
  }

  func failure(_ field: String, _ row: Int, _ reason: String) -> StoreError {
    migration.failure(table.name, id: id(row), field: field, reason)
  }

  /// The id of an object as readable text.
  func id(_ row: Int) -> String {
    guard let identifier = table.identifier, !identifier.isObjectKey else {
      return table.text(ofKey: key(row))
    }
    guard let column = try? column(identifier.name) else { return "\(key(row))" }
    return identifier.text(column.cells.value(row))
  }
}
