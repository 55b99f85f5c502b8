import Synchronization

/// A validated leaf of an index; kept beside its frame, so that it is validated once.
///
/// Does not retain the frame; the caller must.
final class IndexLeaf: Sendable {
  /// The frame that retains the leaf and its bytes.
  let frame: UnownedReference<Frame>
  let bytes: ByteView
  /// The mark of the edge that the leaf was last checked against.
  let checkedEdge = Atomic<UInt64>(0)
  let tree: UInt32
  let valueCount: Int
  let entryCount: Int
  let prefix: ByteView
  /// The lower bound of the leaf's keys; the stored keys are differences from it.
  let base: Int64
  let keyWidth: Int
  /// The offset of each value's first key, if ``hasStarts``.
  private let startsAt: Int
  let hasStarts: Bool
  /// The offset of each suffix, if the suffixes differ in length.
  private let offsetsAt: Int
  let suffixLength: Int
  let hasOffsets: Bool
  private let heapAt: Int
  private let keysAt: Int
  /// The first bytes of every sixteenth suffix: a search begins with these, and then reads few of the values.
  private let samples: ProbeList
  private static let sampleStride = 16

  /// Validates all fields of the leaf, each value and each key.
  ///
  /// - Parameter isInOrder: Whether the bytes were just made from values and keys in order: then these are
  ///   not gone through again.
  init(validating frame: Frame, isInOrder: Bool = false) throws(EngineError) {
    typealias Header = IndexLeafLayout.Header
    let bytes = frame.bytes
    func damage(_ reason: Corruption.Reason) -> EngineError {
      .corrupt(Corruption(reason, unit: frame.pointer.unit))
    }
    self.frame = UnownedReference(frame)
    guard bytes.count >= Unit.bytes, bytes.count <= IndexLeafLayout.unitsMax * Unit.bytes,
      bytes.uint8(at: 0) == ExtentKind.indexLeaf.rawValue
    else { throw damage(.nodeTag) }
    guard bytes.uint8(at: Header.level) == 0 else { throw damage(.nodeLevel) }
    valueCount = Int(bytes.uint16(at: Header.valueCount))
    entryCount = Int(bytes.uint32(at: Header.entryCount))
    keyWidth = Int(bytes.uint8(at: Header.keyWidth))
    suffixLength = Int(bytes.uint16(at: Header.suffixLength))
    tree = bytes.uint32(at: Header.tree)
    base = bytes.int64(at: Header.base)
    let prefixLength = Int(bytes.uint16(at: Header.prefixLength))
    guard valueCount > 0, entryCount >= valueCount, entryCount <= IndexLeafLayout.entriesMax,
      keyWidth <= 8
    else { throw damage(.nodeCount) }
    guard prefixLength <= IndexKey.byteCountMax else { throw damage(.offsets) }

    hasStarts = entryCount != valueCount
    hasOffsets = suffixLength == IndexLeafLayout.mixedLengths
    startsAt = Header.size + prefixLength
    offsetsAt = startsAt + (hasStarts ? 2 * (valueCount + 1) : 0)
    heapAt = offsetsAt + (hasOffsets ? 2 * (valueCount + 1) : 0)
    guard heapAt <= bytes.count else { throw damage(.offsets) }
    let heapLength =
      hasOffsets
      ? Int(bytes.uint16(at: offsetsAt + 2 * valueCount)) : suffixLength * valueCount
    keysAt = heapAt + heapLength
    guard keysAt + entryCount * keyWidth + IndexLeafLayout.slack <= bytes.count else {
      throw damage(.offsets)
    }
    prefix = bytes.slice(Header.size, prefixLength)
    self.bytes = bytes
    samples = ProbeList(count: (valueCount + Self.sampleStride - 1) / Self.sampleStride)
    if !isInOrder {
      guard hasLegalSpans else { throw damage(.offsets) }
      guard hasAscendingValues else { throw damage(.nodeOrder) }
      guard hasAscendingKeys else { throw damage(.keyRange) }
    }
    for sample in 0..<samples.count {
      let span = suffixSpan(sample * Self.sampleStride)
      samples[sample] = ProbeBytes.chunk(bytes, span.offset, span.count)
    }
  }

  /// The index of a value's first key in the leaf; for the number of values, the number of keys.
  @inline(__always)
  func keyStart(_ value: Int) -> Int {
    hasStarts ? Int(bytes.uint16(at: startsAt + 2 * value)) : value
  }

  /// The number of keys of a value.
  @inline(__always)
  func keyCount(_ value: Int) -> Int { keyStart(value + 1) - keyStart(value) }

  /// The bytes of a value behind the prefix.
  @inline(__always)
  func suffix(_ value: Int) -> ByteView {
    let span = suffixSpan(value)
    return bytes.slice(span.offset, span.count)
  }

  /// The range of a value's suffix; at least eight bytes follow its start.
  @inline(__always)
  func suffixSpan(_ value: Int) -> (offset: Int, count: Int) {
    suffixSpan(value) { bytes.uint32(at: $0) }
  }

  /// The same for a value known to be in the leaf, whose offsets were validated.
  @unsafe
  @inline(__always)
  private func uncheckedSuffixSpan(_ value: Int) -> (offset: Int, count: Int) {
    suffixSpan(value) { unsafe bytes.uncheckedLoad(at: $0, as: UInt32.self) }
  }

  @inline(__always)
  private func suffixSpan(_ value: Int, _ load: (Int) -> UInt32) -> (offset: Int, count: Int) {
    guard hasOffsets else { return (heapAt &+ value &* suffixLength, suffixLength) }
    let offsets = load(offsetsAt &+ 2 &* value)
    let start = Int(offsets & 0xFFFF)
    return (heapAt &+ start, Int(offsets >> 16) &- start)
  }

  /// The offset of a value's suffix in the leaf; for the number of values, the end of the last.
  func suffixOffset(_ value: Int) -> Int {
    heapAt
      + (hasOffsets ? Int(bytes.uint16(at: offsetsAt + 2 * value)) : value * suffixLength)
  }

  /// The layout of a leaf like this one with other numbers of values, entries and suffix bytes.
  func layout(valueCount: Int, entryCount: Int, heapChange: Int) -> IndexLeafLayout {
    IndexLeafLayout(
      valueCount: valueCount, entryCount: entryCount, keyWidth: keyWidth,
      prefixLength: prefix.count, suffixLength: suffixLength,
      heapLength: keysAt - heapAt + heapChange)
  }

  /// A value's bytes.
  @inline(__always)
  func value(_ value: Int) -> SplitBytes { SplitBytes(prefix, suffix(value)) }

  /// The keys of a value.
  @inline(__always)
  func keys(_ value: Int) -> IndexKeyRun { keys(keyStart(value)..<keyStart(value + 1)) }

  /// Some of the leaf's keys, counted from its first key.
  @inline(__always)
  func keys(_ range: Range<Int>) -> IndexKeyRun {
    IndexKeyRun(
      codes: bytes.slice(
        keysAt + range.lowerBound * keyWidth, range.count * keyWidth + IndexLeafLayout.slack),
      base: base, width: keyWidth, count: range.count)
  }

  /// Whether every start and every offset ascends, so that every span is in bounds.
  private var hasLegalSpans: Bool {
    if hasStarts {
      guard keyStart(0) == 0, keyStart(valueCount) == entryCount else { return false }
      for value in 0..<valueCount where keyStart(value) >= keyStart(value + 1) { return false }
    }
    let room = IndexKey.byteCountMax - prefix.count
    guard hasOffsets else { return suffixLength <= room && prefix.count + suffixLength > 0 }
    var last = 0
    guard bytes.uint16(at: offsetsAt) == 0 else { return false }
    for value in 1...valueCount {
      let offset = Int(bytes.uint16(at: offsetsAt + 2 * value))
      guard offset >= last, offset - last <= room, prefix.count + offset - last > 0 else {
        return false
      }
      last = offset
    }
    return true
  }

  private var hasAscendingValues: Bool {
    for value in 1..<max(valueCount, 1)
    where !suffix(value - 1).precedes(suffix(value)) { return false }
    return true
  }

  /// Whether the keys of each value ascend without overflow.
  private var hasAscendingKeys: Bool {
    // The largest difference that can be added to the base.
    let room = UInt64(bitPattern: Int64.max &- base)
    for value in 0..<valueCount {
      let run = keys(value)
      var last = run.code(0)
      for index in 1..<run.count {
        let code = run.code(index)
        guard code > last else { return false }
        last = code
      }
      guard last <= room else { return false }
    }
    return true
  }
}

extension IndexLeaf {
  /// The index of a value, or its insertion index, among the leaf's values from `start` on.
  // Never inlined: generic callers would duplicate it for each closure that takes keys.
  @inline(never)
  func find(_ value: ByteView, from start: Int = 0) -> (index: Int, isFound: Bool) {
    switch PrefixOrder(of: value, in: bytes, prefixAt: IndexLeafLayout.Header.size, prefix.count) {
    case .before: return (start, false)
    case .among: break
    case .after: return (valueCount, false)
    }
    let rest = ProbeBytes(value, after: prefix.count)
    var low = start
    var high = valueCount
    if start == 0 { narrow(&low, &high, to: rest) }
    while low < high {
      let middle = (low &+ high) >> 1
      // Below the value count: `start` is a value's index, and so are the samples.
      let span = unsafe uncheckedSuffixSpan(middle)
      let order = rest.compare(bytes, span.offset, span.count)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// Narrows the leaf's values to those between the samples around a value.
  @inline(__always)
  private func narrow(_ low: inout Int, _ high: inout Int, to value: ProbeBytes) {
    let first = samples.count(below: value.chunk)
    if first > 0 { low = (first - 1) * Self.sampleStride + 1 }
    let last = samples.count(notAbove: value.chunk, below: first)
    if last < samples.count { high = last * Self.sampleStride }
  }

  /// The number of the leaf's entries before a position.
  @inline(__always)
  func rank(_ position: IndexPosition) -> Int {
    let (index, isFound) = find(position.value)
    guard isFound else { return keyStart(index) }
    if position.isAfter, position.key == .max { return keyStart(index + 1) }
    if !position.isAfter, position.key == .min { return keyStart(index) }
    return keyStart(index) + keys(index).rank(position.key, orEqual: position.isAfter)
  }

  /// Whether the leaf's entries lie between its edge's bounds.
  func lies(from low: IndexSeparator?, to high: IndexSeparator?) -> Bool {
    if let low {
      let order = value(0).compare(low.bytes)
      if order < 0 || (order == 0 && keys(0).key(0) < low.key) { return false }
    }
    if let high {
      let order = value(valueCount - 1).compare(high.bytes)
      if order > 0 { return false }
      if order == 0 {
        let run = keys(valueCount - 1)
        if run.key(run.count - 1) >= high.key { return false }
      }
    }
    return true
  }
}
