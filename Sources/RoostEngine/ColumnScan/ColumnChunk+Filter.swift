/// Filters, which select the passing rows into a selection that is reused from leaf to leaf.
///
/// Each filter checks the zone map first. The bits of external cells are undefined until
/// ``settleExternals(_:_:)`` has decided them.
extension ColumnChunk {
  /// Selects the rows whose value meets a comparison with a constant of the column's type, or with null.
  ///
  /// A constant of another type equals nothing and has no order; floats and doubles compare with each other.
  package func filter(_ comparison: Comparison, _ constant: Value, into selection: Selection) {
    switch entry.answer(comparison, constant, rowCount: rowCount) {
    case .none: selection.reset(rowCount: rowCount, selected: false)
    case .all: selection.reset(rowCount: rowCount, selected: true)
    case .some:
      if constant == .null {
        filterNull(into: selection)
      } else {
        scan(comparison, constant, into: selection)
        keepPresent(selection)
      }
      if comparison == .notEqual { selection.invert() }
    }
  }

  /// Selects the rows that are null.
  package func filterNull(into selection: Selection) {
    selection.reset(rowCount: rowCount, selected: hasNulls)
    guard hasNulls else { return }
    for index in 0..<selection.wordCount {
      unsafe selection.words[index] &= ~present.uint64(at: index &* 8)
    }
  }

  /// Decides the rows that a text filter left open, because their values lie outside the leaf.
  package func settleExternals<E: Error>(
    _ selection: Selection, _ passes: (ValueReference) throws(E) -> Bool
  ) throws(E) {
    guard hasExternals else { return }
    for row in 0..<rowCount {
      guard let reference = external(row) else { continue }
      selection.set(row, try passes(reference))
    }
  }

  /// Removes the nulls.
  func keepPresent(_ selection: Selection) {
    guard hasNulls else { return }
    for index in 0..<selection.wordCount {
      unsafe selection.words[index] &= present.uint64(at: index &* 8)
    }
  }

  /// Selects the rows that meet a comparison, and possibly some nulls; for `notEqual` the equal rows.
  private func scan(_ comparison: Comparison, _ constant: Value, into selection: Selection) {
    switch (entry.encoding, constant) {
    case (.allNull, _):
      selection.reset(rowCount: rowCount, selected: false)
    case (.frameOfReference, .integer(let number)):
      scan(codes(comparison, number), into: selection)
    case (.stride, .integer(let number)):
      scanStride(comparison, number, into: selection)
    case (.scaled, _):
      scan(constant.asDouble.flatMap { codes(comparison, $0) }, into: selection)
    case (.raw, _):
      scanNumbers(comparison, constant.asDouble ?? .nan, into: selection)
    case (.plain, .bytes(let bytes)):
      unsafe bytes.withUnsafeBytes {
        unsafe scanTexts(comparison, ByteView($0), into: selection)
      }
    case (.dictionary, .bytes(let bytes)):
      scan(unsafe bytes.withUnsafeBytes { unsafe codes(comparison, ByteView($0)) }, into: selection)
    case (.rawUUID, .uuid(let high, let low)):
      scanUUIDs(comparison, high, low, into: selection)
    default:
      // The zone map has already decided constants of other types.
      selection.reset(rowCount: rowCount, selected: false)
    }
  }

  /// Selects the rows whose codes lie in the range; none if it is nil.
  func scan(_ range: CodeRange?, into selection: Selection) {
    guard let range else { return selection.reset(rowCount: rowCount, selected: false) }
    unsafe selection.fill(rowCount: rowCount) { words in
      unsafe CodeScan(cells: cells, reader: codes, rowCount: rowCount).fill(range, words)
    }
  }

  /// The rows are in order: the matching rows are one run.
  private func scanStride(_ comparison: Comparison, _ number: Int64, into selection: Selection) {
    // There are no nulls, and values are distinct; distances are taken modulo 2^64 and divided unsigned.
    let step = UInt64(bitPattern: step)
    var below: UInt64 = 0
    var equal: UInt64 = 0
    if number >= base, step > 0 {
      let distance = UInt64(bitPattern: number) &- UInt64(bitPattern: base)
      let (rows, rest) = distance.quotientAndRemainder(dividingBy: step)
      below = rest == 0 ? rows : rows + 1
      equal = rest == 0 ? 1 : 0
    }
    let run = CodeRange(comparison, below: below, equal: equal, mask: UInt64(rowCount - 1))
    selection.reset(rowCount: rowCount, run: run.map { Int($0.lower)..<Int($0.upper) + 1 } ?? 0..<0)
  }

  private func scanNumbers(_ comparison: Comparison, _ number: Double, into selection: Selection) {
    let scan = NumberScan(cells: cells, rowCount: rowCount)
    if type == .double {
      unsafe selection.fill(rowCount: rowCount) { unsafe scan.fill(comparison, number, $0) }
    } else if let (comparison, float) = comparison.asFloat(number) {
      unsafe selection.fill(rowCount: rowCount) { unsafe scan.fill(comparison, float, $0) }
    } else {
      selection.reset(rowCount: rowCount, selected: false)
    }
  }

  private func scanUUIDs(
    _ comparison: Comparison, _ high: UInt64, _ low: UInt64, into selection: Selection
  ) {
    let comparison = comparison == .notEqual ? .equal : comparison
    selection.fill(rowCount: rowCount) { row in
      let value = uuid(row)
      let order =
        value.high != high
        ? (value.high < high ? -1 : 1) : value.low == low ? 0 : value.low < low ? -1 : 1
      return comparison.holds(order: order)
    }
  }
}

extension Comparison {
  /// A comparison with a float that matches the same floats as this comparison with a double; nil if
  /// none matches.
  fileprivate func asFloat(_ number: Double) -> (Comparison, Float)? {
    let float = Float(number)
    if Double(float) == number { return (self, float) }
    let isBelow = Double(float) < number
    switch self {
    case .equal, .notEqual: return nil
    case .less, .lessOrEqual: return (isBelow ? .lessOrEqual : .less, float)
    case .greater, .greaterOrEqual: return (isBelow ? .greater : .greaterOrEqual, float)
    }
  }
}

extension Selection {
  /// Resets to `rowCount` rows, whose words the closure must all write.
  @inline(__always)
  func fill(rowCount: Int, words body: (UnsafeMutablePointer<UInt64>) -> Void) {
    reset(rowCount: rowCount, selected: false)
    unsafe body(words)
  }

  /// Resets to the rows for which the closure is true.
  @inline(__always)
  func fill(rowCount: Int, where passes: (Int) -> Bool) {
    reset(rowCount: rowCount, selected: false)
    let words = unsafe words
    var row = 0
    while row < rowCount {
      var word: UInt64 = 0
      for bit in 0..<min(64, rowCount &- row) {
        word |= (passes(row &+ bit) ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
      }
      unsafe words[row >> 6] = word
      row &+= 64
    }
  }
}

extension CodeScan {
  /// Writes the words of the result.
  @unsafe @inline(never)
  func fill(_ range: CodeRange, _ target: UnsafeMutablePointer<UInt64>) {
    words(range) { unsafe target[$0] = $1 }
  }
}

extension NumberScan {
  /// Writes the words of the result.
  @unsafe @inline(never)
  func fill(
    _ comparison: Comparison, _ constant: Double, _ target: UnsafeMutablePointer<UInt64>
  ) {
    doubles(comparison, constant) { unsafe target[$0] = $1 }
  }

  /// Writes the words of the result.
  @unsafe @inline(never)
  func fill(_ comparison: Comparison, _ constant: Float, _ target: UnsafeMutablePointer<UInt64>) {
    floats(comparison, constant) { unsafe target[$0] = $1 }
  }
}
