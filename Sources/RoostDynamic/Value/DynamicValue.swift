#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The value of a field, a key or an element, of any type.
///
/// A link is the key of its target, and a list of links is a list of such keys. Parts of embedded
/// structs are separate fields with dotted names, such as `address.city`. In a damaged file, bytes that are not valid for their
/// field's type are returned as ``data(_:)``.
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
  /// A JSON text, the stored form of `Codable` types for example.
  case json(String)
  /// The elements of an array in order, those of a set in storage order, or the keys of the targets of a list
  /// of links.
  case list([DynamicValue])
  /// The entries of a dictionary, in storage order.
  case dictionary([Entry])
  /// A struct within a collection, or a compound key: its parts in order.
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
    /// The name; parts of nested structs have dotted names, such as `address.city`.
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
