/// Columns at a fixed address in memory: a cell is read through a pointer to its column.
///
/// A ``ColumnChunk`` is plain bytes, but large: copying it for each cell would cost more than
/// reading the cell.
@safe
final class PinnedColumns: @unchecked Sendable {  // immutable after init
  private let base: UnsafeMutablePointer<ColumnChunk>
  let count: Int

  /// The columns that the entries describe, each validated.
  init(
    validating entries: [ColumnEntry], extent: ByteView, rowCount: Int, unit: UInt64
  ) throws(EngineError) {
    count = entries.count
    unsafe base = .allocate(capacity: max(entries.count, 1))
    guard entries.areApart else { throw .corrupt(Corruption(.directory, unit: unit)) }
    for (place, entry) in entries.enumerated() {
      // All properties are set: if this throws, `deinit` runs.
      let column = try ColumnChunk(
        validating: entry, extent: extent, rowCount: rowCount, unit: unit)
      unsafe (base + place).initialize(to: column)
    }
  }

  deinit { unsafe base.deallocate() }

  /// A pointer to a column; valid as long as this object.
  @inline(__always)
  func pointer(_ place: Int) -> UnsafePointer<ColumnChunk> {
    precondition(place >= 0 && place < count, "No such column.")
    return unsafe UnsafePointer(base + place)
  }

  @inline(__always)
  subscript(place: Int) -> ColumnChunk { unsafe pointer(place).pointee }
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
