package import RoostEngine
internal import Synchronization

/// A file of objects, with any number of concurrent readers of its versions, and one write transaction at a time.
///
/// ```swift
/// let store = try Store("people.roost", models: Person.self, Dog.self)
/// try await store.write { tx in try tx.insert(ann) }
/// let people = try await store.read { snapshot in try snapshot.fetch(Person.where { $0.age >= 18 }) }
/// ```
///
/// A store may be used from every thread and actor. If a process opens a file twice, by any of its
/// paths, both stores share it, also with different models; only a store that is read-only and one that writes cannot,
/// which is ``StoreError/openInOtherMode(path:isReadOnly:)``. Another process that opens it gets
/// ``StoreError/locked(path:)``.
public final class Store: Sendable {
  /// The location of the store.
  public let location: Location
  /// The reason why the file was not compacted when it was opened although ``Configuration/compaction`` requested it.
  ///
  /// Nil if it was compacted, or did not have to be. Nothing is lost: the store is open with the unchanged
  /// file, and the next opening tries again. Log it: a file that cannot be
  /// compacted for lack of space only grows.
  public let compactionFailure: StoreError?
  /// The file that could not be opened, if ``Configuration/onUnreadable`` let the store start empty.
  ///
  /// Log it; nil if the file was opened or missing.
  public let unreadableFile: UnreadableFile?
  /// The engine, until the store is closed.
  private let engine: Mutex<Engine?>
  /// Notes that the store uses the engine.
  private let mark: HolderMark
  private let generation = ForkGeneration.ofNewFile()
  /// The engine's newest version, found without the engine. If this store was the first to attach its
  /// context to the version, taking a snapshot is a single retain.
  let newest: NewestVersion
  /// The models' bindings to the file.
  package let binding: StoreBinding
  /// The models, for binding them in kept versions.
  let descriptions: [ModelDescription]
  /// The queue that runs the `async` writes.
  let writers: QueueExecutor
  /// The queue on which `async` writes that share a sync wait for it.
  let synchronizers: QueueExecutor
  /// The default durability of writes.
  let durability: Durability
  let oldSnapshots: OldSnapshotReports
  /// Evicts objects, if the store is a cache.
  let evictor: CacheEvictor?
  /// The version that was reported last.
  let reportedSnapshot = Atomic<UInt64>(0)
  /// The observers.
  let observers: ObserverList

  /// Opens the store at a location, or creates it, for objects of some models.
  ///
  /// ```swift
  /// let store = try Store("people.roost", models: Person.self, Dog.self) {
  ///   MigrationStep("2026-01 title becomes name") { try $0.rename("title", of: "Person", to: "name") }
  /// }
  /// ```
  ///
  /// The models are checked first. Then the missing migration steps are run in the file, each in a
  /// separate transaction; a new file counts as having all of them. Then the models are compared with the file. A
  /// model, an optional or defaulted field, or an index that the file lacks is added to it, without touching objects. Data in
  /// the file that the models lack is kept, unseen: see ``keptFields``. While there is any, the program may
  /// be an older one; then no index is removed, and uniqueness and delete rules stay as they are in the file. Otherwise these
  /// follow the models.
  ///
  /// - Parameters:
  ///   - location: A path, in memory, or a copy of a file that is shipped with the app: see ``Location``.
  ///   - models: The models that are read and written here, `Person.self, Dog.self`, and those that they link to.
  ///   - configuration: Whether it is read-only, what writes wait for, the size of the cache and more.
  ///   - migrations: All migration steps that the program has ever had, in order; by default there are none.
  ///   - fileID: With `line`, where ``StoreError/inUse(path:by:)`` says that the store was opened.
  ///   - line: See `fileID`.
  /// - Throws: ``StoreError/migrationRequired(_:)`` for any other difference; ``StoreError/migrationFailed(_:)`` where a step
  ///   could not go on; ``StoreError/fileIsNewer(path:features:unknownSteps:)`` where the file has a step behind it that the
  ///   plan does not know; ``StoreError/fieldOrder(model:field:receives:)``, and the errors of the file. The file is then as
  ///   it was, or as the steps before have left it.
  public convenience init<each M: Model>(
    _ location: Location, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: () -> [MigrationStep] = { [] },
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(StoreError) {
    try self.init(
      StoreOpening(
        location, Self.descriptions(of: repeat each models), MigrationPlan(migrations),
        configuration, place: SourcePlace(fileID, line)))
  }

  /// Opens the store in the file at a path, or creates it: like opening it at ``Location/file(_:)-enum.case``.
  public convenience init<each M: Model>(
    _ path: String, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: () -> [MigrationStep] = { [] },
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(StoreError) {
    try self.init(
      StoreOpening(
        .file(path), Self.descriptions(of: repeat each models), MigrationPlan(migrations),
        configuration, place: SourcePlace(fileID, line)))
  }

  init(_ opening: StoreOpening) throws(StoreError) {
    let opened = try opening.open()
    let configuration = opening.configuration
    location = opening.location
    compactionFailure = opened.engine.compactionFailure.map {
      StoreError($0, in: opened.binding.file)
    }
    unreadableFile = opened.unreadable
    engine = Mutex(opened.engine)
    newest = opened.engine.newest
    mark = newest.holders.markStore(at: opening.place)
    descriptions = opening.models
    binding = opened.binding
    writers = QueueExecutor("roost.write")
    synchronizers = QueueExecutor("roost.sync")
    durability = configuration.durability
    observers = ObserverList(newest, of: binding)
    oldSnapshots = OldSnapshotReports(configuration)
    evictor = opened.evictor
    evictor?.didOpen(opened.engine)
  }

  deinit { end() }

  /// Closes the store: every later use throws ``StoreError/closed``, and sequences of changes end.
  ///
  /// Running transactions continue, and snapshots can still be read. The file is released when the last of
  /// them, and of the rows read from them, is released; dropping a store does the same. If this process opens the file
  /// again while they are held, the new store joins the open file.
  public func close() { end() }

  private func end() {
    binding.isClosed.store(true, ordering: .releasing)
    observers.end()
    // In a forked child, threads that do not exist there may hold the locks.
    if generation.isCurrent { newest.dropCompanions(of: binding) }
    // What remains of the versions is held by snapshots and rows.
    guard let engine = engine.withLock({ $0.take() }) else { return }
    // If the engine stays for them, it does not sync now by ending. There is no caller to report a failure to.
    if mark.end(leaving: engine) { try? engine.synchronize() }
    // The last owner of the engine closes the file; not under the lock.
    withExtendedLifetime(engine) {}
  }

  /// The reason why the file that mirrors a store in memory is not up to date; see ``Location/inMemory(mirroredTo:)``.
  ///
  /// Nil if it is up to date, if there is none, and when the store is closed. Log it: current writes
  /// do not survive the process.
  public var mirrorFailure: StoreError? {
    guard let engine = try? open() else { return nil }
    return engine.mirrorFailure.map { StoreError($0) }
  }

  /// The newest version, readable while it is retained.
  ///
  /// For a closed store, a snapshot whose reads throw ``StoreError/closed``.
  /// - Parameters:
  ///   - fileID: With `line`, what ``StoreError/inUse(path:by:)`` names in debug builds if the snapshot is still held.
  ///   - line: See `fileID`.
  public func snapshot(fileID: StaticString = #fileID, line: UInt = #line) -> Snapshot {
    do throws(StoreError) {
      #if DEBUG
      return Snapshot(try version(at: SourcePlace(fileID, line)))
      #else
      return Snapshot(try held())
      #endif
    } catch {
      return Snapshot(HeldVersion(refusing: error))
    }
  }

  /// The newest version.
  func version() throws(StoreError) -> VersionContext { try held().open() }

  /// The newest version; in debug builds one that notes who reads it.
  @inline(__always)
  func version(at place: SourcePlace) throws(StoreError) -> VersionContext {
    let version = try version()
    #if DEBUG
    let number = version.snapshot.version.transaction
    guard let mark = newest.holders.markVersion(number, at: place) else { throw .closed }
    return VersionContext(version.snapshot, binding: binding, mark: mark)
    #else
    return version
    #endif
  }

  /// The content shared by all snapshots of the newest version, so that taking one allocates nothing.
  private func held() throws(StoreError) -> HeldVersion {
    guard generation.isCurrent else { throw .forked(path: file.path) }
    guard !binding.isClosed.load(ordering: .acquiring), let held = try newest.held(for: binding)
    else {
      throw .closed
    }
    return held
  }

  /// Waits for the turn to write.
  ///
  /// - Parameter onTrees: Whether the version that the transaction begins from may get a name.
  func beginWrite(onTrees: Bool = false) throws(StoreError) -> WriteContext {
    let engine = try open()
    let transaction = try working(on: binding.file) { () throws(EngineError) in
      try engine.beginWrite(onTrees: onTrees)
    }
    guard binding.fits(transaction.catalog, epoch: transaction.modelsEpoch) else {
      transaction.rollback()
      throw .modelsChanged
    }
    transaction.writeTime = evictor?.didBeginWrite()
    return WriteContext(transaction, binding: binding)
  }

  /// The file, for errors.
  var file: StoreFile { binding.file }

  package func open() throws(StoreError) -> Engine {
    guard generation.isCurrent else { throw .forked(path: file.path) }
    guard let engine = engine.withLock({ $0 }) else { throw .closed }
    return engine
  }

  /// What a store must know of its models.
  ///
  /// - Throws: Why they cannot be those of one store.
  static func descriptions<each M: Model>(
    of models: repeat (each M).Type
  ) throws(StoreError) -> [ModelDescription] {
    var descriptions: [ModelDescription] = []
    for model in repeat each models { descriptions.append(try ModelDescription(model)) }
    try checkNames(of: descriptions)
    return descriptions
  }

  /// Two models with the same name would share a table; a link's target must be among the models.
  private static func checkNames(of models: [ModelDescription]) throws(StoreError) {
    var names: [String: ModelName] = [:]
    for model in models {
      guard let other = names.updateValue(model.name, forKey: model.name.name) else { continue }
      throw .schemaInvalid(
        model: model.name.name,
        reason: other.type == model.name.type
          ? "the store was given it twice."
          : "the store was given two models of this name, \(other.qualifiedName) and "
            + "\(model.name.qualifiedName).")
    }
    for model in models {
      for field in model.fields {
        guard let target = field.type.target, names[target.name] != target else { continue }
        guard let other = names[target.name] else { throw .unknownModel(model: target.name) }
        throw .schemaInvalid(
          model: model.name.name,
          reason:
            "\"\(field.name)\" links to \(target.qualifiedName), and the store was given another type of this "
            + "name, \(other.qualifiedName).")
      }
    }
  }
}
