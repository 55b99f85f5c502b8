import Foundation
import Roost
import RoostTestSupport
import Synchronization

/// A type of field that the generated cases draw values of.
protocol RandomValue: Storable {
  static func random(_ random: inout SeededGenerator) -> Self
}

/// One whose values have an order, as plain Swift says it.
protocol RandomSortable: RandomValue, Sortable {
  static func isBelow(_ a: Self, _ b: Self) -> Bool
}

extension RandomSortable where Self: Comparable {
  static func isBelow(_ a: Self, _ b: Self) -> Bool { a < b }
}

extension RandomSortable where Self: FixedWidthInteger {
  static func random(_ random: inout SeededGenerator) -> Self {
    if random.chance(1, in: 4) { return [.min, .max, 0, 1].randomElement(using: &random) ?? 0 }
    let shift = Int.random(in: 0..<bitWidth, using: &random)
    return Self.random(in: .min ... .max, using: &random) >> Self(shift)
  }
}

extension Int: RandomSortable {}
extension Int8: RandomSortable {}
extension Int16: RandomSortable {}
extension Int32: RandomSortable {}
extension Int64: RandomSortable {}
extension UInt: RandomSortable {}
extension UInt8: RandomSortable {}
extension UInt16: RandomSortable {}
extension UInt32: RandomSortable {}
extension UInt64: RandomSortable {}

extension Bool: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> Bool { random.chance(1, in: 2) }
  static func isBelow(_ a: Bool, _ b: Bool) -> Bool { !a && b }
}

extension Double: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> Double {
    let extremes = [
      -0.0, 0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    if random.chance(1, in: 4) { return extremes.randomElement(using: &random) ?? 0 }
    return Double(Int64(bitPattern: random.next())) / 1e6
  }
}

extension Float: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> Float { Float(Double.random(&random)) }
}

extension Decimal: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> Decimal {
    let extremes = [
      Decimal.zero, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1,
      -1,
    ]
    if random.chance(1, in: 4) { return extremes.randomElement(using: &random) ?? 0 }
    let digits = Int.random(in: 1...38, using: &random)
    var text = random.chance(1, in: 2) ? "-" : ""
    for _ in 0..<digits { text += "\(Int.random(in: 0...9, using: &random))" }
    text += "E\(Int.random(in: -60...60, using: &random))"
    return Decimal(string: text) ?? 0
  }
}

extension String: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> String {
    let words = ["", "a", "ab", "b", "Zoë", "größer", "日本", "\u{0}", "🦜", "aa"]
    let word = words.randomElement(using: &random) ?? ""
    // Some are longer than what lies within a row.
    return random.chance(1, in: 10) ? String(repeating: word + ".", count: 700) : word
  }
  static func isBelow(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

extension Data: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> Data {
    Data(random.bytes(Int.random(in: 0...9, using: &random)))
  }
  static func isBelow(_ a: Data, _ b: Data) -> Bool { a.lexicographicallyPrecedes(b) }
}

extension Date: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(Int32.random(&random)) / 1024)
  }
}

extension UUID: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> UUID {
    let bytes = random.bytes(16)
    let text = bytes.map { String(format: "%02X", $0) }.joined()
    var parts: [Substring] = []
    var rest = text[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return UUID(uuidString: parts.joined(separator: "-")) ?? UUID()
  }
  static func isBelow(_ a: UUID, _ b: UUID) -> Bool { a.uuidString < b.uuidString }
}

extension URL: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> URL {
    URL(string: "https://example.org/\(UInt8.random(&random))?q=\(Bool.random(&random))")
      ?? URL(filePath: "/")
  }
  static func isBelow(_ a: URL, _ b: URL) -> Bool {
    String.isBelow(a.absoluteString, b.absoluteString)
  }
}

extension Duration: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> Duration {
    Duration(
      secondsComponent: Int64.random(&random), attosecondsComponent: Int64.random(&random))
  }
}

extension Mood: RandomValue {
  static func random(_ random: inout SeededGenerator) -> Mood {
    random.chance(1, in: 2) ? .calm : .wild
  }
}

extension Rank: RandomSortable {
  static func random(_ random: inout SeededGenerator) -> Rank {
    allCases.randomElement(using: &random) ?? .low
  }
  static func isBelow(_ a: Rank, _ b: Rank) -> Bool { a.rawValue < b.rawValue }
}

/// An enum with payloads.
enum Payment: Opaque, RandomValue {
  case cash
  case card(number: String, expires: Date?)
  case points([Int], factor: Double)

  static func random(_ random: inout SeededGenerator) -> Payment {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .cash
    case 1:
      .card(number: .random(&random), expires: random.chance(1, in: 2) ? nil : .random(&random))
    default: .points([.random(&random), .random(&random)], factor: .random(&random))
    }
  }
}

/// A type that is stored as another one.
struct Celsius: Converted, RandomSortable {
  var degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init?(stored kelvin: Int32) { degrees = Double(kelvin) / 4 }
  var stored: Int32 { Int32(degrees * 4) }
  static func random(_ random: inout SeededGenerator) -> Celsius {
    Celsius(degrees: Double(Int16.random(&random)) / 4)
  }
  static func isBelow(_ a: Celsius, _ b: Celsius) -> Bool { a.degrees < b.degrees }
}

extension Celsius: Sortable {}

extension Array: RandomValue where Element: RandomValue {
  static func random(_ random: inout SeededGenerator) -> [Element] {
    (0..<Int.random(in: 0...5, using: &random)).map { _ in Element.random(&random) }
  }
}

extension Set: RandomValue where Element: RandomValue {
  static func random(_ random: inout SeededGenerator) -> Set<Element> {
    Set([Element].random(&random))
  }
}

extension Dictionary: RandomValue where Key: RandomValue, Value: RandomValue {
  static func random(_ random: inout SeededGenerator) -> [Key: Value] {
    let pairs = [Key].random(&random).map { ($0, Value.random(&random)) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

/// The schemas of generic models, which cannot keep one themselves.
enum Schemas {
  private static let made = Mutex<[ObjectIdentifier: any Sendable]>([:])

  static func of<Root, Made: Sendable>(_ root: Root.Type, _ make: () -> Made) -> Made {
    let key = ObjectIdentifier(root)
    if let known = made.withLock({ $0[key] as? Made }) { return known }
    let schema = make()
    made.withLock { $0[key] = schema }
    return schema
  }
}
