/// A decimal number in calculations: a number that Foundation's `Decimal` can hold, or NaN.
///
/// The significand is below 2¹²⁸, and the number can be written with such a significand and an exponent
/// from −128 to 127.
package struct DecimalNumber: Hashable, Sendable {
  package static let exponents = -128...127
  package static let nan = DecimalNumber(isNaN: true, isNegative: false, 0, 0)
  static let zero = DecimalNumber(isNaN: false, isNegative: false, 0, 0)

  package let isNaN: Bool
  package let isNegative: Bool
  /// The digits as an integer; the last one is not 0, except in zero.
  package let significand: UInt128
  /// The power of ten that scales the significand; above 127 where the significand has room for zeros.
  package let exponent: Int

  private init(isNaN: Bool, isNegative: Bool, _ significand: UInt128, _ exponent: Int) {
    self.isNaN = isNaN
    self.isNegative = isNegative
    self.significand = significand
    self.exponent = exponent
  }

  /// A significand scaled by a power of ten; nil if there is no such `Decimal`.
  package init?(isNegative: Bool, _ significand: UInt128, exponent: Int) {
    guard significand != 0 else {
      self = .zero
      return
    }
    let (digits, zeros) = significand.withoutTrailingZeros
    let exponent = exponent + zeros
    guard exponent >= Self.exponents.lowerBound,
      exponent <= Self.exponents.upperBound
        || digits.isMultipliable(byTenTo: exponent - Self.exponents.upperBound)
    else { return nil }
    self.init(isNaN: false, isNegative: isNegative, digits, exponent)
  }

  /// An integer; nil if there is no such `Decimal`.
  package init?(_ integer: Int128) {
    self.init(isNegative: integer < 0, integer.magnitude, exponent: 0)
  }

  /// The decimal number with the fewest digits that identify a double; nil if there is no such `Decimal`.
  init?(shortest number: Double) { self.init(description: number.description) }

  /// The decimal number with the fewest digits that identify a float; nil if there is no such `Decimal`.
  init?(shortest number: Float) { self.init(description: number.description) }

  /// The number that the description of a floating-point number writes.
  private init?(description: String) {
    enum Part { case integer, fraction, power }
    var part = Part.integer
    var significand: UInt128 = 0
    var (decimals, power) = (0, 0)
    var isPowerNegative = false
    for byte in description.utf8 {
      switch (byte, part) {
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), .power): power = power * 10 + Int(byte & 15)
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), _):
        guard let longer = significand.multiplied(by: 10, adding: UInt64(byte & 15)) else {
          return nil
        }
        significand = longer
        if part == .fraction { decimals += 1 }
      case (UInt8(ascii: "."), _): part = .fraction
      case (UInt8(ascii: "e"), .integer), (UInt8(ascii: "e"), .fraction): part = .power
      case (UInt8(ascii: "-"), .power): isPowerNegative = true
      case (UInt8(ascii: "-"), _), (UInt8(ascii: "+"), _): break
      default:
        // There are no digits of infinity.
        guard description.utf8.elementsEqual("nan".utf8) else { return nil }
        self = .nan
        return
      }
    }
    self.init(
      isNegative: description.utf8.first == UInt8(ascii: "-"), significand,
      exponent: (isPowerNegative ? -power : power) - decimals)
  }

  /// The integer part; nil for NaN, and for an integer of more than 127 bits.
  var integer: Int128? {
    guard !isNaN else { return nil }
    let magnitude: UInt128
    if exponent <= 0 {
      magnitude = -exponent < UInt128.powersOfTen.count ? significand / .tenTo(-exponent) : 0
    } else {
      guard significand.isMultipliable(byTenTo: exponent) else { return nil }
      magnitude = significand * .tenTo(exponent)
    }
    return Int128(exactly: magnitude).map { isNegative ? -$0 : $0 }
  }

  /// The number in digits, with an exponent of at most 127.
  package var decimalText: String {
    let zeros = max(0, exponent - Self.exponents.upperBound)
    return (isNegative ? "-" : "") + "\(significand)" + String(repeating: "0", count: zeros)
      + "E\(exponent - zeros)"
  }

  /// The closest double.
  var double: Double { isNaN ? .nan : Double(scientificText) ?? .nan }

  /// The closest float.
  var float: Float { isNaN ? .nan : Float(scientificText) ?? .nan }

  private var scientificText: String { "\(isNegative ? "-" : "")\(significand)e\(exponent)" }
}

/// The stored form (``DecimalBytes``).
extension DecimalNumber {
  /// A stored number; nil if the bytes are no number, or one that no `Decimal` is.
  package init?(stored bytes: ByteView) {
    let sign = bytes.count > 0 ? bytes.uint8(at: 0) : 0
    if bytes.count == 1, sign == DecimalBytes.Sign.zero {
      self = .zero
      return
    }
    if DecimalBytes.isNaN(bytes) {
      self = .nan
      return
    }
    let isNegative = sign == DecimalBytes.Sign.negative
    let end = bytes.count - (isNegative ? 1 : 0)
    guard isNegative || sign == DecimalBytes.Sign.positive, end > 3,
      !isNegative || bytes.uint8(at: end) == 0xFF
    else { return nil }
    let mask: UInt8 = isNegative ? 0xFF : 0
    guard let (significand, count) = Self.significand(bytes, 3..<end, mask) else { return nil }
    let biased = UInt16(bytes.uint8(at: 1) ^ mask) << 8 | UInt16(bytes.uint8(at: 2) ^ mask)
    self.init(
      isNegative: isNegative, significand, exponent: Int(Int16(bitPattern: biased ^ 0x8000)) - count
    )
  }

  /// The digits in bytes of two each, and their number; nil if they are invalid, or too many.
  private static func significand(
    _ bytes: ByteView, _ places: Range<Int>, _ mask: UInt8
  ) -> (UInt128, count: Int)? {
    var significand: UInt128 = 0
    var count = 0
    for place in places {
      let byte = bytes.uint8(at: place) ^ mask
      guard 1...100 ~= byte else { return nil }
      let pair = byte - 1
      // The last digit is not 0: with an odd number of digits, the second digit of the last pair is missing.
      let isSingle = place == places.upperBound - 1 && pair % 10 == 0
      guard place > places.lowerBound || pair >= 10, !isSingle || pair > 0 else { return nil }
      guard
        let sum = significand.multiplied(
          by: isSingle ? 10 : 100, adding: UInt64(isSingle ? pair / 10 : pair))
      else { return nil }
      significand = sum
      count += isSingle ? 1 : 2
    }
    return (significand, count)
  }

  /// The stored form.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// Replaces bytes by the stored form.
  func write(to bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    guard !isNaN, significand != 0 else {
      bytes.append(isNaN ? DecimalBytes.Sign.notANumber : DecimalBytes.Sign.zero)
      return
    }
    let mask: UInt8 = isNegative ? 0xFF : 0
    let count = significand.digitCount
    let biased = UInt16(bitPattern: Int16(exponent + count)) ^ 0x8000
    bytes.append(isNegative ? DecimalBytes.Sign.negative : DecimalBytes.Sign.positive)
    bytes.append(UInt8(truncatingIfNeeded: biased >> 8) ^ mask)
    bytes.append(UInt8(truncatingIfNeeded: biased) ^ mask)
    let pairCount = (count + 1) / 2
    bytes.append(contentsOf: repeatElement(0, count: pairCount))
    // The last pair first.
    var place = bytes.count
    func add(_ pair: UInt8) {
      place -= 1
      bytes[place] = (pair + 1) ^ mask
    }
    var rest = significand
    if count % 2 == 1 {
      add(UInt8(rest % 10) * 10)
      rest /= 10
    }
    while rest > UInt128(UInt64.max) {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      add(UInt8(pair))
      rest = quotient
    }
    var short = UInt64(rest)
    while short != 0 {
      add(UInt8(short % 100))
      short /= 100
    }
    if isNegative { bytes.append(0xFF) }
  }
}
