internal import RoostEngine

/// A condition on objects, as the query operators build it: over key paths, without a store.
///
/// A store that runs the query lowers it once to the engine's `Predicate`, over field ids.
indirect enum Filter: Hashable, Sendable {
  case always(Bool)
  case compare(FieldPath, Comparison, Value)
  case isNull(FieldPath)
  case oneOf(FieldPath, [Value])
  case text(FieldPath, TextMatch, String)
  case and([Filter])
  case or([Filter])
  case not(Filter)

  /// Both conditions; chains become one flat list, so that the order of parentheses makes no difference.
  static func both(_ a: Filter, _ b: Filter) -> Filter {
    switch (a, b) {
    case (.and(let first), .and(let second)): .and(first + second)
    case (.and(let first), _): .and(first + [b])
    case (_, .and(let second)): .and([a] + second)
    default: .and([a, b])
    }
  }

  /// Either condition.
  static func either(_ a: Filter, _ b: Filter) -> Filter {
    switch (a, b) {
    case (.or(let first), .or(let second)): .or(first + second)
    case (.or(let first), _): .or(first + [b])
    case (_, .or(let second)): .or([a] + second)
    default: .or([a, b])
    }
  }
}

/// The way from a query's model to a field: through links, then to the field itself.
struct FieldPath: Hashable, Sendable {
  /// The links on the way, each a field of the model before.
  var links: [FieldStep] = []
  var field: FieldStep

  /// The field of the target that the link at the end of this path leads to.
  func following(to next: FieldStep) -> FieldPath {
    FieldPath(links: links + [field], field: next)
  }
}

/// One field of one model.
struct FieldStep: Hashable, Sendable {
  let model: ModelName
  /// The field's place in its schema; nil for a property that the schema does not list.
  let position: Int?
  /// The field's stored name, or the property that was asked for.
  let name: String

  init<M: Model>(_ model: M.Type, _ path: AnyKeyPath) {
    self.model = ModelName(model)
    position = M.schema.position(of: path)
    name = position.map { M.schema.fields[$0].name } ?? "\(path)"
  }

  /// The key of a model.
  init<M: Model>(keyOf model: M.Type) {
    self.model = ModelName(model)
    position = M.schema.fields.firstIndex { $0.isKey }
    name = position.map { M.schema.fields[$0].name } ?? "id"
  }
}
