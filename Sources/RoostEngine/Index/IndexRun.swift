/// Changes of an index in its order, at most one for each pair, ready to apply to a tree.
package struct IndexRun: ~Copyable {
  /// A value with the changes of its keys: from `keyStart` up to the next group's.
  ///
  /// Not private: Swift 6.3.1's debug build then loses the type's metadata between two files.
  struct Group: BitwiseCopyable {
    let offset: Int
    let length: Int
    let keyStart: Int
  }

  private var heap = PlainBuffer<UInt8>()
  private var groups = PlainBuffer<Group>()
  private var keys = PlainBuffer<Int64>()
  /// For each key whether it is removed; empty if there are no removals.
  private var removals = PlainBuffer<Bool>()
  /// Whether a value is there twice that was not looked for when it was added: then this is no run.
  private(set) var hasTwins = false

  /// No changes; add them in the order of the index.
  init() {}

  /// Begins a value, which must lie behind the last one.
  mutating func open(_ value: ByteView) {
    groups.append(Group(offset: heap.count, length: value.count, keyStart: keys.count))
    heap.append(value)
  }

  /// Appends an addition to the last value.
  @inline(__always)
  mutating func append(_ key: Int64) { keys.append(key) }

  /// Sorts changes and cancels an addition with a removal of the same pair.
  ///
  /// - Throws: `.corrupt` with the reason `indexEntry` when a pair was added or removed twice in a row.
  package init(_ changes: borrowing IndexChanges, tree: UInt32) throws(EngineError) {
    let order = IndexValueSort.order(changes)
    var starts = [Int](repeating: 0, count: order.count)
    var next = 0
    for number in order {
      starts[Int(number)] = next
      next += Int(changes.values[Int(number)].changeCount)
    }
    distribute(changes, starts)
    try gather(changes, order, tree: tree)
  }

  /// The number of changes.
  package var count: Int { keys.count }
  /// The number of values with changes.
  package var groupCount: Int { groups.count }
  /// Whether there are no removals.
  var isAdditionOnly: Bool { removals.isEmpty }

  /// The value of a group.
  @inline(__always)
  func value(_ group: Int) -> ByteView {
    let record = groups[group]
    return heap.view(record.offset, record.length)
  }

  /// The first change of a group; for the number of groups, the number of changes.
  @inline(__always)
  func keyStart(_ group: Int) -> Int {
    group < groups.count ? groups[group].keyStart : keys.count
  }

  @inline(__always)
  func key(_ index: Int) -> Int64 { keys[index] }

  @inline(__always)
  func isRemoval(_ index: Int) -> Bool { !removals.isEmpty && removals[index] }

  /// Distributes the changes to their values, in the order in which they were made.
  private mutating func distribute(_ changes: borrowing IndexChanges, _ starts: [Int]) {
    var places = starts
    let count = changes.count
    keys.resize(to: count, filling: 0)
    var next = places.mutableSpan
    for index in 0..<count {
      let change = changes.changes[index]
      let place = next[change.value]
      keys[place] = change.key
      next[change.value] = place + 1
    }
    var hasRemovals = false
    for index in 0..<count where changes.changes[index].isRemoval {
      hasRemovals = true
      break
    }
    guard hasRemovals else { return }
    removals.resize(to: count, filling: false)
    places = starts
    for index in 0..<count {
      let change = changes.changes[index]
      removals[places[change.value]] = change.isRemoval
      places[change.value] += 1
    }
  }

  /// Sorts the keys of each value, cancels changes, and stores the groups one after another.
  private mutating func gather(
    _ changes: borrowing IndexChanges, _ order: [UInt32], tree: UInt32
  ) throws(EngineError) {
    var start = 0
    var kept = 0
    for number in order {
      let record = changes.values[Int(number)]
      let end = start + Int(record.changeCount)
      if !ascendsStrictly(start..<end) { sortKeys(start..<end) }
      let groupStart = kept
      kept = try cancel(start..<end, to: kept, tree: tree)
      if kept > groupStart {
        if changes.mayHaveTwins, groups.count > 0,
          changes.bytes(Int(number)).bytesEqual(value(groups.count - 1))
        {
          hasTwins = true
        }
        groups.append(
          Group(offset: heap.count, length: Int(record.length), keyStart: groupStart))
        heap.append(changes.bytes(Int(number)))
      }
      start = end
    }
    keys.removeLast(keys.count - kept)
    if !removals.isEmpty { removals.removeLast(removals.count - kept) }
  }

  private func ascendsStrictly(_ range: Range<Int>) -> Bool {
    for index in range.dropFirst() where keys[index] <= keys[index - 1] { return false }
    return true
  }

  /// Sorts by key and, for equal keys, by the order in which the changes were made.
  private mutating func sortKeys(_ range: Range<Int>) {
    let hasRemovals = !removals.isEmpty
    var changes: [(key: Int64, isRemoval: Bool, order: Int)] = []
    changes.reserveCapacity(range.count)
    for index in range { changes.append((keys[index], isRemoval(index), index)) }
    changes.sort { $0.key != $1.key ? $0.key < $1.key : $0.order < $1.order }
    for (index, change) in zip(range, changes) {
      keys[index] = change.key
      if hasRemovals { removals[index] = change.isRemoval }
    }
  }

  /// Moves a group's remaining changes down to `target`; returns the start of the next group.
  private mutating func cancel(
    _ range: Range<Int>, to target: Int, tree: UInt32
  ) throws(EngineError) -> Int {
    let hasRemovals = !removals.isEmpty
    var target = target
    var index = range.lowerBound
    while index < range.upperBound {
      let key = keys[index]
      let first = isRemoval(index)
      var last = first
      var end = index + 1
      while end < range.upperBound, keys[end] == key {
        guard isRemoval(end) != last else {
          throw .corrupt(Corruption(.indexEntry, tree: tree, keys: key...key))
        }
        last = !last
        end += 1
      }
      // The changes alternate, so an even number of them leaves the pair unchanged.
      if (end - index) % 2 == 1 {
        keys[target] = key
        if hasRemovals { removals[target] = last }
        target += 1
      }
      index = end
    }
    return target
  }
}

/// A position in a run: before the change `key`, which belongs to `group`.
struct IndexRunPosition: Equatable {
  var group: Int
  var key: Int
}

extension IndexRun {
  var start: IndexRunPosition { IndexRunPosition(group: 0, key: 0) }
  var end: IndexRunPosition { IndexRunPosition(group: groupCount, key: count) }

  /// The first change from `start` on that is not before a separator.
  func position(
    of separator: IndexSeparator, from start: IndexRunPosition
  ) -> IndexRunPosition {
    let group = (start.group..<groupCount).partitioningIndex {
      separator.bytes.compare(value($0)) <= 0
    }
    let groupStart = max(keyStart(group), start.key)
    guard group < groupCount, separator.key > Int64.min,
      separator.bytes.compare(value(group)) == 0
    else {
      return IndexRunPosition(group: group, key: groupStart)
    }
    let end = keyStart(group + 1)
    let key = (groupStart..<end).partitioningIndex { self.key($0) >= separator.key }
    return IndexRunPosition(group: key == end ? group + 1 : group, key: key)
  }

  /// Adds some of the keys to the last value of a leaf's content, which they end.
  func append(_ range: Range<Int>, to content: inout IndexLeafContent) {
    content.append(keys, range)
  }
}
