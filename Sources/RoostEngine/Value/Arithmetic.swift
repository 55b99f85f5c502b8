/// A binary arithmetic operation.
package enum Arithmetic: Hashable, Sendable {
  case add, subtract, multiply
  /// The quotient; for integers, rounded toward zero.
  case divide
  /// The remainder of the first number divided by the second, with the sign of the first.
  case remainder
}

/// The kind of numbers that a calculation uses for a field.
package enum NumberKind: Hashable, Sendable {
  /// Signed integers; a result outside the range is an overflow.
  case integer(ClosedRange<Int64>)
  /// Unsigned integers, as ``FieldType/uint`` stores them; a result above the maximum is an overflow.
  case unsigned(max: UInt64)
  case double
  case float
}
