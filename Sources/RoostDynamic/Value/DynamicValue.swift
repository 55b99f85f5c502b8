#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The value of a field, of a key or of an element, whatever its type.
///
/// A link is the key of the object that it leads to, and a list of links a list of such keys. Part values of embedded
/// structs are fields of their own, called `address.city`. Bytes in a damaged file that are no value of their field's type come as
/// ``data(_:)``.
///
/// Literals are values: `["name": "Ann", "age": 41, "tags": ["vip"], "photo": nil]`.
public indirect enum DynamicValue: Hashable, Sendable {
  /// No value.
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case float(Float)
  case string(String)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  case duration(Duration)
  case decimal(Decimal)
  /// A text in JSON, such as a `Codable` type is stored as.
  case json(String)
  /// The elements of an array in their order, those of a set in the order in which they are stored, or the keys that a list
  /// of links leads to.
  case list([DynamicValue])
  /// The entries of a dictionary in the order in which they are stored.
  case dictionary([Entry])
  /// A struct within a collection, or a compound key: its parts in their order.
  case record([Part])

  /// An entry of a dictionary.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public var key: DynamicValue
    /// The value under the key.
    public var value: DynamicValue

    /// An entry.
    public init(_ key: DynamicValue, _ value: DynamicValue) {
      self.key = key
      self.value = value
    }
  }

  /// A part of a struct or of a compound key.
  public struct Part: Hashable, Sendable {
    /// The name; of a struct within the struct with points, `address.city`.
    public var name: String
    /// The value.
    public var value: DynamicValue

    /// A part.
    public init(_ name: String, _ value: DynamicValue) {
      self.name = name
      self.value = value
    }
  }
}

extension DynamicValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral
{
  /// ``null``.
  public init(nilLiteral: ()) { self = .null }
  /// ``bool(_:)``.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// ``int(_:)``.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// ``double(_:)``.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// ``string(_:)``.
  public init(stringLiteral value: String) { self = .string(value) }
  /// ``list(_:)``.
  public init(arrayLiteral elements: DynamicValue...) { self = .list(elements) }
}
