internal import RoostEngine

/// Optional structs in conditions. A field of booleans marks whether the struct is there; it is no value of its own.
extension QueryBinder {
  /// A path to an optional struct as a whole.
  struct StructPath {
    /// The field that marks whether the struct is there, seen from the path's beginning.
    let value: ColumnExpression
    /// The names of its parts, where they belong.
    let parts: [String]
  }

  /// The optional struct that a path of names leads to; nil for anything else.
  func wholeStruct(_ syntax: QuerySyntax, _ scope: QueryScope) -> StructPath? {
    guard syntax.isPathOfNames, let typed = try? value(syntax, scope), typed.type == .bool else {
      return nil
    }
    let parts = QueryPrinter(catalog: catalog).parts(ofStruct: typed.value, scope)
    return parts.isEmpty ? nil : StructPath(value: typed.value, parts: parts)
  }

  /// The error for a struct that is compared with a value.
  func structError(_ syntax: QuerySyntax, _ path: StructPath) -> QueryTextError {
    let parts = path.parts.prefix(4).joined(separator: ", ") + (path.parts.count > 4 ? ", …" : "")
    return error(
      syntax, "This is a struct: compare it with nil only, or one of its parts: \(parts).")
  }
}

extension QuerySyntax {
  /// Whether it is a path whose steps are names, which is resolved without reading conditions.
  fileprivate var isPathOfNames: Bool {
    let (base, steps) = unwound
    switch base.form {
    case .name, .place, .variable, .outer: break
    default: return false
    }
    return steps.allSatisfy { if case .name(_, nil) = $0 { true } else { false } }
  }
}
