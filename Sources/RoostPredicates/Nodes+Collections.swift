import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.SequenceContains: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let element = try scope.translation(of: element)
    return Translation(
      try scope.translation(of: sequence).condition(Self.self) { (sequence) throws(StoreError) in
        if let bounds = sequence.bounds, let type = RHS.Output.self as? any Comparable.Type {
          return try bounds.contains(element, as: type, Self.self)
        }
        return try element.condition(Self.self) { (element) throws(StoreError) in
          try contains(sequence, element, in: scope)
        }
      })
  }

  private func contains(
    _ sequence: Operand, _ element: Operand, in scope: PredicateScope
  ) throws(StoreError) -> Condition {
    switch (sequence, element) {
    case (
      .constant(let values as Constant<LHS.Output>), .constant(let known as Constant<RHS.Output>)
    ):
      return .always(values.value.contains(known.value))
    case (.constant(let values as Constant<LHS.Output>), .term(let term)):
      return try oneOf(values.value, term)
    case (.term(let text), .constant(let character as Constant<Character>))
    where LHS.Output.self == String.self:
      return Condition(.text(text.expression, .contains, String(character.value)))
    case (_, .constant), (_, .term):
      return try Some.contained(sequence, LHS.Output.self, in: scope, Self.self) {
        (one, _) throws(StoreError) in
        try Operand.equal(one, element, as: RHS.Output.self, Self.self)
      }
    default:
      throw .unsupported(
        Self.self, "Elements of a collection are looked for by a value or a field.")
    }
  }

  private func oneOf(_ values: LHS.Output, _ term: Term) throws(StoreError) -> Condition {
    guard let type = RHS.Output.self as? any Storable.Type, term.shape == .column else {
      var result = Condition.never
      for value in values {
        result =
          result || (try Operand.equal(.term(term), .value(value), as: RHS.Output.self, Self.self))
      }
      return result
    }
    var constants: [RoostEngine.Value] = []
    var result = Condition.never
    for value in values {
      guard let constant = Constant(value).storable?._constant, !constant.equalsNothing else {
        continue
      }
      if constant.value == .null {
        result = term.isNil
      } else {
        constants.append(constant.value)
      }
    }
    guard !constants.isEmpty else { return result }
    return result || Condition(.oneOf(term.expression.comparable(as: type), constants))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    Translation(
      try scope.translation(of: sequence).condition(Self.self) { (sequence) throws(StoreError) in
        if case .constant(let values as Constant<LHS.Output>) = sequence {
          var result = Condition.never
          for value in values.value {
            result = result || (try condition(in: scope, of: .value(value)))
            try result.checkSize(Self.self)
          }
          return result
        }
        return try Some.contained(sequence, LHS.Output.self, in: scope, Self.self) {
          (one, scope) throws(StoreError) in
          try condition(in: scope, of: one)
        }
      })
  }

  private func condition(
    in scope: PredicateScope, of element: Operand
  ) throws(StoreError) -> Condition {
    var inner = scope
    inner.bind(variable, to: Translation(element))
    return try inner.condition(of: test)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    Translation(
      try scope.translation(of: sequence).condition(Self.self) { (sequence) throws(StoreError) in
        if case .constant(let values as Constant<LHS.Output>) = sequence {
          var result = Condition.always
          for value in values.value {
            result = result && (try condition(in: scope, of: .value(value)))
            try result.checkSize(Self.self)
          }
          return result
        }
        return
          !(try Some.contained(sequence, LHS.Output.self, in: scope, Self.self) {
            (one, scope) throws(StoreError) in
            !(try condition(in: scope, of: one))
          })
      })
  }

  private func condition(
    in scope: PredicateScope, of element: Operand
  ) throws(StoreError) -> Condition {
    var inner = scope
    inner.bind(variable, to: Translation(element))
    return try inner.condition(of: test)
  }
}

extension PredicateExpressions.Filter: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: sequence).map(Self.self) { (sequence) throws(StoreError) in
      guard let elements = Some.elements(of: sequence, LHS.Output.self) else {
        throw .unsupported(
          Self.self, "Only a field's list or set, and a dictionary's keys or values, are filtered.")
      }
      var inner = scope
      inner.bind(variable, to: Translation(Some.element(of: elements, LHS.Output.Element.self)))
      let added = try Some.checked(try inner.condition(of: filter), Self.self)
      return Translation(.elements(elements.adding(added)))
    }
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: elements).map(Self.self) { (sequence) throws(StoreError) in
      if case .constant(let values as Constant<Elements.Output>) = sequence {
        return .value(values.value.min())
      }
      return Translation(
        try Some.extreme(.minimum, sequence, Elements.Output.self, Self.self))
    }
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: elements).map(Self.self) { (sequence) throws(StoreError) in
      if case .constant(let values as Constant<Elements.Output>) = sequence {
        return .value(values.value.max())
      }
      return Translation(
        try Some.extreme(.maximum, sequence, Elements.Output.self, Self.self))
    }
  }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: wrapped).map(try scope.translation(of: index), Self.self) {
      (collection, index) throws(StoreError) in
      guard case .constant(let collection as Constant<Wrapped.Output>) = collection,
        case .constant(let place as Constant<Index.Output>) = index
      else {
        throw .unsupported(
          Self.self, "Elements are not asked for by their place. Ask `contains` or `allSatisfy`.")
      }
      let values = collection.value
      guard place.value >= values.startIndex, place.value < values.endIndex else {
        throw .unsupported(Self.self, "There is no element at \(place.value).")
      }
      return .value(values[place.value])
    }
  }
}

extension PredicateExpressions.CollectionRangeSubscript: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    throw .unsupported(
      Self.self, "Elements are not asked for by their place. Ask `contains` or `allSatisfy`.")
  }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.value(of: wrapped, for: key, Value.self, Self.self)
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let found = PredicateExpressions.DictionaryKeySubscript<Wrapped, Key, Default.Output>(
      wrapped: wrapped, key: key)
    return try PredicateExpressions.NilCoalesce(lhs: found, rhs: self.default).translation(
      in: scope)
  }
}

extension PredicateScope {
  /// The value of a dictionary for a key.
  fileprivate func value<Wrapped: PredicateExpression, Key: PredicateExpression, Value>(
    of wrapped: Wrapped, for key: Key, _ type: Value.Type, _ node: Any.Type
  ) throws(StoreError) -> Translation where Wrapped.Output == [Key.Output: Value] {
    try translation(of: wrapped).map(try translation(of: key), node) {
      (values, key) throws(StoreError) in
      switch (values, key) {
      case (
        .constant(let values as Constant<[Key.Output: Value]>),
        .constant(let key as Constant<Key.Output>)
      ):
        return .value(values.value[key.value])
      case (.constant(let values as Constant<[Key.Output: Value]>), .term):
        var result = Translation()
        var others = Condition.always
        for (known, value) in values.value {
          let isKey = try Operand.equal(.value(known), key, as: Key.Output.self, node)
          result.add(.value(Value?.some(value)), when: isKey)
          others = others && !isKey
        }
        result.add(.value(Value?.none), when: others)
        return result
      case (.term(let term), .constant), (.term(let term), .term):
        guard let type = Wrapped.Output.self as? any KeyedValues.Type,
          Value.self is any Storable.Type,
          !(Value.self is any OptionalValue.Type)
        else {
          throw .unsupported(
            node, "Queries look up only values of one column that are not optional.")
        }
        let keys = ElementSelection(term, at: 0)
        let isKey = try Operand.equal(
          Some.element(of: keys, Key.Output.self), key, as: Key.Output.self, node)
        return Translation(.term(keys.adding(isKey).gathered(.minimum, at: type._elementPlace)))
      default:
        throw .unsupported(
          node, "Values are looked up in a field by a key that is known, or is a field.")
      }
    }
  }
}

/// Conditions and aggregates on the elements of a field.
private enum Some {
  /// The elements of a collection; nil if queries do not support its type.
  static func elements(of operand: Operand, _ type: Any.Type) -> ElementSelection? {
    switch operand {
    case .elements(let elements): return elements
    case .term(let term):
      // The elements of a dictionary are pairs.
      guard let type = type as? any _ElementCollection.Type, !(type is any KeyedValues.Type) else {
        return nil
      }
      return ElementSelection(term, at: type._elementPlace)
    default: return nil
    }
  }

  /// An element, as a condition on elements refers to it.
  static func element(of elements: ElementSelection, _ type: Any.Type) -> Operand {
    .term(Term(.element(ElementColumnStep(place: elements.place)), of: type))
  }

  /// Whether an element of a collection fulfils a condition.
  ///
  /// - Parameters:
  ///   - scope: What lies around the condition.
  ///   - condition: Gets an element, and the scope of what is asked of it.
  static func contained<Elements: Sequence>(
    _ sequence: Operand, _ type: Elements.Type, in scope: PredicateScope, _ node: Any.Type,
    _ condition: (Operand, PredicateScope) throws(StoreError) -> Condition
  ) throws(StoreError) -> Condition {
    if case .term(let term) = sequence, let type = type as? any LinkCollection.Type,
      let links = Operand.links(term, type)
    {
      let inner = scope.behindLinks
      let targets = links.numbered(inner.linkDepth)
      return targets.contains(try condition(.term(Term(targets.key)), inner))
    }
    guard let elements = elements(of: sequence, type) else {
      throw .unsupported(
        node, "Queries know the elements of lists, sets, links, and a dictionary's keys or values.")
    }
    let holds = try condition(element(of: elements, Elements.Element.self), scope)
    return elements.adding(try checked(holds, node)).isNotEmpty
  }

  /// The smallest or the largest element.
  static func extreme<Elements: Sequence>(
    _ function: AggregateFunction, _ sequence: Operand, _ type: Elements.Type, _ node: Any.Type
  ) throws(StoreError) -> Operand {
    guard let elements = elements(of: sequence, type), Elements.Element.self is any Sortable.Type
    else {
      throw .unsupported(
        node, "Queries know it of lists and sets of numbers, texts and others that are `Sortable`.")
    }
    return .term(elements.gathered(function))
  }

  /// Throws unless the condition can apply to elements: it may compare them with values, with each other, and with
  /// expressions over the outer objects.
  static func checked(_ condition: Condition, _ node: Any.Type) throws(StoreError) -> Condition {
    guard condition.filter.isOfElements else {
      throw .unsupported(
        node, "A condition on elements compares them, or parts of them, and does not calculate.")
    }
    return condition
  }
}

extension Filter {
  /// Whether the engine supports the condition on elements.
  fileprivate var isOfElements: Bool {
    switch self {
    case .always, .tooDeep: true
    case .compare(let term, _, _), .isNull(let term), .oneOf(let term, _), .text(let term, _, _),
      .matches(let term, _):
      term.isElement || term.isOutsideElements
    case .comparison(let a, _, let b):
      (a.isElement || a.isOutsideElements) && (b.isElement || b.isOutsideElements)
    case .and(let parts), .or(let parts): parts.allSatisfy { $0.isOfElements }
    case .not(let part): part.isOfElements
    case .related, .beginning: false
    }
  }
}

extension ExpressionTerm {
  fileprivate var isElement: Bool { if case .element = self { true } else { false } }

  /// Whether the expression uses no element, and no aggregate over elements.
  fileprivate var isOutsideElements: Bool {
    switch self {
    case .path, .constant, .related, .tooDeep: true
    case .arithmetic(_, _, let a, let b), .concatenation(let a, let b), .coalescing(let a, let b):
      a.isOutsideElements && b.isOutsideElements
    case .conversion(_, _, let value), .folded(_, let value): value.isOutsideElements
    case .element, .elements, .grouped: false
    }
  }
}
