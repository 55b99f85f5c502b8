package import RoostEngine

// What an update's expression can calculate with. The library's own protocols; do not conform to them.

/// A type whose values can be added, or an optional one.
public protocol _Addable: Storable {
  /// The type without its nil.
  associatedtype _Operand: _Addable = Self
  /// How it is calculated with.
  static var _calculation: _Calculation { get }
}

/// A type of numbers, or of optional ones.
public protocol _Multipliable: _Addable {}

/// A type of numbers that may be negative, or of optional ones.
public protocol _Negatable: _Multipliable {
  /// Minus one.
  static var _minusOne: Self { get }
}

/// A type of numbers that can be divided, or of optional ones.
public protocol _Divisible: _Negatable {}

/// How values of a type are calculated with.
public struct _Calculation: Equatable, Sendable {
  /// Nil for texts, which are joined.
  package let numbers: NumberKind?
}

extension _StoredInteger {
  /// Within the type's own range.
  public static var _calculation: _Calculation {
    _Calculation(numbers: .integer(Int64(Self.min)...Int64(Self.max)))
  }
}

extension _StoredUnsigned {
  /// Within the type's own range.
  public static var _calculation: _Calculation {
    _Calculation(numbers: .unsigned(max: UInt64(Self.max)))
  }
}

extension _StoredInteger where Self: SignedInteger {
  /// Minus one.
  public static var _minusOne: Self { -1 }
}

extension Int: _Negatable {}
extension Int8: _Negatable {}
extension Int16: _Negatable {}
extension Int32: _Negatable {}
extension Int64: _Negatable {}

extension Double: _Divisible {
  /// As doubles.
  public static var _calculation: _Calculation { _Calculation(numbers: .double) }
  /// Minus one.
  public static var _minusOne: Double { -1 }
}

extension Float: _Divisible {
  /// As floats.
  public static var _calculation: _Calculation { _Calculation(numbers: .float) }
  /// Minus one.
  public static var _minusOne: Float { -1 }
}

extension String: _Addable {
  /// Texts are joined.
  public static var _calculation: _Calculation { _Calculation(numbers: nil) }
}

extension Optional: _Addable where Wrapped: _Addable {
  /// What is wrapped.
  public typealias _Operand = Wrapped._Operand
  /// As what is wrapped.
  public static var _calculation: _Calculation { Wrapped._calculation }
}
extension Optional: _Multipliable where Wrapped: _Multipliable {}
extension Optional: _Negatable where Wrapped: _Negatable {
  /// Minus one.
  public static var _minusOne: Wrapped? { Wrapped._minusOne }
}
extension Optional: _Divisible where Wrapped: _Divisible {}
