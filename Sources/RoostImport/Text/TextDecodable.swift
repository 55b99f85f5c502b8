internal import Roost
internal import RoostEngine
internal import RoostInterchange

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A Swift type that values of a text file are read as.
///
/// An enum of raw values only needs to say so: `enum Kind: String, TextDecodable { … }`. Other types of yours read one of the
/// types that conform already, and make themselves of it.
public protocol TextDecodable {
  /// Reads a value.
  static func decode(text value: TextValue) -> TextReading<Self>
}

/// What reading a value as a Swift type gave.
public enum TextReading<Value> {
  /// The value.
  case exact(Value)
  /// The nearest value that the type has, which is another one; the report's `roundings` counts them.
  case rounded(Value)
  /// The type cannot hold the value.
  case mismatch

  /// The same reading, of a value that is made of this one; nil stands for one that cannot be made.
  public func map<Result>(_ transform: (Value) -> Result?) -> TextReading<Result> {
    switch self {
    case .exact(let value): transform(value).map { .exact($0) } ?? .mismatch
    case .rounded(let value): transform(value).map { .rounded($0) } ?? .mismatch
    case .mismatch: .mismatch
    }
  }

  init(_ value: Value?) { self = value.map { .exact($0) } ?? .mismatch }
}

extension TextDecodable where Self: RawRepresentable, RawValue: TextDecodable {
  /// Reads a raw value.
  public static func decode(text value: TextValue) -> TextReading<Self> {
    RawValue.decode(text: value).map { Self(rawValue: $0) }
  }
}

extension TextValue: TextDecodable {
  /// Reads any value, as it is.
  public static func decode(text value: TextValue) -> TextReading<TextValue> { .exact(value) }
}

extension Bool: TextDecodable {
  /// Reads `true` or `false`; a field of CSV may also be 1 or 0, in letters of any case.
  public static func decode(text value: TextValue) -> TextReading<Bool> {
    switch value {
    case .bool(let bool): return .exact(bool)
    case .field(let text):
      switch text.lowercased() {
      case "true", "1": return .exact(true)
      case "false", "0": return .exact(false)
      default: return .mismatch
      }
    default: return .mismatch
    }
  }
}

extension TextDecodable where Self: FixedWidthInteger {
  /// Reads a number that is an integer of this type, also as 3.0 or 1e3.
  ///
  /// A field of CSV such as 12.000 is not read, for the point may stand between thousands.
  public static func decode(text value: TextValue) -> TextReading<Self> {
    switch value {
    case .field(let text) where WrittenNumber.mayHaveThousands(Array(text.utf8)[...]): .mismatch
    case .number(let text), .field(let text):
      TextReading(WrittenNumber.integer(Array(text.utf8)[...], as: Self.self))
    default: .mismatch
    }
  }
}

extension Int: TextDecodable {}
extension Int8: TextDecodable {}
extension Int16: TextDecodable {}
extension Int32: TextDecodable {}
extension Int64: TextDecodable {}
extension UInt: TextDecodable {}
extension UInt8: TextDecodable {}
extension UInt16: TextDecodable {}
extension UInt32: TextDecodable {}
extension UInt64: TextDecodable {}

extension Double: TextDecodable {
  /// Reads a number as the nearest `Double`, and the texts `NaN`, `Infinity` and `inf`.
  public static func decode(text value: TextValue) -> TextReading<Double> {
    TextReading(nearest(to: value))
  }
}

extension Float: TextDecodable {
  /// Reads a number as the nearest `Float`, and the texts `NaN`, `Infinity` and `inf`.
  public static func decode(text value: TextValue) -> TextReading<Float> {
    TextReading(nearest(to: value))
  }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
  fileprivate static func nearest(to value: TextValue) -> Self? {
    switch value {
    case .number(let text), .field(let text):
      return WrittenNumber.number(Array(text.utf8)[...], as: Self.self)
    case .string(let text):
      // Those numbers that JSON has no notation for.
      let number = WrittenNumber.number(Array(text.utf8)[...], as: Self.self)
      return number?.isFinite == false ? number : nil
    default: return nil
    }
  }
}

extension Decimal: TextDecodable {
  /// Reads a number with all its digits, also one that is a text: `{"$numberDecimal": "1.50"}` or `"1.50"`.
  public static func decode(text value: TextValue) -> TextReading<Decimal> {
    switch value {
    case .number(let text), .field(let text), .string(let text):
      TextReading(
        WrittenNumber.decimal(Array(text.utf8)[...])?.withByteView { Decimal(stored: $0) } ?? nil)
    default: .mismatch
    }
  }
}

extension String: TextDecodable {
  /// Reads a text, or a field of CSV as it is written.
  public static func decode(text value: TextValue) -> TextReading<String> {
    switch value {
    case .string(let text), .field(let text), .blank(let text): .exact(text)
    default: .mismatch
    }
  }
}

extension Data: TextDecodable {
  /// Reads bytes, or a text in Base64.
  public static func decode(text value: TextValue) -> TextReading<Data> {
    switch value {
    case .data(let data): .exact(data)
    case .string(let text), .field(let text):
      TextReading(BinaryText.base64(Array(text.utf8)[...]).map { Data($0) })
    default: .mismatch
    }
  }
}

extension UUID: TextDecodable {
  /// Reads a text such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, or 16 bytes.
  public static func decode(text value: TextValue) -> TextReading<UUID> {
    switch value {
    case .string(let text), .field(let text): return TextReading(UUID(uuidString: text))
    case .data(let bytes):
      guard bytes.count == 16 else { return .mismatch }
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

extension RealmValue.ObjectID: TextDecodable {
  /// Reads 24 hexadecimal digits, or `{"$oid": "…"}`.
  public static func decode(text value: TextValue) -> TextReading<RealmValue.ObjectID> {
    switch value {
    case .string(let text), .field(let text):
      TextReading(RealmValue.ObjectID(stored: text.lowercased()))
    default: .mismatch
    }
  }
}

extension RealmValue.Timestamp: TextDecodable {
  /// Reads a date as `Date` does, with all its nanoseconds.
  public static func decode(text value: TextValue) -> TextReading<RealmValue.Timestamp> {
    switch value {
    case .date(let time): return .exact(time)
    case .string(let text), .field(let text):
      guard let reading = TextTime.timestamp(text) else { return .mismatch }
      return reading.isRounded ? .rounded(reading.time) : .exact(reading.time)
    default: return .mismatch
    }
  }
}

extension Date: TextDecodable {
  /// Reads ISO 8601 text with an offset from UTC, or without a time of day, and `{"$date": …}`.
  ///
  /// Other forms are read with ``TextRecord/date(_:as:)``.
  public static func decode(text value: TextValue) -> TextReading<Date> {
    let reading = RealmValue.Timestamp.decode(text: value)
    guard case .exact(let time) = reading else { return reading.map(\.nearestDate) }
    switch Date.decode(realm: .date(time)) {
    case .exact(let date): return .exact(date)
    case .rounded(let date): return .rounded(date)
    case .outOfRange, .mismatch: return .mismatch
    }
  }
}

extension RealmValue.Timestamp {
  fileprivate var nearestDate: Date? {
    switch Date.decode(realm: .date(self)) {
    case .exact(let date), .rounded(let date): date
    case .outOfRange, .mismatch: nil
    }
  }
}

extension Optional: TextDecodable where Wrapped: TextDecodable {
  /// Reads a value, or none as nil.
  public static func decode(text value: TextValue) -> TextReading<Wrapped?> {
    value.isMissing ? .exact(nil) : Wrapped.decode(text: value).map { .some($0) }
  }
}

extension Array: TextDecodable where Element: TextDecodable {
  /// Reads an array, in a field of CSV as JSON.
  public static func decode(text value: TextValue) -> TextReading<[Element]> {
    guard case .list(let values)? = value.structure else { return .mismatch }
    return TextReading(values, Element.decode)
  }
}

extension Set: TextDecodable where Element: TextDecodable {
  /// Reads an array whose elements differ.
  public static func decode(text value: TextValue) -> TextReading<Set<Element>> {
    [Element].decode(text: value).map { elements in
      let set = Set(elements)
      return set.count == elements.count ? set : nil
    }
  }
}

extension Dictionary: TextDecodable where Key == String, Value: TextDecodable {
  /// Reads an object, in a field of CSV as JSON.
  public static func decode(text value: TextValue) -> TextReading<[String: Value]> {
    guard case .object(let members)? = value.structure else { return .mismatch }
    return TextReading<[Value]>(Swift.Array(members.values), Value.decode).map { values in
      Swift.Dictionary(uniqueKeysWithValues: zip(members.keys, values))
    }
  }
}

extension TextValue {
  /// The array or the object that it is, in a field of CSV as JSON.
  var structure: TextValue? {
    if case .field(let text) = self { TextValue(json: text) } else { self }
  }
}

extension TextReading {
  /// The readings of all elements: as good as the worst of them.
  fileprivate init<Element>(
    _ values: [TextValue], _ decode: (TextValue) -> TextReading<Element>
  ) where Value == [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    var isRounded = false
    for value in values {
      switch decode(value) {
      case .exact(let element): elements.append(element)
      case .rounded(let element):
        elements.append(element)
        isRounded = true
      case .mismatch:
        self = .mismatch
        return
      }
    }
    self = isRounded ? .rounded(elements) : .exact(elements)
  }
}
