/// Finding a pattern in the bytes of all texts at once.
extension ColumnChunk {
  /// Selects the entries of the heap that contain the pattern.
  ///
  /// The heap is searched as one text, 16 positions at a time, for the pattern's first bytes; each
  /// candidate is compared completely and must lie within one entry. The pattern must not be empty.
  func search(_ pattern: ByteView, into selection: Selection) {
    let count = textCount
    var entry = 0
    var entryRange = textRange(0)
    heap.forEachOccurrence(of: pattern) { position in
      // Positions ascend: continue from the entry of the last position.
      if position >= entryRange.upperBound {
        entry = firstEntry(endingAfter: position, from: entry, count: count)
        guard entry < count else { return .end }
        // Below the entry count.
        entryRange = unsafe uncheckedTextRange(entry)
      }
      guard position &+ pattern.count <= entryRange.upperBound else { return .next }
      unsafe selection.words[entry >> 6] |= 1 &<< UInt64(truncatingIfNeeded: entry & 63)
      return .skip(to: entryRange.upperBound)
    }
  }

  /// The first entry that ends behind a position: an exponential search, then a binary one.
  @inline(__always)
  private func firstEntry(endingAfter position: Int, from start: Int, count: Int) -> Int {
    // All entries read here are below `count`, the number of texts.
    var low = start
    var step = 1
    while low &+ step < count, unsafe uncheckedTextRange(low &+ step &- 1).upperBound <= position {
      low &+= step
      step &*= 2
    }
    return (low..<min(low &+ step, count)).partitioningIndex {
      unsafe uncheckedTextRange($0).upperBound > position
    }
  }
}

/// The next step after an occurrence.
enum SearchStep {
  case next
  case skip(to: Int)
  case end
}

extension ByteView {
  /// Calls the closure with the positions of a nonempty pattern, in ascending order.
  ///
  /// Compares 16 positions at a time in up to three bytes each, which leaves few candidates.
  @inline(__always)
  func forEachOccurrence(of pattern: ByteView, _ body: (Int) -> SearchStep) {
    let last = count &- pattern.count
    guard last >= 0 else { return }
    // For a shorter pattern, the last byte is compared again.
    let second = min(1, pattern.count &- 1)
    let third = min(2, pattern.count &- 1)
    let firstByte = SIMD16<Int8>(repeating: pattern.load(at: 0, as: Int8.self))
    let secondByte = SIMD16<Int8>(repeating: pattern.load(at: second, as: Int8.self))
    let thirdByte = SIMD16<Int8>(repeating: pattern.load(at: third, as: Int8.self))
    var next = 0

    /// Reports an occurrence; false when the search is over.
    @inline(__always) func visit(_ position: Int) -> Bool {
      guard position >= next else { return true }
      guard position <= last else { return false }
      guard pattern.count <= 3 || slice(position, pattern.count).bytesEqual(pattern) else {
        return true
      }
      switch body(position) {
      case .next: next = position &+ 1
      case .skip(let to): next = to
      case .end: return false
      }
      return true
    }

    var base = 0
    while base &+ 16 &+ third <= count {
      // The second offset is at most the third, from which 16 bytes are in bounds.
      let mask =
        unsafe (uncheckedVector(at: base, as: SIMD16<Int8>.self) .== firstByte).lanes
        & (uncheckedVector(at: base &+ second, as: SIMD16<Int8>.self) .== secondByte).lanes
        & (uncheckedVector(at: base &+ third, as: SIMD16<Int8>.self) .== thirdByte).lanes
      let halves = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
      if halves.x | halves.y != 0 {
        guard visitBytes(halves.x, base, visit), visitBytes(halves.y, base &+ 8, visit) else {
          return
        }
      }
      base &+= 16
    }
    while base <= last {
      if load(at: base, as: Int8.self) == firstByte[0],
        slice(base, pattern.count).bytesEqual(pattern), !visit(base)
      {
        return
      }
      base &+= 1
    }
  }

  /// Visits the positions with a set byte in the mask.
  @inline(__always)
  private func visitBytes(_ mask: UInt64, _ base: Int, _ visit: (Int) -> Bool) -> Bool {
    var rest = mask & 0x0101_0101_0101_0101
    while rest != 0 {
      guard visit(base &+ rest.trailingZeroBitCount &>> 3) else { return false }
      rest &= rest &- 1
    }
    return true
  }
}
