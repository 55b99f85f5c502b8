import RoostEngine
import RoostTestSupport
import Testing

struct DecimalArithmeticTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func givesWhatDigitByDigitArithmeticGives(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var counts: [Arithmetic: (fits: Int, misfits: Int)] = [:]
    let pairs = scaled(1600)
    for _ in 0..<pairs {
      let a = try #require(random.decimal().stored)
      let b = try #require(random.chance(1, in: 40) ? a : random.decimal().stored)
      let operations: [Arithmetic] = [.add, .subtract, .multiply, .divide, .remainder]
      for operation in operations {
        let naive = try NaiveDecimal.result(
          operation, #require(NaiveDecimal(stored: a)), #require(NaiveDecimal(stored: b)))
        let result = try DecimalNumber.result(operation, number(a), number(b))
        #expect(
          result?.bytes == naive?.stored,
          "\(text(a)) \(operation) \(text(b)) is \(result.map { text($0.bytes) } ?? "nil")")
        if result == nil {
          counts[operation, default: (0, 0)].misfits += 1
        } else {
          counts[operation, default: (0, 0)].fits += 1
        }
      }
    }
    for operation in [Arithmetic.add, .multiply, .divide] {
      let count = try #require(counts[operation])
      #expect(count.fits > pairs * 3 / 40 && count.misfits > pairs / 80, "\(operation)")
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func sumsAndMeansAreExactInAnyOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var numbers = (0..<Int.random(in: 0...12, using: &random)).map { _ in random.decimal() }
      // What does not fit in between may fit in the end.
      if random.chance(1, in: 2) {
        numbers += numbers.map(\.negated) + (0..<3).map { _ in random.price() }
      }
      numbers.shuffle(using: &random)
      var sum = DecimalSum()
      for number in numbers { try #require(number.stored).withByteView { sum.add($0) } }
      #expect(sum.sum?.bytes == NaiveDecimal.sum(numbers).stored)
      let average = numbers.isEmpty ? nil : NaiveDecimal.average(numbers)
      #expect(sum.average?.bytes == average?.stored)
      #expect(sum.count == numbers.count)
    }
  }

  /// Compared with Python's `decimal`: 38 digits, ROUND_HALF_EVEN, 128 decimal places.
  @Test(
    arguments: [
      ("1", "3", "0.33333333333333333333333333333333333333"),
      ("2", "3", "0.66666666666666666666666666666666666667"),
      ("-2", "3", "-0.66666666666666666666666666666666666667"),
      ("1", "8", "0.125"), ("10", "4", "2.5"), ("0", "7", "0"), ("5", "0", nil), ("0", "0", nil),
      // A tie, behind an even and behind an odd digit.
      ("70000000000000000000000000000000000001", "2", "35e36"),
      ("-70000000000000000000000000000000000003", "2", "-35000000000000000000000000000000000002"),
      // 39 digits that a `Decimal` has, exactly.
      (
        "340282366920938463463374607431768211455", "1", "340282366920938463463374607431768211455"
      ),
      (
        "340282366920938463463374607431768211455", "2", "170141183460469231731687303715884105730"
      ),
      // The last decimal place.
      ("1e-128", "2", "0"), ("3e-128", "2", "2e-128"), ("5e-128", "2", "2e-128"),
      ("7e-100", "3", "2.3333333333333333333333333333e-100"), ("1e-128", "1e38", "0"),
      ("1e127", "1e-38", "1e165"), ("1e127", "1e-39", nil),
    ] as [(String, String, String?)])
  func quotientsHave38DigitsHalfEven(a: String, b: String, expected: String?) throws {
    guard let first = written(a), let second = written(b) else {
      // Not a `Decimal`, to begin with.
      #expect(expected == nil)
      return
    }
    let result = DecimalNumber.result(.divide, first, second)
    #expect(result == expected.flatMap { written($0) })
  }

  @Test func doesNotCalculateWithWhatIsNoDecimal() throws {
    let stored = [
      [], [9], [3], [3, 128], [3, 128, 1], [1, 127, 254, 235], [3, 128, 1, 5], [3, 128, 1, 101],
      [3, 128, 1, 0], [3, 128, 1, 11, 1], DecimalBytes.bytes(String(repeating: "7", count: 40)),
      DecimalBytes.bytes("340282366920938463463374607431768211456"),
      DecimalBytes.bytes(isNegative: false, digits: [1], exponent: 167),
      DecimalBytes.bytes(isNegative: false, digits: [1], exponent: -128),
      DecimalBytes.bytes(isNegative: true, digits: [3, 5], exponent: 166),
    ]
    for bytes in stored {
      #expect(
        try #require(bytes).withByteView { DecimalNumber(stored: $0) } == nil, "\(bytes ?? [])")
    }
    var sum = DecimalSum()
    try #require(stored[10]).withByteView { sum.add($0) }
    #expect(sum.sum == nil)
    #expect(sum.average == nil)
  }

  @Test func nanWithAnythingGivesNaN() throws {
    let one = try #require(DecimalNumber(1))
    for operation in [Arithmetic.add, .subtract, .multiply, .divide, .remainder] {
      #expect(DecimalNumber.result(operation, .nan, one) == .nan)
      #expect(DecimalNumber.result(operation, one, .nan) == .nan)
    }
    var sum = DecimalSum()
    for number in [one, .nan, one] { number.bytes.withByteView { sum.add($0) } }
    #expect(sum.sum == .nan)
    #expect(sum.average == .nan)
  }

  private func number(_ stored: [UInt8]) throws -> DecimalNumber {
    let number = stored.withByteView { DecimalNumber(stored: $0) }
    #expect(number?.bytes == stored)
    return try #require(number)
  }

  private func text(_ stored: [UInt8]) -> String {
    stored.withByteView { DecimalBytes.scientificText($0) } ?? "\(stored)"
  }

  /// A number such as −12.5e3; nil if no `Decimal` is.
  private func written(_ text: String) -> DecimalNumber? {
    let parts = text.split(separator: "e")
    let digits = parts[0].drop { $0 == "-" }.split(separator: ".")
    return UInt128(digits.joined()).flatMap {
      DecimalNumber(
        isNegative: text.hasPrefix("-"), $0,
        exponent: (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
          - (digits.count > 1 ? digits[1].count : 0))
    }
  }
}

extension SeededGenerator {
  /// A number that is a `Decimal`: with few or many digits, of ordinary or extreme size.
  fileprivate mutating func decimal() -> NaiveDecimal {
    if chance(1, in: 4) { return price() }
    if chance(1, in: 60) { return NaiveDecimal(0) }
    var digits: [Int]
    switch Int.random(in: 0..<8, using: &self) {
    case 0: digits = NaiveDecimal.highestSignificand
    case 1: digits = [Int](repeating: 9, count: Int.random(in: 1...38, using: &self))
    case 2: digits = [1] + [Int](repeating: 0, count: Int.random(in: 0...37, using: &self)) + [1]
    case 3: digits = [[1], [2], [5], [2, 5], [1, 2, 5]][Int.random(in: 0..<5, using: &self)]
    default:
      digits = (0..<Int.random(in: 1...38, using: &self)).map { _ in
        Int.random(in: 0...9, using: &self)
      }
    }
    if digits.count == 39, chance(1, in: 2) { digits[38] = Int.random(in: 0...5, using: &self) }
    let exponent =
      switch Int.random(in: 0..<6, using: &self) {
      case 0: Int.random(in: -128 ... -110, using: &self)
      case 1: Int.random(in: 100...127, using: &self)
      case 2: Int.random(in: -128...127, using: &self)
      case 3: 127 + max(0, 38 - digits.count)
      default: Int.random(in: -20...5, using: &self)
      }
    return NaiveDecimal(isNegative: chance(1, in: 2), digits, exponent: exponent)
  }

  /// A number with two decimals.
  fileprivate mutating func price() -> NaiveDecimal {
    let cents = NaiveDecimal(Int128.random(in: -10_000...100_000, using: &self))
    return NaiveDecimal(
      isNegative: cents.isNegative, cents.digits, exponent: cents.exponent - 2)
  }
}
