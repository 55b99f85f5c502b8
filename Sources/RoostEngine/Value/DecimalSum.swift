/// The exact sum of decimal numbers, in any order: the significands are added by exponent, in 192 bits.
package struct DecimalSum {
  /// The sum of the significands of numbers with one exponent, in two's complement.
  fileprivate struct Term {
    let exponent: Int
    var high: Int64 = 0
    var low: UInt128 = 0
  }

  /// One for each exponent, the highest first.
  private var terms: [Term] = []
  /// The index of the term that was used last.
  private var lastUsed = 0
  private var hasNaN = false
  /// Whether a value was no ``DecimalNumber``.
  private var hasMisfit = false
  /// The number of values.
  package private(set) var count = 0

  package init() {}

  /// Adds a stored number.
  package mutating func add(_ bytes: ByteView) {
    count += 1
    guard let number = DecimalNumber(stored: bytes) else {
      hasMisfit = true
      return
    }
    guard !number.isNaN else {
      hasNaN = true
      return
    }
    guard number.significand != 0 else { return }
    if lastUsed >= terms.count || terms[lastUsed].exponent != number.exponent {
      lastUsed = terms.firstIndex { $0.exponent <= number.exponent } ?? terms.count
      if lastUsed == terms.count || terms[lastUsed].exponent != number.exponent {
        terms.insert(Term(exponent: number.exponent), at: lastUsed)
      }
    }
    terms[lastUsed].add(number)
  }

  /// The sum; nil if it does not fit.
  package var sum: DecimalNumber? {
    guard !hasMisfit else { return nil }
    guard !hasNaN else { return .nan }
    let (isNegative, magnitude, exponent) = total
    return DecimalNumber(isNegative: isNegative, magnitude, exponent: exponent)
  }

  /// The mean, rounded as a quotient; nil if there are no values, or a value was no `Decimal`.
  package var average: DecimalNumber? {
    guard !hasMisfit, count > 0 else { return nil }
    guard !hasNaN else { return .nan }
    let (isNegative, magnitude, exponent) = total
    return DecimalNumber(
      isNegative: isNegative, magnitude, over: UInt128(count), exponent: exponent)
  }

  private var total: (isNegative: Bool, magnitude: WideInteger, exponent: Int) {
    var (positive, negative) = (WideInteger(0), WideInteger(0))
    var exponent = terms.first?.exponent ?? 0
    for term in terms {
      positive.multiply(byTenTo: exponent - term.exponent)
      negative.multiply(byTenTo: exponent - term.exponent)
      if term.high < 0 { negative += term.magnitude } else { positive += term.magnitude }
      exponent = term.exponent
    }
    guard positive < negative else {
      positive -= negative
      return (false, positive, exponent)
    }
    negative -= positive
    return (true, negative, exponent)
  }
}

extension DecimalSum.Term {
  /// Adds a significand; fewer than 2⁶³ significands always fit.
  fileprivate mutating func add(_ number: DecimalNumber) {
    let overflow: Bool
    if number.isNegative {
      (low, overflow) = low.subtractingReportingOverflow(number.significand)
      high &-= overflow ? 1 : 0
    } else {
      (low, overflow) = low.addingReportingOverflow(number.significand)
      high &+= overflow ? 1 : 0
    }
  }

  fileprivate var magnitude: WideInteger {
    guard high < 0 else { return WideInteger(high: UInt128(high.magnitude), low) }
    let (negated, overflow) = (~low).addingReportingOverflow(1)
    return WideInteger(
      high: UInt128(UInt64(bitPattern: ~high) &+ (overflow ? 1 : 0)), negated)
  }
}
