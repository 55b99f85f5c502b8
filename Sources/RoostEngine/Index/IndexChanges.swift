/// Additions to and removals from an index, gathered in any order.
///
/// Every distinct value is stored once, found through a hash table, with the changes of its keys
/// chained from the newest to the oldest; so sorting sorts values, not entries, and unique values can be
/// checked before anything is sorted. One heap and three arrays, no allocation per change.
package struct IndexChanges: ~Copyable {
  /// A distinct value.
  struct ValueRecord: BitwiseCopyable {
    let offset: Int
    let hash: UInt32
    let length: UInt32
    var changeCount: UInt32
    /// The newest change of the value.
    var newest: UInt32
  }

  /// A key added or removed.
  struct ChangeRecord: BitwiseCopyable {
    let key: Int64
    /// The value's number, and in the highest bit whether the key is removed.
    let valueAndSign: UInt32
    /// The previous change of the same value; `none` for the first.
    let previous: UInt32

    var value: Int { Int(valueAndSign & ~ChangeRecord.removal) }
    var isRemoval: Bool { valueAndSign & ChangeRecord.removal != 0 }

    static let removal: UInt32 = 1 << 31
    static let none = UInt32.max
  }

  /// The bytes of all distinct values.
  private(set) var heap = PlainBuffer<UInt8>()
  private(set) var values = PlainBuffer<ValueRecord>()
  private(set) var changes = PlainBuffer<ChangeRecord>()
  /// Numbers of values by hash; `none` where empty. Linear probing, at most half full.
  private var table = PlainBuffer<UInt32>()
  private var lastValue: Int?
  /// Whether some values may be there twice, since they were not looked for.
  private(set) var mayHaveTwins = false
  private let seed = HashSeed.ofProcess

  /// No changes.
  package init() {
    table.resize(to: 64, filling: ChangeRecord.none)
  }

  /// The number of changes.
  package var count: Int { changes.count }
  /// Whether there are no changes.
  package var isEmpty: Bool { changes.isEmpty }
  /// The approximate memory of the changes in bytes.
  package var byteCount: Int {
    heap.count + values.count * MemoryLayout<ValueRecord>.stride
      + changes.count * MemoryLayout<ChangeRecord>.stride + table.count * 4
  }

  /// Records the addition of a pair.
  package mutating func add(_ value: ByteView, _ key: Int64) {
    append(value, key, sign: 0)
  }

  /// Records the addition of a pair whose value should have no other changes, without looking for it.
  ///
  /// If it has some, the sorted changes say so (``IndexRun/hasTwins``), and are of no use.
  mutating func addNew(_ value: ByteView, _ key: Int64) {
    checkRoom(for: value)
    mayHaveTwins = true
    let number = appendValue(value, hash: hash(value))
    lastValue = nil
    append(number, key, sign: 0)
  }

  /// Records the removal of a pair.
  package mutating func remove(_ value: ByteView, _ key: Int64) {
    append(value, key, sign: ChangeRecord.removal)
  }

  /// Drops all changes and keeps the memory.
  package mutating func removeAll() {
    heap.removeAll()
    values.removeAll()
    changes.removeAll()
    lastValue = nil
    mayHaveTwins = false
    table.resize(to: 0, filling: ChangeRecord.none)
    table.resize(to: 64, filling: ChangeRecord.none)
  }

  /// The bytes of a value.
  @inline(__always)
  func bytes(_ value: Int) -> ByteView {
    let record = values[value]
    return heap.view(record.offset, Int(record.length))
  }

  /// The number of a value, if it has changes.
  func find(_ value: ByteView) -> Int? {
    let number = table[slot(of: value, hash: hash(value))]
    return number == ChangeRecord.none ? nil : Int(number)
  }

  private mutating func append(_ value: ByteView, _ key: Int64, sign: UInt32) {
    checkRoom(for: value)
    let number: Int
    if let lastValue, bytes(lastValue).bytesEqual(value) {
      number = lastValue
    } else {
      number = intern(value)
      lastValue = number
    }
    append(number, key, sign: sign)
  }

  @inline(__always)
  private func checkRoom(for value: ByteView) {
    precondition(value.count <= IndexKey.byteCountMax, "A value is longer than a key can be.")
    precondition(changes.count < Int(ChangeRecord.removal) - 1, "Too many changes to gather.")
  }

  @inline(__always)
  private mutating func append(_ number: Int, _ key: Int64, sign: UInt32) {
    changes.append(
      ChangeRecord(
        key: key, valueAndSign: UInt32(number) | sign, previous: values[number].newest))
    values[number].newest = UInt32(changes.count - 1)
    values[number].changeCount += 1
  }

  private mutating func intern(_ value: ByteView) -> Int {
    let hash = hash(value)
    var slot = slot(of: value, hash: hash)
    if table[slot] != ChangeRecord.none { return Int(table[slot]) }
    if (values.count + 1) * 2 > table.count {
      growTable()
      slot = self.slot(of: value, hash: hash)
    }
    let number = appendValue(value, hash: hash)
    table[slot] = UInt32(number)
    return number
  }

  @inline(__always)
  private mutating func appendValue(_ value: ByteView, hash: UInt32) -> Int {
    values.append(
      ValueRecord(
        offset: heap.count, hash: hash, length: UInt32(value.count), changeCount: 0,
        newest: ChangeRecord.none))
    heap.append(value)
    return values.count - 1
  }

  /// The slot of the value's number in the table, or the slot where it belongs.
  @inline(__always)
  private func slot(of value: ByteView, hash: UInt32) -> Int {
    let mask = table.count - 1
    var slot = Int(hash) & mask
    while table[slot] != ChangeRecord.none {
      let candidate = Int(table[slot])
      if values[candidate].hash == hash, bytes(candidate).bytesEqual(value) { break }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func growTable() {
    var size = table.count * 4
    // Those that were not looked for are in no slot yet.
    while (values.count + 1) * 2 > size { size *= 2 }
    table.resize(to: 0, filling: ChangeRecord.none)
    table.resize(to: size, filling: ChangeRecord.none)
    for number in 0..<values.count {
      var slot = Int(values[number].hash) & (size - 1)
      while table[slot] != ChangeRecord.none { slot = (slot + 1) & (size - 1) }
      table[slot] = UInt32(number)
    }
  }

  /// A hash by multiplying and folding eight bytes at a time, as wyhash does.
  @inline(__always)
  private func hash(_ value: ByteView) -> UInt32 {
    func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
      let product = a.multipliedFullWidth(by: b)
      return product.high ^ product.low
    }
    var state = seed ^ UInt64(value.count)
    var offset = 0
    while offset + 8 <= value.count {
      state = fold(state ^ value.uint64(at: offset), 0x9E37_79B9_7F4A_7C15)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < value.count {
      rest = rest << 8 | UInt64(value.uint8(at: offset))
      offset += 1
    }
    state = fold(state ^ rest, 0xD6E8_FEB8_6659_FD93)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }
}

extension IndexChanges {
  /// The last change of a pair: true for an addition, false for a removal, else nil.
  package func lastChange(of value: ByteView, _ key: Int64) -> Bool? {
    var isAdded: Bool?
    visit(value) { change, isAddition in
      guard change == key else { return true }
      isAdded = isAddition
      return false
    }
    return isAdded
  }

  /// Passes the changes of a value to `body`, from the newest to the oldest, until it returns false.
  package func visit(_ value: ByteView, _ body: (_ key: Int64, _ isAddition: Bool) -> Bool) {
    guard let number = find(value) else { return }
    var next = values[number].newest
    while next != ChangeRecord.none {
      let change = changes[Int(next)]
      guard body(change.key, !change.isRemoval) else { return }
      next = change.previous
    }
  }

  /// A key with this value in the index after these changes: the check for a unique index.
  ///
  /// - Parameter tree: The index before the changes.
  /// - Parameter isCounted: Whether entries of the tree with this key count.
  package func first(
    equal value: ByteView, over tree: IndexTree, where isCounted: (Int64) -> Bool = { _ in true }
  ) throws(EngineError) -> Int64? {
    // In a unique index a value has few changes, so a list serves as a set.
    var removed: [Int64] = []
    var added: Int64?
    visit(value) { key, isAddition in
      guard !removed.contains(key) else { return true }
      if isAddition { added = key } else { removed.append(key) }
      return added == nil
    }
    if let added { return added }
    var first: Int64?
    try tree.visit(equal: value) { (run) throws(EngineError) in
      first = run.first { !removed.contains($0) && isCounted($0) }
      return first == nil
    }
    return first
  }
}
