/// The order of rows by their keys.
enum KeyOrder {
  private struct KeyAtRow: BitwiseCopyable {
    /// The key minus the smallest key.
    let distance: UInt64
    let row: Int32
  }

  /// The rows in ascending order of their keys; nil when they already ascend strictly.
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
    var items = PlainBuffer<KeyAtRow>(minimumCapacity: count)
    for row in 0..<count {
      let distance = UInt64(bitPattern: keys.integer(row) &- least)
      items.append(KeyAtRow(distance: distance, row: Int32(row)))
    }
    var spare = PlainBuffer<KeyAtRow>.uninitialized(count)
    items.sort(by: \.distance, in: 0...UInt64(bitPattern: most &- least), using: &spare)
    return (0..<count).map { items[$0].row }
  }
}
