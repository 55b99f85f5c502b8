/// Chooses the representation of a range of rows and writes their bytes (Format.md §3).
package enum ColumnEncoder {
  /// Chooses the smallest representation of at most 4096 rows, in one pass for most columns.
  package static func plan(_ buffer: ColumnBuffer, rows: Range<Int>) -> ColumnPlan {
    buffer.check(rows)
    precondition(rows.count <= ColumnLayout.rowCountMax, "More rows than a leaf has.")
    var plan = ColumnPlan(type: buffer.type, rowCount: rows.count)
    plan.nullCount = buffer.nullCount(rows)
    guard plan.nullCount < rows.count else { return plan }
    if plan.nullCount > 0 { plan.flags.insert(.nulls) }
    switch buffer.type {
    case .integer: planIntegers(buffer, rows, &plan)
    case .double: planDoubles(buffer, rows, &plan)
    case .float: planFloats(buffer, rows, &plan)
    case .bytes: planTexts(buffer, rows, &plan)
    case .uuid: planUUIDs(buffer, rows, &plan)
    }
    return plan
  }

  /// Writes the rows' bytes as planned to a view of zeros of the planned length.
  package static func encode(
    _ buffer: ColumnBuffer, rows: Range<Int>, plan: ColumnPlan, into bytes: MutableByteView
  ) {
    buffer.check(rows)
    precondition(
      plan.rowCount == rows.count && plan.type == buffer.type && plan.byteCount == bytes.count,
      "The plan is another column's.")
    let layout = plan.layout
    if plan.flags.contains(.nulls), plan.encoding != .allNull {
      encodeNulls(buffer, rows, into: bytes.slice(layout.nulls, (rows.count + 63) / 64 * 8))
    }
    let cells = bytes.slice(layout.cells, bytes.count - layout.cells)
    switch plan.encoding {
    case .allNull, .stride:
      break
    case .frameOfReference:
      encodeIntegers(buffer, rows, plan, into: cells)
    case .raw, .rawUUID:
      encodeRaw(buffer, rows, byteCount: rows.count * plan.width / 8, into: cells)
    case .scaled:
      bytes.store(plan.base, at: layout.base)
      encodeScaled(buffer, rows, plan, into: cells)
    case .plain:
      encodePlain(buffer, rows, plan, into: bytes)
    case .dictionary:
      encodeDictionary(buffer, plan, into: bytes)
    }
  }

  /// Writes the bitmap of rows that have a value.
  private static func encodeNulls(
    _ buffer: ColumnBuffer, _ rows: Range<Int>, into bitmap: MutableByteView
  ) {
    for word in 0..<bitmap.count / 8 {
      let row = rows.lowerBound + word * 64
      let present = ~buffer.nullWord(from: row) & Bits.low(rows.upperBound - row)
      bitmap.store(present, at: word * 8)
    }
  }

  /// Stores cells as they are in the buffer.
  private static func encodeRaw(
    _ buffer: ColumnBuffer, _ rows: Range<Int>, byteCount: Int, into cells: MutableByteView
  ) {
    guard let source = unsafe buffer.storage.pointee.cells else { return }
    let first = unsafe source + rows.lowerBound * buffer.type.cellStride
    unsafe cells.copy(ByteView(base: first, count: byteCount), at: 0)
  }
}
