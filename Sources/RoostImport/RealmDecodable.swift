#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A Swift type that values of a Realm property are read as.
///
/// An enum of raw values only needs to say so: `enum Kind: String, RealmDecodable { … }`. Other types of yours read one of
/// the types that conform already, and make themselves of it.
public protocol RealmDecodable {
  /// Reads a value.
  static func decode(realm value: RealmValue) -> RealmReading<Self>
}

/// What reading a value as a Swift type gave.
public enum RealmReading<Value> {
  /// The value.
  case exact(Value)
  /// The nearest value that the type has, which is another one; ``RealmSource/roundings`` counts them.
  case rounded(Value)
  /// The type could hold the stored one, but not this value of it.
  case outOfRange
  /// The value is of another type.
  case mismatch

  /// The same reading, of a value that is made of this one; nil stands for one that cannot be made.
  public func map<Result>(_ transform: (Value) -> Result?) -> RealmReading<Result> {
    switch self {
    case .exact(let value): transform(value).map { .exact($0) } ?? .outOfRange
    case .rounded(let value): transform(value).map { .rounded($0) } ?? .outOfRange
    case .outOfRange: .outOfRange
    case .mismatch: .mismatch
    }
  }
}

extension RealmDecodable where Self: RawRepresentable, RawValue: RealmDecodable {
  /// Reads a raw value.
  public static func decode(realm value: RealmValue) -> RealmReading<Self> {
    RawValue.decode(realm: value).map { Self(rawValue: $0) }
  }
}

extension RealmValue: RealmDecodable {
  /// Reads any value, as it is.
  public static func decode(realm value: RealmValue) -> RealmReading<RealmValue> { .exact(value) }
}

extension Bool: RealmDecodable {
  /// Reads a Bool.
  public static func decode(realm value: RealmValue) -> RealmReading<Bool> {
    if case .bool(let bool) = value { .exact(bool) } else { .mismatch }
  }
}

extension RealmDecodable where Self: FixedWidthInteger {
  /// Reads an Int that this type can hold.
  public static func decode(realm value: RealmValue) -> RealmReading<Self> {
    guard case .int(let integer) = value else { return .mismatch }
    return Self(exactly: integer).map { .exact($0) } ?? .outOfRange
  }
}

extension Int: RealmDecodable {}
extension Int8: RealmDecodable {}
extension Int16: RealmDecodable {}
extension Int32: RealmDecodable {}
extension Int64: RealmDecodable {}
extension UInt: RealmDecodable {}
extension UInt8: RealmDecodable {}
extension UInt16: RealmDecodable {}
extension UInt32: RealmDecodable {}
extension UInt64: RealmDecodable {}

extension Float: RealmDecodable {
  /// Reads a Float.
  public static func decode(realm value: RealmValue) -> RealmReading<Float> {
    if case .float(let float) = value { .exact(float) } else { .mismatch }
  }
}

extension Double: RealmDecodable {
  /// Reads a Double or a Float.
  public static func decode(realm value: RealmValue) -> RealmReading<Double> {
    switch value {
    case .double(let double): .exact(double)
    case .float(let float): .exact(Double(float))
    default: .mismatch
    }
  }
}

extension String: RealmDecodable {
  /// Reads a String, which has to be valid UTF-8.
  public static func decode(realm value: RealmValue) -> RealmReading<String> {
    switch value {
    case .string(let string): .exact(string)
    case .malformedString: .outOfRange
    default: .mismatch
    }
  }
}

extension Data: RealmDecodable {
  /// Reads Data, or the bytes of a String that is not valid UTF-8.
  public static func decode(realm value: RealmValue) -> RealmReading<Data> {
    switch value {
    case .data(let data), .malformedString(let data): .exact(data)
    default: .mismatch
    }
  }
}

extension UUID: RealmDecodable {
  /// Reads a UUID.
  public static func decode(realm value: RealmValue) -> RealmReading<UUID> {
    if case .uuid(let uuid) = value { .exact(uuid) } else { .mismatch }
  }
}

extension RealmValue.ObjectID: RealmDecodable {
  /// Reads an ObjectId.
  public static func decode(realm value: RealmValue) -> RealmReading<RealmValue.ObjectID> {
    if case .objectID(let id) = value { .exact(id) } else { .mismatch }
  }
}

extension RealmValue.Timestamp: RealmDecodable {
  /// Reads a Date with all its nanoseconds.
  public static func decode(realm value: RealmValue) -> RealmReading<RealmValue.Timestamp> {
    if case .date(let timestamp) = value { .exact(timestamp) } else { .mismatch }
  }
}

extension Date: RealmDecodable {
  /// Reads a Date.
  ///
  /// A `Date` has steps of about 100 nanoseconds these days. One that was written from a `Date` comes back as it was; others,
  /// as those of Realm's SDKs for other languages, may be rounded to the nearest step, which is counted. A
  /// ``RealmValue/Timestamp`` has every nanosecond.
  public static func decode(realm value: RealmValue) -> RealmReading<Date> {
    guard case .date(let timestamp) = value else { return .mismatch }
    let (seconds, overflow) = timestamp.seconds.subtractingReportingOverflow(secondsTo2001)
    guard !overflow, seconds.magnitude < 1 << 53 else { return .outOfRange }
    let fraction = Double(timestamp.nanoseconds) / 1e9
    let interval = Double(seconds) + fraction
    // Less than a nanosecond is lost in the file where a Date is written to it.
    let lost = ((interval - Double(seconds)) * 1e9 - Double(timestamp.nanoseconds)).magnitude
    let date = Date(timeIntervalSinceReferenceDate: interval)
    return lost < 1 ? .exact(date) : .rounded(date)
  }
}

/// From 1970 to 2001, the reference of `Date`.
private let secondsTo2001: Int64 = 978_307_200

extension RealmValue.Decimal128: RealmDecodable {
  /// Reads a Decimal128.
  public static func decode(realm value: RealmValue) -> RealmReading<RealmValue.Decimal128> {
    if case .decimal(let decimal) = value { .exact(decimal) } else { .mismatch }
  }
}

extension Decimal: RealmDecodable {
  /// Reads a Decimal128 that a `Decimal` can hold.
  public static func decode(realm value: RealmValue) -> RealmReading<Decimal> {
    guard case .decimal(let number) = value else { return .mismatch }
    guard let decimal = number.decimal else { return .outOfRange }
    return decimal == 0 && number.isNegative ? .rounded(decimal) : .exact(decimal)
  }
}

extension RealmValue.Link: RealmDecodable {
  /// Reads a link, or an embedded object as one.
  public static func decode(realm value: RealmValue) -> RealmReading<RealmValue.Link> {
    switch value {
    case .link(let link), .embedded(let link): .exact(link)
    default: .mismatch
    }
  }
}

extension Optional: RealmDecodable where Wrapped: RealmDecodable {
  /// Reads a value, or null as nil.
  public static func decode(realm value: RealmValue) -> RealmReading<Wrapped?> {
    value == .null ? .exact(nil) : Wrapped.decode(realm: value).map { .some($0) }
  }
}

extension Array: RealmDecodable where Element: RealmDecodable {
  /// Reads a list, or a set in the file's order.
  public static func decode(realm value: RealmValue) -> RealmReading<[Element]> {
    switch value {
    case .list(let values), .set(let values): RealmReading(values, Element.decode)
    default: .mismatch
    }
  }
}

extension Set: RealmDecodable where Element: RealmDecodable {
  /// Reads a set, or a list whose elements differ.
  public static func decode(realm value: RealmValue) -> RealmReading<Set<Element>> {
    [Element].decode(realm: value).map { elements in
      let set = Set(elements)
      return set.count == elements.count ? set : nil
    }
  }
}

extension Dictionary: RealmDecodable where Key: RealmDecodable, Value: RealmDecodable {
  /// Reads a dictionary. Two keys that Swift takes for the same text are out of range.
  public static func decode(realm value: RealmValue) -> RealmReading<[Key: Value]> {
    guard case .dictionary(let entries) = value else { return .mismatch }
    let keys = RealmReading(entries.map(\.key), Key.decode)
    let values = RealmReading(entries.map(\.value), Value.decode)
    return keys.with(values).map { keys, values in
      var dictionary: [Key: Value] = [:]
      for (key, value) in zip(keys, values) {
        guard dictionary.updateValue(value, forKey: key) == nil else { return nil }
      }
      return dictionary
    }
  }
}

extension RealmReading {
  /// The readings of all elements: as good as the worst of them.
  fileprivate init<Element>(
    _ values: [RealmValue], _ decode: (RealmValue) -> RealmReading<Element>
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
      case .outOfRange:
        self = .outOfRange
        return
      case .mismatch:
        self = .mismatch
        return
      }
    }
    self = isRounded ? .rounded(elements) : .exact(elements)
  }

  /// Both values: as good as the worse of them.
  fileprivate func with<Other>(_ other: RealmReading<Other>) -> RealmReading<(Value, Other)> {
    switch (self, other) {
    case (.exact(let first), .exact(let second)): .exact((first, second))
    case (.exact(let first), .rounded(let second)), (.rounded(let first), .exact(let second)),
      (.rounded(let first), .rounded(let second)):
      .rounded((first, second))
    case (.mismatch, _), (_, .mismatch): .mismatch
    default: .outOfRange
    }
  }
}
