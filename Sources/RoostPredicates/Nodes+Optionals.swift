import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.NilLiteral: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning { .known(Wrapped?.none) }
}

extension PredicateExpressions.NilCoalesce: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    let other = try scope.meaning(of: rhs)
    return try scope.meaning(of: lhs).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Known<RHS.Output?>):
        if let value = constant.value { return .known(value) }
        return other
      case .term(let term):
        if let joined = Self.joined(term, other.only) { return Meaning(.term(joined)) }
        var result = Meaning()
        result.add(.term(term), when: !term.isNil)
        result.add(casesOf: other, when: term.isNil)
        return result
      default: throw .unsupported(Self.self, "Only fields and values can be nil.")
      }
    }
  }

  /// One term for a number or a text and what stands for its nil.
  private static func joined(_ term: Term, _ other: Operand?) -> Term? {
    // A condition is no term, and of a Bool there are but two cases.
    guard term.shape == .column, RHS.Output.self != Bool.self else { return nil }
    // Elements are compared as they are.
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
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    let isFlat = RHS.Output.self == Result?.self
    guard isFlat || !(Result.self is any OptionalValue.Type) else {
      throw .unsupported(Self.self, "A field has one nil, and an optional of an optional has two.")
    }
    return try scope.meaning(of: wrapped).map(Self.self) { (operand) throws(StoreError) in
      var inner = scope
      switch operand {
      case .constant(let constant as Known<Wrapped?>):
        guard let value = constant.value else { return .known(Result?.none) }
        inner.bind(variable, to: .known(value))
        return try result(in: inner)
      case .term(let term):
        inner.bind(variable, to: Meaning(.term(term)))
        let result = try result(in: inner)
        // What is nil with the term needs no case for that.
        if case .term(let only) = result.only, only.shape == .column,
          only.nilWith.contains(term.expression)
        {
          return result
        }
        var cases = Meaning()
        cases.add(.known(Result?.none), when: term.isNil)
        cases.add(casesOf: result, when: !term.isNil)
        return cases
      default: throw .unsupported(Self.self, "Only fields and values can be nil.")
      }
    }
  }

  /// What the transformation makes of the variable, as an optional.
  private func result(in scope: PredicateScope) throws(StoreError) -> Meaning {
    try scope.meaning(of: transform).map(Self.self) { (operand) throws(StoreError) in
      guard case .constant(let constant as Known<Result>) = operand,
        !(constant is Known<Result?>)
      else { return Meaning(operand) }
      return .known(Result?.some(constant.value))
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    try scope.meaning(of: inner).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Known<Wrapped?>):
        if let value = constant.value { return .known(value) }
        guard let type = Wrapped.self as? any Storable.Type else {
          throw .unsupported(Self.self, "What it unwraps is nil. Unwrap it before the predicate.")
        }
        return Meaning(.missing(type))
      case .term(let term): return Meaning(.term(term))
      default: throw .unsupported(Self.self, "Only fields and values can be nil.")
      }
    }
  }
}

extension PredicateExpressions.ConditionalCast: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    try scope.meaning(of: input).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Known<Input.Output>):
        return .known(constant.value as? Desired)
      case .term where Input.Output.self == Desired.self || Input.Output.self == Desired?.self:
        return Meaning(operand)
      default: throw .unsupported(Self.self, RefusedCasts.reason)
      }
    }
  }
}

extension PredicateExpressions.ForceCast: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    try scope.meaning(of: input).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Known<Input.Output>):
        guard let value = constant.value as? Desired else {
          throw .unsupported(Self.self, "The value is no \(Desired.self).")
        }
        return .known(value)
      case .term where Input.Output.self == Desired.self || Input.Output?.self == Desired.self:
        return Meaning(operand)
      default: throw .unsupported(Self.self, RefusedCasts.reason)
      }
    }
  }
}

extension PredicateExpressions.TypeCheck: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    try scope.meaning(of: input).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Known<Input.Output>): return .known(constant.value is Desired)
      case .term where Input.Output.self == Desired.self: return .known(true)
      case .term(let term) where Input.Output.self == Desired?.self:
        return Meaning(!term.isNil)
      default: throw .unsupported(Self.self, RefusedCasts.reason)
      }
    }
  }
}

private enum RefusedCasts {
  static let reason = "A field has the type that the model declares. Leave the cast out."
}
