public import Roost

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A Swift type that values of a column are read as.
///
/// An enum of raw values only needs to say so: `enum Mood: String, SQLiteDecodable { … }`. Other types of yours read one of the
/// types that conform already, and make themselves of it.
public protocol SQLiteDecodable {
  /// Reads a value.
  static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Self>
}

/// What reading a value as a Swift type gave.
public enum SQLiteReading<Value> {
  /// The value.
  case exact(Value)
  /// The type could hold the stored one, but not this value of it.
  case outOfRange
  /// The value is of another type.
  case mismatch
  /// There are several ways to read the value, as a `Date`, and none is guessed.
  case ambiguous

  /// The same reading, of a value that is made of this one; nil stands for one that cannot be made.
  @inlinable
  public func map<Result>(_ transform: (Value) -> Result?) -> SQLiteReading<Result> {
    switch self {
    case .exact(let value): transform(value).map { .exact($0) } ?? .outOfRange
    case .outOfRange: .outOfRange
    case .mismatch: .mismatch
    case .ambiguous: .ambiguous
    }
  }
}

extension SQLiteDecodable where Self: RawRepresentable, RawValue: SQLiteDecodable {
  /// Reads a raw value.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Self> {
    RawValue.decode(sqlite: value).map { Self(rawValue: $0) }
  }
}

extension SQLiteValue: SQLiteDecodable {
  /// Reads any value, as it is.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<SQLiteValue> {
    .exact(value)
  }
}

extension Bool: SQLiteDecodable {
  /// Reads the integers 0 and 1.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Bool> {
    switch value {
    case .integer(0): .exact(false)
    case .integer(1): .exact(true)
    case .integer: .outOfRange
    default: .mismatch
    }
  }
}

extension SQLiteDecodable where Self: FixedWidthInteger {
  /// Reads an integer that this type can hold.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Self> {
    guard case .integer(let integer) = value else { return .mismatch }
    return Self(exactly: integer).map { .exact($0) } ?? .outOfRange
  }
}

extension Int: SQLiteDecodable {}
extension Int8: SQLiteDecodable {}
extension Int16: SQLiteDecodable {}
extension Int32: SQLiteDecodable {}
extension Int64: SQLiteDecodable {}
extension UInt: SQLiteDecodable {}
extension UInt8: SQLiteDecodable {}
extension UInt16: SQLiteDecodable {}
extension UInt32: SQLiteDecodable {}
extension UInt64: SQLiteDecodable {}

extension Double: SQLiteDecodable {
  /// Reads a real, or an integer that a `Double` holds exactly: a column of numbers stores 3.0 as 3.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Double> {
    switch value {
    case .real(let real): .exact(real)
    case .integer(let integer): Double(exactly: integer).map { .exact($0) } ?? .outOfRange
    default: .mismatch
    }
  }
}

extension Float: SQLiteDecodable {
  /// Reads a real or an integer that a `Float` holds exactly, as one that was written from a `Float`.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Float> {
    Double.decode(sqlite: value).map { Float(exactly: $0) }
  }
}

extension Decimal: SQLiteDecodable {
  /// Reads an integer, a number written as text, of up to 38 digits, or a real that is a number of up to 15 digits: so many
  /// survive as a real, and a column that is declared as `NUMERIC` or `DECIMAL` has its fractions so. A real of more digits, such
  /// as 0.30000000000000004, comes of a calculation, and is not read.
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Decimal> {
    switch value {
    case .integer(let integer): .exact(Decimal(integer))
    case .text(let text): decimal(text).map { .exact($0) } ?? .outOfRange
    case .real(let real): decimal(real).map { .exact($0) } ?? .mismatch
    default: .mismatch
    }
  }

  /// The number of the fewest digits that a real stands for; nil where it has more than 15.
  private static func decimal(_ real: Double) -> Decimal? {
    let text = "\(real)"
    let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
    let isWhole = text.hasSuffix(".0")
    guard digits.count - (isWhole ? 1 : 0) <= 15, let number = Decimal(string: text),
      Double("\(number)") == real
    else { return nil }
    return number
  }

  /// The number that a text is, without anything before or after it; nil for one that does not fit.
  private static func decimal(_ text: String) -> Decimal? {
    var digits = 0
    var points = 0
    var isNegative = false
    var fraction = 0
    var number = Decimal(0)
    for (place, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        // Zeros before the first digit do not count.
        if digits > 0 || byte != UInt8(ascii: "0") { digits += 1 }
        if points > 0 { fraction += 1 }
        guard digits <= 38, fraction <= 100 else { return nil }
        number = number * 10 + Decimal(Int(byte - UInt8(ascii: "0")))
      case UInt8(ascii: "-") where place == 0: isNegative = true
      case UInt8(ascii: "+") where place == 0: break
      case UInt8(ascii: ".") where points == 0: points = 1
      default: return nil
      }
    }
    guard text.utf8.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    let scaled = Decimal(
      sign: isNegative && number != 0 ? .minus : .plus, exponent: -fraction, significand: number)
    return scaled
  }
}

extension String: SQLiteDecodable {
  /// Reads a text, which has to be valid UTF-8.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<String> {
    switch value {
    case .text(let text): .exact(text)
    case .malformedText: .outOfRange
    default: .mismatch
    }
  }
}

extension Data: SQLiteDecodable {
  /// Reads a blob, or the bytes of a text, also of one that is not valid UTF-8.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Data> {
    switch value {
    case .blob(let bytes), .malformedText(let bytes): .exact(bytes)
    case .text(let text): .exact(Data(text.utf8))
    default: .mismatch
    }
  }
}

extension UUID: SQLiteDecodable {
  /// Reads a blob of 16 bytes, or a text such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<UUID> {
    switch value {
    case .text(let text): return UUID(uuidString: text).map { .exact($0) } ?? .outOfRange
    case .blob(let bytes):
      guard bytes.count == 16 else { return .outOfRange }
      let b = Array(bytes)
      return .exact(
        UUID(
          uuid: (
            b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
            b[14], b[15]
          )))
    default: return .mismatch
    }
  }
}

extension URL: SQLiteDecodable {
  /// Reads a text that is a URL. An empty one is none.
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<URL> {
    String.decode(sqlite: value).map { URL(string: $0) }
  }
}

extension Duration: SQLiteDecodable {
  /// Reads a number of seconds.
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Duration> {
    switch value {
    case .integer(let seconds): .exact(.seconds(seconds))
    case .real(let seconds):
      // A Duration holds seconds of 64 bits.
      abs(seconds) < 0x1p63 ? .exact(.seconds(seconds)) : .outOfRange
    default: .mismatch
    }
  }
}

extension Date: SQLiteDecodable {
  /// Reads nothing: SQLite has no type for times, so say which form they have, with ``SQLiteRow/date(_:as:)``.
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Date> {
    switch value {
    case .integer, .real, .text: .ambiguous
    default: .mismatch
    }
  }
}

extension Link: SQLiteDecodable where Target.ID: SQLiteDecodable {
  /// Reads the target's id. ``SQLiteRow/link(_:in:skippingDangling:)`` also looks whether the target exists.
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Link<Target>> {
    Target.ID.decode(sqlite: value).map { Link(id: $0) }
  }
}

extension Optional: SQLiteDecodable where Wrapped: SQLiteDecodable {
  /// Reads a value, or NULL as nil.
  @inlinable
  public static func decode(sqlite value: SQLiteValue) -> SQLiteReading<Wrapped?> {
    if case .null = value { return .exact(nil) }
    return switch Wrapped.decode(sqlite: value) {
    case .exact(let value): .exact(value)
    case .outOfRange: .outOfRange
    case .mismatch: .mismatch
    case .ambiguous: .ambiguous
    }
  }
}
