extension QueryValue {
  /// The kind of a ``CaseNamed`` value: `$0.payment.kind == .card`.
  public subscript(
    dynamicMember next: KeyPath<Value, Value.Kind>
  ) -> QueryValue<Value.Kind> where Value: CaseNamed {
    QueryValue<Value.Kind>(term.kind(ofValueAt: next))
  }

  /// The kind of an optional ``CaseNamed`` value; if the value is nil, the kind compares like nil.
  public subscript<Named: CaseNamed>(
    dynamicMember next: KeyPath<Named, Named.Kind>
  ) -> QueryValue<Named.Kind> where Value == Named? {
    QueryValue<Named.Kind>(term.kind(ofValueAt: next))
  }
}

extension ExpressionTerm {
  /// The kind of this value, by the key path to it.
  fileprivate func kind<Named: CaseNamed>(
    ofValueAt path: KeyPath<Named, Named.Kind>
  ) -> ExpressionTerm {
    Named.hasKind(at: path) ? kind : part(at: nil, named: "\(path)")
  }

  /// The kind of this ``CaseNamed`` value: of a field, of a constant, or of one of two.
  package var kind: ExpressionTerm {
    switch self {
    case .constant(let constant):
      guard let value = constant.value as? any CaseNamed else { return self }
      return .constant(ExpressionConstant(value: value.kind))
    case .coalescing(let first, let second): return .coalescing(first.kind, second.kind)
    // The column after that of the value.
    default: return part(at: 1, named: "kind")
    }
  }
}
