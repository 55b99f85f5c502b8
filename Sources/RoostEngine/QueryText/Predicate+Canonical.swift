extension Predicate {
  /// The same condition as the parser would produce it: no `and` or `or` of one part, no `!` that `!=` can express, and
  /// conditions on fields instead of on expressions that are only a field.
  package var canonical: Predicate {
    switch self {
    case .and(let parts) where parts.count == 1, .or(let parts) where parts.count == 1:
      return parts[0].canonical
    case .compare(let field, .equal, .null): return .isNull(field)
    case .compare(let field, .notEqual, .null): return .not(.isNull(field))
    case .and(let parts) where parts.isEmpty: return .always(true)
    case .or(let parts) where parts.isEmpty: return .always(false)
    case .not(let part):
      switch part.canonical {
      case .not(let part): return part
      case .always(let holds): return .always(!holds)
      case .compare(let field, .equal, let constant) where constant.type != nil:
        return .compare(field, .notEqual, constant)
      case let part: return .not(part)
      }
    case .comparison(let value, let comparison, .constant(let constant)):
      guard let (links, field) = value.path else { return self }
      return Self.comparison(links, field, comparison, constant)
    case .membership(let value, let constants):
      guard let (links, field) = value.path, links.isEmpty || !constants.contains(.null) else {
        return self
      }
      return .oneOf(field, constants).behind(links)
    case .textMatch(let value, let match, let text):
      guard let (links, field) = value.path else { return self }
      return .text(field, match, text).behind(links)
    case .matches(let value, let pattern):
      guard let (links, field) = value.path else { return self }
      guard let match = pattern.form.match, pattern.folding.isEmpty else {
        return .matches(.field(field), pattern).behind(links)
      }
      return .text(field, match, pattern.text).behind(links)
    default: return self
    }
  }

  /// The comparison of a field behind links with a constant.
  ///
  /// A condition behind a link is false if the link is nil; a condition that is true for nil is written as a negation.
  private static func comparison(
    _ links: [FieldID], _ field: FieldID, _ comparison: Comparison, _ constant: Value
  ) -> Predicate {
    switch (comparison, constant) {
    case (.equal, .null):
      links.isEmpty ? .isNull(field) : .not(Predicate.not(.isNull(field)).behind(links))
    case (.notEqual, .null): Predicate.not(.isNull(field)).behind(links)
    case (.notEqual, _) where !links.isEmpty:
      .not(Predicate.compare(field, .equal, constant).behind(links))
    default: Predicate.compare(field, comparison, constant).behind(links)
    }
  }

  /// The condition on the object that links lead to.
  package func behind(_ links: [FieldID]) -> Predicate {
    links.reversed().reduce(self) { .link($1, $0) }
  }
}

extension ColumnExpression {
  /// The links to a field and the field, if the expression is only that.
  fileprivate var path: (links: [FieldID], field: FieldID)? {
    var links: [FieldID] = []
    var value = self
    while case .target(let link, let inner) = value {
      links.append(link)
      value = inner
    }
    guard case .field(let field) = value else { return nil }
    return (links, field)
  }
}
