public import Roost

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RealmValue.ObjectID: Converted {
  /// The 24 hexadecimal digits: what a query compares, and also what the key of a model may be.
  public var stored: String { description }

  /// The ObjectId with 24 hexadecimal digits in lower case; nil for other text.
  public init?(stored: String) {
    let digits = Array(stored.utf8)
    guard digits.count == 24 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    self.init(bytes: bytes)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Values for testing a schema.
  public static func _samples(_ count: Int) -> [RealmValue.ObjectID] {
    (0..<min(count, 256)).map { number in
      RealmValue.ObjectID(
        bytes: [UInt8](repeating: 0, count: 11) + [UInt8(truncatingIfNeeded: number)])
    }
  }

  /// The highest value.
  public static var _unusualSamples: [RealmValue.ObjectID] {
    [RealmValue.ObjectID(bytes: [UInt8](repeating: 255, count: 12))]
  }
}

extension RealmValue.Timestamp: Converted {
  /// Twelve bytes, whose order is that of the times where both parts have the same sign.
  public var stored: Data {
    let order = UInt64(bitPattern: seconds) ^ 1 << 63
    let fraction = UInt32(bitPattern: nanoseconds) ^ 1 << 31
    var bytes = Data()
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: order >> UInt64(shift)))
    }
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: fraction >> UInt32(shift)))
    }
    return bytes
  }

  /// The time of twelve bytes; nil for other bytes.
  public init?(stored: Data) {
    guard stored.count == 12 else { return nil }
    let order = stored.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let fraction = stored.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    self.init(
      seconds: Int64(bitPattern: order ^ 1 << 63),
      nanoseconds: Int32(bitPattern: fraction ^ 1 << 31))
  }

  /// Values for testing a schema.
  public static func _samples(_ count: Int) -> [RealmValue.Timestamp] {
    (0..<count).map { RealmValue.Timestamp(seconds: Int64($0), nanoseconds: 1) }
  }

  /// The first and the last time.
  public static var _unusualSamples: [RealmValue.Timestamp] {
    [
      RealmValue.Timestamp(seconds: .min, nanoseconds: -999_999_999),
      RealmValue.Timestamp(seconds: .max, nanoseconds: 999_999_999),
    ]
  }
}

extension RealmValue.Decimal128: Converted {
  /// The 16 bytes, the higher first; their order is not that of the numbers.
  public var stored: Data {
    var bytes = Data()
    for half in [high, low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
      }
    }
    return bytes
  }

  /// The number of 16 bytes; nil for other bytes.
  public init?(stored: Data) {
    guard stored.count == 16 else { return nil }
    self.init(
      high: stored.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      low: stored.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Values for testing a schema.
  public static func _samples(_ count: Int) -> [RealmValue.Decimal128] {
    (0..<count).map { RealmValue.Decimal128(high: 0x3040_0000_0000_0000, low: UInt64($0)) }
  }

  /// A number that is none, and a negative zero.
  public static var _unusualSamples: [RealmValue.Decimal128] {
    [
      RealmValue.Decimal128(high: 0x7c00_0000_0000_0000, low: 0),
      RealmValue.Decimal128(high: 0xb040_0000_0000_0000, low: 0),
    ]
  }
}
