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
