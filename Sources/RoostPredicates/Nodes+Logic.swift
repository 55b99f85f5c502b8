import Roost

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.Variable: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: self)
  }
}

extension PredicateExpressions.Value: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation { .value(value) }
}

extension PredicateExpressions.Conjunction: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    Translation(try scope.condition(of: lhs) && scope.condition(of: rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    Translation(try scope.condition(of: lhs) || scope.condition(of: rhs))
  }
}

extension PredicateExpressions.Negation: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    Translation(!(try scope.condition(of: wrapped)))
  }
}

extension PredicateExpressions.Conditional: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let test = Translation(try scope.condition(of: test))
    return try test.map(Self.self) { (holds) throws(StoreError) in
      if case .constant(let holds as Constant<Bool>) = holds, holds.value {
        return try scope.translation(of: trueBranch)
      }
      return try scope.translation(of: falseBranch)
    }
  }
}
