/// A natural number of any size, for intermediate results of calculations with decimal numbers.
struct WideInteger: Equatable {
  /// The lowest 128 bits first; the last word is not 0.
  private var words: [UInt128]

  init(_ number: UInt128) { words = number == 0 ? [] : [number] }

  /// A number of 256 bits.
  init(high: UInt128, _ low: UInt128) {
    words = [low, high]
    trim()
  }

  /// Whether the number has more than 128 bits.
  var isWide: Bool { words.count > 1 }

  /// The lowest 128 bits.
  var low: UInt128 { words.first ?? 0 }

  /// A lower bound of the number of decimal digits, at most 1 below it in numbers of up to a thousand bits.
  var digitCountMin: Int {
    guard let last = words.last else { return 1 }
    return ((words.count * 128 - last.leadingZeroBitCount - 1) * 1233) >> 12 + 1
  }

  mutating func multiply(byTenTo power: Int) {
    var rest = power
    while rest > 0 {
      let step = min(rest, UInt128.powersOfTen.count - 1)
      multiply(by: .tenTo(step))
      rest -= step
    }
  }

  private mutating func multiply(by factor: UInt128) {
    var carry: UInt128 = 0
    for place in words.indices {
      let (high, low) = words[place].multipliedFullWidth(by: factor)
      let (sum, overflow) = low.addingReportingOverflow(carry)
      words[place] = sum
      carry = high + (overflow ? 1 : 0)
    }
    if carry != 0 { words.append(carry) }
  }

  /// Divides by a number above 0; returns the remainder.
  mutating func divide(by divisor: UInt128) -> UInt128 {
    var rest: UInt128 = 0
    for place in words.indices.reversed() {
      let (quotient, remainder) = divisor.dividingFullWidth((rest, words[place]))
      words[place] = quotient
      rest = remainder
    }
    trim()
    return rest
  }

  static func += (a: inout WideInteger, b: WideInteger) {
    var carry = false
    for place in 0..<max(a.words.count, b.words.count) {
      if place == a.words.count { a.words.append(0) }
      let (sum, overflow) = a.words[place].addingReportingOverflow(
        place < b.words.count ? b.words[place] : 0)
      let (whole, isOver) = sum.addingReportingOverflow(carry ? 1 : 0)
      a.words[place] = whole
      carry = overflow || isOver
    }
    if carry { a.words.append(1) }
  }

  /// Subtracts a number that is not larger.
  static func -= (a: inout WideInteger, b: WideInteger) {
    var borrow = false
    for place in a.words.indices {
      let (difference, overflow) = a.words[place].subtractingReportingOverflow(
        place < b.words.count ? b.words[place] : 0)
      let (whole, isUnder) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
      a.words[place] = whole
      borrow = overflow || isUnder
    }
    a.trim()
  }

  static func < (a: WideInteger, b: WideInteger) -> Bool {
    guard a.words.count == b.words.count else { return a.words.count < b.words.count }
    return a.words.reversed().lexicographicallyPrecedes(b.words.reversed())
  }

  private mutating func trim() {
    while words.last == 0 { words.removeLast() }
  }
}

extension UInt128 {
  /// The powers of ten that fit, from 1.
  static let powersOfTen: [UInt128] = {
    var powers: [UInt128] = [1]
    for _ in 0..<38 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()

  /// Ten to a power of at most 38.
  static func tenTo(_ power: Int) -> UInt128 { powersOfTen[power] }

  /// Whether the product with a power of ten fits.
  func isMultipliable(byTenTo power: Int) -> Bool {
    self == 0
      || power < Self.powersOfTen.count
        && !multipliedReportingOverflow(by: .tenTo(power)).overflow
  }

  /// The product with a number, and another number added; nil if it does not fit.
  func multiplied(by factor: UInt64, adding number: UInt64) -> UInt128? {
    if self <= UInt128(UInt64.max) {
      // At most 2⁶⁴ − 1 squared, plus 2⁶⁴ − 1.
      return self &* UInt128(factor) &+ UInt128(number)
    }
    let (product, overflow) = multipliedReportingOverflow(by: UInt128(factor))
    let (sum, isOver) = product.addingReportingOverflow(UInt128(number))
    return overflow || isOver ? nil : sum
  }

  /// The number of decimal digits; 1 for zero.
  var digitCount: Int {
    guard self != 0 else { return 1 }
    let count = ((127 - leadingZeroBitCount) * 1233) >> 12
    return count < 38 && self >= .tenTo(count + 1) ? count + 2 : count + 1
  }

  /// The number without its trailing decimal zeros, and their count; not of zero.
  var withoutTrailingZeros: (UInt128, count: Int) {
    var (rest, count) = (self, 0)
    while rest > UInt128(UInt64.max) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      guard digit == 0 else { return (rest, count) }
      (rest, count) = (quotient, count + 1)
    }
    var short = UInt64(rest)
    while short % 10 == 0 {
      short /= 10
      count += 1
    }
    return (UInt128(short), count)
  }
}
