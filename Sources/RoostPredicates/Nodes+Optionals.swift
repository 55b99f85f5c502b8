import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.NilLiteral: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    .value(Wrapped?.none)
  }
}

extension PredicateExpressions.NilCoalesce: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let other = try scope.translation(of: rhs)
    return try scope.translation(of: lhs).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Constant<RHS.Output?>):
        if let value = constant.value { return .value(value) }
        return other
      case .term(let term):
        if let joined = Self.joined(term, other.only) { return Translation(.term(joined)) }
        var result = Translation()
        result.add(.term(term), when: !term.isNil)
        result.add(casesOf: other, when: term.isNil)
        return result
      default: throw .unsupported(Self.self, "Only fields and values can be nil.")
      }
    }
  }

  /// A single term for a number or a text with its fallback for nil.
  private static func joined(_ term: Term, _ other: Operand?) -> Term? {
    // A condition is not a term, and a Bool has only two cases.
    guard term.shape == .column, RHS.Output.self != Bool.self else { return nil }
    // Elements are compared without a fallback.
    if case .element = term.expression { return nil }
    switch other {
    case .constant(let constant):
      guard let storable = constant.storable, storable._constant.value != .null else { return nil }
      return Term(
        .coalescing(term.expression, .constant(ExpressionConstant(value: storable))))
    case .term(let other):
      guard other.shape == .column else { return nil }
      return Term(.coalescing(term.expression, other.expression))
    default: return nil
    }
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let isFlat = RHS.Output.self == Result?.self
    guard isFlat || !(Result.self is any OptionalValue.Type) else {
      throw .unsupported(Self.self, "A field has one nil, and an optional of an optional has two.")
    }
    return try scope.translation(of: wrapped).map(Self.self) { (operand) throws(StoreError) in
      var inner = scope
      switch operand {
      case .constant(let constant as Constant<Wrapped?>):
        guard let value = constant.value else { return .value(Result?.none) }
        inner.bind(variable, to: .value(value))
        return try result(in: inner)
      case .term(let term):
        inner.bind(variable, to: Translation(.term(term)))
        let result = try result(in: inner)
        // A result that is nil whenever the term is needs no separate case.
        if case .term(let only) = result.only, only.shape == .column,
          only.nilWith.contains(term.expression)
        {
          return result
        }
        var cases = Translation()
        cases.add(.value(Result?.none), when: term.isNil)
        cases.add(casesOf: result, when: !term.isNil)
        return cases
      default: throw .unsupported(Self.self, "Only fields and values can be nil.")
      }
    }
  }

  /// The result of the transformation, as an optional.
  private func result(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: transform).map(Self.self) { (operand) throws(StoreError) in
      guard case .constant(let constant as Constant<Result>) = operand,
        !(constant is Constant<Result?>)
      else { return Translation(operand) }
      return .value(Result?.some(constant.value))
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: inner).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Constant<Wrapped?>):
        if let value = constant.value { return .value(value) }
        guard let type = Wrapped.self as? any Storable.Type else {
          throw .unsupported(Self.self, "What it unwraps is nil. Unwrap it before the predicate.")
        }
        return Translation(.missing(type))
      case .term(let term): return Translation(.term(term))
      default: throw .unsupported(Self.self, "Only fields and values can be nil.")
      }
    }
  }
}

extension PredicateExpressions.ConditionalCast: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: input).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Constant<Input.Output>):
        return .value(constant.value as? Desired)
      case .term where Input.Output.self == Desired.self || Input.Output.self == Desired?.self:
        return Translation(operand)
      default: throw .unsupported(Self.self, RefusedCasts.reason)
      }
    }
  }
}

extension PredicateExpressions.ForceCast: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: input).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Constant<Input.Output>):
        guard let value = constant.value as? Desired else {
          throw .unsupported(Self.self, "The value is no \(Desired.self).")
        }
        return .value(value)
      case .term where Input.Output.self == Desired.self || Input.Output?.self == Desired.self:
        return Translation(operand)
      default: throw .unsupported(Self.self, RefusedCasts.reason)
      }
    }
  }
}

extension PredicateExpressions.TypeCheck: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: input).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Constant<Input.Output>):
        return .value(constant.value is Desired)
      case .term where Input.Output.self == Desired.self: return .value(true)
      case .term(let term) where Input.Output.self == Desired?.self:
        return Translation(!term.isNil)
      default: throw .unsupported(Self.self, RefusedCasts.reason)
      }
    }
  }
}

private enum RefusedCasts {
  static let reason = "A field has the type that the model declares. Leave the cast out."
}
