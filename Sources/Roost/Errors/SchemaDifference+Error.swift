extension SchemaDifference {
  /// The error for a value under a name, which migration steps do not handle.
  var mismatch: StoreError {
    switch self {
    case .pendingStep(let name), .unknownName(_, let name):
      .planInvalid(step: name, reason: description)
    case .pendingChange(let model, let field):
      .schemaMismatch(
        model: model, field: field ?? "all fields", stored: "otherwise", declared: "anew")
    case .missingField(let model, let field, let declared, _, _):
      .schemaMismatch(
        model: model, field: field, stored: "nothing",
        declared: "\(declared) without a default")
    case .otherType(let model, let field, let stored, let declared),
      .otherStruct(let model, let field, let stored, let declared, _):
      .schemaMismatch(model: model, field: field, stored: stored, declared: declared)
    case .otherTarget(let model, let field, let stored, let declared, let isList):
      .schemaMismatch(
        model: model, field: field, stored: Self.link(to: stored, isList: isList),
        declared: Self.link(to: declared, isList: isList))
    case .otherKey(let model, let stored, let field, let declared, _):
      .schemaMismatch(
        model: model, field: "the key", stored: stored, declared: "\"\(field)\", \(declared)")
    case .missingKind(let model, let field, let declared):
      .schemaMismatch(
        model: model, field: field, stored: "without the kinds of its values", declared: declared)
    case .duplicateValues(let model, let field, let value):
      .duplicateKey(model: model, field: field, value: value)
    case .duplicateDefault(let model, let field, _):
      .duplicateKey(model: model, field: field, value: "its default")
    case .missingValues(let model, let field, let objects, let declared):
      .schemaMismatch(
        model: model, field: field, stored: "optional, and nil in \(objects)", declared: declared)
    }
  }
}
