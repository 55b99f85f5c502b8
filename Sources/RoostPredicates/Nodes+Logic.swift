import Roost

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.Variable: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    try scope.meaning(of: self)
  }
}

extension PredicateExpressions.Value: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning { .known(value) }
}

extension PredicateExpressions.Conjunction: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    Meaning(try scope.condition(of: lhs) && scope.condition(of: rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    Meaning(try scope.condition(of: lhs) || scope.condition(of: rhs))
  }
}

extension PredicateExpressions.Negation: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    Meaning(!(try scope.condition(of: wrapped)))
  }
}

extension PredicateExpressions.Conditional: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    let test = Meaning(try scope.condition(of: test))
    return try test.map(Self.self) { (holds) throws(StoreError) in
      if case .constant(let holds as Known<Bool>) = holds, holds.value {
        return try scope.meaning(of: trueBranch)
      }
      return try scope.meaning(of: falseBranch)
    }
  }
}
