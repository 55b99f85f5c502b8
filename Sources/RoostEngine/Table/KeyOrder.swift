/// The order of rows by their keys.
enum KeyOrder {
  private struct KeyAtRow: BitwiseCopyable {
    /// The key less the smallest one.
    let distance: UInt64
    let row: Int32
  }

  private static let digitBits = 11
  /// Fewer rows are sorted by comparison.
  private static let radixCountMin = 1024

  /// The rows in ascending order of their keys; nil when they already are, each key once.
  static func rows(ascending keys: ColumnBuffer) -> [Int32]? {
    let count = keys.count
    guard count > 1 else { return nil }
    precondition(count <= Int32.max, "A batch has fewer than 2^31 rows.")
    var isAscending = true
    var least = keys.integer(0)
    var most = least
    var previous = least
    for row in 1..<count {
      let key = keys.integer(row)
      if key <= previous { isAscending = false }
      previous = key
      least = min(least, key)
      most = max(most, key)
    }
    guard !isAscending else { return nil }
    let items = (0..<count).map { row in
      KeyAtRow(distance: UInt64(bitPattern: keys.integer(row) &- least), row: Int32(row))
    }
    let range = UInt64(bitPattern: most &- least)
    return sorted(items, bits: UInt64.bitWidth - range.leadingZeroBitCount).map(\.row)
  }

  /// Sorts by digits, the lowest first, over as many bits as the keys differ in; keeps the order of equals.
  private static func sorted(_ items: [KeyAtRow], bits: Int) -> [KeyAtRow] {
    var items = items
    guard items.count >= radixCountMin else {
      items.sort { $0.distance != $1.distance ? $0.distance < $1.distance : $0.row < $1.row }
      return items
    }
    var target = items
    let mask = UInt64(1 << digitBits - 1)
    for shift in stride(from: 0, to: bits, by: digitBits) {
      let shift = UInt64(shift)
      var starts = [Int](repeating: 0, count: 1 << digitBits)
      for item in items { starts[Int(item.distance &>> shift & mask)] += 1 }
      var sum = 0
      for digit in starts.indices {
        let count = starts[digit]
        starts[digit] = sum
        sum += count
      }
      for item in items {
        let digit = Int(item.distance &>> shift & mask)
        target[starts[digit]] = item
        starts[digit] += 1
      }
      swap(&items, &target)
    }
    return items
  }
}
