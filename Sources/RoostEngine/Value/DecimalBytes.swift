/// A decimal number as bytes that sort like the numbers; each number has exactly one form (Format.md §6).
///
/// The idea comes from numeric keys in SQLite4: the magnitude of the number first, then its digits.
package enum DecimalBytes {
  enum Sign {
    static let negative: UInt8 = 1
    static let zero: UInt8 = 2
    static let positive: UInt8 = 3
    static let notANumber: UInt8 = 4
  }

  /// More digits than any of Swift's decimal types has.
  private static let digitsMax = 64
  /// The most bytes of a number: a sign, an exponent, a byte for every two digits, and an end.
  static let byteCountMax: UInt64 = 3 + UInt64(digitsMax) / 2 + 1
  /// Exponents that text shows with zeros instead of an exponent.
  private static let plainExponents = -40...40

  /// The bytes of a number written as digits, with an optional sign and point, or of `NaN`.
  ///
  /// - Returns: Nil where the text is something else, or longer than numbers are.
  package static func bytes(_ text: String) -> [UInt8]? {
    var rest = Array(text.utf8)[...]
    if text == "NaN" { return [Sign.notANumber] }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    var digits: [UInt8] = []
    var exponent = 0
    var isBehindPoint = false
    for character in rest {
      switch character {
      case UInt8(ascii: "."):
        guard !isBehindPoint else { return nil }
        isBehindPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = character - UInt8(ascii: "0")
        if digits.isEmpty && digit == 0 {
          if isBehindPoint { exponent -= 1 }
          continue
        }
        digits.append(digit)
        if !isBehindPoint { exponent += 1 }
      default: return nil
      }
    }
    guard !rest.isEmpty else { return nil }
    while digits.last == 0 { digits.removeLast() }
    guard !digits.isEmpty else { return [Sign.zero] }
    return bytes(isNegative: isNegative, digits: digits, exponent: exponent)
  }

  /// The bytes of 0.`digits` · 10 to the power of the exponent; the first and the last digit are not 0.
  ///
  /// - Returns: Nil where there are more digits, or a higher exponent, than numbers have.
  package static func bytes(isNegative: Bool, digits: [UInt8], exponent: Int) -> [UInt8]? {
    guard digits.count <= digitsMax, let exponent = Int16(exactly: exponent) else { return nil }
    let biased = UInt16(bitPattern: exponent) ^ 0x8000
    var bytes = [
      UInt8(truncatingIfNeeded: biased >> 8), UInt8(truncatingIfNeeded: biased),
    ]
    for place in stride(from: 0, to: digits.count, by: 2) {
      let second = place + 1 < digits.count ? digits[place + 1] : 0
      bytes.append(1 + digits[place] * 10 + second)
    }
    guard isNegative else { return [Sign.positive] + bytes }
    // Of two negative numbers with a common prefix, the longer one is lower, so the shorter one needs an end.
    return [Sign.negative] + bytes.map(~) + [0xFF]
  }

  /// Whether the bytes are those of `NaN`.
  static func isNaN(_ bytes: ByteView) -> Bool {
    bytes.count == 1 && bytes.uint8(at: 0) == Sign.notANumber
  }

  /// The number as text that ``bytes(_:)`` reads; with an exponent if it would have many zeros.
  ///
  /// - Returns: Nil where the bytes are no number.
  package static func text(_ bytes: ByteView) -> String? {
    guard bytes.count > 0 else { return nil }
    switch (bytes.uint8(at: 0), bytes.count) {
    case (Sign.notANumber, 1): return "NaN"
    case (Sign.zero, 1): return "0"
    default: break
    }
    guard let number = Number(bytes) else { return nil }
    return (number.isNegative ? "-" : "") + number.magnitude
  }

  /// The number as text: an integer and a power of ten, which every parser of decimal numbers reads.
  ///
  /// - Returns: Nil where the bytes are no number.
  package static func scientificText(_ bytes: ByteView) -> String? {
    guard let number = Number(bytes) else { return text(bytes) }
    return (number.isNegative ? "-" : "") + number.scientific
  }

  /// 0.`digits` · 10 to the power of the exponent.
  private struct Number {
    var isNegative: Bool
    /// The digits as text.
    var digits: [UInt8] = []
    var exponent: Int

    init?(_ bytes: ByteView) {
      let sign = bytes.count > 0 ? bytes.uint8(at: 0) : 0
      isNegative = sign == Sign.negative
      let end = bytes.count - (isNegative ? 1 : 0)
      guard isNegative || sign == Sign.positive, end > 3, end <= 3 + digitsMax / 2,
        !isNegative || bytes.uint8(at: end) == 0xFF
      else { return nil }
      let mask: UInt8 = isNegative ? 0xFF : 0
      let biased = UInt16(bytes.uint8(at: 1) ^ mask) << 8 | UInt16(bytes.uint8(at: 2) ^ mask)
      exponent = Int(Int16(bitPattern: biased ^ 0x8000))
      for place in 3..<end {
        let pair = bytes.uint8(at: place) ^ mask
        guard pair > 0, pair <= 100 else { return nil }
        digits.append(UInt8(ascii: "0") + (pair - 1) / 10)
        digits.append(UInt8(ascii: "0") + (pair - 1) % 10)
      }
      if digits.last == UInt8(ascii: "0") { digits.removeLast() }
      // In the canonical form, the first and the last digit are not 0.
      guard digits.first != UInt8(ascii: "0"), digits.last != UInt8(ascii: "0") else { return nil }
    }

    var scientific: String {
      String(decoding: digits, as: UTF8.self) + "E\(exponent - digits.count)"
    }

    var magnitude: String {
      guard plainExponents.contains(exponent) else { return scientific }
      let zero = UInt8(ascii: "0")
      let zeros = { (count: Int) in [UInt8](repeating: zero, count: max(0, count)) }
      let whole = exponent > 0 ? digits.prefix(exponent) + zeros(exponent - digits.count) : [zero]
      let decimals = zeros(-exponent) + digits.dropFirst(max(0, exponent))
      let text = decimals.isEmpty ? whole : whole + [UInt8(ascii: ".")] + decimals
      return String(decoding: text, as: UTF8.self)
    }
  }
}
