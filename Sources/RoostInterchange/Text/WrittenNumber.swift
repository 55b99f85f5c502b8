internal import RoostEngine

/// A decimal number in text form, with an optional sign, point and exponent.
package struct WrittenNumber {
  package private(set) var isNegative = false
  /// The digits, from 0 to 9; the first and the last are not 0, and zero has none.
  package private(set) var digits: [UInt8] = []
  /// The power of ten that scales 0.`digits`.
  package private(set) var exponent = 0

  /// The number in a text; nil if the text is not a number.
  package init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    var hasDigits = false
    var isBehindPoint = false
    while let byte = rest.first {
      if byte == UInt8(ascii: ".") && !isBehindPoint {
        isBehindPoint = true
      } else if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
        hasDigits = true
        let digit = byte - UInt8(ascii: "0")
        if digit == 0 && digits.isEmpty {
          if isBehindPoint { exponent -= 1 }
        } else {
          digits.append(digit)
          if !isBehindPoint { exponent += 1 }
        }
      } else {
        break
      }
      rest = rest.dropFirst()
    }
    guard hasDigits else { return nil }
    if let byte = rest.first {
      guard byte | 0x20 == UInt8(ascii: "e"), let power = Self.power(rest.dropFirst()) else {
        return nil
      }
      exponent += power
    }
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { exponent = 0 }
  }

  /// The exponent in a text, clamped to ±1,000,000: beyond the range of every number type.
  private static func power(_ text: ArraySlice<UInt8>) -> Int? {
    var rest = text
    var isNegative = false
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    guard !rest.isEmpty else { return nil }
    var power = 0
    for byte in rest {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      power = min(power * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000)
    }
    return isNegative ? -power : power
  }

  // MARK: Integers

  /// The integer in a text; nil if the text is not an integer, or does not fit the type.
  package static func integer<Number: FixedWidthInteger>(
    _ text: ArraySlice<UInt8>, as type: Number.Type
  ) -> Number? {
    let isNegative = text.first == UInt8(ascii: "-")
    var number: Number = 0
    for byte in isNegative ? text.dropFirst() : text {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return WrittenNumber(text)?.integer(as: type) }
      let (tenfold, isTooMuch) = number.multipliedReportingOverflow(by: 10)
      let (sum, isOver) =
        isNegative
        ? tenfold.subtractingReportingOverflow(Number(digit))
        : tenfold.addingReportingOverflow(Number(digit))
      guard !isTooMuch, !isOver else { return nil }
      number = sum
    }
    return text.count > (isNegative ? 1 : 0) ? number : nil
  }

  /// Whether the point in a text may stand between thousands, as in 12.000, which is 12 for others.
  package static func mayHaveThousands(_ text: ArraySlice<UInt8>) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
    guard let first = digits.first, first != UInt8(ascii: "0"), (5...7).contains(digits.count),
      digits.dropLast(3).last == UInt8(ascii: ".")
    else { return false }
    return (digits.dropLast(4) + digits.suffix(3)).allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private func integer<Number: FixedWidthInteger>(as type: Number.Type) -> Number? {
    guard !digits.isEmpty else { return 0 }
    guard exponent >= digits.count, exponent <= 20 else { return nil }
    var text = digits.map { $0 + UInt8(ascii: "0") }
    text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: exponent - digits.count))
    return Self.integer((isNegative ? [UInt8(ascii: "-")] : []) + text[...], as: type)
  }

  // MARK: Floating-point numbers

  /// The number in a text, rounded to the nearest value of the type; nil if the text is not a number, or is too large.
  package static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ text: ArraySlice<UInt8>, as type: Number.Type
  ) -> Number? {
    var digits: UInt64 = 0
    var decimals: Int?
    var hasDigits = false
    let isNegative = text.first == UInt8(ascii: "-")
    for byte in isNegative ? text.dropFirst() : text {
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10, digits < 1 << 50 {
        hasDigits = true
        digits = digits * 10 + UInt64(digit)
        if let count = decimals { decimals = count + 1 }
      } else if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
      } else {
        return rounded(text, as: type)
      }
    }
    // Both operands are exact, so their quotient is rounded once.
    guard hasDigits, digits < 1 << UInt64(Number.significandBitCount),
      let power = power(decimals ?? 0, type)
    else { return rounded(text, as: type) }
    let number = Number(digits) / power
    return isNegative ? -number : number
  }

  /// The power of ten, if the type represents it exactly.
  private static func power<Number: BinaryFloatingPoint>(
    _ exponent: Int, _ type: Number.Type
  ) -> Number? {
    guard exponent <= (Number.significandBitCount > 30 ? 22 : 10) else { return nil }
    var power: Number = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }

  private static func rounded<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ text: ArraySlice<UInt8>, as type: Number.Type
  ) -> Number? {
    switch String(decoding: text, as: UTF8.self) {
    case "nan", "NaN": return Number.nan
    case "inf", "Infinity", "+inf", "+Infinity": return Number.infinity
    case "-inf", "-Infinity": return -Number.infinity
    case let word:
      // The standard library's parser accepts more than decimal numbers.
      guard WrittenNumber(text) != nil, let number = Number(word), number.isFinite else {
        return nil
      }
      return number
    }
  }

  // MARK: Exact numbers

  /// The largest mantissa of a `Decimal`: 2 to the power of 128, less 1.
  private static let decimalDigitsMax = Array("340282366920938463463374607431768211455".utf8)
    .map { $0 - UInt8(ascii: "0") }

  /// The number as ``DecimalBytes``; nil if Swift's `Decimal` cannot hold it exactly.
  package static func decimal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.elementsEqual("NaN".utf8) || text.elementsEqual("nan".utf8) {
      return DecimalBytes.bytes("NaN")
    }
    guard let number = WrittenNumber(text) else { return nil }
    guard !number.digits.isEmpty else { return DecimalBytes.bytes("0") }
    // An integer times a power of ten from -128 to 127; a short integer takes trailing zeros to reduce the power.
    let count = number.digits.count
    let power = number.exponent - count
    let limit = decimalDigitsMax
    guard
      count < limit.count
        || count == limit.count && !limit.lexicographicallyPrecedes(number.digits),
      power >= -128, power <= 127 + limit.count - 1 - count || power <= 127
    else { return nil }
    return DecimalBytes.bytes(
      isNegative: number.isNegative, digits: number.digits, exponent: number.exponent)
  }

  /// The seconds in a text as halves of a stored duration; nil if the text is no number that a duration holds exactly.
  package static func duration(_ text: ArraySlice<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard let number = WrittenNumber(text) else { return nil }
    // Attoseconds have 18 decimals.
    let zeroCount = number.exponent + 18 - number.digits.count
    guard number.digits.isEmpty || 0...39 ~= zeroCount else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for digit in number.digits + repeatElement(0, count: number.digits.isEmpty ? 0 : zeroCount) {
      let lower = low.multipliedFullWidth(by: 10)
      let (upper, isTooMuch) = high.multipliedReportingOverflow(by: 10)
      let (sum, carry) = lower.low.addingReportingOverflow(UInt64(digit))
      let (middle, isOver) = upper.addingReportingOverflow(lower.high)
      let (top, isOverByCarry) = middle.addingReportingOverflow(carry ? 1 : 0)
      guard !isTooMuch, !isOver, !isOverByCarry else { return nil }
      (high, low) = (top, sum)
    }
    if number.isNegative {
      guard high < FieldType.signBit || high == FieldType.signBit && low == 0 else { return nil }
      low = ~low &+ 1
      high = ~high &+ (low == 0 ? 1 : 0)
    } else if high >= FieldType.signBit {
      return nil
    }
    return (high ^ FieldType.signBit, low)
  }
}
