/// A column that no leaf stores: a field's default in a leaf that is older than the field, or a computed
/// column of a query.
final class VirtualColumn: @unchecked Sendable {  // immutable after init
  private let columns: PinnedColumns
  private let bytes: AlignedBytes

  /// The default of a field, repeated for each row.
  convenience init(_ field: TableField, rowCount: Int) throws(EngineError) {
    let buffer = ColumnBuffer(type: field.type)
    for _ in 0..<rowCount { buffer.append(field.defaultValue) }
    try self.init(buffer, field: field.id)
  }

  /// Computed values.
  init(_ buffer: ColumnBuffer, field: FieldID) throws(EngineError) {
    let rowCount = buffer.count
    let plan = ColumnEncoder.plan(buffer, rows: 0..<rowCount)
    guard plan.byteCount <= UInt32.max else {
      throw .limit(EngineLimit(.computedTextBytes, UInt32.max))
    }
    bytes = AlignedBytes(count: max(plan.byteCount, 8))
    let view = bytes.mutableView.slice(0, plan.byteCount)
    ColumnEncoder.encode(buffer, rows: 0..<rowCount, plan: plan, into: view)
    columns = try PinnedColumns(
      validating: [plan.entry(field: field, group: 0, offset: 0)], extent: view.readOnly,
      rowCount: rowCount, unit: 0)
  }

  /// The column.
  var chunk: ColumnChunk { columns[0] }

  /// A pointer to the column; valid as long as this object.
  var pointer: UnsafePointer<ColumnChunk> { unsafe columns.pointer(0) }
}
