/// How two numbers become one.
public enum Arithmetic: Hashable, Sendable {
  case add, subtract, multiply
  /// Of doubles and floats only.
  case divide
}

/// The numbers of a field, as they are calculated with.
public enum NumberKind: Hashable, Sendable {
  /// Signed integers; a result outside of the range is an overflow.
  case integer(ClosedRange<Int64>)
  /// Unsigned integers, as ``FieldType/uint`` stores them; a result above the maximum is an overflow.
  case unsigned(max: UInt64)
  case double
  case float
}

/// What a field gets, computed of other fields of the same object.
///
/// Whatever has a null on either side is null, but for ``coalescing(_:_:)``.
public indirect enum ColumnExpression: Hashable, Sendable {
  /// The same for all objects.
  case constant(Value)
  /// A field's value; 0 is the object key.
  case field(FieldID)
  /// What an operation makes of two numbers of a kind.
  case arithmetic(Arithmetic, NumberKind, ColumnExpression, ColumnExpression)
  /// The bytes of the one and then of the other.
  case concatenation(ColumnExpression, ColumnExpression)
  /// The first one, or the second where that is null.
  case coalescing(ColumnExpression, ColumnExpression)
}
