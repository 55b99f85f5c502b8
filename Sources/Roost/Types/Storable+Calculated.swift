internal import RoostEngine

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
  /// The wrapped type's operand.
  public typealias _Operand = Wrapped._Operand
  /// The wrapped type's rules.
  public static var _calculation: _Calculation { Wrapped._calculation }
}
extension Optional: _Multipliable where Wrapped: _Multipliable {}
extension Optional: _Negatable where Wrapped: _Negatable {
  /// Minus one.
  public static var _minusOne: Wrapped? { Wrapped._minusOne }
}
extension Optional: _Divisible where Wrapped: _Divisible {}
