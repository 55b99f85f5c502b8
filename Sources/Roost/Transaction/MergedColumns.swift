internal import RoostEngine

/// The columns of a model whose stored values may contain data that the program does not know: collections whose elements
/// have other parts, such as those of a newer release, enums with a fallback, and opaque types. Values are written in the stored
/// form and keep the unknown data.
struct MergedColumns {
  private struct Merged {
    let position: Int
    let field: FieldID
    let column: ColumnBuffer
    let merge: ElementMerge
  }

  private let model: ModelBinding
  private var columns: [Merged] = []
  /// The batch's columns of the model's rewritten fields, in their order.
  private let rewritten: [ColumnBuffer]

  /// - Parameter columns: The columns of the table's batch, in the order of the schema.
  init(_ columns: [ColumnBuffer], of model: ModelBinding, in table: TableDefinition?) {
    self.model = model
    rewritten = model.rewritten.map { columns[$0.position] }
    guard let table else { return }
    for position in model.collections {
      guard let merge = model.merge(position, in: table) else { continue }
      self.columns.append(
        Merged(
          position: position, field: model.fields[position], column: columns[position],
          merge: merge))
    }
  }

  /// Whether any of these fields has collections whose elements have other parts in the file.
  func mergesAny(of positions: Range<Int>) -> Bool {
    columns.contains { positions.contains($0.position) }
  }

  /// Converts the last rows of the batch, which are new objects, to the stored form.
  func merge(last count: Int) throws(StoreError) {
    for merged in columns { try replace(merged.column, last: count, merged, insteadOf: nil) }
  }

  /// Converts the last row to the stored form.
  ///
  /// - Parameter key: The object whose new values it has; nil for a new one.
  func merge(
    last count: Int, insteadOf key: Int64?, in context: WriteContext,
    at positions: Range<Int>? = nil
  ) throws(StoreError) {
    guard !columns.isEmpty || key != nil && mayRewrite(positions) else { return }
    let place = try key.flatMap { (key) throws(StoreError) in try context.place(in: model, key: key)
    }
    for merged in columns where positions?.contains(merged.position) ?? true {
      try replace(
        merged.column, last: count, merged, insteadOf: try old(merged, at: place, context.file))
    }
    guard let place else { return }
    for (field, column) in zip(model.rewritten, rewritten)
    where positions?.contains(field.position) ?? true {
      try keep(field, column, at: place, in: context)
    }
  }

  /// Keeps a stored value in the last row if the value there is only its other form.
  private func keep(
    _ field: RewrittenField, _ column: ColumnBuffer, at place: RowPlace, in context: WriteContext
  ) throws(StoreError) {
    guard column.count > 0 else { return }
    let value = column.value(column.count - 1)
    guard field.mayRewrite(value) else { return }
    let stored = try working(on: context.file) { () throws(EngineError) in
      try place.value(of: model.fields[field.position])
    }
    guard stored != .null, stored != value else { return }
    let columns = ModelColumns(model, position: field.position, value: stored)
    // Reading it may run the program's code.
    let isOther = try context.whileInUse { () throws(StoreError) in
      field.isRewritten(value, from: try columns.cell(field.position, row: 0, in: context))
    }
    guard isOther else { return }
    column.removeRows(from: column.count - 1)
    column.append(stored)
  }

  /// Whether the last row may have the other form of a value that is stored in one of these fields.
  private func mayRewrite(_ positions: Range<Int>?) -> Bool {
    zip(model.rewritten, rewritten).contains { field, column in
      positions?.contains(field.position) ?? true && column.count > 0
        && field.mayRewrite(column.value(column.count - 1))
    }
  }

  /// Converts the last value of a column, which replaces a field of an object, to the stored form.
  func merge(
    _ column: ColumnBuffer, _ position: Int, insteadOf key: Int64, in context: WriteContext
  ) throws(StoreError) {
    guard let merged = columns.first(where: { $0.position == position }) else { return }
    let place = try context.place(in: model, key: key)
    try replace(column, last: 1, merged, insteadOf: try old(merged, at: place, context.file))
  }

  private func old(
    _ merged: Merged, at place: RowPlace?, _ file: StoreFile
  ) throws(StoreError) -> [UInt8]? {
    let value = try working(on: file) { () throws(EngineError) in
      try place?.value(of: merged.field)
    }
    guard case .bytes(let bytes)? = value else { return nil }
    return bytes
  }

  private func replace(
    _ column: ColumnBuffer, last count: Int, _ merged: Merged, insteadOf old: [UInt8]?
  ) throws(StoreError) {
    let first = column.count - count
    var values: [Value] = []
    for row in first..<column.count {
      guard !column.isNull(row) else {
        values.append(.null)
        continue
      }
      values.append(.bytes(try stored(column.bytes(row), merged, insteadOf: old)))
    }
    column.removeRows(from: first)
    for value in values { column.append(value) }
  }

  private func stored(
    _ bytes: ByteView, _ merged: Merged, insteadOf old: [UInt8]?
  ) throws(StoreError) -> [UInt8] {
    do throws(ElementConversion.Failure) {
      guard let old else { return try merged.merge.stored(bytes, insteadOf: nil) }
      return try old.withByteView { (old) throws(ElementConversion.Failure) in
        try merged.merge.stored(bytes, insteadOf: old)
      }
    } catch {
      // Another store of this process has made a part required that may be nil in this store's models.
      throw .schemaMismatch(
        model: model.name.name, field: model.fieldNames[merged.position],
        stored: "elements with parts that this program does not set", declared: "elements without")
    }
  }
}

extension WriteContext {
  /// Makes parts of elements nullable that a model does not know: another store that has the file open may have added them
  /// since. Goes through all objects if there are such parts.
  ///
  /// - Returns: Whether there are.
  func letPartsBeMissing(of model: ModelBinding) throws(StoreError) -> Bool {
    guard !model.collections.isEmpty else { return false }
    var isAny = false
    for position in model.collections {
      guard let field = transaction.catalog.table(model.tableID)?.field(model.fields[position])
      else { continue }
      let parts = DeclaredElement.relaxed(field.parts, for: model.elements[position])
      guard parts.map(\.column) != field.parts else { continue }
      _ = try working(on: file) { () throws(EngineError) in
        try transaction.setParts(parts, of: field, in: model.tableID)
      }
      isAny = true
    }
    return isAny
  }
}
