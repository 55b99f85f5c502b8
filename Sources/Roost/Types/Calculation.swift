package import RoostEngine

// Types that an update's expression can compute with. The library's own protocols; do not conform to them.

/// A type whose values can be added, or an optional one.
public protocol _Addable: Storable {
  /// The type without its optional.
  associatedtype _Operand: _Addable = Self
  /// The type's rules of calculation.
  static var _calculation: _Calculation { get }
}

/// A type of numbers, or of optional numbers.
public protocol _Multipliable: _Addable {
  /// The type of a sum of such numbers.
  associatedtype _Sum: Sortable
  /// The type of their mean.
  associatedtype _Mean: Sortable
}

/// A type of numbers that may be negative, or of optional ones.
public protocol _Negatable: _Multipliable {
  /// Minus one.
  static var _minusOne: Self { get }
}

/// A type of numbers that can be divided, or of optional ones.
public protocol _Divisible: _Negatable {}

/// The rules for computing with a type.
public struct _Calculation: Equatable, Sendable {
  /// Nil for texts, which are joined.
  package let numbers: NumberKind?
}
