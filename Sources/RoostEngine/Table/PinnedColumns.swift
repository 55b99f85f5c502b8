/// Columns at a fixed address in memory: a cell is read through a pointer to its column.
///
/// A ``ColumnChunk`` is plain bytes, but large: copying it for each cell would cost more than
/// reading the cell.
final class PinnedColumns: Sendable {
  private let columns: FixedArray<ColumnChunk>

  /// The columns that the entries describe, each validated.
  init(
    validating entries: [ColumnEntry], extent: ByteView, rowCount: Int, unit: UInt64
  ) throws(EngineError) {
    guard entries.areApart else { throw .corrupt(Corruption(.directory, unit: unit)) }
    columns = try FixedArray(count: entries.count) { (place) throws(EngineError) in
      try ColumnChunk(
        validating: entries[place], extent: extent, rowCount: rowCount, unit: unit)
    }
  }

  var count: Int { columns.count }

  /// A pointer to a column; valid as long as this object.
  @inline(__always)
  func pointer(_ place: Int) -> UnsafePointer<ColumnChunk> { unsafe columns.pointer(place) }

  @inline(__always)
  subscript(place: Int) -> ColumnChunk { columns[place] }
}

extension [ColumnEntry] {
  /// Whether no two columns of one extent share a byte, so that no file expands to more than its size.
  ///
  /// They are mostly in directory order, which one pass confirms; otherwise they are sorted.
  fileprivate var areApart: Bool {
    var end: UInt64 = 0
    for entry in self where entry.length > 0 {
      guard entry.offset >= end else { return areApartInSomeOrder }
      end = UInt64(entry.offset) + UInt64(entry.length)
    }
    return true
  }

  private var areApartInSomeOrder: Bool {
    var end: UInt64 = 0
    for entry in filter({ $0.length > 0 }).ascending(by: { Int($0.offset) }) {
      guard entry.offset >= end else { return false }
      end = UInt64(entry.offset) + UInt64(entry.length)
    }
    return true
  }
}
