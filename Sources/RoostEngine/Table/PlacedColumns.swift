/// Columns that stay at one place in memory: a cell is read through a pointer to its column.
///
/// A ``ColumnChunk`` is plain bytes, but many of them: copying one for each cell would cost more than
/// reading the cell.
@safe
final class PlacedColumns: @unchecked Sendable {  // immutable after init
  private let base: UnsafeMutablePointer<ColumnChunk>
  let count: Int

  /// The columns that the entries describe, each found in order.
  init(
    validating entries: [ColumnEntry], extent: ByteView, rowCount: Int, unit: UInt64
  ) throws(EngineError) {
    count = entries.count
    unsafe base = .allocate(capacity: max(entries.count, 1))
    for (place, entry) in entries.enumerated() {
      // All properties are set: where this throws, `deinit` runs.
      let column = try ColumnChunk(
        validating: entry, extent: extent, rowCount: rowCount, unit: unit)
      unsafe (base + place).initialize(to: column)
    }
  }

  deinit { unsafe base.deallocate() }

  /// Where a column is; as long as this object.
  @inline(__always)
  func pointer(_ place: Int) -> UnsafePointer<ColumnChunk> {
    precondition(place >= 0 && place < count, "No such column.")
    return unsafe UnsafePointer(base + place)
  }

  @inline(__always)
  subscript(place: Int) -> ColumnChunk { unsafe pointer(place).pointee }
}
