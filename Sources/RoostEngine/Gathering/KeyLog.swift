/// Object keys in the order in which they were noted, with a lookup by key.
///
/// A column that only grows, and a hash table over it that is made at the first lookup: a key that is
/// noted and never looked up costs an append. Not thread safe.
final class KeyLog {
  /// The keys; a key that was noted several times is repeated.
  let keys = ColumnBuffer(type: .integer)
  private var rows = BatchRows()
  /// How many of the keys are in the hash table.
  private var indexedCount = 0

  /// The number of noted keys.
  var count: Int { keys.count }
  var isEmpty: Bool { keys.count == 0 }

  /// Notes a key.
  func append(_ key: Int64) { keys.append(key) }

  /// Notes keys.
  func append(_ other: ColumnBuffer) { keys.append(other, rows: 0..<other.count) }

  /// Notes a key unless it is there.
  func insert(_ key: Int64) {
    if !contains(key) { append(key) }
  }

  /// The row in which a key was last noted; nil if it never was.
  func row(of key: Int64) -> Int? {
    guard keys.count > 0 else { return nil }
    while indexedCount < keys.count {
      rows.insert(indexedCount, keys)
      indexedCount += 1
    }
    return rows.row(of: key, keys)
  }

  /// Whether a key was noted.
  func contains(_ key: Int64) -> Bool { row(of: key) != nil }

  /// Forgets all keys, and frees the memory unless it is kept for the next ones.
  func removeAll(keepingCapacity: Bool = false) {
    guard !isEmpty else { return }
    keys.removeAll(keepingCapacity: keepingCapacity)
    rows.removeAll()
    indexedCount = 0
  }

  /// The keys, ascending, each once, with the row in which each was last noted; no rows where they are 0, 1, 2 …
  func sorted() -> (keys: [Int64], rows: [Int32]?) {
    if count == 1 { return ([keys.integer(0)], nil) }
    guard let order = KeyOrder.rows(ascending: keys) else {
      return ((0..<count).map(keys.integer), nil)
    }
    var sorted: [Int64] = []
    var rows: [Int32] = []
    sorted.reserveCapacity(count)
    rows.reserveCapacity(count)
    // Rows of one key keep their order, so the last of them is the newest.
    for row in order {
      let key = keys.integer(Int(row))
      if sorted.last == key {
        rows[rows.count - 1] = row
      } else {
        sorted.append(key)
        rows.append(row)
      }
    }
    return (sorted, rows)
  }
}
