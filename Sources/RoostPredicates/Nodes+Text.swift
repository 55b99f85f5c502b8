import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.CollectionContainsCollection: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    try scope.meaning(of: base).map(try scope.meaning(of: other), Self.self) {
      (base, other) throws(StoreError) in
      if case .constant(let base as Known<Base.Output>) = base,
        case .constant(let other as Known<Other.Output>) = other
      {
        return .known(base.value.contains(other.value))
      }
      return try match(.contains, base, Base.Output.self, other, Self.self)
    }
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    try scope.meaning(of: base).map(try scope.meaning(of: prefix), Self.self) {
      (base, prefix) throws(StoreError) in
      if case .constant(let base as Known<Base.Output>) = base,
        case .constant(let prefix as Known<Prefix.Output>) = prefix
      {
        return .known(base.value.starts(with: prefix.value))
      }
      return try match(.prefix, base, Base.Output.self, prefix, Self.self)
    }
  }
}

extension PredicateExpressions.StringContainsRegex: TranslatedNode {
  func meaning(in scope: PredicateScope) throws(StoreError) -> Meaning {
    throw .unsupported(
      Self.self, "Write `Model.where { $0.text.like(\"*…?\") }`, or `contains` and `starts(with:)`."
    )
  }
}

/// A text that has another one in it.
private func match(
  _ match: TextMatch, _ text: Operand, _ type: Any.Type, _ pattern: Operand, _ node: Any.Type
) throws(StoreError) -> Meaning {
  guard case .term(let term) = text, type == String.self else {
    throw .unsupported(
      node, "Only texts of fields are matched. Of a collection, ask `contains(_:)`.")
  }
  guard case .constant(let part as Known<String>) = pattern else {
    throw .unsupported(node, "Texts are matched with a text that is known, not with a field.")
  }
  return Meaning(Condition(.text(term.expression, match, part.value)))
}
