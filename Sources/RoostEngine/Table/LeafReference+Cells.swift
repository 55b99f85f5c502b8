/// Comparisons of a leaf's cells with cells in memory.
extension LeafReference {
  /// Whether a field's cell equals a buffer's cell bit for bit (so that NaN equals itself, and −0 differs from 0).
  func hasSame(
    _ field: FieldID, row: Int, as cells: ColumnBuffer, _ cell: Int
  ) throws(EngineError) -> Bool {
    defer { withExtendedLifetime(self) {} }
    return try hasSame(try column(field), field, row: row, as: cells, cell)
  }

  /// Whether a cell of a field's column equals a buffer's cell bit for bit.
  func hasSame(
    _ column: ColumnChunk, _ field: FieldID, row: Int, as cells: ColumnBuffer, _ cell: Int
  ) throws(EngineError) -> Bool {
    let isNull = cells.isNull(cell)
    guard column.isNull(row) == isNull else { return false }
    guard !isNull else { return true }
    switch column.type {
    case .integer: return column.integer(row) == cells.integer(cell)
    case .double: return column.double(row).bitPattern == cells.double(cell).bitPattern
    case .float: return column.float(row).bitPattern == cells.float(cell).bitPattern
    case .uuid: return column.uuid(row) == cells.uuid(cell)
    case .bytes:
      let bytes = cells.bytes(cell)
      guard let reference = column.external(row) else { return column.bytes(row).bytesEqual(bytes) }
      guard reference.length == UInt64(bytes.count) else { return false }
      let value = try value(reference, of: field)
      return value.withByteView { $0.bytesEqual(bytes) }
    }
  }
}

extension ColumnBuffer {
  /// Whether two cells are equal bit for bit.
  func isIdentical(_ row: Int, to other: ColumnBuffer, row otherRow: Int) -> Bool {
    guard isNull(row) == other.isNull(otherRow) else { return false }
    guard !isNull(row) else { return true }
    switch type {
    case .integer: return integer(row) == other.integer(otherRow)
    case .double: return double(row).bitPattern == other.double(otherRow).bitPattern
    case .float: return float(row).bitPattern == other.float(otherRow).bitPattern
    case .bytes: return bytes(row).bytesEqual(other.bytes(otherRow))
    case .uuid: return uuid(row) == other.uuid(otherRow)
    }
  }
}
