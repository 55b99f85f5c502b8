internal import RoostEngine

/// Opens a store's file and makes it fit the models.
struct StoreOpening {
  private let location: Location
  private let models: [ModelDescription]
  private let configuration: Configuration

  init(_ location: Location, _ models: [ModelDescription], _ configuration: Configuration) {
    self.location = location
    self.models = models
    self.configuration = configuration
  }

  private var path: String {
    switch location {
    case .file(let path), .mirrored(let path): path
    case .inMemory: "the store in memory"
    }
  }

  /// The file while nothing is known of what it holds.
  private var file: StoreFile { StoreFile(path: path) }

  /// An open file that fits the models.
  struct Opened {
    let engine: Engine
    let binding: StoreBinding
    /// The file that was there before, where it could not be opened.
    let unreadable: UnreadableFile?
  }

  func open() throws(StoreError) -> Opened {
    let (engine, unreadable) = try working(on: file) { () throws(EngineError) in
      try openOrStartAnew()
    }
    let evolution = try SchemaEvolution(from: engine.snapshot().catalog, to: models)
    if !evolution.steps.isEmpty && !configuration.isReadOnly && !engine.isReadOnly {
      try evolve(engine)
    }
    return Opened(
      engine: engine, binding: try bind(engine.snapshot()), unreadable: unreadable)
  }

  /// Opens the file; where it cannot be opened, does with it as the configuration says.
  private func openOrStartAnew() throws(EngineError) -> (Engine, UnreadableFile?) {
    do { return (try openEngine(), nil) } catch {
      guard location != .inMemory, !configuration.isReadOnly else { throw error }
      let unreadable = try configuration.onUnreadable.clear(
        path, after: error, in: configuration.fileSystem)
      // The file that is made now, or that somebody else made meanwhile, is opened or not.
      return (try openEngine(), unreadable)
    }
  }

  private func openEngine() throws(EngineError) -> Engine {
    var options = EngineOptions(
      isReadOnly: configuration.isReadOnly, cacheBytes: configuration.cacheBytesMax)
    options.newFilePermissions = configuration.newFilePermissions
    let isWorthwhile = configuration.compactsOnOpen
    options.compactsOnOpen = { fileBytes, usedBytes in
      isWorthwhile(Int64(clamping: fileBytes), Int64(clamping: usedBytes))
    }
    switch location {
    case .file(let path):
      return try Engine.open(path, in: configuration.fileSystem, options: options)
    case .inMemory: return try Engine.open("store", in: MemoryFileSystem(), options: options)
    case .mirrored(let path):
      let fileSystem = MirroredFileSystem(
        mirroring: path, on: configuration.fileSystem,
        permissions: configuration.newFilePermissions)
      return try Engine.open(path, in: fileSystem, options: options)
    }
  }

  /// Brings the file's tables to what the models declare, in one transaction.
  private func evolve(_ engine: Engine) throws(StoreError) {
    let transaction = try working(on: file) { () throws(EngineError) in try engine.beginWrite() }
    do {
      // Another store of this process may have changed the tables before it was our turn.
      let evolution = try SchemaEvolution(from: transaction.catalog, to: models)
      try evolution.apply(to: transaction, in: file)
      try working(on: file) { () throws(EngineError) in _ = try transaction.commit() }
    } catch {
      transaction.rollback()
      throw error
    }
  }

  /// Finds each model's table and fields.
  ///
  /// In a file that is only read, a table or a field may be missing that would have been added.
  private func bind(_ snapshot: RoostEngine.Snapshot) throws(StoreError) -> StoreBinding {
    let catalog = snapshot.catalog
    var bindings: [ModelBinding] = []
    for model in models {
      guard let table = catalog.table(named: model.name.name) else {
        throw .schemaMismatch(
          model: model.name.name, field: model.fields[model.keyPosition].name, stored: "nothing",
          declared: "\(model.fields[model.keyPosition].type)")
      }
      bindings.append(try ModelBinding(model, in: table))
    }
    return StoreBinding(
      file: StoreFile(path: path, catalog: catalog), identity: snapshot.fileIdentity,
      catalog: catalog, models: bindings)
  }
}
