package import RoostEngine

/// A type that a field can store.
///
/// `Bool`, all integers, `Double`, `Float`, `Decimal`, `String`, `Data`, `Date`, `Duration`, `UUID`, `URL`, optionals of
/// them and ``Link`` conform. An enum (or any other `RawRepresentable` type) with a raw value of one of these types
/// conforms by saying so, and is stored as its raw value:
///
/// ```swift
/// enum Mood: String, Storable { case calm, wild }
/// ```
///
/// A type of your own conforms as ``Converted``, a `Codable` one also as ``Opaque``.
///
/// The requirements with an underscore are the store's own; do not implement them.
public protocol Storable: PropertyValue {
  /// The type without its optional.
  associatedtype _Unwrapped: Storable = Self
  /// The field's type in the file.
  static var _fieldType: _FieldType { get }
  /// Whether values are stored as signed integers, so that a value can be an object's key in the file.
  static var _isInteger: Bool { get }
  /// The value in a cell.
  static func _read(_ cell: _Cell) throws(StoreError) -> Self
  /// Appends the value to a column.
  func _write(to sink: _CellSink) throws(StoreError)
  /// Appends values to a column.
  static func _writeAll(
    _ values: _ValueRun<Self>, to sink: _CellSink
  ) throws(StoreError)
  /// The value that a query compares.
  var _constant: _Constant { get }
  /// Replaces stored values that the type does not know; nil if they are an error.
  static var _fallback: _Fallback? { get }
}

extension Storable {
  /// Unknown values are an error.
  public static var _fallback: _Fallback? { nil }

  /// Most types are not integers.
  @inlinable public static var _isInteger: Bool { false }

  /// Appends values that lie at equal distances in memory.
  public static func _writeAll(
    _ values: _ValueRun<Self>, to sink: _CellSink
  ) throws(StoreError) {
    for index in 0..<values.count { try values[index]._write(to: sink) }
  }
}

/// A type whose stored values have an order.
///
/// Numbers and dates are ordered as in Swift, false before true, text and bytes as UTF-8 bytes (not as
/// Swift's `String`, which knows canonical equivalence), and nil before everything. An enum may conform
/// to be ordered by its raw value.
public protocol Sortable: Storable {}

/// A type of numbers that a query can add up.
public protocol Summable: Sortable, Comparable, AdditiveArithmetic {
  /// The type of a mean: `Decimal` for `Decimal`, and `Double` for others.
  associatedtype _Mean: Summable
  /// The number of type `Self` in a sum.
  static func _sum(_ sum: _Constant) -> Self?
}

/// A value in the form that queries and the engine use.
public struct _Constant: Hashable, Sendable {
  package let value: Value
  /// Whether no stored value equals it, as with NaN.
  package internal(set) var equalsNothing = false

  init(_ value: Value) { self.value = value }

  /// A constant that no stored value equals.
  static var equalToNothing: _Constant {
    var constant = _Constant(.null)
    constant.equalsNothing = true
    return constant
  }
}
