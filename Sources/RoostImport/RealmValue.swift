internal import RealmFile

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of a property in a `.realm` file, exactly as the file has it.
public enum RealmValue: Hashable, Sendable {
  /// No value.
  case null
  /// A boolean.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A floating-point number of 32 bits.
  case float(Float)
  /// A floating-point number of 64 bits.
  case double(Double)
  /// A text.
  case string(String)
  /// A text whose bytes are not valid UTF-8, which Realm does not check: its bytes.
  case malformedString(Data)
  /// Binary data.
  case data(Data)
  /// A point in time with nanoseconds.
  case date(Timestamp)
  /// A decimal number of up to 34 digits.
  case decimal(Decimal128)
  /// An ObjectId of MongoDB.
  case objectID(ObjectID)
  /// A UUID.
  case uuid(UUID)
  /// A link to an object; ``RealmSource/object(_:)`` reads it.
  case link(Link)
  /// An embedded object, which belongs to this property alone; ``RealmSource/object(_:)`` reads it.
  case embedded(Link)
  /// A list, in its order.
  case list([RealmValue])
  /// A set, in the file's order, which has no meaning.
  case set([RealmValue])
  /// A dictionary, in the file's order, which has no meaning.
  case dictionary([Entry])

  /// An entry of a dictionary.
  public struct Entry: Hashable, Sendable {
    /// The key: a ``RealmValue/string(_:)`` in every file that an SDK of Realm made.
    public var key: RealmValue
    /// The value.
    public var value: RealmValue

    /// An entry with this key and value.
    public init(key: RealmValue, value: RealmValue) {
      self.key = key
      self.value = value
    }
  }

  /// Names an object: its class, and its object key.
  public struct Link: Hashable, Sendable {
    /// The class of the object.
    public var className: String
    /// The object key, which Realm gives every object, and which stays the same until the object is deleted.
    public var key: Int64

    /// Names the object of a class that has this object key.
    public init(className: String, key: Int64) {
      self.className = className
      self.key = key
    }
  }

  /// A point in time: seconds and nanoseconds since 1970-01-01T00:00:00Z.
  public struct Timestamp: Hashable, Sendable {
    /// The whole seconds.
    public var seconds: Int64
    /// The rest, of the same sign as ``seconds``: from -999,999,999 to 999,999,999.
    public var nanoseconds: Int32

    /// A time of this many seconds and nanoseconds since 1970, which should have the same sign.
    public init(seconds: Int64, nanoseconds: Int32) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }
  }

  /// The twelve bytes of an ObjectId.
  public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// The bytes: four of a time, eight that make it unique.
    public let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The 24 hexadecimal digits, in lower case, as Realm shows an ObjectId.
    public var description: String { bytes.hexadecimal }

    /// The time that is in the ObjectId: when it was made, in whole seconds.
    public var date: Date {
      let seconds = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Date(timeIntervalSince1970: Double(seconds))
    }
  }
}

extension [UInt8] {
  /// Two hexadecimal digits for each byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension RealmValue {
  /// What kind of value it is, in words for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Bool"
    case .int: "an Int"
    case .float: "a Float"
    case .double: "a Double"
    case .string: "a String"
    case .malformedString: "a String that is not valid UTF-8"
    case .data: "Data"
    case .date: "a Date"
    case .decimal: "a Decimal128"
    case .objectID: "an ObjectId"
    case .uuid: "a UUID"
    case .link(let link): "a link to \(link.className)"
    case .embedded(let link): "an embedded \(link.className)"
    case .list: "a list"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
