/// The progress of applying changes: everything before the cursor is done.
struct ChangeCursor {
  let changes: TableChanges
  private var insert = 0
  private var delete = 0
  private var update: [Int]

  /// The changes of one leaf.
  struct LeafChanges {
    /// Inserts by their index in key order.
    var inserts: Range<Int>
    var deletes: Range<Int>
    /// For each field with updates, the indices of its keys.
    var updates: [Range<Int>]

    var isEmpty: Bool { !changesRows && !hasUpdates }
    /// Whether rows are inserted or deleted.
    var changesRows: Bool { !inserts.isEmpty || !deletes.isEmpty }
    var hasUpdates: Bool { updates.contains { !$0.isEmpty } }
  }

  init(_ changes: TableChanges) {
    self.changes = changes
    update = [Int](repeating: 0, count: changes.updates.count)
  }

  /// The lowest key of the remaining changes; nil when all are done.
  var nextKey: Int64? {
    var lowest: Int64?
    func consider(_ key: Int64) { lowest = min(lowest ?? key, key) }
    if insert < changes.insertCount { consider(changes.insertKey(insert)) }
    if delete < changes.deletes.count { consider(changes.deletes[delete]) }
    for (place, updates) in zip(update, changes.updates) where place < updates.keys.count {
      consider(updates.keys[place])
    }
    return lowest
  }

  /// Takes all changes whose key is at most `key`.
  mutating func take(through key: Int64) -> LeafChanges {
    let changes = changes
    let inserts =
      insert..<Self.end(from: insert, changes.insertCount) {
        changes.insertKey($0) <= key
      }
    let deletes =
      delete..<Self.end(from: delete, changes.deletes.count) {
        changes.deletes[$0] <= key
      }
    var updates: [Range<Int>] = []
    updates.reserveCapacity(update.count)
    for (place, list) in zip(update, changes.updates) {
      updates.append(place..<Self.end(from: place, list.keys.count) { list.keys[$0] <= key })
    }
    insert = inserts.upperBound
    delete = deletes.upperBound
    update = updates.map(\.upperBound)
    return LeafChanges(inserts: inserts, deletes: deletes, updates: updates)
  }

  /// The first index from `start` on that is not included; an exponential search, then a binary one.
  private static func end(
    from start: Int, _ count: Int, _ isIncluded: (Int) -> Bool
  ) -> Int {
    var low = start
    var step = 1
    while low + step <= count, isIncluded(low + step - 1) {
      low += step
      step *= 2
    }
    var length = min(step - 1, count - low)
    while length > 0 {
      let half = length >> 1
      if isIncluded(low + half) {
        low += half + 1
        length -= half + 1
      } else {
        length = half
      }
    }
    return low
  }
}
