internal import RoostEngine

// Each operator has a form for a field and a constant, a constant and a field, two fields, and a field that may be nil
// with one that may not, in either order. All have a ``FieldExpression`` among their operands, so that the compiler leaves
// them out of every other expression at once.

extension FieldExpression {
  fileprivate static func constant(_ value: some Storable) -> ExpressionTerm {
    .constant(ExpressionConstant(value: value))
  }
}

extension FieldExpression where Value: _Addable {
  /// Numbers by an operation; texts are joined.
  fileprivate init(_ operation: Arithmetic, _ a: ExpressionTerm, _ b: ExpressionTerm) {
    if let numbers = Value._calculation.numbers {
      term = .arithmetic(operation, numbers, a, b)
    } else {
      term = .concatenation(a, b)
    }
  }
}

// MARK: Adding

/// The sum, or both texts as one.
public func + <Value: _Addable>(
  a: FieldExpression<Value>, b: Value._Operand
) -> FieldExpression<Value> {
  FieldExpression(.add, a.term, FieldExpression<Value>.constant(b))
}

/// The sum, or both texts as one.
public func + <Value: _Addable>(
  a: Value._Operand, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.add, FieldExpression<Value>.constant(a), b.term)
}

/// The sum, or both texts as one.
public func + <Value: _Addable>(
  a: FieldExpression<Value>, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.add, a.term, b.term)
}

/// The sum, or both texts as one; nil where the first is.
public func + <Value: _Addable>(
  a: FieldExpression<Value?>, b: FieldExpression<Value>
) -> FieldExpression<Value?> {
  FieldExpression(.add, a.term, b.term)
}

/// The sum, or both texts as one; nil where the second is.
public func + <Value: _Addable>(
  a: FieldExpression<Value>, b: FieldExpression<Value?>
) -> FieldExpression<Value?> {
  FieldExpression(.add, a.term, b.term)
}

// MARK: Subtracting

/// The difference.
public func - <Value: _Multipliable>(
  a: FieldExpression<Value>, b: Value._Operand
) -> FieldExpression<Value> {
  FieldExpression(.subtract, a.term, FieldExpression<Value>.constant(b))
}

/// The difference.
public func - <Value: _Multipliable>(
  a: Value._Operand, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.subtract, FieldExpression<Value>.constant(a), b.term)
}

/// The difference.
public func - <Value: _Multipliable>(
  a: FieldExpression<Value>, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.subtract, a.term, b.term)
}

/// The difference; nil where the first is.
public func - <Value: _Multipliable>(
  a: FieldExpression<Value?>, b: FieldExpression<Value>
) -> FieldExpression<Value?> {
  FieldExpression(.subtract, a.term, b.term)
}

/// The difference; nil where the second is.
public func - <Value: _Multipliable>(
  a: FieldExpression<Value>, b: FieldExpression<Value?>
) -> FieldExpression<Value?> {
  FieldExpression(.subtract, a.term, b.term)
}

/// The number with the other sign.
public prefix func - <Value: _Negatable>(a: FieldExpression<Value>) -> FieldExpression<Value> {
  FieldExpression(.multiply, a.term, FieldExpression<Value>.constant(Value._minusOne))
}

// MARK: Multiplying

/// The product.
public func * <Value: _Multipliable>(
  a: FieldExpression<Value>, b: Value._Operand
) -> FieldExpression<Value> {
  FieldExpression(.multiply, a.term, FieldExpression<Value>.constant(b))
}

/// The product.
public func * <Value: _Multipliable>(
  a: Value._Operand, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.multiply, FieldExpression<Value>.constant(a), b.term)
}

/// The product.
public func * <Value: _Multipliable>(
  a: FieldExpression<Value>, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.multiply, a.term, b.term)
}

/// The product; nil where the first is.
public func * <Value: _Multipliable>(
  a: FieldExpression<Value?>, b: FieldExpression<Value>
) -> FieldExpression<Value?> {
  FieldExpression(.multiply, a.term, b.term)
}

/// The product; nil where the second is.
public func * <Value: _Multipliable>(
  a: FieldExpression<Value>, b: FieldExpression<Value?>
) -> FieldExpression<Value?> {
  FieldExpression(.multiply, a.term, b.term)
}

// MARK: Dividing

/// The quotient.
public func / <Value: _Divisible>(
  a: FieldExpression<Value>, b: Value._Operand
) -> FieldExpression<Value> {
  FieldExpression(.divide, a.term, FieldExpression<Value>.constant(b))
}

/// The quotient.
public func / <Value: _Divisible>(
  a: Value._Operand, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.divide, FieldExpression<Value>.constant(a), b.term)
}

/// The quotient.
public func / <Value: _Divisible>(
  a: FieldExpression<Value>, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.divide, a.term, b.term)
}

/// The quotient; nil where the first is.
public func / <Value: _Divisible>(
  a: FieldExpression<Value?>, b: FieldExpression<Value>
) -> FieldExpression<Value?> {
  FieldExpression(.divide, a.term, b.term)
}

/// The quotient; nil where the second is.
public func / <Value: _Divisible>(
  a: FieldExpression<Value>, b: FieldExpression<Value?>
) -> FieldExpression<Value?> {
  FieldExpression(.divide, a.term, b.term)
}

// MARK: Others

/// The opposite.
public prefix func ! (a: FieldExpression<Bool>) -> FieldExpression<Bool> {
  FieldExpression(.opposite(of: a.term))
}

/// The opposite; nil where there is none.
public prefix func ! (a: FieldExpression<Bool?>) -> FieldExpression<Bool?> {
  FieldExpression(.opposite(of: a.term))
}

extension ExpressionTerm {
  /// False is stored as 0 and true as 1.
  fileprivate static func opposite(of term: ExpressionTerm) -> ExpressionTerm {
    .arithmetic(.subtract, .integer(0...1), .constant(ExpressionConstant(value: true)), term)
  }
}

/// The field, or the value where it is nil.
public func ?? <Value: Storable>(
  a: FieldExpression<Value?>, b: Value
) -> FieldExpression<Value> {
  FieldExpression(.coalescing(a.term, FieldExpression<Value>.constant(b)))
}

/// The first, or the second where that is nil.
public func ?? <Value: Storable>(
  a: FieldExpression<Value?>, b: FieldExpression<Value>
) -> FieldExpression<Value> {
  FieldExpression(.coalescing(a.term, b.term))
}

/// The first, or the second where that is nil.
public func ?? <Value: Storable>(
  a: FieldExpression<Value?>, b: FieldExpression<Value?>
) -> FieldExpression<Value?> {
  FieldExpression(.coalescing(a.term, b.term))
}
