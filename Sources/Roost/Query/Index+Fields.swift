internal import RoostEngine

extension Index {
  /// An index ordered by some properties, the most significant first: at most 16 numbers, texts, dates,
  /// enums or links, and no collections.
  ///
  /// - Parameters:
  ///   - property: The properties, the most significant first.
  ///   - condition: What objects of the index fulfil: their own properties compared with constants by `==`, `!=`,
  ///     `<` and so on, joined by `&&`.
  public init<each Value: Storable>(
    _ property: repeat any KeyPath<M, each Value> & Sendable,
    where condition: (@Sendable (QueryRoot<M>) -> QueryCondition)? = nil
  ) {
    var fields: [@Sendable () -> FieldStep] = []
    for path in repeat each property { fields.append { FieldStep(M.self, path) } }
    self.init(fields, isUnique: false, condition)
  }

  /// A unique index: no two objects have the same values in some properties. Objects with a nil among them may have
  /// equal values.
  ///
  /// - Parameters:
  ///   - property: The properties, the most significant first.
  ///   - condition: What objects of the index fulfil; what others have does not matter.
  public static func unique<each Value: Storable>(
    _ property: repeat any KeyPath<M, each Value> & Sendable,
    where condition: (@Sendable (QueryRoot<M>) -> QueryCondition)? = nil
  ) -> Index {
    var fields: [@Sendable () -> FieldStep] = []
    for path in repeat each property { fields.append { FieldStep(M.self, path) } }
    return Index(fields, isUnique: true, condition)
  }

  private init(
    _ fields: [@Sendable () -> FieldStep], isUnique: Bool,
    _ condition: (@Sendable (QueryRoot<M>) -> QueryCondition)?
  ) {
    self.init { (model, columns) throws(StoreError) in
      let naming = IndexNaming<M>(model: model, fields: columns)
      var draft = TableIndexDraft(of: [], isUnique: isUnique)
      for step in fields { draft.fields.append(try naming.field(step()).name) }
      guard let condition else { return draft }
      guard let conditions = try naming.conditions(condition(QueryRoot()).filter) else {
        throw Self.refusal(
          model, "has a condition that is not own fields compared with constants")
      }
      draft.condition = conditions
      return draft
    }
  }
}

/// Finds the names of an index's fields.
private struct IndexNaming<M: Model> {
  let model: ModelName
  let fields: [FieldDescription]

  func field(_ step: FieldStep) throws(StoreError) -> FieldDescription {
    guard step.model == model, let position = step.position, position < fields.count else {
      throw .unknownField(model: step.model.name, property: step.name)
    }
    let field = fields[position]
    let kind = field.type.kind
    guard !field.isKey || !kind.canBeObjectKey else {
      throw Index<M>.refusal(
        model,
        "has the key \"\(field.name)\", in whose order equal entries lie anyway: leave it out")
    }
    guard kind.canBeCompounded || kind == .link else {
      throw Index<M>.refusal(
        model, "has \"\(field.name)\", of type \(field.type), which none can have")
    }
    return field
  }

  /// The parts of a condition, all of which must hold; nil if it has another form.
  func conditions(
    _ filter: Filter
  ) throws(StoreError) -> [TableIndexDraft.FieldCondition]? {
    switch filter {
    case .always(true): return []
    case .and(let parts):
      var all: [TableIndexDraft.FieldCondition] = []
      for part in parts {
        guard let conditions = try conditions(part) else { return nil }
        all += conditions
      }
      return all
    case .compare(.path(let path), let comparison, let value):
      return try condition(path, .compare(comparison, value))
    case .isNull(.path(let path)): return try condition(path, .isNull)
    case .not(.isNull(.path(let path))): return try condition(path, .isNotNull)
    case .not(.compare(.path(let path), .equal, let value)):
      return try condition(path, .compare(.notEqual, value))
    case .always, .compare, .comparison, .isNull, .oneOf, .text, .matches, .beginning, .related,
      .or, .not, .tooDeep:
      return nil
    }
  }

  private func condition(
    _ path: FieldPath, _ test: IndexCondition.Test
  ) throws(StoreError) -> [TableIndexDraft.FieldCondition]? {
    guard path.links.isEmpty else { return nil }
    if case .compare(_, let value) = test {
      guard value != .null else { return nil }
      if case .bytes(let bytes) = value, bytes.count > Catalog.defaultBytesMax {
        throw Index<M>.refusal(
          model,
          "has a constant of \(bytes.count) bytes; \(Catalog.defaultBytesMax) are the most")
      }
    }
    return [TableIndexDraft.FieldCondition(try field(path.field).name, test)]
  }
}
