import RoostEngine

/// Decimal numbers as on paper: digit by digit, of any length.
struct NaiveDecimal: Equatable {
  var isNaN = false
  var isNegative = false
  /// The digits, the highest first: neither the first nor the last is 0, and zero has none.
  var digits: [Int] = []
  /// The power of ten of the last digit.
  var exponent = 0

  static let nan = NaiveDecimal(isNaN: true)

  init(isNaN: Bool) { self.isNaN = isNaN }

  init(isNegative: Bool, _ digits: [Int], exponent: Int) {
    self.isNegative = isNegative
    self.digits = Array(digits.drop { $0 == 0 })
    self.exponent = exponent
    while self.digits.last == 0 {
      self.digits.removeLast()
      self.exponent += 1
    }
    if self.digits.isEmpty { (self.isNegative, self.exponent) = (false, 0) }
  }

  init(_ integer: Int128) {
    self.init(
      isNegative: integer < 0, String(integer.magnitude).compactMap(\.wholeNumberValue),
      exponent: 0)
  }

  /// A number in its stored form.
  init?(stored bytes: [UInt8]) {
    guard var text = bytes.withByteView({ DecimalBytes.scientificText($0) }) else { return nil }
    guard text != "NaN" else {
      self = .nan
      return
    }
    let isNegative = text.hasPrefix("-")
    if isNegative { text.removeFirst() }
    let parts = text.split(separator: "E")
    self.init(
      isNegative: isNegative, parts[0].compactMap(\.wholeNumberValue),
      exponent: parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
  }

  /// A floating-point number as Swift prints it; nil for infinity.
  init?(shortest text: String) {
    guard text != "nan", text != "-nan" else {
      self = .nan
      return
    }
    let parts = text.split(separator: "e")
    let decimals = parts[0].split(separator: ".").dropFirst().first?.count ?? 0
    guard !text.hasSuffix("inf") else { return nil }
    self.init(
      isNegative: text.hasPrefix("-"), parts[0].compactMap(\.wholeNumberValue),
      exponent: (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - decimals)
  }

  /// The number in digits, with an exponent.
  var text: String {
    (isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits.map(String.init).joined())
      + "e\(exponent)"
  }

  /// The integer part; nil for NaN, and of more than 38 digits.
  var integer: Int128? {
    let whole = exponent < 0 ? Array(digits.dropLast(-exponent)) : digits(from: 0)
    guard !isNaN, whole.count <= 38 else { return nil }
    return whole.reduce(0) { $0 * 10 + Int128($1) } * (isNegative ? -1 : 1)
  }

  /// The stored form; nil if no `Decimal` is this number.
  var stored: [UInt8]? {
    guard !isNaN else { return DecimalBytes.bytes("NaN") }
    guard !digits.isEmpty else { return DecimalBytes.bytes("0") }
    guard isDecimal else { return nil }
    return DecimalBytes.bytes(
      isNegative: isNegative, digits: digits.map { UInt8($0) }, exponent: exponent + digits.count)
  }

  static let highestSignificand = Array("340282366920938463463374607431768211455")
    .compactMap(\.wholeNumberValue)

  /// Whether it is a significand below 2¹²⁸, scaled by a power of ten from −128 to 127.
  private var isDecimal: Bool {
    let zeros = [Int](repeating: 0, count: max(0, exponent - 127))
    return exponent >= -128 && !Self.isBelow(Self.highestSignificand, digits + zeros)
  }

  // MARK: Calculating

  static func result(_ operation: Arithmetic, _ a: NaiveDecimal, _ b: NaiveDecimal)
    -> NaiveDecimal?
  {
    guard !a.isNaN, !b.isNaN else { return .nan }
    switch operation {
    case .add: return sum([a, b])
    case .subtract: return sum([a, b.digits.isEmpty ? b : b.negated])
    case .multiply:
      return NaiveDecimal(
        isNegative: a.isNegative != b.isNegative, product(a.digits, b.digits),
        exponent: a.exponent + b.exponent)
    case .divide:
      guard !b.digits.isEmpty else { return nil }
      return quotient(
        isNegative: a.isNegative != b.isNegative, a.digits, b.digits,
        exponent: a.exponent - b.exponent)
    case .remainder:
      guard !b.digits.isEmpty else { return nil }
      let lowest = min(a.exponent, b.exponent)
      return NaiveDecimal(
        isNegative: a.isNegative, divided(a.digits(from: lowest), b.digits(from: lowest)).rest,
        exponent: lowest)
    }
  }

  static func sum(_ numbers: [NaiveDecimal]) -> NaiveDecimal {
    guard !numbers.contains(where: \.isNaN) else { return .nan }
    let lowest = numbers.map(\.exponent).min() ?? 0
    var total = NaiveDecimal(0)
    for number in numbers {
      let (a, b) = (total.digits(from: lowest), number.digits(from: lowest))
      if total.isNegative == number.isNegative {
        total = NaiveDecimal(isNegative: total.isNegative, added(a, b), exponent: lowest)
      } else if isBelow(a, b) {
        total = NaiveDecimal(
          isNegative: number.isNegative, subtracted(b, a), exponent: lowest)
      } else {
        total = NaiveDecimal(isNegative: total.isNegative, subtracted(a, b), exponent: lowest)
      }
    }
    return total
  }

  /// The mean; nil if it does not fit.
  static func average(_ numbers: [NaiveDecimal]) -> NaiveDecimal? {
    result(.divide, sum(numbers), NaiveDecimal(Int128(numbers.count)))
  }

  var negated: NaiveDecimal { NaiveDecimal(isNegative: !isNegative, digits, exponent: exponent) }

  /// The digits, up to a power of ten that is no higher than that of the last one.
  private func digits(from lowest: Int) -> [Int] {
    digits.isEmpty ? [] : digits + [Int](repeating: 0, count: exponent - lowest)
  }

  /// Exact if it is a `Decimal`, or else of 38 digits or 128 decimal places, half even.
  private static func quotient(
    isNegative: Bool, _ a: [Int], _ b: [Int], exponent: Int
  ) -> NaiveDecimal {
    let zeros = 45 + b.count
    var (digits, rest) = divided(a + [Int](repeating: 0, count: zeros), b)
    digits = Array(digits.drop { $0 == 0 })
    let lowest = exponent - zeros
    if rest.isEmpty {
      let exact = NaiveDecimal(isNegative: isNegative, digits, exponent: lowest)
      if exact.stored != nil { return exact }
    } else {
      // Something behind all digits that decide.
      digits.append(1)
    }
    let last = rest.isEmpty ? lowest : lowest - 1
    let dropped = max(digits.count - 38, -128 - last)
    digits = [Int](repeating: 0, count: max(0, dropped - digits.count + 1)) + digits
    var kept = Array(digits.dropLast(dropped))
    let half = [5] + [Int](repeating: 0, count: dropped - 1)
    let behind = Array(digits.suffix(dropped))
    let isTie = behind == half
    if isTie ? (kept.last ?? 0) % 2 == 1 : !isBelow(behind, half) { kept = added(kept, [1]) }
    return NaiveDecimal(isNegative: isNegative, kept, exponent: last + dropped)
  }

  // MARK: Natural numbers

  static func isBelow(_ a: [Int], _ b: [Int]) -> Bool {
    let (a, b) = (Array(a.drop { $0 == 0 }), Array(b.drop { $0 == 0 }))
    return a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
  }

  private static func added(_ a: [Int], _ b: [Int]) -> [Int] {
    var digits: [Int] = []
    var carry = 0
    for place in 0..<max(a.count, b.count) {
      let sum =
        (place < a.count ? a[a.count - 1 - place] : 0)
        + (place < b.count ? b[b.count - 1 - place] : 0) + carry
      digits.append(sum % 10)
      carry = sum / 10
    }
    return (digits + [carry]).reversed()
  }

  /// The difference to a number that is not larger.
  private static func subtracted(_ a: [Int], _ b: [Int]) -> [Int] {
    var digits: [Int] = []
    var borrow = 0
    for place in 0..<a.count {
      var digit = a[a.count - 1 - place] - borrow
      let offset = b.count - 1 - place
      if offset >= 0 { digit -= b[offset] }
      borrow = digit < 0 ? 1 : 0
      digits.append(digit < 0 ? digit + 10 : digit)
    }
    return digits.reversed()
  }

  private static func product(_ a: [Int], _ b: [Int]) -> [Int] {
    var product = [Int](repeating: 0, count: a.count + b.count)
    for (place, first) in a.enumerated() {
      for (other, second) in b.enumerated() { product[place + other + 1] += first * second }
    }
    for place in product.indices.dropFirst().reversed() {
      product[place - 1] += product[place] / 10
      product[place] %= 10
    }
    return product
  }

  /// Long division: the remainder without leading zeros.
  private static func divided(_ a: [Int], _ b: [Int]) -> (quotient: [Int], rest: [Int]) {
    let divisor = Array(b.drop { $0 == 0 })
    var quotient: [Int] = []
    var rest: [Int] = []
    for digit in a {
      if !rest.isEmpty || digit != 0 { rest.append(digit) }
      var count = 0
      while !isBelow(rest, divisor) {
        rest = Array(subtracted(rest, divisor).drop { $0 == 0 })
        count += 1
      }
      quotient.append(count)
    }
    return (quotient, rest)
  }
}
