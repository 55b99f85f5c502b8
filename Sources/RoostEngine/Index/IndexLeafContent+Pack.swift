extension IndexLeafContent {
  /// A value whose keys take more bytes than this may continue in the next leaf.
  ///
  /// Shorter values are not split, so that looking up a value with few keys reads one leaf.
  private static let splitBytes = 2048
  /// The most values that are added to a plan at once.
  private static let longestStep = 64

  /// The leaf of the first entries that fit a number of bytes; at least one entry.
  ///
  /// - Parameter earlier: A plan of the entries before; else the leaf begins with the first that waits.
  func plan(fitting byteCount: Int, after earlier: IndexLeafPlan? = nil) -> IndexLeafPlan {
    var shape = Shape(waiting: self)
    if let slice = earlier?.slice { shape.begin(after: slice, in: self) }
    let firstValue = shape.slice.values.lowerBound
    // More values never make a smaller leaf: so they are added by many, then by few, then one by one.
    var step = Self.longestStep
    while shape.slice.values.upperBound < values.count {
      let value = shape.slice.values.upperBound
      let more = value..<min(value + step, values.count)
      let wanted = values[more.upperBound - 1].keyEnd
      let whole = shape.adding(self, more, keysUpTo: wanted)
      if whole.fits(byteCount) {
        shape = whole
        continue
      }
      if more.count > 1 {
        step /= 8
        continue
      }
      let isFirst = value == firstValue
      let keyStart = shape.slice.keys.upperBound
      guard isFirst || (wanted - keyStart) * whole.keyWidth > Self.splitBytes else { break }
      let least = isFirst ? keyStart + 1 : keyStart
      let end =
        (least + 1..<wanted + 1).partitioningIndex {
          !shape.adding(self, more, keysUpTo: $0).fits(byteCount)
        } - 1
      if end > keyStart { shape = shape.adding(self, more, keysUpTo: end) }
      break
    }
    return shape.plan
  }

  /// Whether a plan includes the last entry.
  func isAll(_ plan: IndexLeafPlan) -> Bool { plan.slice.keys.upperBound == keys.count }

  /// The size in bytes of a leaf of all waiting entries.
  var size: Int {
    let shape = Shape(waiting: self)
    guard !isEmpty else { return shape.layout.size }
    return shape.adding(self, cut.values..<values.count, keysUpTo: keys.count).layout.size
  }

  /// Writes a leaf.
  func store(_ plan: IndexLeafPlan, tree: UInt32, in target: MutableByteView) {
    typealias Header = IndexLeafLayout.Header
    let layout = plan.layout
    target.store(ExtentKind.indexLeaf.rawValue, at: 0)
    target.store(UInt16(layout.valueCount), at: Header.valueCount)
    target.store(tree, at: Header.tree)
    target.store(UInt32(layout.entryCount), at: Header.entryCount)
    target.store(UInt8(layout.keyWidth), at: Header.keyWidth)
    target.store(UInt16(layout.prefixLength), at: Header.prefixLength)
    target.store(plan.base, at: Header.base)
    target.store(UInt16(layout.suffixLength), at: Header.suffixLength)
    target.copy(
      bytes(plan.slice.values.lowerBound).slice(0, layout.prefixLength), at: Header.size)
    storeValues(plan.slice, layout, in: target)
    storeKeys(plan, in: target)
  }

  private func storeValues(
    _ slice: IndexLeafSlice, _ layout: IndexLeafLayout, in target: MutableByteView
  ) {
    var starts = layout.startsAt
    var offsets = layout.offsetsAt
    var end = 0
    for value in slice.values {
      let bytes = bytes(value)
      let suffix = bytes.slice(layout.prefixLength, bytes.count - layout.prefixLength)
      target.copy(suffix, at: layout.heapAt + end)
      end += suffix.count
      if layout.hasOffsets {
        offsets += 2
        target.store(UInt16(end), at: offsets)
      }
      if layout.hasStarts {
        starts += 2
        let keyEnd = min(values[value].keyEnd, slice.keys.upperBound)
        target.store(UInt16(keyEnd - slice.keys.lowerBound), at: starts)
      }
    }
  }

  /// Packs the keys; each store writes eight bytes, and the next key overwrites the extra zeros.
  private func storeKeys(_ plan: IndexLeafPlan, in target: MutableByteView) {
    let width = plan.layout.keyWidth
    guard width > 0 else { return }
    var offset = plan.layout.keysAt
    for index in plan.slice.keys {
      target.store(UInt64(bitPattern: keys[index] &- plan.base), at: offset)
      offset &+= width
    }
  }
}

/// Some entries and the layout of their leaf.
struct IndexLeafPlan {
  let slice: IndexLeafSlice
  let layout: IndexLeafLayout
  /// The least key.
  let base: Int64
}

/// The layout of a leaf as it grows by values.
private struct Shape {
  var slice: IndexLeafSlice
  /// The length of the prefix that all values share.
  var prefixLength = 0
  /// The bytes of all values.
  var valueBytes = 0
  var hasOneLength = true
  var least = Int64.max
  var greatest = Int64.min

  /// Empty, before the first waiting entry.
  init(waiting content: borrowing IndexLeafContent) {
    let cut = content.cut
    slice = IndexLeafSlice(values: cut.values..<cut.values, keys: cut.keys..<cut.keys)
  }

  /// Empty, before the entry after a slice.
  mutating func begin(after earlier: IndexLeafSlice, in content: borrowing IndexLeafContent) {
    let key = earlier.keys.upperBound
    var value = earlier.values.upperBound
    // A value that continues after the slice is the first of the next.
    if content.values[value - 1].keyEnd > key { value -= 1 }
    slice = IndexLeafSlice(values: value..<value, keys: key..<key)
  }

  var plan: IndexLeafPlan { IndexLeafPlan(slice: slice, layout: layout, base: least) }

  /// The shape with more values, at least one, whose keys follow the earlier ones up to `keyEnd`.
  @inline(never)
  func adding(
    _ content: borrowing IndexLeafContent, _ more: Range<Int>, keysUpTo keyEnd: Int
  ) -> Shape {
    var shape = self
    let last = more.upperBound - 1
    // Values ascend: what the first and the last share, all share.
    let first = content.bytes(slice.values.lowerBound)
    let shared = slice.values.isEmpty ? first : first.slice(0, prefixLength)
    shape.prefixLength = shared.sharedPrefix(with: content.bytes(last))
    shape.valueBytes += content.values[last].heapEnd - content.heapStart(more.lowerBound)
    shape.hasOneLength = content.values[last].sameLengthFrom <= slice.values.lowerBound
    var keyStart = slice.keys.upperBound
    for value in more {
      let end = value == last ? keyEnd : content.values[value].keyEnd
      shape.least = min(shape.least, content.keys[keyStart])
      shape.greatest = max(shape.greatest, content.keys[end - 1])
      keyStart = end
    }
    shape.slice.values = slice.values.lowerBound..<more.upperBound
    shape.slice.keys = slice.keys.lowerBound..<keyEnd
    return shape
  }

  var keyWidth: Int {
    IndexLeafLayout.keyWidth(of: UInt64(bitPattern: greatest &- least))
  }

  var layout: IndexLeafLayout {
    let count = slice.values.count
    return IndexLeafLayout(
      valueCount: count, entryCount: slice.keys.count, keyWidth: keyWidth,
      prefixLength: prefixLength,
      suffixLength: hasOneLength
        ? valueBytes / max(count, 1) - prefixLength
        : IndexLeafLayout.mixedLengths,
      heapLength: valueBytes - count * prefixLength)
  }

  @inline(__always)
  func fits(_ byteCount: Int) -> Bool {
    layout.size <= byteCount && slice.keys.count <= IndexLeafLayout.entriesMax
  }
}
