internal import RoostEngine

/// How all models of an open store lie in its file.
@safe
final class StoreBinding: Sendable {
  /// The file, for errors.
  let file: StoreFile
  /// A number that no other file has.
  let identity: UInt64
  private let models: [ModelBinding]
  /// The models' types, in the same order.
  private let types: [ObjectIdentifier]
  private let references: [Unmanaged<ModelBinding>]
  private let linkTargets: Set<ModelName>
  /// How values lie that are kept under names.
  let values = ValueBindings()

  init(file: StoreFile, identity: UInt64, models: [ModelBinding]) {
    self.file = file
    self.identity = identity
    self.models = models
    types = models.map(\.name.type)
    unsafe references = models.map { unsafe Unmanaged.passUnretained($0) }
    linkTargets = Set(models.flatMap(\.linkTargets))
  }

  /// Whether any model links to this one.
  func isLinkTarget(_ name: ModelName) -> Bool { linkTargets.contains(name) }

  /// How a model lies in the file.
  func model(_ name: ModelName) throws(StoreError) -> ModelBinding {
    guard let binding = model(name.type) else { throw .unknownModel(model: name.name) }
    return binding
  }

  /// How a model lies in the file.
  @inline(__always)
  func model<M: Model>(_ type: M.Type) throws(StoreError) -> ModelBinding {
    if let binding = model(ObjectIdentifier(type)) { return binding }
    throw .unknownModel(model: String(describing: type))
  }

  /// How a model lies in the file, held by this binding; counts no references.
  @inline(__always)
  func reference(_ type: ObjectIdentifier) -> Unmanaged<ModelBinding>? {
    guard let place = types.firstIndex(of: type) else { return nil }
    return unsafe references[place]
  }

  // A store has few models: comparing with each is faster than hashing.
  @inline(__always)
  private func model(_ type: ObjectIdentifier) -> ModelBinding? {
    types.firstIndex(of: type).map { models[$0] }
  }
}
