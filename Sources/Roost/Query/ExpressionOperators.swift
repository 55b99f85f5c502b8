internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Each operator has a form for a field and a constant, a constant and a field, two fields, and an optional field with
// one that is not, in either order. All have a ``QueryValue`` among their operands, so the compiler excludes
// them from every other expression at once.

extension QueryValue {
  fileprivate static func constant(_ value: some Storable) -> ExpressionTerm {
    .constant(ExpressionConstant(value: value))
  }
}

extension QueryValue where Value: _Addable {
  /// Combines numbers by an operation; joins texts.
  fileprivate init(_ operation: Arithmetic, _ a: ExpressionTerm, _ b: ExpressionTerm) {
    if let numbers = Value._calculation.numbers {
      self.init(.arithmetic(operation, numbers, a.asPart, b.asPart))
    } else {
      self.init(.concatenation(a.asPart, b.asPart))
    }
  }
}

// MARK: Adding

/// The sum, or the joined texts.
public func + <Value: _Addable>(
  a: QueryValue<Value>, b: Value._Operand
) -> QueryValue<Value> {
  QueryValue(.add, a.term, QueryValue<Value>.constant(b))
}

/// The sum, or the joined texts.
public func + <Value: _Addable>(
  a: Value._Operand, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.add, QueryValue<Value>.constant(a), b.term)
}

/// The sum, or the joined texts.
public func + <Value: _Addable>(
  a: QueryValue<Value>, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.add, a.term, b.term)
}

/// The sum, or the joined texts; nil if the first is nil.
public func + <Value: _Addable>(
  a: QueryValue<Value?>, b: QueryValue<Value>
) -> QueryValue<Value?> {
  QueryValue(.add, a.term, b.term)
}

/// The sum, or the joined texts; nil if the second is nil.
public func + <Value: _Addable>(
  a: QueryValue<Value>, b: QueryValue<Value?>
) -> QueryValue<Value?> {
  QueryValue(.add, a.term, b.term)
}

// MARK: Subtracting

/// The difference.
public func - <Value: _Multipliable>(
  a: QueryValue<Value>, b: Value._Operand
) -> QueryValue<Value> {
  QueryValue(.subtract, a.term, QueryValue<Value>.constant(b))
}

/// The difference.
public func - <Value: _Multipliable>(
  a: Value._Operand, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.subtract, QueryValue<Value>.constant(a), b.term)
}

/// The difference.
public func - <Value: _Multipliable>(
  a: QueryValue<Value>, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.subtract, a.term, b.term)
}

/// The difference; nil if the first is nil.
public func - <Value: _Multipliable>(
  a: QueryValue<Value?>, b: QueryValue<Value>
) -> QueryValue<Value?> {
  QueryValue(.subtract, a.term, b.term)
}

/// The difference; nil if the second is nil.
public func - <Value: _Multipliable>(
  a: QueryValue<Value>, b: QueryValue<Value?>
) -> QueryValue<Value?> {
  QueryValue(.subtract, a.term, b.term)
}

/// The negated number.
public prefix func - <Value: _Negatable>(a: QueryValue<Value>) -> QueryValue<Value> {
  QueryValue(.multiply, a.term, QueryValue<Value>.constant(Value._minusOne))
}

// MARK: Multiplying

/// The product.
public func * <Value: _Multipliable>(
  a: QueryValue<Value>, b: Value._Operand
) -> QueryValue<Value> {
  QueryValue(.multiply, a.term, QueryValue<Value>.constant(b))
}

/// The product.
public func * <Value: _Multipliable>(
  a: Value._Operand, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.multiply, QueryValue<Value>.constant(a), b.term)
}

/// The product.
public func * <Value: _Multipliable>(
  a: QueryValue<Value>, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.multiply, a.term, b.term)
}

/// The product; nil if the first is nil.
public func * <Value: _Multipliable>(
  a: QueryValue<Value?>, b: QueryValue<Value>
) -> QueryValue<Value?> {
  QueryValue(.multiply, a.term, b.term)
}

/// The product; nil if the second is nil.
public func * <Value: _Multipliable>(
  a: QueryValue<Value>, b: QueryValue<Value?>
) -> QueryValue<Value?> {
  QueryValue(.multiply, a.term, b.term)
}

// MARK: Dividing

/// The quotient; for integers, rounded toward zero, and nil if the divisor is 0.
///
/// Of decimal numbers it is exact, or rounded half even to 38 digits, and nil if the divisor is 0.
public func / <Value: _Multipliable>(
  a: QueryValue<Value>, b: Value._Operand
) -> QueryValue<Value> {
  QueryValue(.divide, a.term, QueryValue<Value>.constant(b))
}

/// The quotient; for integers, rounded toward zero, and nil if the divisor is 0.
///
/// Of decimal numbers it is exact, or rounded half even to 38 digits, and nil if the divisor is 0.
public func / <Value: _Multipliable>(
  a: Value._Operand, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.divide, QueryValue<Value>.constant(a), b.term)
}

/// The quotient; for integers, rounded toward zero, and nil if the divisor is 0.
///
/// Of decimal numbers it is exact, or rounded half even to 38 digits, and nil if the divisor is 0.
public func / <Value: _Multipliable>(
  a: QueryValue<Value>, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.divide, a.term, b.term)
}

/// The quotient; nil if the first is nil.
public func / <Value: _Multipliable>(
  a: QueryValue<Value?>, b: QueryValue<Value>
) -> QueryValue<Value?> {
  QueryValue(.divide, a.term, b.term)
}

/// The quotient; nil if the second is nil.
public func / <Value: _Multipliable>(
  a: QueryValue<Value>, b: QueryValue<Value?>
) -> QueryValue<Value?> {
  QueryValue(.divide, a.term, b.term)
}

// MARK: Remainders

/// The remainder of a division, with the sign of the field. Nil if the divisor is 0.
public func % <Value: _Multipliable>(
  a: QueryValue<Value>, b: Value._Operand
) -> QueryValue<Value> {
  QueryValue(.remainder, a.term, QueryValue<Value>.constant(b))
}

/// The remainder of a division, with the sign of the first. Nil if the second is 0.
public func % <Value: _Multipliable>(
  a: QueryValue<Value>, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.remainder, a.term, b.term)
}

// MARK: Others

/// The negation.
public prefix func ! (a: QueryValue<Bool>) -> QueryValue<Bool> {
  QueryValue(.opposite(of: a.term))
}

/// The negation; nil for nil.
public prefix func ! (a: QueryValue<Bool?>) -> QueryValue<Bool?> {
  QueryValue(.opposite(of: a.term))
}

extension QueryValue where Value: _Multipliable, Value._Operand: BinaryInteger {
  /// The number as a `Double`, for calculations with other numbers.
  public var asDouble: QueryValue<Double> { converted(to: .double) }

  /// The number as a `Decimal`, for calculations with decimal numbers.
  public var asDecimal: QueryValue<Decimal> { converted(to: .decimal) }
}

extension QueryValue where Value: _Divisible, Value._Operand: BinaryFloatingPoint {
  /// The number as an `Int`, rounded toward zero; nil if it does not fit.
  public var asInt: QueryValue<Int> { converted(to: Int._calculation.numbers) }
}

extension QueryValue where Value: _Multipliable, Value._Operand == Decimal {
  /// The closest `Double`, for calculations with other numbers.
  public var asDouble: QueryValue<Double> { converted(to: .double) }

  /// The number as an `Int`, rounded toward zero; nil if it does not fit.
  public var asInt: QueryValue<Int> { converted(to: Int._calculation.numbers) }
}

extension QueryValue where Value: _Multipliable {
  fileprivate func converted<Number>(to target: NumberKind?) -> QueryValue<Number> {
    guard let numbers = Value._calculation.numbers, let target else {
      return QueryValue<Number>(term)
    }
    return QueryValue<Number>(.conversion(numbers, target, term.asPart))
  }
}

extension ExpressionTerm {
  /// False is stored as 0 and true as 1.
  fileprivate static func opposite(of term: ExpressionTerm) -> ExpressionTerm {
    .arithmetic(.subtract, .integer(0...1), .constant(ExpressionConstant(value: true)), term.asPart)
  }
}

/// The field, or the value if the field is nil.
public func ?? <Value: Storable>(
  a: QueryValue<Value?>, b: Value
) -> QueryValue<Value> {
  QueryValue(.coalescing(a.term.asPart, QueryValue<Value>.constant(b)))
}

/// The first, or the second if the first is nil.
public func ?? <Value: Storable>(
  a: QueryValue<Value?>, b: QueryValue<Value>
) -> QueryValue<Value> {
  QueryValue(.coalescing(a.term.asPart, b.term.asPart))
}

/// The first, or the second if the first is nil.
public func ?? <Value: Storable>(
  a: QueryValue<Value?>, b: QueryValue<Value?>
) -> QueryValue<Value?> {
  QueryValue(.coalescing(a.term.asPart, b.term.asPart))
}

/// The field read through links or in an optional struct, or the value if there is none.
public func ?? <Value: Storable>(a: QueryValue<Value>, b: Value) -> QueryValue<Value> {
  QueryValue(.coalescing(a.term.asPart, QueryValue<Value>.constant(b)))
}
