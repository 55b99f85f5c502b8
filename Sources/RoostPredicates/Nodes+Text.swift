import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.CollectionContainsCollection: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: base).map(try scope.translation(of: other), Self.self) {
      (base, other) throws(StoreError) in
      if case .constant(let base as Constant<Base.Output>) = base,
        case .constant(let other as Constant<Other.Output>) = other
      {
        return .value(base.value.contains(other.value))
      }
      return try match(.contains, base, Base.Output.self, other, Self.self)
    }
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: base).map(try scope.translation(of: prefix), Self.self) {
      (base, prefix) throws(StoreError) in
      if case .constant(let base as Constant<Base.Output>) = base,
        case .constant(let prefix as Constant<Prefix.Output>) = prefix
      {
        return .value(base.value.starts(with: prefix.value))
      }
      return try match(.prefix, base, Base.Output.self, prefix, Self.self)
    }
  }
}

extension PredicateExpressions.StringContainsRegex: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    throw .unsupported(
      Self.self, "Write `Model.where { $0.text.like(\"*…?\") }`, or `contains` and `starts(with:)`."
    )
  }
}

/// The condition that a text matches a pattern.
private func match(
  _ match: TextMatch, _ text: Operand, _ type: Any.Type, _ pattern: Operand, _ node: Any.Type
) throws(StoreError) -> Translation {
  guard case .term(let term) = text, type == String.self else {
    throw .unsupported(
      node, "Only texts of fields are matched. Of a collection, ask `contains(_:)`.")
  }
  guard case .constant(let part as Constant<String>) = pattern else {
    throw .unsupported(node, "Texts are matched with a text that is known, not with a field.")
  }
  return Translation(Condition(.text(term.expression, match, part.value)))
}
