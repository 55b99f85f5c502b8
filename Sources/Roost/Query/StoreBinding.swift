internal import RoostEngine

/// How all models of an open store lie in its file.
final class StoreBinding: Sendable {
  /// The file's path, for messages.
  let path: String
  private let models: [ObjectIdentifier: ModelBinding]
  private let linkTargets: Set<ModelName>

  init(path: String, models: [ModelBinding]) {
    self.path = path
    self.models = Dictionary(
      models.map { ($0.name.type, $0) }, uniquingKeysWith: { first, _ in first })
    linkTargets = Set(models.flatMap(\.linkTargets))
  }

  /// Whether any model links to this one.
  func isLinkTarget(_ name: ModelName) -> Bool { linkTargets.contains(name) }

  /// How a model lies in the file.
  func model(_ name: ModelName) throws(StoreError) -> ModelBinding {
    guard let binding = models[name.type] else { throw .unknownModel(model: name.name) }
    return binding
  }

  /// How a model lies in the file.
  func model<M: Model>(_ type: M.Type) throws(StoreError) -> ModelBinding {
    if let binding = models[ObjectIdentifier(type)] { return binding }
    throw .unknownModel(model: String(describing: type))
  }

  /// The number of a field.
  func field(_ step: FieldStep) throws(StoreError) -> FieldID {
    let binding = try model(step.model)
    guard let position = step.position, position < binding.fields.count else {
      throw .unknownField(model: step.model.name, property: step.name)
    }
    return binding.fields[position]
  }
}
