import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.Arithmetic: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let operation: RoostEngine.Arithmetic
    switch op {
    case .add: operation = .add
    case .subtract: operation = .subtract
    case .multiply: operation = .multiply
    @unknown default: throw .unsupported(Self.self, RefusedNodes.reason(Self.self))
    }
    return try scope.calculate(operation, lhs, rhs, Self.self)
  }
}

extension PredicateExpressions.IntDivision: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.calculate(.divide, lhs, rhs, Self.self)
  }
}

extension PredicateExpressions.IntRemainder: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.calculate(.remainder, lhs, rhs, Self.self)
  }
}

extension PredicateExpressions.FloatDivision: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.calculate(.divide, lhs, rhs, Self.self)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: wrapped).map(Self.self) { (operand) throws(StoreError) in
      guard let type = Wrapped.Output.self as? any _Negatable.Type else {
        throw .unsupported(Self.self, "Queries do not calculate with \(Wrapped.Output.self).")
      }
      return Translation(try Self.negative(operand, type))
    }
  }

  private static func negative<Number: _Negatable>(
    _ operand: Operand, _ type: Number.Type
  ) throws(StoreError) -> Operand {
    try Operand.calculate(.multiply, operand, .value(Number._minusOne), type, Self.self)
  }
}

extension PredicateScope {
  /// The result of an operation on two numbers.
  fileprivate func calculate<First: PredicateExpression, Second: PredicateExpression>(
    _ operation: RoostEngine.Arithmetic, _ first: First, _ second: Second, _ node: Any.Type
  ) throws(StoreError) -> Translation {
    guard let type = First.Output.self as? any _Multipliable.Type else {
      throw .unsupported(
        node, "Queries do not calculate with \(First.Output.self). Compare without calculating.")
    }
    return try translation(of: first).map(try translation(of: second), node) {
      (a, b) throws(StoreError) in
      Translation(try Operand.calculate(operation, a, b, type, node))
    }
  }
}

extension Operand {
  /// The result of an operation on two numbers of a type; nil where it does not fit the type.
  fileprivate static func calculate<Number: _Multipliable>(
    _ operation: RoostEngine.Arithmetic, _ a: Operand, _ b: Operand, _ type: Number.Type,
    _ node: Any.Type
  ) throws(StoreError) -> Operand {
    guard let kind = Number._calculation.numbers else {
      throw .unsupported(node, "Queries do not calculate with \(Number.self).")
    }
    switch (a, b) {
    case (.constant(let a as Constant<Number>), .constant(let b as Constant<Number>)):
      if let known = operation.folded(a, b) { return known }
      return .missing(Number.self)
    case (.term(let a), .term(let b)):
      return .term(
        Term(
          .arithmetic(operation, kind, try a.number(node), try b.number(node)),
          nilWith: a.nilWith + b.nilWith))
    case (.term(let a), .constant(let b as Constant<Number>)):
      return .term(
        Term(.arithmetic(operation, kind, try a.number(node), b.constant), nilWith: a.nilWith))
    case (.constant(let a as Constant<Number>), .term(let b)):
      return .term(
        Term(.arithmetic(operation, kind, a.constant, try b.number(node)), nilWith: b.nilWith))
    default: throw .unsupported(node, "Only fields and values are calculated with.")
    }
  }
}

extension Term {
  /// The expression, if arithmetic can use it; throws for a part of an element.
  fileprivate func number(_ node: Any.Type) throws(StoreError) -> ExpressionTerm {
    if case .element = expression {
      throw .unsupported(node, "A condition on elements compares them and does not calculate.")
    }
    return expression
  }
}

extension Constant where Value: Storable {
  fileprivate var constant: ExpressionTerm { .constant(ExpressionConstant(value: value)) }
}

extension RoostEngine.Arithmetic {
  /// The result for two constants; nil if there is none.
  fileprivate func folded<Number>(_ a: Constant<Number>, _ b: Constant<Number>) -> Operand? {
    if let a = a as? Constant<Double>, let b = b as? Constant<Double> {
      return floating(a.value, b.value).map(Operand.value)
    }
    if let a = a as? Constant<Float>, let b = b as? Constant<Float> {
      return floating(a.value, b.value).map(Operand.value)
    }
    if let a = a as? Constant<Decimal>, let b = b as? Constant<Decimal> {
      return Decimal.calculated(self, a.value, b.value).map(Operand.value)
    }
    guard let type = Number.self as? any FixedWidthInteger.Type else { return nil }
    return integer(a, b, type)
  }

  private func floating<Number: BinaryFloatingPoint>(_ a: Number, _ b: Number) -> Number? {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .remainder: nil
    }
  }

  private func integer<Number: FixedWidthInteger>(
    _ a: any ConstantValue, _ b: any ConstantValue, _ type: Number.Type
  ) -> Operand? {
    guard let a = (a as? Constant<Number>)?.value, let b = (b as? Constant<Number>)?.value else {
      return nil
    }
    let (result, overflow) =
      switch self {
      case .add: a.addingReportingOverflow(b)
      case .subtract: a.subtractingReportingOverflow(b)
      case .multiply: a.multipliedReportingOverflow(by: b)
      case .divide: a.dividedReportingOverflow(by: b)
      case .remainder: a.remainderReportingOverflow(dividingBy: b)
      }
    return overflow ? nil : .value(result)
  }
}
