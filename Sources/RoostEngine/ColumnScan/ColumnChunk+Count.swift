/// Counting the rows that pass a filter.
extension ColumnChunk {
  /// The number of rows that meet a comparison with a constant; external cells must have been ruled out.
  ///
  /// Columns without nulls in most encodings are counted directly from their cells; otherwise the
  /// rows are selected into the scratch selection and counted.
  package func count(
    _ comparison: Comparison, _ constant: Value, scratch: Selection
  ) -> Int {
    switch entry.answer(comparison, constant, rowCount: rowCount) {
    case .none: return 0
    case .all: return rowCount
    case .some: break
    }
    if !hasNulls, let count = directCount(comparison, constant) {
      return comparison == .notEqual ? rowCount - count : count
    }
    filter(comparison, constant, into: scratch)
    return scratch.count
  }

  /// The number of matching rows without a bitmap, or for `notEqual` of the equal rows; nil if no kernel
  /// exists for the column.
  private func directCount(_ comparison: Comparison, _ constant: Value) -> Int? {
    switch (type, constant) {
    case (.integer, .integer(let number)):
      return directCount(NumberTest(comparison, .integer(number)))
    case (.double, .double), (.double, .float), (.float, .float), (.float, .double):
      guard entry.encoding == .scaled || type == .double else { return nil }
      return constant.asDouble.flatMap { directCount(NumberTest(comparison, .double($0))) }
    case (.bytes, .bytes(let bytes)) where entry.encoding == .dictionary:
      return directCount(
        unsafe bytes.withUnsafeBytes { unsafe codes(comparison, ByteView($0)) })
    default: return nil
    }
  }

  /// The number of rows that pass a test, or for `notEqual` of the equal rows, without selecting them.
  ///
  /// - Returns: Nil if there is no kernel for it: the column has nulls or another encoding.
  @inline(__always)
  func directCount(_ test: NumberTest) -> Int? {
    guard !hasNulls else { return nil }
    switch (entry.encoding, test.constant) {
    case (.frameOfReference, .integer(let number)):
      return directCount(codes(test.comparison, number))
    case (.scaled, .double(let number)):
      return directCount(codes(test.comparison, number))
    case (.raw, .double(let number)) where type == .double:
      return NumberScan(cells: cells, rowCount: rowCount).count(test.comparison, number)
    default: return nil
    }
  }

  /// The same, among the selected rows only.
  func directCount(_ test: NumberTest, among selection: Selection) -> Int? {
    guard !hasNulls else { return nil }
    switch (entry.encoding, test.constant) {
    case (.frameOfReference, .integer(let number)):
      return directCount(codes(test.comparison, number), among: selection)
    case (.scaled, .double(let number)):
      return directCount(codes(test.comparison, number), among: selection)
    case (.raw, .double(let number)) where type == .double:
      return NumberScan(cells: cells, rowCount: rowCount)
        .count(test.comparison, number, among: selection)
    default: return nil
    }
  }

  @inline(__always)
  private func directCount(_ range: CodeRange?) -> Int {
    guard let range else { return 0 }
    return CodeScan(cells: cells, reader: codes, rowCount: rowCount).count(range)
  }

  private func directCount(_ range: CodeRange?, among selection: Selection) -> Int {
    guard let range else { return 0 }
    return CodeScan(cells: cells, reader: codes, rowCount: rowCount)
      .count(range, among: selection)
  }
}

/// A comparison with a number, prepared for many leaves: plain bytes, without reference counting.
struct NumberTest: Sendable {
  enum Constant: Sendable {
    case integer(Int64)
    case double(Double)
  }

  let comparison: Comparison
  let constant: Constant

  init(_ comparison: Comparison, _ constant: Constant) {
    self.comparison = comparison
    self.constant = constant
  }

  /// Whether a row passes; it must have a value, in a column of the constant's kind.
  @inline(__always)
  func holds(_ column: UnsafePointer<ColumnChunk>, _ row: Int) -> Bool {
    switch constant {
    case .integer(let number):
      comparison.holds(unsafe column.pointee.uncheckedInteger(row), number)
    case .double(let number):
      comparison.holds(unsafe column.pointee.uncheckedDouble(row), number)
    }
  }
}

extension CodeScan {
  /// Counts the codes in the range.
  func count(_ range: CodeRange) -> Int {
    switch reader.width {
    case 8: countBytes(range)
    case 16: countShorts(range)
    case 32: countLongs(range)
    default: countWords(range)
    }
  }

  /// Counts codes of 8 bits, 64 at a time in four counters that cannot overflow within a leaf.
  @inline(never)
  func countBytes(_ range: CodeRange) -> Int {
    let lower = UInt8(truncatingIfNeeded: range.lower)
    let span = UInt8(truncatingIfNeeded: range.upper) &- lower
    if span == 0 {
      let equal = SIMD16<Int8>(repeating: Int8(bitPattern: lower))
      return countBytes { ($0 .== equal).lanes } &+ countRest(range)
    }
    let shift = SIMD16<Int8>(repeating: Int8(bitPattern: lower ^ 0x80))
    let limit = SIMD16<Int8>(repeating: Int8(bitPattern: span ^ 0x80))
    let outside = countBytes { (($0 &- shift) .> limit).lanes }
    return (rowCount & ~63) &- outside &+ countRest(range)
  }

  /// Counts the set lanes of the masks, over all complete groups of 64 rows.
  @inline(__always)
  private func countBytes(_ mask: (SIMD16<Int8>) -> SIMD16<Int8>) -> Int {
    let none = SIMD16<Int8>(repeating: 0)
    var counts = (none, none, none, none)
    let end = rowCount & ~63
    var row = 0
    while row < end {
      // A set lane is −1.
      counts.0 &-= mask(cells.vector(at: row, as: SIMD16<Int8>.self))
      counts.1 &-= mask(cells.vector(at: row &+ 16, as: SIMD16<Int8>.self))
      counts.2 &-= mask(cells.vector(at: row &+ 32, as: SIMD16<Int8>.self))
      counts.3 &-= mask(cells.vector(at: row &+ 48, as: SIMD16<Int8>.self))
      row &+= 64
    }
    return Self.sum(counts.0) &+ Self.sum(counts.1) &+ Self.sum(counts.2) &+ Self.sum(counts.3)
  }

  /// Counts codes of 16 bits.
  @inline(never)
  func countShorts(_ range: CodeRange) -> Int {
    let lower = UInt16(truncatingIfNeeded: range.lower)
    let span = UInt16(truncatingIfNeeded: range.upper) &- lower
    let shift = SIMD8<Int16>(repeating: Int16(bitPattern: lower ^ 0x8000))
    let limit = SIMD8<Int16>(repeating: Int16(bitPattern: span ^ 0x8000))
    var outside = (SIMD8<Int16>(repeating: 0), SIMD8<Int16>(repeating: 0))
    let end = rowCount & ~63
    var row = 0
    while row < end {
      outside.0 &-=
        ((cells.vector(at: row &* 2, as: SIMD8<Int16>.self) &- shift) .> limit).lanes
      outside.1 &-=
        ((cells.vector(at: row &* 2 &+ 16, as: SIMD8<Int16>.self) &- shift) .> limit).lanes
      row &+= 16
    }
    // Each lane of the two together is at most 512.
    let both = unsafe unsafeBitCast(outside.0 &+ outside.1, to: SIMD2<UInt64>.self)
    let lanes = (both.x &+ both.y) &* 0x0001_0001_0001_0001
    return end &- Int(lanes &>> 48) &+ countRest(range)
  }

  /// Counts codes of 32 bits.
  @inline(never)
  func countLongs(_ range: CodeRange) -> Int {
    let lower = UInt32(truncatingIfNeeded: range.lower)
    let span = UInt32(truncatingIfNeeded: range.upper) &- lower
    let shift = SIMD4<Int32>(repeating: Int32(bitPattern: lower ^ 0x8000_0000))
    let limit = SIMD4<Int32>(repeating: Int32(bitPattern: span ^ 0x8000_0000))
    var outside = (SIMD4<Int32>(repeating: 0), SIMD4<Int32>(repeating: 0))
    let end = rowCount & ~63
    var row = 0
    while row < end {
      outside.0 &-=
        ((cells.vector(at: row &* 4, as: SIMD4<Int32>.self) &- shift) .> limit).lanes
      outside.1 &-=
        ((cells.vector(at: row &* 4 &+ 16, as: SIMD4<Int32>.self) &- shift) .> limit).lanes
      row &+= 8
    }
    let both = outside.0 &+ outside.1
    return end &- Int(both[0] &+ both[1] &+ both[2] &+ both[3]) &+ countRest(range)
  }

  /// Counts codes of any width by the words of the result.
  @inline(never)
  func countWords(_ range: CodeRange) -> Int {
    var count = 0
    words(range) { _, word in count &+= word.nonzeroBitCount }
    return count
  }

  /// Counts the codes in the range among the selected rows.
  @inline(never)
  func count(_ range: CodeRange, among selection: Selection) -> Int {
    var count = 0
    let chosen = unsafe selection.words
    words(range) { unsafe count &+= (chosen[$0] & $1).nonzeroBitCount }
    return count
  }

  /// Counts the rows behind the last complete group of 64.
  @inline(__always)
  private func countRest(_ range: CodeRange) -> Int {
    let span = range.upper &- range.lower
    var count = 0
    for row in (rowCount & ~63)..<rowCount {
      count &+= reader.code(row, in: cells) &- range.lower <= span ? 1 : 0
    }
    return count
  }

  /// The unsigned sum of 16 bytes.
  @inline(__always)
  private static func sum(_ counts: SIMD16<Int8>) -> Int {
    let halves = unsafe unsafeBitCast(counts, to: SIMD2<UInt64>.self)
    let even: UInt64 = 0x00FF_00FF_00FF_00FF
    let pairs =
      (halves.x & even) &+ (halves.x &>> 8 & even) &+ (halves.y & even)
      &+ (halves.y &>> 8 & even)
    return Int((pairs &* 0x0001_0001_0001_0001) &>> 48)
  }
}

extension NumberScan {
  /// Counts the doubles that meet a comparison; for `notEqual` the equal doubles.
  @inline(never)
  func count(_ comparison: Comparison, _ constant: Double) -> Int {
    let constants = SIMD2<Double>(repeating: constant)
    switch comparison {
    case .equal, .notEqual: return count { ($0 .== constants).lanes }
    case .less: return count { ($0 .< constants).lanes }
    case .lessOrEqual: return count { ($0 .<= constants).lanes }
    case .greater: return count { ($0 .> constants).lanes }
    case .greaterOrEqual: return count { ($0 .>= constants).lanes }
    }
  }

  /// Counts the doubles of the selected rows that meet a comparison; for `notEqual` the equal doubles.
  @inline(never)
  func count(_ comparison: Comparison, _ constant: Double, among selection: Selection) -> Int {
    var count = 0
    let chosen = unsafe selection.words
    doubles(comparison, constant) { unsafe count &+= (chosen[$0] & $1).nonzeroBitCount }
    return count
  }

  @inline(__always)
  private func count(_ mask: (SIMD2<Double>) -> SIMD2<Int64>) -> Int {
    let none = SIMD2<Int64>(repeating: 0)
    var counts = (none, none)
    let end = rowCount & ~3
    var row = 0
    while row < end {
      counts.0 &-= mask(cells.vector(at: row &* 8, as: SIMD2<Double>.self))
      counts.1 &-= mask(cells.vector(at: row &* 8 &+ 16, as: SIMD2<Double>.self))
      row &+= 4
    }
    var both = counts.0 &+ counts.1
    while row < rowCount {
      let value = Double(bitPattern: cells.uint64(at: row &* 8))
      both.x &-= mask(SIMD2(value, .nan)).x
      row &+= 1
    }
    return Int(both.x &+ both.y)
  }
}
