/// Sums over the rows of a leaf.
extension ColumnChunk {
  /// The number of the selected rows, or of all, that have a value.
  package func presentCount(_ selection: Selection? = nil) -> Int {
    guard let selection else { return rowCount - Int(entry.nullCount) }
    precondition(selection.rowCount == rowCount, "The selection is of another leaf.")
    guard hasNulls else { return selection.count }
    return (0..<selection.wordCount).reduce(0) {
      unsafe $0 &+ (selection.words[$1] & present.uint64(at: $1 &* 8)).nonzeroBitCount
    }
  }

  /// The exact sum of the selected integers, or of all; ignores nulls.
  ///
  /// 128 bits suffice for the sum of any number of leaves; the caller checks once at the end that it fits 64 bits.
  package func sum(_ selection: Selection? = nil) -> Int128 {
    precondition(type == .integer, "The column's type is another.")
    if selection != nil || hasNulls { return sumOfChosen(selection) }
    let count = Int128(rowCount)
    if step != 0 {
      return Int128(base) * count + Int128(UInt64(bitPattern: step)) * (count * (count - 1) / 2)
    }
    if codes.width > 48 { return sumOfChosen(nil) }
    // The sum of 4096 codes of 48 bits fits in 60 bits.
    return Int128(base) * count + Int128(codes.sum(rowCount, in: cells))
  }

  private func sumOfChosen(_ selection: Selection?) -> Int128 {
    var sum: Int128 = 0
    forEachChosen(selection) { sum &+= Int128(uncheckedInteger($0)) }
    return sum
  }

  /// The sum of the selected doubles or floats, or of all, in a fixed order.
  ///
  /// Sixteen partial sums begin at 0; row i is added to number i mod 16, in ascending row order. Then
  /// the upper half of the partial sums is added to the lower half, number by number, until one is left.
  /// Nulls and unselected rows add nothing. The encoding makes no difference; the division of rows
  /// into leaves does.
  package func sumOfDoubles(_ selection: Selection? = nil) -> Double {
    precondition(type == .double || type == .float, "The column's type is another.")
    guard entry.encoding != .allNull else { return 0 }
    switch (type, entry.encoding) {
    case (.double, .raw) where selection == nil && !hasNulls:
      return sumOfRaw()
    case (.double, .raw):
      return sumOfChosen(selection) { Double(bitPattern: cells.uint64(at: $0 &* 8)) }
    case (.double, _):
      return sumOfChosen(selection) { uncheckedDouble($0) }
    default:
      return sumOfChosen(selection) { Double(uncheckedFloat($0)) }
    }
  }

  private func sumOfRaw() -> Double {
    var sums = SIMD16<Double>(repeating: 0)
    let end = rowCount & ~15
    var row = 0
    while row < end {
      sums += cells.vector(at: row &* 8, as: SIMD16<Double>.self)
      row &+= 16
    }
    while row < rowCount {
      sums[row & 15] += Double(bitPattern: cells.uint64(at: row &* 8))
      row &+= 1
    }
    return sums.folded
  }

  @inline(__always)
  private func sumOfChosen(_ selection: Selection?, _ value: (Int) -> Double) -> Double {
    unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: 16) { sums in
      unsafe sums.initialize(repeating: 0)
      forEachChosen(selection) { unsafe sums[$0 & 15] += value($0) }
      var folded = SIMD16<Double>(repeating: 0)
      for lane in 0..<16 { unsafe folded[lane] = sums[lane] }
      return folded.folded
    }
  }

  /// Calls the closure with every selected row, or every row, that has a value.
  @inline(__always)
  func forEachChosen(_ selection: Selection?, _ body: (Int) -> Void) {
    precondition(selection == nil || selection?.rowCount == rowCount, "Another leaf's selection.")
    for index in 0..<(rowCount + 63) >> 6 {
      let first = index &<< 6
      var word = Bits.low(rowCount &- first)
      if let selection { word &= unsafe selection.words[index] }
      if present.count > 0 { word &= present.uint64(at: index &* 8) }
      if word == ~0 {
        for row in first..<first &+ 64 { body(row) }
      } else {
        while word != 0 {
          body(first | word.trailingZeroBitCount)
          word &= word &- 1
        }
      }
    }
  }
}

extension CodeReader {
  /// The sum of all codes, each of at most 48 bits.
  func sum(_ count: Int, in cells: ByteView) -> UInt64 {
    var sum: UInt64 = 0
    switch width {
    case 0: return 0
    case 1:
      for row in stride(from: 0, to: count, by: 64) {
        let word = cells.uint64(at: row >> 3) & Bits.low(count &- row)
        sum &+= UInt64(truncatingIfNeeded: word.nonzeroBitCount)
      }
    case 8: return sumOfBytes(count, cells)
    case 16: return sumOfShorts(count, cells)
    default: forEach(0..<count, in: cells) { _, code in sum &+= code }
    }
    return sum
  }

  /// Adds even and odd bytes separately, in lanes of 16 bits that 128 additions of both cannot overflow.
  @inline(never)
  private func sumOfBytes(_ count: Int, _ cells: ByteView) -> UInt64 {
    let even = SIMD2<UInt64>(repeating: 0x00FF_00FF_00FF_00FF)
    var sum: UInt64 = 0
    var row = 0
    let end = count & ~31
    while row < end {
      let stop = min(end, row &+ 2048)
      var lanes = (SIMD2<UInt64>(repeating: 0), SIMD2<UInt64>(repeating: 0))
      while row < stop {
        let first = cells.vector(at: row, as: SIMD2<UInt64>.self)
        let second = cells.vector(at: row &+ 16, as: SIMD2<UInt64>.self)
        lanes.0 &+= (first & even) &+ (first &>> 8 & even)
        lanes.1 &+= (second & even) &+ (second &>> 8 & even)
        row &+= 32
      }
      sum &+= Self.sumOfShortLanes(lanes.0) &+ Self.sumOfShortLanes(lanes.1)
    }
    while row < count {
      sum &+= UInt64(cells.uint8(at: row))
      row &+= 1
    }
    return sum
  }

  /// Adds even and odd pairs of bytes separately, in lanes of 32 bits that a leaf cannot overflow.
  @inline(never)
  private func sumOfShorts(_ count: Int, _ cells: ByteView) -> UInt64 {
    let even = SIMD2<UInt64>(repeating: 0x0000_FFFF_0000_FFFF)
    var lanes = SIMD2<UInt64>(repeating: 0)
    var row = 0
    while row &+ 8 <= count {
      let codes = cells.vector(at: row &* 2, as: SIMD2<UInt64>.self)
      lanes &+= (codes & even) &+ (codes &>> 16 & even)
      row &+= 8
    }
    var sum = Self.sumOfLongLanes(lanes)
    while row < count {
      sum &+= UInt64(cells.uint16(at: row &* 2))
      row &+= 1
    }
    return sum
  }

  private static func sumOfShortLanes(_ lanes: SIMD2<UInt64>) -> UInt64 {
    let even = SIMD2<UInt64>(repeating: 0x0000_FFFF_0000_FFFF)
    return sumOfLongLanes((lanes & even) &+ (lanes &>> 16 & even))
  }

  private static func sumOfLongLanes(_ lanes: SIMD2<UInt64>) -> UInt64 {
    let both = (lanes & SIMD2(repeating: 0xFFFF_FFFF)) &+ (lanes &>> 32)
    return both.x &+ both.y
  }
}

extension SIMD16<Double> {
  /// The sum of all lanes: adds the upper half to the lower half until one lane is left.
  fileprivate var folded: Double {
    let eight = lowHalf + highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }
}
