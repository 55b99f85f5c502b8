/// Entries waiting to be packed into leaves: values with their keys, in the index's order.
///
/// Filled from old leaves and from a run of changes; leaves are cut from its front.
struct IndexLeafContent: ~Copyable {
  /// A value: its bytes end at `heapEnd`, its keys at `keyEnd`.
  struct Value: BitwiseCopyable {
    let heapEnd: Int
    var keyEnd: Int
    /// The first of the consecutive values up to this one with the same length.
    let sameLengthFrom: Int
  }

  private(set) var heap = PlainBuffer<UInt8>(minimumCapacity: 1 << 14)
  private(set) var values = PlainBuffer<Value>(minimumCapacity: 1 << 10)
  private(set) var keys = PlainBuffer<Int64>(minimumCapacity: 1 << 13)
  /// The number of values and keys cut off the front that still lie in the buffers.
  private(set) var cut = (values: 0, keys: 0)

  /// Whether no entry waits.
  var isEmpty: Bool { keys.count == cut.keys }
  /// The number of waiting values.
  var valueCount: Int { values.count - cut.values }

  @inline(__always)
  func heapStart(_ value: Int) -> Int { value == 0 ? 0 : values[value - 1].heapEnd }

  @inline(__always)
  func keyStart(_ value: Int) -> Int {
    value <= cut.values ? cut.keys : values[value - 1].keyEnd
  }

  @inline(__always)
  func length(_ value: Int) -> Int { values[value].heapEnd - heapStart(value) }

  @inline(__always)
  func bytes(_ value: Int) -> ByteView {
    let start = heapStart(value)
    return heap.view(start, values[value].heapEnd - start)
  }

  /// An upper bound of the size of everything as one leaf, which costs no computation.
  var looseSize: Int {
    let heapBytes = heap.count - (cut.values == 0 ? 0 : values[cut.values - 1].heapEnd)
    return heapBytes + 4 * valueCount + 3 * (keys.count - cut.keys) + 64
  }

  /// The maximum size in bytes of a leaf of the waiting entries.
  var leafBytesMax: Int { IndexLeafLayout.bytesMax(values: valueCount, bytes: looseSize) }

  /// Adds values of a leaf with all their keys.
  mutating func append(
    _ leaf: IndexLeaf, _ range: Range<Int>, unit: UInt64
  ) throws(EngineError) {
    guard let first = range.first else { return }
    try open(leaf.value(first), unit: unit)
    let firstKeys = leaf.keys(first)
    guard keyStart(values.count - 1) == keys.count || keys[keys.count - 1] < firstKeys.key(0) else {
      throw .corrupt(Corruption(.nodeOrder, unit: unit))
    }
    append(firstKeys)
    if range.count == 1 { return }
    for value in range.dropFirst() {
      let suffix = leaf.suffix(value)
      heap.append(leaf.prefix)
      heap.append(suffix)
      addValue(length: leaf.prefix.count + suffix.count)
    }
    let keyStart = leaf.keyStart(first + 1)
    let shift = keys.count - keyStart
    append(leaf.keys(keyStart..<leaf.keyStart(range.upperBound)))
    var place = values.count - range.count + 1
    for value in range.dropFirst() {
      values[place].keyEnd = leaf.keyStart(value + 1) + shift
      place += 1
    }
  }

  /// Adds all waiting entries of another content, which lies behind this one.
  mutating func append(
    _ other: borrowing IndexLeafContent, unit: UInt64
  ) throws(EngineError) {
    for value in other.cut.values..<other.values.count {
      try open(SplitBytes(other.bytes(value)), unit: unit)
      append(other.keys, other.keyStart(value)..<other.values[value].keyEnd)
    }
  }

  /// Begins a value, unless it is the last value already; its keys are added after.
  ///
  /// - Throws: `.corrupt` when the value is before the last one: two leaves are in the wrong order.
  mutating func open(_ value: SplitBytes, unit: UInt64) throws(EngineError) {
    if valueCount > 0 {
      let order = value.compare(bytes(values.count - 1))
      if order == 0 { return }
      guard order > 0 else { throw .corrupt(Corruption(.nodeOrder, unit: unit)) }
    }
    heap.append(value.prefix)
    heap.append(value.suffix)
    addValue(length: value.count)
  }

  /// Adds a key to the last value.
  @inline(__always)
  mutating func append(_ key: Int64) { keys.append(key) }

  /// Adds packed keys, which end the last value.
  @inline(__always)
  mutating func append(_ run: IndexKeyRun) {
    run.append(to: &keys)
    closeValue()
  }

  /// Adds some of other keys, which end the last value.
  mutating func append(_ more: borrowing PlainBuffer<Int64>, _ range: Range<Int>) {
    keys.append(more, range)
    closeValue()
  }

  /// Ends the last value after its last key; drops a value without keys.
  mutating func closeValue() {
    let last = values.count - 1
    values[last].keyEnd = keys.count
    guard keyStart(last) == keys.count else { return }
    heap.removeLast(length(last))
    values.removeLast()
  }

  /// Drops a slice from the front.
  mutating func drop(_ slice: IndexLeafSlice) {
    cut.keys = slice.keys.upperBound
    cut.values = slice.values.upperBound
    // A value that continues after the slice stays.
    if cut.values > 0, values[cut.values - 1].keyEnd > cut.keys { cut.values -= 1 }
    if isEmpty { removeAll() }
  }

  /// Moves the waiting entries to the front of the buffers.
  mutating func compact() {
    guard cut.keys > 0 else { return }
    let heapCut = heapStart(cut.values)
    let kept = cut
    heap.removeFirst(heapCut)
    values.removeFirst(kept.values)
    keys.removeFirst(kept.keys)
    cut = (0, 0)
    for index in 0..<values.count {
      let value = values[index]
      values[index] = Value(
        heapEnd: value.heapEnd - heapCut, keyEnd: value.keyEnd - kept.keys,
        sameLengthFrom: max(value.sameLengthFrom - kept.values, 0))
    }
  }

  mutating func removeAll() {
    heap.removeAll()
    values.removeAll()
    keys.removeAll()
    cut = (0, 0)
  }

  private mutating func addValue(length: Int) {
    let index = values.count
    let isSame = index > 0 && self.length(index - 1) == length
    values.append(
      Value(
        heapEnd: heap.count, keyEnd: keys.count,
        sameLengthFrom: isSame ? values[index - 1].sameLengthFrom : index))
  }
}

/// Consecutive entries of a content: whole values, except that the first and the last may lack keys.
struct IndexLeafSlice {
  var values: Range<Int>
  var keys: Range<Int>
}
