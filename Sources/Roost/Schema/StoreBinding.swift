package import RoostEngine
internal import Synchronization

/// How all models of an open store are stored in its file.
package final class StoreBinding: Sendable {
  /// The file, for errors.
  let file: StoreFile
  /// A number that is unique to the file.
  let identity: UInt64
  /// The file's tables when it was opened.
  package let catalog: Catalog
  /// The last ``RoostEngine/Version/modelsEpoch`` that ``fits(_:epoch:)`` accepted.
  private let fittingEpoch: Atomic<UInt64>
  private let models: [ModelBinding]
  /// The errors of requested models that do not fit the file.
  private let unfit: [(type: ObjectIdentifier, error: StoreError)]
  /// The models' types, in the same order.
  private let types: [ObjectIdentifier]
  private let references: [UnownedReference<ModelBinding>]
  private let linkTargets: [ObjectIdentifier]
  /// The bindings of values under names.
  let values = ValueBindings()
  /// Whether its store was closed.
  let isClosed = Atomic(false)

  /// - Parameters:
  ///   - epoch: The version's, from which on the models lie so; see ``fits(_:epoch:)``.
  ///   - unfit: By their types, models that are not as the program declares them.
  init(
    file: StoreFile, identity: UInt64, catalog: Catalog, models: [ModelBinding],
    epoch: UInt64 = 0, unfit: [(type: ObjectIdentifier, error: StoreError)] = []
  ) {
    fittingEpoch = Atomic(epoch)
    self.unfit = unfit
    // Without models it belongs to a step, or to a tool.
    self.file = models.isEmpty ? file : file.opened(with: models.map(\.name.name))
    self.identity = identity
    self.catalog = catalog
    self.models = models
    types = models.map(\.name.type)
    references = models.map { UnownedReference($0) }
    linkTargets = models.flatMap(\.linkTargets).map(\.type)
  }

  /// Models without a store, as in a new store; links to other models have no targets.
  convenience init(unstored models: [ModelName]) throws(StoreError) {
    func describe<M: Model>(_ model: M.Type) throws(StoreError) -> ModelDescription {
      try ModelDescription(model)
    }
    let file = StoreFile(path: "objects in memory")
    var catalog = Catalog()
    var bindings: [ModelBinding] = []
    for name in models {
      let model = try describe(name.model)
      let table = try working(on: file) { () throws(EngineError) in
        try catalog.addTable(
          named: name.name,
          fields: model.fields.map { field in
            var definition = field.definition
            let place = field.type.target.flatMap { models.firstIndex(of: $0) }
            definition.target = place.map { UInt32($0 + 1) } ?? 0
            return definition
          })
      }
      bindings.append(try ModelBinding(model, in: table))
    }
    self.init(file: file, identity: 0, catalog: catalog, models: bindings)
  }

  /// Models without a store, and all models that their links lead to.
  package static func reaching(
    _ models: [ModelName]
  ) throws(StoreError) -> StoreBinding {
    var models = models
    var seen = Set(models.map(\.type))
    var place = 0
    while place < models.count {
      for target in models[place].linkTargets where seen.insert(target.type).inserted {
        models.append(target)
      }
      place += 1
    }
    return try StoreBinding(unstored: models)
  }

  /// The models whose objects link to one object of this model.
  func models(linkingTo target: ModelBinding) -> [LinkingModel] {
    models.compactMap { LinkingModel($0, to: target) }
  }

  /// Whether any model links to this one.
  func isLinkTarget(_ name: ModelName) -> Bool { linkTargets.contains(name.type) }

  /// The binding of a table's model; nil if the table has none.
  func model(ofTable id: UInt32) -> ModelBinding? { models.first { $0.tableID == id } }

  /// A model by its name; nil if it is none of the store's.
  func model(named name: String) -> ModelName? { models.first { $0.name.name == name }?.name }

  /// The binding of a model.
  func model(_ name: ModelName) throws(StoreError) -> ModelBinding {
    guard let binding = model(name.type) else { throw missing(name.model, name.name) }
    return binding
  }

  /// The binding of a model.
  @inline(__always)
  func model<M: Model>(_ type: M.Type) throws(StoreError) -> ModelBinding {
    if let binding = model(ObjectIdentifier(type)) { return binding }
    throw missing(type, ModelName.name(of: type))
  }

  /// The error for a model that is missing.
  ///
  /// Its name is qualified where the store has another type of this name.
  func missing(_ type: Any.Type, _ name: String) -> StoreError {
    let isTaken = models.contains { $0.name.name == name }
    return unfit.first { $0.type == ObjectIdentifier(type) }?.error
      ?? .unknownModel(model: isTaken ? String(reflecting: type) : name)
  }

  /// Whether the bindings are valid in a version: not where another store of the file has migrated a model of this one, or
  /// an older version was restored.
  ///
  /// - Complexity: A comparison of numbers, except for the first version after a change of tables or fields.
  @inline(__always)
  func fits(_ catalog: Catalog, epoch: UInt64) -> Bool {
    epoch == fittingEpoch.load(ordering: .relaxed) || hasModels(in: catalog, epoch: epoch)
  }

  @inline(never)
  private func hasModels(in catalog: Catalog, epoch: UInt64) -> Bool {
    guard models.allSatisfy({ $0.isIn(catalog) }) else { return false }
    fittingEpoch.store(epoch, ordering: .relaxed)
    return true
  }

  /// The binding of a model, retained by this object; counts no references.
  @inline(__always)
  func reference(_ type: ObjectIdentifier) -> UnownedReference<ModelBinding>? {
    guard let place = types.firstIndex(of: type) else { return nil }
    return references[place]
  }

  // A store has few models: comparing with each is faster than hashing.
  @inline(__always)
  private func model(_ type: ObjectIdentifier) -> ModelBinding? {
    types.firstIndex(of: type).map { models[$0] }
  }
}
