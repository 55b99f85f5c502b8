// Who goes through a condition or a value goes as deep as it is nested: programs that nest them in loops would use up the
// stack. So what has too many levels is left out where it becomes a part of something, and asking it throws.

/// The most levels of a condition, with those of the values in it.
private let levelsMax = 200

extension Filter {
  /// This condition as a part of another one.
  var asPart: Filter { isDeeper(than: levelsMax) ? .tooDeep : self }

  fileprivate func isDeeper(than levels: Int) -> Bool {
    guard levels > 0 else { return true }
    switch self {
    case .always, .tooDeep: return false
    case .compare(let term, _, _), .isNull(let term), .oneOf(let term, _), .text(let term, _, _),
      .matches(let term, _), .beginning(let term, _):
      return term.isDeeper(than: levels - 1)
    case .comparison(let first, _, let second):
      return first.isDeeper(than: levels - 1) || second.isDeeper(than: levels - 1)
    case .related(_, _, let part), .not(let part): return part.isDeeper(than: levels - 1)
    case .and(let parts), .or(let parts):
      return parts.contains { $0.isDeeper(than: levels - 1) }
    }
  }
}

extension ExpressionTerm {
  /// This value as a part of another one.
  var asPart: ExpressionTerm { isDeeper(than: levelsMax) ? .tooDeep : self }

  fileprivate func isDeeper(than levels: Int) -> Bool {
    guard levels > 0 else { return true }
    switch self {
    case .path, .constant, .element, .tooDeep: return false
    case .arithmetic(_, _, let a, let b), .concatenation(let a, let b), .coalescing(let a, let b):
      return a.isDeeper(than: levels - 1) || b.isDeeper(than: levels - 1)
    case .conversion(_, _, let inner), .folded(_, let inner), .grouped(_, let inner):
      return inner.isDeeper(than: levels - 1)
    case .related(_, _, _, let value, let condition), .elements(let value, _, _, let condition):
      return value.isDeeper(than: levels - 1) || condition.isDeeper(than: levels - 1)
    }
  }
}

extension StoreError {
  /// A query that has, or had, too many levels.
  static func tooDeep(_ model: ModelBinding) -> StoreError {
    .queryInvalid(
      model: model.name.name,
      reason: "conditions and values are nested at most \(levelsMax) deep; "
        + "a chain of only && or only || may be longer")
  }
}
