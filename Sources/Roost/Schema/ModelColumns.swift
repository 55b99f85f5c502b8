internal import RoostEngine
internal import Synchronization

/// The columns of a model's fields in a leaf, or in rows that are not written to one yet.
///
/// The columns of a leaf are kept beside the leaf and found when a field is first requested: from then on, reading
/// a cell follows a pointer.
final class ModelColumns: @unchecked Sendable {  // words are atomic, all else is immutable
  let model: ModelBinding
  /// The leaf, which retains this object or is retained by it; nil for rows not yet written.
  private let leaf: UnownedReference<LeafReference>?
  /// Retains the columns of rows outside a leaf, and the leaf of a row that has other values.
  private let owner: AnyObject?
  /// The column of each field of the schema.
  private let words: ColumnWords
  /// Held while a word is set.
  private let setting = Mutex(())
  /// What rows point to.
  let unowned: UnownedColumns
  /// Whether columns are decoded when they are requested.
  private let isDecoding = Atomic(false)
  /// The error that explains why there are no columns.
  private let failure: StoreError?

  private init(
    _ model: ModelBinding, leaf: LeafReference?, owner: AnyObject?, failure: StoreError? = nil
  ) {
    self.model = model
    self.leaf = leaf.map { UnownedReference($0) }
    self.owner = owner
    self.failure = failure
    words = ColumnWords(count: model.fields.count)
    unowned = UnownedColumns()
    unowned.point(
      to: ColumnsHeader(places: model.places, words: words, columns: UnownedReference(self)))
  }

  deinit {
    for position in 0..<words.count { free(words[position]) }
    words.deallocate()
    unowned.deallocate()
  }

  /// The columns of a row that could not be found: reading each throws the error.
  convenience init(_ model: ModelBinding, failure: StoreError) {
    self.init(model, leaf: nil, owner: nil, failure: failure)
  }

  /// The columns of a leaf, for one of its rows that has other values than there.
  ///
  /// - Parameter changed: Columns with these values in the same row.
  convenience init(
    _ model: ModelBinding, _ leaf: LeafReference, _ changed: [(position: Int, column: ColumnBuffer)]
  ) {
    self.init(model, leaf: leaf, owner: leaf)
    for (position, column) in changed { set(position, CellColumn(retaining: column)) }
  }

  /// The columns of rows that a transaction has not written yet.
  convenience init(_ model: ModelBinding, batch: RecordBatch) throws(StoreError) {
    self.init(model, leaf: nil, owner: batch)
    for (position, field) in model.fields.enumerated() {
      guard let column = field == 0 ? batch.keys : batch.column(field) else {
        throw .unknownField(model: model.name.name, property: model.fieldNames[position])
      }
      set(position, CellColumn(column))
    }
    words.setComplete()
  }

  /// The columns of a row not yet written, whose stored form differs from the model's.
  convenience init(
    _ model: ModelBinding, batch: RecordBatch, row: Int, in table: TableDefinition
  ) throws(StoreError) {
    let columns = RecordColumns(model.types)
    for (position, field) in model.fields.enumerated() {
      guard let column = field == 0 ? batch.keys : batch.column(field) else {
        throw .unknownField(model: model.name.name, property: model.fieldNames[position])
      }
      let target = columns.columns[position]
      target.append(column, row: row)
      guard let conversion = model.conversion(position, in: table) else { continue }
      let converted = conversion.converted(target)
      target.removeAll(keepingCapacity: true)
      target.append(converted, row: 0)
    }
    self.init(model, columns: columns.columns, owner: columns)
  }

  /// The columns of rows that belong to no store, retained by `owner`: one column for each field of the schema.
  convenience init(_ model: ModelBinding, columns: [ColumnBuffer], owner: AnyObject) {
    self.init(model, leaf: nil, owner: owner)
    for (position, column) in columns.enumerated() { set(position, CellColumn(column)) }
    words.setComplete()
  }

  /// A column of one row for one field, whose value is not null and of the field's type.
  convenience init(_ model: ModelBinding, position: Int, value: Value) {
    let column = ColumnBuffer(type: model.types[position])
    column.append(value)
    self.init(model, leaf: nil, owner: column)
    set(position, CellColumn(column))
  }

  /// The columns of a leaf, valid while the leaf is retained.
  @inline(__always)
  static func of(_ leaf: LeafReference, for model: ModelBinding) -> UnownedColumns {
    // An attachment keyed by a model's binding is made below.
    let key = ObjectIdentifier(model)
    if let first = leaf.attachment,
      let known = first.withObject({ $0.key == key ? UnownedColumns($0) : nil })
    {
      return known
    }
    return attached(to: leaf, for: model)
  }

  @inline(never)
  private static func attached(
    to leaf: LeafReference, for model: ModelBinding
  ) -> UnownedColumns {
    var next = leaf.attachment?.object
    while let attachment = next {
      // Two stores of a file that use the same type of model share its columns.
      if let columns = attachment.object as? ModelColumns,
        columns.model === model || columns.model.hasColumns(of: model)
      {
        return UnownedColumns(columns)
      }
      next = attachment.next
    }
    let columns = ModelColumns(model, leaf: leaf, owner: nil)
    leaf.attach(columns.unowned.attachment(of: columns))
    return UnownedColumns(columns)
  }

  // MARK: Columns

  /// The column of a field, if it has been found.
  @inline(__always)
  func knownColumn(_ position: Int) -> CellColumn? {
    let column = words[position]
    return column.isKnown ? column : nil
  }

  /// The column of a field; not found yet if some row of the leaf lacks a value that the model requires.
  @inline(__always)
  func column(_ position: Int, in lookup: ObjectLookup) throws(StoreError) -> CellColumn {
    if let known = knownColumn(position) { return known }
    return try find(position, in: lookup)
  }

  /// The column of a field, for one row.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:stored:declared:)`` where the row lacks a value that the model requires.
  func column(
    _ position: Int, row: Int, in lookup: ObjectLookup
  ) throws(StoreError) -> CellColumn {
    let column = try column(position, in: lookup)
    guard !column.isKnown else { return column }
    let chunk = try chunk(position, in: lookup)
    guard !chunk.column.isNull(row) else { throw missingValue(position) }
    return CellColumn(chunk)
  }

  /// The error for an object that lacks a value required by the model.
  private func missingValue(_ position: Int) -> StoreError {
    .schemaMismatch(
      model: model.name.name, field: model.fieldNames[position],
      stored: "optional, and nil in this object", declared: "required")
  }

  /// Finds the columns of all fields.
  @inline(never)
  func findAll(in lookup: ObjectLookup) throws(StoreError) {
    for position in model.fields.indices { _ = try column(position, in: lookup) }
    words.setComplete()
  }

  /// The column of a field in the leaf.
  private func chunk(
    _ position: Int, in lookup: ObjectLookup
  ) throws(StoreError) -> UnownedChunk {
    if let failure { throw failure }
    guard let leaf = leaf?.object else {
      preconditionFailure("The columns of rows that are not written are all there.")
    }
    return try working(on: lookup.file) { () throws(EngineError) in
      try UnownedChunk(model.fields[position], of: leaf)
    }
  }

  /// Finds a column in the leaf, and checks that it has the field's type.
  @inline(never)
  private func find(_ position: Int, in lookup: ObjectLookup) throws(StoreError) -> CellColumn {
    let chunk = try chunk(position, in: lookup)
    guard let leaf = leaf?.object else { return CellColumn(unknownAt: position) }
    let type = chunk.column.type
    let hasNulls = chunk.column.hasNulls
    // A store whose models lack the field may have added objects since this store was opened. Each row is checked.
    if hasNulls, type == model.types[position], !model.isOptional[position],
      lookup.table(of: model).field(model.fields[position])?.isOptional == true
    {
      // Converted values have no column that tells which are missing.
      guard model.conversion(position, in: lookup.table(of: model)) == nil else {
        throw missingValue(position)
      }
      return CellColumn(unknownAt: position)
    }
    guard type == model.types[position], !hasNulls || model.isOptional[position] else {
      throw .corrupt(
        path: lookup.file.path,
        damage: StoreDamage(
          "type of \(model.fieldNames[position])", code: "column", unit: leaf.pointer.unit,
          model: model.name.name, keys: leaf.firstKey...leaf.lastKey))
    }
    if let conversion = model.conversion(position, in: lookup.table(of: model)) {
      let stored = ColumnBuffer(type: .bytes)
      try working(on: lookup.file) { () throws(EngineError) in
        try leaf.append(model.fields[position], to: stored)
      }
      // Retained until this object is freed: no other column of a leaf is a buffer.
      return set(position, CellColumn(retaining: conversion.converted(stored)))
    }
    if isDecoding.load(ordering: .relaxed), let decoded = DecodedColumn.make(chunk) {
      return set(position, decoded)
    }
    return set(position, CellColumn(chunk))
  }

  /// Stores a column, unless another thread has stored it before; returns the stored column.
  @discardableResult
  private func set(_ position: Int, _ column: CellColumn) -> CellColumn {
    // Not an exchange, which the thread sanitizer takes for a write even where it fails.
    let known = setting.withLock { _ -> CellColumn? in
      if let known = knownColumn(position) { return known }
      words.set(position, column)
      return nil
    }
    guard let known else { return column }
    free(column)
    return known
  }

  /// Releases the resources of a column.
  private func free(_ column: CellColumn) {
    // Only buffers of leaves are retained by their words.
    if leaf != nil { column.releaseBuffer() }
    column.deallocate()
  }

  /// Decodes all columns requested from now on: for a walk over many rows of a leaf that only the caller uses.
  func decode() { isDecoding.store(true, ordering: .relaxed) }

  // MARK: Cells

  /// The cell of a field in a row; the caller retains both while it reads the cell.
  @inline(__always)
  @_lifetime(borrow self)
  func cell(_ position: Int, row: Int, in lookup: ObjectLookup) throws(StoreError) -> _Cell {
    _Cell(
      word: try column(position, in: lookup).word, row: row, columns: unowned,
      lookup: UnownedLookup(lookup))
  }

  /// The cell of a row in a column outside the model; the caller retains the column and this object while using it.
  @_lifetime(borrow self)
  func cell(of column: ColumnBuffer, row: Int, in lookup: ObjectLookup) -> _Cell {
    _Cell(
      word: CellColumn(column).word, row: row, columns: unowned, lookup: UnownedLookup(lookup))
  }

  /// The position in the schema of the field that a column belongs to.
  func position(of column: CellColumn) -> Int? {
    model.fields.indices.first { words[$0].word == column.word }
  }

  /// The origin of the blob in a field's cell; nil if it belongs to no store.
  func blobOrigin(_ position: Int?, row: Int, in lookup: ObjectLookup) -> BlobOrigin? {
    guard let position else { return nil }
    let key: Int64
    if let leaf = leaf?.object {
      key = leaf.key(row)
    } else if let batch = owner as? RecordBatch {
      key = batch.key(row)
    } else {
      return nil
    }
    return BlobOrigin(
      store: lookup.binding.identity, table: model.tableID, field: model.fields[position], key: key)
  }

  /// The bytes of a field's value that lies outside its leaf.
  func externalBytes(
    of column: CellColumn, _ position: Int?, row: Int, in lookup: ObjectLookup
  ) throws(StoreError) -> [UInt8] {
    guard let leaf = leaf?.object, let position, let reference = column.external(row) else {
      return []
    }
    return try working(on: lookup.file) { () throws(EngineError) in
      try leaf.value(reference, of: model.fields[position])
    }
  }
}
