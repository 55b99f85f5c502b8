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
  /// Decimal numbers, as ``DecimalNumber``; a result that is none is an overflow.
  case decimal
}

/// How calculations read the values of a column.
enum NumberForm: Hashable, Sendable {
  /// Numbers as they are, or no numbers at all.
  case plain
  /// Unsigned integers, stored with their highest bit flipped.
  case unsigned
  /// Decimal numbers, stored as ``DecimalBytes``.
  case decimal
}

extension NumberKind {
  /// The storage type of these numbers.
  var physical: PhysicalType {
    switch self {
    case .integer, .unsigned: .integer
    case .double: .double
    case .float: .float
    case .decimal: .bytes
    }
  }

  /// The form of these numbers.
  var form: NumberForm {
    switch self {
    case .unsigned: .unsigned
    case .decimal: .decimal
    case .integer, .double, .float: .plain
    }
  }
}
