package import RoostEngine
internal import Synchronization

/// A file of objects: hands out versions to any number of readers, and one write transaction at a time.
///
/// ```swift
/// let store = try Store("people.roost", models: Person.self, Dog.self)
/// try await store.write { tx in try tx.insert(ann) }
/// let people = try await store.read { snapshot in try snapshot.fetch(Person.where { $0.age >= 18 }) }
/// ```
///
/// A store may be used from every thread and actor. A file that a process opens twice, by any of its
/// paths, is one store underneath; another process that opens it gets ``StoreError/locked(path:)``.
public final class Store: Sendable {
  /// Where the store lies.
  public let location: Location
  /// Why the file was not compacted although ``Configuration/compaction`` said so when it was opened.
  ///
  /// Nil where it was compacted, or did not have to be. Nothing is lost: the store is open with the file
  /// as it was, and the next opening tries again. Worth a line in an app's log: a file that cannot be
  /// compacted for want of room only grows.
  public let compactionFailure: StoreError?
  /// The file that could not be opened, where ``Configuration/onUnreadable`` let the store start anew.
  ///
  /// Worth a line in an app's log; nil where the file was opened or missing.
  public let unreadableFile: UnreadableFile?
  /// The engine, until the store is closed.
  private let engine: Mutex<Engine?>
  private let isClosed = Atomic(false)
  private let generation = ForkGeneration.ofNewFile()
  /// The engine's newest version, found without the engine. Where this store is the first to keep its
  /// context beside it, a snapshot is one retain.
  private let newest: NewestVersion
  /// How the models lie in the file.
  package let binding: StoreBinding
  /// The models, to be found in kept versions.
  let descriptions: [ModelDescription]
  /// Where the `async` forms run.
  let readers: QueueExecutor
  let writers: QueueExecutor
  /// Where `async` writes that share a sync wait for it.
  let synchronizers: QueueExecutor
  /// The durability of writes that do not name one.
  let durability: Durability
  let oldSnapshots: OldSnapshotReports
  /// Evicts objects, where the store is a cache.
  let evictor: CacheEvictor?
  /// The version that was reported last.
  let reportedSnapshot = Atomic<UInt64>(0)
  /// The observers.
  let observers: ObserverList

  /// Opens the store at a location, or makes it, for objects of some models.
  ///
  /// ```swift
  /// let store = try Store("people.roost", models: Person.self, Dog.self) {
  ///   MigrationStep("2026-01 title becomes name") { try $0.rename("title", of: "Person", to: "name") }
  /// }
  /// ```
  ///
  /// The models are first checked by themselves. Then the file gets the migration's steps that it lacks, each in a
  /// transaction of its own; a file that is made now has them all behind it. Then the models are compared with the file. A
  /// model, an optional or defaulted field, or an index that the file has not is added to it, at no cost in its objects. What
  /// the file has and the models lack is kept, unseen: see ``keptFields``. As long as there is such a thing, the program may
  /// be an older one; then no index goes, and uniqueness and delete rules stay as they are in the file. Otherwise these
  /// follow the models.
  ///
  /// - Throws: ``StoreError/migrationRequired(_:)`` for any other difference; ``StoreError/migrationFailed(_:)`` where a step
  ///   could not go on; ``StoreError/fileIsNewer(path:features:unknownSteps:)`` where the file has a step behind it that the
  ///   plan does not know; ``StoreError/fieldOrder(model:field:receives:)``, and the errors of the file. The file is then as
  ///   it was, or as the steps before have left it.
  public init<each M: Model>(
    _ location: Location, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: () -> [MigrationStep] = { [] }
  ) throws(StoreError) {
    var descriptions: [ModelDescription] = []
    for model in repeat each models { descriptions.append(try ModelDescription(model)) }
    try Self.checkNames(of: descriptions)
    let opened = try StoreOpening(
      location, descriptions, MigrationPlan(migrations), configuration
    ).open()
    self.location = location
    compactionFailure = opened.engine.compactionFailure.map {
      StoreError($0, in: opened.binding.file)
    }
    unreadableFile = opened.unreadable
    engine = Mutex(opened.engine)
    newest = opened.engine.newest
    self.descriptions = descriptions
    binding = opened.binding
    readers = QueueExecutor("roost.read", isConcurrent: true)
    writers = QueueExecutor("roost.write")
    synchronizers = QueueExecutor("roost.sync")
    durability = configuration.durability
    observers = ObserverList(newest, of: binding)
    oldSnapshots = OldSnapshotReports(configuration)
    evictor = opened.evictor
    evictor?.didOpen(opened.engine)
  }

  deinit { observers.end() }

  /// Closes the store: every later use throws ``StoreError/closed``, and sequences of changes end.
  ///
  /// Transactions under way go on, and snapshots can still be read. The file is let go when the last of
  /// them, and of the rows read from them, is gone; dropping a store does the same.
  public func close() {
    isClosed.store(true, ordering: .releasing)
    observers.end()
    // The last holder of the engine lets the file go; not under the lock.
    let engine = engine.withLock { $0.take() }
    withExtendedLifetime(engine) {}
  }

  /// Why the file is not up to date in which a store in memory is mirrored; see ``Location/inMemory(mirroredTo:)``.
  ///
  /// Nil where it is up to date, where there is none, and when the store is closed. Worth a line in an app's log: what
  /// is written now does not outlast the process.
  public var mirrorFailure: StoreError? {
    guard let engine = try? open() else { return nil }
    return engine.mirrorFailure.map { StoreError($0) }
  }

  /// The newest version, to read for as long as it is held.
  ///
  /// Of a closed store it is one whose reads throw ``StoreError/closed``.
  public func snapshot() -> Snapshot {
    do throws(StoreError) { return Snapshot(try held()) } catch {
      return Snapshot(HeldVersion(refusing: error))
    }
  }

  /// The newest version.
  func version() throws(StoreError) -> VersionContext { try held().open() }

  /// What all snapshots of the newest version refer to, so that taking one allocates nothing.
  private func held() throws(StoreError) -> HeldVersion {
    guard generation.isCurrent else { throw .forked(path: file.path) }
    guard !isClosed.load(ordering: .acquiring), let held = try newest.held(for: binding) else {
      throw .closed
    }
    return held
  }

  /// Waits for the turn to write.
  func beginWrite() throws(StoreError) -> WriteContext {
    let engine = try open()
    let transaction = try working(on: binding.file) { () throws(EngineError) in
      try engine.beginWrite()
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

  /// Two models of one name would be one table; a link's target must be among the models.
  static func checkNames(of models: [ModelDescription]) throws(StoreError) {
    var names: [String: ModelName] = [:]
    for model in models {
      if names.updateValue(model.name, forKey: model.name.name) != nil {
        throw .schemaInvalid(
          model: model.name.name, reason: "the store was given two models of this name.")
      }
    }
    for model in models {
      for field in model.fields {
        guard let target = field.type.target, names[target.name] != target else { continue }
        throw .unknownModel(model: target.name)
      }
    }
  }
}
