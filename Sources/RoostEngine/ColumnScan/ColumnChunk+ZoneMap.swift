/// Comparing minimum and maximum with the values.
extension ColumnChunk {
  /// Checks that minimum and maximum match the values; integers are decoded relative to the minimum.
  ///
  /// Much cheaper than ``checkInvariants(unit:)``: for copying a column unchanged.
  func checkExtremes(unit: UInt64) throws(EngineError) {
    guard !entry.flags.contains(.zoneMap) || hasRightExtremes else {
      throw .corrupt(Corruption(.column, unit: unit))
    }
  }

  private var hasRightExtremes: Bool {
    switch entry.encoding {
    // The ends of a stride are its minimum and maximum.
    case .allNull, .stride: return true
    case .frameOfReference:
      let span = entry.maximum &- entry.minimum
      if codesReach(exactly: span) { return true }
      let codes = codeExtremes
      return codes.low == 0 && codes.high == span
    case .scaled:
      let codes = codeExtremes
      return areExtremes(scaled(codes.low), scaled(codes.high))
    case .raw: return hasRightRealExtremes
    case .dictionary:
      let last = Int(entry.parameter) - 1
      return text(0).bigEndianPrefix(at: 0) == entry.minimum
        && text(last).bigEndianPrefix(at: 0) == entry.maximum
    case .plain:
      return hasRightExtremes { row in
        // The reference to a value outside the leaf contains its first bytes.
        isExternal(row)
          ? text(row).bigEndianPrefix(at: ExtentPointer.size + 8)
          : heap.bigEndianPrefix(unsafe uncheckedTextRange(row))  // a row is an entry of its own
      }
    case .rawUUID: return hasRightExtremes { cells.uint64(at: $0 &* 16).byteSwapped }
    }
  }

  /// Whether every row has a value, the least code is 0 and the greatest is `high`; tests many rows at a time.
  private func codesReach(exactly high: UInt64) -> Bool {
    guard entry.nullCount == 0, high <= codes.mask else { return false }
    let scan = CodeScan(cells: cells, reader: codes, rowCount: rowCount)
    return scan.count(CodeRange(lower: 0, upper: high)) == rowCount
      && scan.count(CodeRange(lower: 0, upper: 0)) > 0
      && scan.count(CodeRange(lower: high, upper: high)) > 0
  }

  /// The least and greatest code among the rows with a value.
  private var codeExtremes: (low: UInt64, high: UInt64) {
    var low = UInt64.max
    var high: UInt64 = 0
    if entry.nullCount == 0 {
      codes.forEach(0..<rowCount, in: cells) { _, code in
        low = min(low, code)
        high = max(high, code)
      }
    } else {
      codes.forEach(0..<rowCount, in: cells) { row, code in
        guard !isNull(row) else { return }
        low = min(low, code)
        high = max(high, code)
      }
    }
    return (low, high)
  }

  private func scaled(_ code: UInt64) -> Double {
    let number = Double(base &+ Int64(bitPattern: code))
    return type == .double ? number / power : Double(Float(number))
  }

  private func areExtremes(_ low: Double, _ high: Double) -> Bool {
    // −0 equals 0.
    (low + 0).bitPattern == entry.minimum && (high + 0).bitPattern == entry.maximum
  }

  private var hasRightRealExtremes: Bool {
    var low = Double.infinity
    var high = -Double.infinity
    let isDouble = type == .double
    for row in 0..<rowCount where entry.nullCount == 0 || !isNull(row) {
      let number =
        isDouble
        ? Double(bitPattern: cells.uint64(at: row &* 8))
        : Double(Float(bitPattern: cells.uint32(at: row &* 4)))
      // NaN is neither below nor above.
      if number < low { low = number }
      if number > high { high = number }
    }
    return areExtremes(low, high)
  }

  @inline(__always)
  private func hasRightExtremes(_ prefix: (Int) -> UInt64) -> Bool {
    var low = UInt64.max
    var high: UInt64 = 0
    for row in 0..<rowCount where entry.nullCount == 0 || !isNull(row) {
      let value = prefix(row)
      low = min(low, value)
      high = max(high, value)
    }
    return low == entry.minimum && high == entry.maximum
  }
}
