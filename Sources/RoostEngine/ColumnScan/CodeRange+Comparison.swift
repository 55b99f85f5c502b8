/// Translating a comparison into the codes that meet it.
extension CodeRange {
  /// The codes up to `mask` that meet a comparison with a constant, given the constant's position among the codes.
  ///
  /// - Parameters:
  ///   - below: how many codes are below the constant.
  ///   - equal: whether the code after those is equal to it. Of several equal ones the number is given.
  ///   - mask: the largest code.
  /// - Returns: nil if no code meets it. For `notEqual`, the codes that do not meet it.
  init?(_ comparison: Comparison, below: UInt64, equal: UInt64, mask: UInt64) {
    let first = below
    let (end, isBeyond) = below.addingReportingOverflow(equal)
    let atMost = isBeyond ? mask : end == 0 ? nil : min(end &- 1, mask)
    let under = first == 0 ? nil : min(first &- 1, mask)
    switch comparison {
    case .equal, .notEqual:
      guard equal > 0, first <= mask, let atMost else { return nil }
      self.init(lower: first, upper: atMost)
    case .less:
      guard let under else { return nil }
      self.init(lower: 0, upper: under)
    case .lessOrEqual:
      guard let atMost else { return nil }
      self.init(lower: 0, upper: atMost)
    case .greater:
      guard !isBeyond, end <= mask else { return nil }
      self.init(lower: end, upper: mask)
    case .greaterOrEqual:
      guard first <= mask else { return nil }
      self.init(lower: first, upper: mask)
    }
  }
}

extension ColumnChunk {
  /// The codes of a frame of reference that meet a comparison with a constant; nil if none does.
  func codes(_ comparison: Comparison, _ constant: Int64) -> CodeRange? {
    guard constant >= base else {
      return CodeRange(comparison, below: 0, equal: 0, mask: codes.mask)
    }
    let code = UInt64(bitPattern: constant) &- UInt64(bitPattern: base)
    return CodeRange(comparison, below: code, equal: 1, mask: codes.mask)
  }

  /// The codes of a scaled column that meet a comparison with a constant that is not NaN.
  ///
  /// Scaled values ascend with their codes, so this searches for the constant's position, outwards from
  /// the estimate by multiplication.
  func codes(_ comparison: Comparison, _ constant: Double) -> CodeRange? {
    // Columns written by the engine contain no codes beyond the largest integer.
    let largest = min(
      codes.mask, UInt64(Int64.max) &- UInt64(bitPattern: base), UInt64.max - 1)
    let guess = (constant * power - Double(base)).rounded()
    let start = guess > 0 ? (guess < 0x1p63 ? min(UInt64(guess), largest) : largest) : 0
    let below = firstCode(near: start, through: largest) { $0 >= constant }
    let notAbove = firstCode(near: min(below, largest), through: largest) { $0 > constant }
    return CodeRange(comparison, below: below, equal: notAbove &- below, mask: codes.mask)
  }

  /// The first code whose value passes a test that all later values pass too; one more than the
  /// largest if there is none.
  private func firstCode(
    near guess: UInt64, through largest: UInt64, _ passes: (Double) -> Bool
  ) -> UInt64 {
    func holds(_ code: UInt64) -> Bool {
      passes(Double(base &+ Int64(bitPattern: code)) / power)
    }
    // No code below `low` passes, and every code from `high` on does.
    var low: UInt64 = 0
    var high = largest + 1
    var step: UInt64 = 1
    if holds(guess) {
      high = guess
      while low < high {
        let probe = high > step ? high - step : 0
        guard holds(probe) else {
          low = probe + 1
          break
        }
        high = probe
        step &*= 2
      }
    } else {
      low = guess + 1
      while low < high {
        let probe = step < high - low ? low + (step - 1) : high - 1
        guard !holds(probe) else {
          high = probe
          break
        }
        low = probe + 1
        step &*= 2
      }
    }
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return high
  }
}
