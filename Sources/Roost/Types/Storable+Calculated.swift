internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension _StoredInteger {
  /// In the type's own range.
  public static var _calculation: _Calculation {
    _Calculation(numbers: .integer(Int64(Self.min)...Int64(Self.max)))
  }
}

extension _StoredUnsigned {
  /// In the type's own range.
  public static var _calculation: _Calculation {
    _Calculation(numbers: .unsigned(max: UInt64(Self.max)))
  }
}

extension _StoredInteger where Self: SignedInteger {
  /// Minus one.
  public static var _minusOne: Self { -1 }
}

extension Int: _Negatable {
  /// A sum of integers is an `Int`.
  public typealias _Sum = Int
  /// Their mean is a `Double`.
  public typealias _Mean = Double
}
extension Int8: _Negatable {
  /// A sum of integers is an `Int`.
  public typealias _Sum = Int
  /// Their mean is a `Double`.
  public typealias _Mean = Double
}
extension Int16: _Negatable {
  /// A sum of integers is an `Int`.
  public typealias _Sum = Int
  /// Their mean is a `Double`.
  public typealias _Mean = Double
}
extension Int32: _Negatable {
  /// A sum of integers is an `Int`.
  public typealias _Sum = Int
  /// Their mean is a `Double`.
  public typealias _Mean = Double
}
extension Int64: _Negatable {
  /// A sum of integers is an `Int`.
  public typealias _Sum = Int
  /// Their mean is a `Double`.
  public typealias _Mean = Double
}

extension Double: _Divisible {
  /// A sum of doubles is a double.
  public typealias _Sum = Double
  /// Their mean is a double.
  public typealias _Mean = Double
  /// As doubles.
  public static var _calculation: _Calculation { _Calculation(numbers: .double) }
  /// Minus one.
  public static var _minusOne: Double { -1 }
}

extension Float: _Divisible {
  /// A sum of floats is a double.
  public typealias _Sum = Double
  /// Their mean is a double.
  public typealias _Mean = Double
  /// As floats.
  public static var _calculation: _Calculation { _Calculation(numbers: .float) }
  /// Minus one.
  public static var _minusOne: Float { -1 }
}

extension Decimal: _Negatable {
  /// A sum of decimal numbers is exact.
  public typealias _Sum = Decimal
  /// Their mean has up to 38 digits.
  public typealias _Mean = Decimal
  /// As decimal numbers.
  public static var _calculation: _Calculation { _Calculation(numbers: .decimal) }
  /// Minus one.
  public static var _minusOne: Decimal { -1 }
}

extension String: _Addable {
  /// Texts are joined.
  public static var _calculation: _Calculation { _Calculation(numbers: nil) }
}

extension Optional: _Addable where Wrapped: _Addable {
  /// The wrapped type's operand.
  public typealias _Operand = Wrapped._Operand
  /// The wrapped type's rules.
  public static var _calculation: _Calculation { Wrapped._calculation }
}
extension Optional: _Multipliable where Wrapped: _Multipliable {
  /// The wrapped type's sum.
  public typealias _Sum = Wrapped._Sum
  /// The wrapped type's mean.
  public typealias _Mean = Wrapped._Mean
}
extension Optional: _Negatable where Wrapped: _Negatable {
  /// Minus one.
  public static var _minusOne: Wrapped? { Wrapped._minusOne }
}
extension Optional: _Divisible where Wrapped: _Divisible {}
