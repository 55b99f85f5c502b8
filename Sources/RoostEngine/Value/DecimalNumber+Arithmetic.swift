/// Calculating with decimal numbers. A result that no `Decimal` is, is nil; NaN with any number gives NaN.
extension DecimalNumber {
  /// The most digits of a rounded result.
  package static let roundedDigitsMax = 38

  /// The result of an operation; nil if it does not fit, and for a division by zero.
  ///
  /// Sums, differences, products and remainders are exact. A quotient is exact if it fits, or else
  /// rounded half even to 38 digits, or to the last of the 128 decimal places.
  package static func result(
    _ operation: Arithmetic, _ a: DecimalNumber, _ b: DecimalNumber
  ) -> DecimalNumber? {
    guard !a.isNaN, !b.isNaN else { return .nan }
    switch operation {
    case .add: return sum(a, b)
    case .subtract: return sum(a, b.negated)
    case .multiply: return product(a, b)
    case .divide: return quotient(a, b)
    case .remainder: return remainder(a, b)
    }
  }

  private var negated: DecimalNumber {
    DecimalNumber(isNegative: !isNegative, significand, exponent: exponent) ?? self
  }

  private static func sum(_ a: DecimalNumber, _ b: DecimalNumber) -> DecimalNumber? {
    guard a.significand != 0 else { return b }
    guard b.significand != 0 else { return a }
    let (upper, lower) = a.exponent >= b.exponent ? (a, b) : (b, a)
    // The last digit of the lower number is not 0, and so the last digit of the sum.
    let shift = upper.exponent - lower.exponent
    guard shift < UInt128.powersOfTen.count else { return nil }
    let shifted = upper.significand.multipliedFullWidth(by: .tenTo(shift))
    var high = shifted.high
    let low: UInt128
    var isNegative = upper.isNegative
    if upper.isNegative == lower.isNegative {
      let (sum, carry) = shifted.low.addingReportingOverflow(lower.significand)
      low = sum
      high += carry ? 1 : 0
    } else {
      let (difference, borrow) = shifted.low.subtractingReportingOverflow(lower.significand)
      if borrow, high == 0 {
        isNegative = lower.isNegative
        low = lower.significand - shifted.low
      } else {
        low = difference
        high -= borrow ? 1 : 0
      }
    }
    return DecimalNumber(isNegative: isNegative, high: high, low, exponent: lower.exponent)
  }

  private static func product(_ a: DecimalNumber, _ b: DecimalNumber) -> DecimalNumber? {
    let product = a.significand.multipliedFullWidth(by: b.significand)
    return DecimalNumber(
      isNegative: a.isNegative != b.isNegative, high: product.high, product.low,
      exponent: a.exponent + b.exponent)
  }

  /// The number with a significand of 256 bits.
  private init?(isNegative: Bool, high: UInt128, _ low: UInt128, exponent: Int) {
    var (high, low, exponent) = (high, low, exponent)
    while high != 0 {
      let upper = high.quotientAndRemainder(dividingBy: 10)
      let lower = UInt128(10).dividingFullWidth((upper.remainder, low))
      guard lower.remainder == 0 else { return nil }
      (high, low, exponent) = (upper.quotient, lower.quotient, exponent + 1)
    }
    self.init(isNegative: isNegative, low, exponent: exponent)
  }

  private static func quotient(_ a: DecimalNumber, _ b: DecimalNumber) -> DecimalNumber? {
    guard b.significand != 0 else { return nil }
    return DecimalNumber(
      isNegative: a.isNegative != b.isNegative, WideInteger(a.significand), over: b.significand,
      exponent: a.exponent - b.exponent)
  }

  private static func remainder(_ a: DecimalNumber, _ b: DecimalNumber) -> DecimalNumber? {
    guard b.significand != 0 else { return nil }
    let shift = a.exponent - b.exponent
    guard shift < 0 else {
      var dividend = WideInteger(a.significand)
      dividend.multiply(byTenTo: shift)
      let rest = dividend.divide(by: b.significand)
      return DecimalNumber(isNegative: a.isNegative, rest, exponent: b.exponent)
    }
    // With more zeros, the divisor is above any significand.
    guard b.significand.isMultipliable(byTenTo: -shift) else { return a }
    let divisor = b.significand * .tenTo(-shift)
    return DecimalNumber(
      isNegative: a.isNegative, a.significand % divisor, exponent: a.exponent)
  }
}

/// Rounding, half even.
extension DecimalNumber {
  /// A fraction, scaled by a power of ten: exact if it fits, or else rounded to 38 digits, or to the last decimal place.
  init?(isNegative: Bool, _ dividend: WideInteger, over divisor: UInt128, exponent: Int) {
    var digits = dividend
    // At least 39 digits of the quotient, so that an exact one is found.
    let shift = max(0, divisor.digitCount + Self.roundedDigitsMax + 1 - digits.digitCountMin)
    digits.multiply(byTenTo: shift)
    let rest = digits.divide(by: divisor)
    let exponent = exponent - shift
    if rest == 0,
      let exact = DecimalNumber(isNegative: isNegative, digits, exponent: exponent)
    {
      self = exact
      return
    }
    let fraction = Fraction(rest, of: divisor)
    self.init(isNegative: isNegative, rounding: digits, fraction, exponent: exponent)
  }

  /// An integer, scaled by a power of ten.
  init?(isNegative: Bool, _ integer: WideInteger, exponent: Int) {
    var (digits, exponent) = (integer, exponent)
    while digits.isWide {
      guard digits.divide(by: 10) == 0 else { return nil }
      exponent += 1
    }
    self.init(isNegative: isNegative, digits.low, exponent: exponent)
  }

  private init?(
    isNegative: Bool, rounding integer: WideInteger, _ fraction: Fraction, exponent: Int
  ) {
    var (digits, fraction, exponent) = (integer, fraction, exponent)
    let limit = UInt128.tenTo(Self.roundedDigitsMax)
    while digits.isWide || digits.low >= limit {
      let surplus = min(
        max(1, digits.digitCountMin - Self.roundedDigitsMax), UInt128.powersOfTen.count - 1)
      digits.drop(surplus, &fraction)
      exponent += surplus
    }
    while exponent < Self.exponents.lowerBound, digits.low != 0 || fraction != .none {
      let missing = min(Self.exponents.lowerBound - exponent, UInt128.powersOfTen.count - 1)
      digits.drop(missing, &fraction)
      exponent += missing
      // Less than half of the last place, whatever is dropped further.
      if digits.low == 0, exponent < Self.exponents.lowerBound { fraction = .none }
    }
    let isUp = fraction == .aboveHalf || fraction == .half && digits.low & 1 == 1
    self.init(isNegative: isNegative, digits.low + (isUp ? 1 : 0), exponent: exponent)
  }

  /// The part of a number behind its last digit.
  fileprivate enum Fraction {
    case none, belowHalf, half, aboveHalf

    /// The fraction `rest` of `whole`; something less may be missing in `rest`.
    init(_ rest: UInt128, of whole: UInt128, isExact: Bool = true) {
      let other = whole - rest
      self =
        rest > other
        ? .aboveHalf
        : rest == other ? isExact ? .half : .aboveHalf : rest == 0 && isExact ? .none : .belowHalf
    }
  }
}

extension WideInteger {
  /// Removes the last digits, up to 38.
  fileprivate mutating func drop(_ count: Int, _ fraction: inout DecimalNumber.Fraction) {
    let power = UInt128.tenTo(count)
    let rest = divide(by: power)
    fraction = DecimalNumber.Fraction(rest, of: power, isExact: fraction == .none)
  }
}
