internal import RoostEngine

extension Query: CustomStringConvertible {
  /// The query as text: `Person where age >= 18 && name hasPrefix "An" sort name limit 20`.
  ///
  /// The library `RoostQueryText` parses it back. If no store can answer the query, because it uses an unknown field,
  /// the text has the reason.
  public var description: String {
    do throws(StoreError) { return try content.text(M.self) } catch { return "\(M.self): \(error)" }
  }
}

extension QueryContent {
  /// The query as text, using the models' own field names.
  fileprivate func text<M: Model>(_ model: M.Type) throws(StoreError) -> String {
    let binding = try binding(of: ModelName(model))
    return try binding.lower(self, try binding.model(model)).text(in: binding.catalog)
  }

  /// The models' descriptions of the fields that the query uses.
  package func binding(of model: ModelName) throws(StoreError) -> StoreBinding {
    if let origin { return origin.binding }
    var models = [model]
    func add(_ name: ModelName) { if !models.contains(name) { models.append(name) } }
    filter.forEachModel(add)
    for key in order { key.value.forEachModel(add) }
    // Fields read through links are looked up in the links' targets.
    for model in models { model.linkTargets.forEach(add) }
    return try StoreBinding(unstored: models)
  }
}

extension Filter {
  /// Calls `body` with the models whose fields are used.
  fileprivate func forEachModel(_ body: (ModelName) -> Void) {
    switch self {
    case .always, .tooDeep: break
    case .compare(let term, _, _), .isNull(let term), .oneOf(let term, _), .text(let term, _, _),
      .matches(let term, _), .beginning(let term, _):
      term.forEachModel(body)
    case .comparison(let first, _, let second):
      first.forEachModel(body)
      second.forEachModel(body)
    case .related(let path, let model, let condition):
      path.forEachModel(body)
      body(model)
      condition.forEachModel(body)
    case .and(let parts), .or(let parts): for part in parts { part.forEachModel(body) }
    case .not(let part): part.forEachModel(body)
    }
  }
}

extension ExpressionTerm {
  /// Calls `body` with the models whose fields are used.
  fileprivate func forEachModel(_ body: (ModelName) -> Void) {
    switch self {
    case .constant, .element, .tooDeep: break
    case .path(let path): for step in path.links + [path.field] { body(step.model) }
    case .arithmetic(_, _, let a, let b), .concatenation(let a, let b), .coalescing(let a, let b):
      a.forEachModel(body)
      b.forEachModel(body)
    case .conversion(_, _, let inner), .folded(_, let inner), .grouped(_, let inner):
      inner.forEachModel(body)
    case .related(let path, let model, _, let value, let condition):
      path.forEachModel(body)
      body(model)
      value.forEachModel(body)
      condition.forEachModel(body)
    case .elements(let collection, _, _, let condition):
      collection.forEachModel(body)
      condition.forEachModel(body)
    }
  }

  /// Its name in errors: the first field's.
  var name: String {
    switch self {
    case .path(let path): path.description
    case .constant(let constant): "\(constant.value)"
    case .arithmetic(_, _, let inner, _), .concatenation(let inner, _), .coalescing(let inner, _),
      .conversion(_, _, let inner), .folded(_, let inner), .elements(let inner, _, _, _):
      inner.name
    case .grouped(let function, let inner): "\(function) of \(inner.name)"
    case .related(let path, _, _, _, _): path.name
    case .element(let step): step.name.isEmpty ? "$0" : step.name
    case .tooDeep: "…"
    }
  }
}

extension RelationPath {
  fileprivate func forEachModel(_ body: (ModelName) -> Void) {
    for step in links { body(step.model) }
    switch end {
    case .links(let step), .inverse(let step): body(step.model)
    }
  }

  /// The path to the objects, for errors.
  var name: String {
    switch end {
    case .links(let step), .inverse(let step): (links + [step]).map(\.name).joined(separator: ".")
    }
  }
}

extension FieldPath: CustomStringConvertible {
  @usableFromInline
  package var description: String { (links + [field]).map(\.name).joined(separator: ".") }
}
