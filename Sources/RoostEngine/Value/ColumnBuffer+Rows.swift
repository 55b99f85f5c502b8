/// Statistics of a range of rows for the encoder.
extension ColumnBuffer {
  func check(_ rows: Range<Int>) {
    precondition(0 <= rows.lowerBound && rows.upperBound <= count, "No such rows.")
  }

  /// The cells from a row on; `type` must be the column's own type.
  @unsafe
  func cells<Cell: BitwiseCopyable>(
    from row: Int, as type: Cell.Type
  ) -> UnsafePointer<Cell> {
    assert(MemoryLayout<Cell>.stride == self.type.cellStride)
    // Traps: only on a mistake in the engine, since `check` rejected missing rows.
    guard let cells = unsafe storage.pointee.cells else { fatalError("There are no rows.") }
    // Cells begin at the start of an allocation, so every cell is aligned.
    return unsafe UnsafePointer(cells.assumingMemoryBound(to: Cell.self)) + row
  }

  /// 64 bits from a row on, set for nulls and clear after the last row.
  @inline(__always)
  func nullWord(from row: Int) -> UInt64 {
    guard let nulls = unsafe storage.pointee.nulls else { return 0 }
    let shift = UInt64(truncatingIfNeeded: row & 63)
    let index = row >> 6
    let words = unsafe storage.pointee.capacity >> 6
    guard index < words else { return 0 }
    let low = unsafe nulls[index] &>> shift
    guard shift != 0, index + 1 < words else { return low }
    return unsafe low | nulls[index + 1] &<< (64 &- shift)
  }

  /// The number of null rows in a range.
  func nullCount(_ rows: Range<Int>) -> Int {
    guard nullCount > 0 else { return 0 }
    var count = 0
    var row = rows.lowerBound
    while row < rows.upperBound {
      count += (nullWord(from: row) & Bits.low(rows.upperBound - row)).nonzeroBitCount
      row += 64
    }
    return count
  }

  /// The total bytes of the rows' texts.
  func heapByteCount(_ rows: Range<Int>) -> Int {
    check(rows)
    guard !rows.isEmpty else { return 0 }
    if unsafe storage.pointee.isSequential {
      return span(rows.upperBound - 1).end - span(rows.lowerBound).offset
    }
    let spans = unsafe cells(from: rows.lowerBound, as: ByteSpan.self)
    return (0..<rows.count).reduce(into: 0) { unsafe $0 += Int(spans[$1].length) }
  }

  /// Whether any row's text is longer than `byteCount`.
  func hasTexts(longerThan byteCount: Int) -> Bool {
    guard type == .bytes, count > 0 else { return false }
    let spans = unsafe cells(from: 0, as: ByteSpan.self)
    var longest: Int32 = 0
    for row in 0..<count { unsafe longest = max(longest, spans[row].length) }
    return Int(longest) > byteCount
  }

  /// Whether the rows' texts are contiguous in the heap.
  func isSequential(_ rows: Range<Int>) -> Bool {
    if unsafe storage.pointee.isSequential { return true }
    let spans = unsafe cells(from: rows.lowerBound, as: ByteSpan.self)
    for index in 1..<max(rows.count, 1) where unsafe spans[index].offset != spans[index - 1].end {
      return false
    }
    return true
  }
}

/// Bit masks.
enum Bits {
  /// A word whose lowest `count` bits are set; all bits if `count` is 64 or more.
  @inlinable @inline(__always)
  static func low(_ count: Int) -> UInt64 {
    count >= 64 ? ~0 : ~(~0 &<< UInt64(truncatingIfNeeded: count))
  }
}
