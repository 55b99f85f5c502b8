import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.Equal: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    Translation(
      try scope.translation(of: lhs).condition(try scope.translation(of: rhs), Self.self) {
        (first, second) throws(StoreError) in
        try Operand.equal(first, second, as: LHS.Output.self, Self.self)
      })
  }
}

extension PredicateExpressions.NotEqual: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    Translation(
      !(try scope.translation(of: lhs).condition(try scope.translation(of: rhs), Self.self) {
        (first, second) throws(StoreError) in
        try Operand.equal(first, second, as: LHS.Output.self, Self.self)
      }))
  }
}

extension PredicateExpressions.Comparison: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let comparison: RoostEngine.Comparison =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: .equal
      }
    guard comparison != .equal else {
      throw .unsupported(Self.self, RefusedNodes.reason(Self.self))
    }
    return Translation(
      try scope.translation(of: lhs).condition(try scope.translation(of: rhs), Self.self) {
        (first, second) throws(StoreError) in
        try Operand.compare(first, comparison, second, as: LHS.Output.self, Self.self)
      })
  }
}

extension PredicateExpressions.Range: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let bounds = Bounds(
      lower: try scope.translation(of: lower), upper: try scope.translation(of: upper),
      includesUpper: false)
    return Translation(.range(bounds))
  }
}

extension PredicateExpressions.ClosedRange: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    Translation(
      .range(
        Bounds(lower: try scope.translation(of: lower), upper: try scope.translation(of: upper))))
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    let element = try scope.translation(of: element)
    return Translation(
      try scope.translation(of: range).condition(Self.self) { (range) throws(StoreError) in
        guard let bounds = range.bounds else {
          throw .unsupported(Self.self, "It is no range that queries know.")
        }
        return try bounds.contains(element, as: RangeExpression.Output.Bound.self, Self.self)
      })
  }
}

extension Operand {
  /// The bounds, if the operand is a range.
  var bounds: Bounds? {
    switch self {
    case .range(let bounds): bounds
    case .constant(let known): known.range?.bounds
    default: nil
    }
  }
}

extension Bounds {
  /// Whether a value lies in the range.
  func contains<Bound: Comparable>(
    _ element: Translation, as type: Bound.Type, _ node: Any.Type
  ) throws(StoreError) -> Condition {
    try element.condition(node) { (operand) throws(StoreError) in
      func isWithin(_ bound: Translation?, _ comparison: Comparison) throws(StoreError) -> Condition
      {
        guard let bound else { return .always }
        return try bound.condition(node) { (bound) throws(StoreError) in
          try Operand.compare(operand, comparison, bound, as: type, node)
        }
      }
      return try isWithin(lower, .greaterOrEqual)
        && isWithin(upper, includesUpper ? .lessOrEqual : .less)
    }
  }
}

extension Operand {
  /// The condition that two operands of a type are equal.
  static func equal<Value: Equatable>(
    _ first: Operand, _ second: Operand, as type: Value.Type, _ node: Any.Type
  ) throws(StoreError) -> Condition {
    switch (first, second) {
    case (.constant(let a as Constant<Value>), .constant(let b as Constant<Value>)):
      return .always(a.value == b.value)
    case (.term(let term), .constant(let constant)), (.constant(let constant), .term(let term)):
      return try equal(term, constant, as: type, node)
    case (.term(let a), .term(let b)):
      guard a.shape == .column, b.shape == .column, Value.self is any Storable.Type else {
        throw .notCompared(node)
      }
      return Condition(.comparison(a.expression, .equal, b.expression))
    case (.object, _), (_, .object):
      throw .unsupported(node, "Objects are not compared whole. Compare their identifiers.")
    case (.elements, _), (_, .elements), (.range, _), (_, .range), (.constant, .constant):
      throw .unsupported(
        node, "Only fields and values are compared. Ask for elements by `contains`.")
    }
  }

  private static func equal(
    _ term: Term, _ constant: any ConstantValue, as type: Any.Type, _ node: Any.Type
  ) throws(StoreError) -> Condition {
    if constant.isNil { return term.isNil }
    guard term.shape == .column else { throw .notCompared(node) }
    guard let storable = constant.storable, let storableType = type as? any Storable.Type else {
      throw .notCompared(node)
    }
    let value = storable._constant
    if value.equalsNothing { return .never }
    // A value whose stored form is nil equals a nil field.
    if value.value == .null { return term.isNil }
    return Condition.compare(
      term.expression.comparable(as: storableType), .equal, value.value)
  }

  /// The condition that a comparison of two operands of a type holds.
  static func compare<Value: Comparable>(
    _ first: Operand, _ comparison: Comparison, _ second: Operand, as type: Value.Type,
    _ node: Any.Type
  ) throws(StoreError) -> Condition {
    if case .constant(let a as Constant<Value>) = first,
      case .constant(let b as Constant<Value>) = second
    {
      // Uses Swift's operators: the engine's comparison is for types with a total order.
      return switch comparison {
      case .less: .always(a.value < b.value)
      case .lessOrEqual: .always(a.value <= b.value)
      case .greater: .always(a.value > b.value)
      case .greaterOrEqual: .always(a.value >= b.value)
      case .equal: .always(a.value == b.value)
      case .notEqual: .always(a.value != b.value)
      }
    }
    guard Value.self is any Sortable.Type else {
      throw .unsupported(
        node, "The stored values of \(Value.self) have no order. Declare the type `Sortable`.")
    }
    switch (first, second) {
    case (.term(let a), .term(let b)):
      return Condition(.comparison(a.expression, comparison, b.expression))
    case (.term(let term), .constant(let constant)):
      return try compare(term, comparison, constant, node)
    case (.constant(let constant), .term(let term)):
      return try compare(term, comparison.turned, constant, node)
    default: throw .unsupported(node, "Only fields and values are compared.")
    }
  }

  private static func compare(
    _ term: Term, _ comparison: Comparison, _ constant: any ConstantValue, _ node: Any.Type
  ) throws(StoreError) -> Condition {
    guard let value = constant.storable?._constant else {
      throw .unsupported(node, "No field can have this value. Compare with a stored type.")
    }
    if value.equalsNothing || value.value == .null { return .never }
    return Condition.compare(term.expression, comparison, value.value)
  }
}

extension Condition {
  /// A comparison with a value.
  ///
  /// Where nil has a fallback (`($0.nick ?? "") == "x"`), this is a comparison of the field, which an index can answer.
  fileprivate static func compare(
    _ term: ExpressionTerm, _ comparison: Comparison, _ value: RoostEngine.Value
  ) -> Condition {
    if case .coalescing(let field, .constant(let replacement)) = term {
      let known = replacement.value._constant
      if !known.equalsNothing, let holds = comparison.holds(known.value, value) {
        let compared = compare(field, comparison, value)
        return holds ? Condition(.isNull(field)) || compared : compared
      }
    }
    return Condition(.compare(term, comparison, value))
  }
}

extension Comparison {
  /// The comparison with its operands exchanged.
  fileprivate var turned: Comparison {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: self
    }
  }

  /// Whether the comparison holds between two values; nil unless both have the same type with a simple order.
  fileprivate func holds(_ a: RoostEngine.Value, _ b: RoostEngine.Value) -> Bool? {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): holds(a, b)
    case (.double(let a), .double(let b)) where !a.isNaN && !b.isNaN: holds(a, b)
    case (.float(let a), .float(let b)) where !a.isNaN && !b.isNaN: holds(a, b)
    case (.bytes(let a), .bytes(let b)):
      holds(order: a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1)
    default: nil
    }
  }
}

extension StoreError {
  fileprivate static func notCompared(_ node: Any.Type) -> StoreError {
    .unsupported(
      node,
      "Embedded structs, blobs and lists of links are not compared whole. Compare their parts.")
  }
}
