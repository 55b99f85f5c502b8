/// The chosen encoding of some rows of a buffer, and its size.
///
/// Made by ``ColumnEncoder/plan(_:rows:)``; valid for exactly those rows, until the buffer changes.
package struct ColumnPlan {
  /// The type of the cells.
  package let type: PhysicalType
  /// The number of rows.
  package let rowCount: Int
  /// The number of null rows.
  package var nullCount = 0
  /// The chosen representation.
  package var encoding: ColumnEncoding = .allNull
  /// Bits of a code, an offset or a raw value.
  package var width = 0
  /// Nulls, zone map, NaN, external cells.
  package var flags: ColumnFlags = []
  /// The exponent of a scaled column, or the number of entries of a dictionary.
  package var parameter = 0
  /// The smallest value that is neither null nor NaN, as in the entry.
  package var minimum: UInt64 = 0
  /// The largest value that is neither null nor NaN, as in the entry.
  package var maximum: UInt64 = 0
  /// The exact length of the column's bytes, a multiple of 8.
  package var byteCount: Int { layout.heap + CodeWidth.aligned(heapByteCount) }

  /// The base of a scaled column's codes.
  var base: Int64 = 0
  /// The number of bytes of text.
  var heapByteCount = 0
  /// The distinct texts of a dictionary column.
  var dictionary: TextDictionary?

  init(type: PhysicalType, rowCount: Int) {
    self.type = type
    self.rowCount = rowCount
  }

  var layout: ColumnLayout { layout(rowCount: rowCount) }

  /// The entry of the column if its bytes lie at `offset` of that group's extent.
  package func entry(field: UInt32, group: UInt16, offset: UInt32) -> ColumnEntry {
    ColumnEntry(
      field: field, type: type, encoding: encoding, width: UInt8(width), flags: flags, group: group,
      parameter: UInt16(parameter), offset: offset, length: UInt32(byteCount),
      nullCount: UInt32(nullCount), minimum: minimum, maximum: maximum)
  }

  /// An upper bound on the bytes of the first `count` planned rows, encoded alone.
  ///
  /// Exact if the shorter column has the same representation; O(1) if texts were only appended. So a
  /// leaf's builder plans a window of rows once and then finds the row count with the least padding.
  package func byteCount(first count: Int, of buffer: ColumnBuffer, rows: Range<Int>) -> Int {
    precondition(count <= rowCount && rows.count == rowCount, "Not the planned rows.")
    let fixed = layout(rowCount: count).heap
    guard encoding == .plain else { return fixed + CodeWidth.aligned(heapByteCount) }
    let first = rows.lowerBound..<rows.lowerBound + count
    return fixed + CodeWidth.aligned(buffer.heapByteCount(first))
  }

  private func layout(rowCount: Int) -> ColumnLayout {
    ColumnLayout(
      type: type, encoding: encoding, width: width, flags: flags, parameter: parameter,
      rowCount: rowCount)
  }
}
