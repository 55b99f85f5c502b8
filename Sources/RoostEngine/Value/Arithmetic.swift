/// How two numbers become one.
package enum Arithmetic: Hashable, Sendable {
  case add, subtract, multiply
  /// The quotient; of integers, rounded toward zero.
  case divide
  /// The remainder of the first divided by the second; it has the first's sign.
  case remainder
}

/// The numbers of a field, as they are calculated with.
package enum NumberKind: Hashable, Sendable {
  /// Signed integers; a result outside of the range is an overflow.
  case integer(ClosedRange<Int64>)
  /// Unsigned integers, as ``FieldType/uint`` stores them; a result above the maximum is an overflow.
  case unsigned(max: UInt64)
  case double
  case float
}
