extension RecordBatch {
  /// Groups rows by their range of keys, if there are many rows in any order.
  ///
  /// Makes one pass over each column, and moves its cells to the part for their range of keys. So the
  /// sorting and gathering that follow find the rows of a leaf in the processor's cache.
  /// - Complexity: O(rows), and memory for another copy of one column.
  func gatherNeighbours() {
    guard count >= Self.neighboursMin else { return }
    var least = key(0)
    var most = least
    for row in 1..<count {
      least = min(least, key(row))
      most = max(most, key(row))
    }
    let bits = UInt64.bitWidth - UInt64(bitPattern: most &- least).leadingZeroBitCount
    let shift = UInt64(max(0, bits - Self.partBits))
    let parts = (0..<count).map { row in
      UInt8(truncatingIfNeeded: UInt64(bitPattern: key(row) &- least) &>> shift)
    }
    keys.move(to: parts)
    for column in columns { column.move(to: parts) }
  }

  /// Fewer rows fit in the cache anyway.
  private static let neighboursMin = 16_384
  private static let partBits = 7
}
