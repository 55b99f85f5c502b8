#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RealmValue {
  /// A decimal number of IEEE 754-2008 with 128 bits: up to 34 digits, and an exponent from -6176 to 6111.
  ///
  /// Two numbers are equal here if all their bits are: 1.5 and 1.50 are not.
  public struct Decimal128: Hashable, Sendable {
    /// The higher 64 of the 128 bits, in the binary integer coding.
    public let high: UInt64
    /// The lower 64 bits.
    public let low: UInt64

    /// A number by its bits.
    public init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }

    /// Whether it is not a number.
    public var isNaN: Bool { high >> 58 & 0x1f == 0x1f }
    /// Whether it is infinite.
    public var isInfinite: Bool { high >> 58 & 0x1f == 0x1e }
    /// Whether the sign is a minus, also that of a zero.
    public var isNegative: Bool { high >> 63 != 0 }

    /// The digits, as an integer; 0 where the bits stand for no number below 10^34, as IEEE 754 says.
    public var coefficient: UInt128 {
      guard high >> 61 & 3 != 3 else { return 0 }
      let digits = UInt128(high & 0x1_ffff_ffff_ffff) << 64 | UInt128(low)
      return digits < Self.coefficientEnd ? digits : 0
    }
    /// The power of ten that the digits are multiplied by.
    public var exponent: Int {
      let bits = high >> 61 & 3 == 3 ? high >> 47 : high >> 49
      return Int(bits & 0x3fff) - 6176
    }

    // 10^34
    private static let coefficientEnd: UInt128 = 10_000_000_000_000_000 * 1_000_000_000_000_000_000
  }
}

extension RealmValue.Decimal128: CustomStringConvertible {
  /// The number with all its digits: `1.50`, `-2.5E-12`, `Infinity`, `NaN`.
  public var description: String {
    let sign = isNegative ? "-" : ""
    if isNaN { return "NaN" }
    if isInfinite { return sign + "Infinity" }
    let digits = String(coefficient)
    let adjusted = exponent + digits.utf8.count - 1
    // The rules of "to-scientific-string" in the General Decimal Arithmetic Specification.
    if exponent <= 0, adjusted >= -6 {
      guard exponent < 0 else { return sign + digits }
      let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.utf8.count)) + digits
      return sign + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }
    let fraction = digits.utf8.count > 1 ? "." + digits.dropFirst() : ""
    return "\(sign)\(digits.prefix(1))\(fraction)E\(adjusted < 0 ? "" : "+")\(adjusted)"
  }
}

extension RealmValue.Decimal128 {
  /// The same number as a `Decimal`; nil if that cannot hold it.
  ///
  /// A `Decimal` has 38 digits, but exponents from -128 to 127 only, and no infinity. It has no negative zero: that
  /// becomes 0.
  public var decimal: Decimal? {
    if isNaN { return .nan }
    if isInfinite { return nil }
    var digits = coefficient
    guard digits != 0 else { return 0 }
    var exponent = exponent
    while exponent < -128, digits.isMultiple(of: 10) {
      digits /= 10
      exponent += 1
    }
    while exponent > 127, digits < Self.digitsBeforeLast {
      digits *= 10
      exponent -= 1
    }
    guard exponent >= -128, exponent <= 127 else { return nil }
    let twoTo64 = Decimal(UInt64.max) + 1
    let significand =
      Decimal(UInt64(digits >> 64)) * twoTo64
      + Decimal(UInt64(truncatingIfNeeded: digits))
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }

  // 10^37: ten times as much still has 38 digits.
  private static let digitsBeforeLast: UInt128 =
    10_000_000_000_000_000_000 * 1_000_000_000_000_000_000
}
