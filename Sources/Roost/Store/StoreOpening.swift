internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Opens a store's file and makes it fit the models.
struct StoreOpening {
  let location: Location
  let models: [ModelDescription]
  private let plan: MigrationPlan
  let configuration: Configuration
  /// The code that opens the store, if that is known.
  let place: SourcePlace?
  /// Reports the progress of the migration; nil where it is not requested.
  private let recorder: MigrationRecorder?

  init(
    _ location: Location, _ models: [ModelDescription], _ plan: MigrationPlan,
    _ configuration: Configuration, recorder: MigrationRecorder? = nil, place: SourcePlace? = nil
  ) {
    self.place = place
    self.location = location
    self.models = models
    self.plan = plan
    self.configuration = configuration
    self.recorder = recorder
  }

  private var path: String { location.path ?? "the store in memory" }

  /// The file before its content is known.
  var file: StoreFile { StoreFile(path: path) }

  /// An open file that fits the models.
  struct Opened {
    let engine: Engine
    let binding: StoreBinding
    /// Evicts objects, if the store is a cache and writable.
    let evictor: CacheEvictor?
    /// The previous file, if it could not be opened.
    let unreadable: UnreadableFile?
  }

  func open() throws(StoreError) -> Opened {
    do { return try openAsItIs() } catch {
      guard configuration.onSchemaChange == .recreate, error.isOfSchema, location != .inMemory,
        configuration.migrates, !configuration.isReadOnly
      else { throw error }
    }
    try Store.removeOwnFiles(at: path)
    return try openAsItIs()
  }

  func openAsItIs() throws(StoreError) -> Opened {
    guard !path.isEmpty else { throw .fileNotFound(path: "") }
    let (engine, unreadable): (Engine, UnreadableFile?)
    do throws(StoreError) { (engine, unreadable) = try openOrStartAnew() } catch {
      throw missingDirectory(after: error) ?? error
    }
    let kept = versionsKeptThroughOpenings(engine)
    // A program without models, such as a tool, may open every file, even if its history cannot be read.
    if !models.isEmpty || !plan.steps.isEmpty { try migrate(engine) }
    if configuration.cache != nil { try noteWriteTimes(engine) }
    let binding = try bind(engine.snapshot())
    countOpening(engine, of: kept)
    return Opened(
      engine: engine, binding: binding, evictor: evictor(engine, binding), unreadable: unreadable)
  }

  /// The error for a missing directory, if that is why the file could not be created.
  private func missingDirectory(after error: StoreError) -> StoreError? {
    guard case .fileNotFound(path) = error, configuration.createsFile, !configuration.isReadOnly,
      let end = path.lastIndex(of: "/"), end != path.startIndex
    else { return nil }
    let directory = String(path[..<end])
    do {
      return try configuration.fileSystem.kind(of: directory) == nil
        ? .directoryNotFound(path: directory) : nil
    } catch {
      return nil  // That the file is not found is true, too.
    }
  }

  private func mayOnlyRead(_ engine: Engine) -> Bool {
    configuration.isReadOnly || engine.isReadOnly
  }

  /// Opens the file; if it cannot be opened, applies the configuration's policy.
  private func openOrStartAnew() throws(StoreError) -> (Engine, UnreadableFile?) {
    try createFromSeed()
    let (opened, unreadable) = try working(on: file) {
      () throws(EngineError) -> (Engine?, UnreadableFile?) in
      do throws(EngineError) { return (try openEngine(), nil) } catch {
        guard location != .inMemory, !configuration.isReadOnly else { throw error }
        return (
          nil,
          try configuration.onUnreadable.clear(path, after: error, in: configuration.fileSystem)
        )
      }
    }
    if let opened { return (opened, nil) }
    // The file made now, or made by another process meanwhile, is opened, or its error is thrown.
    try createFromSeed()
    return (try working(on: file) { () throws(EngineError) in try openEngine() }, unreadable)
  }

  /// Creates the file from its seed, if it has one and the file is missing.
  private func createFromSeed() throws(StoreError) {
    guard case .seeded(let path, let seed) = location, !configuration.isReadOnly else { return }
    // The error concerns the seed, or the system's error has the place.
    _ = try working(on: StoreFile(path: seed)) { () throws(EngineError) in
      try Engine.create(
        path, fromSeed: seed, in: configuration.fileSystem,
        permissions: configuration.newFilePermissions)
    }
  }

  func openEngine() throws(EngineError) -> Engine {
    var options = EngineOptions(
      isReadOnly: configuration.isReadOnly, cacheBytes: configuration.cacheBytesMax)
    options.newFilePermissions = configuration.newFilePermissions
    options.createsFile = configuration.createsFile
    options.ringUnits = configuration.ringUnits
    options.waitingBytesMax = max(configuration.waitingBytesMax, 0)
    let policy = configuration.compaction
    let cache = configuration.cache
    options.compactsOnOpen = { fileBytes, usedBytes in
      policy.isWorthwhile(Int64(clamping: fileBytes), Int64(clamping: usedBytes))
        || cache?.isTooLarge(fileBytes: fileBytes, usedBytes: usedBytes) == true
    }
    switch location {
    case .file(let path):
      return try Engine.open(path, in: configuration.fileSystem, options: options)
    case .seeded(let path, _):
      // If another process has removed the file since, no empty store is created.
      options.createsFile = false
      return try Engine.open(path, in: configuration.fileSystem, options: options)
    case .inMemory: return try Engine.open("store", in: MemoryFileSystem(), options: options)
    case .mirrored(let path):
      let fileSystem = MirroredFileSystem(
        mirroring: path, on: configuration.fileSystem,
        permissions: configuration.newFilePermissions)
      return try Engine.open(path, in: fileSystem, options: options)
    }
  }

  // MARK: Models

  /// Runs the steps that the file lacks, and then adapts its tables to the models.
  private func migrate(_ engine: Engine) throws(StoreError) {
    try plan.checkNames()
    let snapshot = engine.snapshot()
    let isNew = snapshot.catalog.tables.isEmpty
    let history = try history(snapshot)
    // A program without models, such as a tool, may open every file.
    let unknown = models.isEmpty ? [] : history.unknown(to: plan)
    guard unknown.isEmpty else {
      throw .fileIsNewer(path: path, features: [], unknownSteps: unknown)
    }
    let mayChange = configuration.migrates && !mayOnlyRead(engine)
    let pending = isNew ? [] : history.pending(of: plan)
    guard pending.isEmpty || mayChange else {
      throw .migrationRequired(pending.map { .pendingStep($0.name) })
    }
    let hasTold = !pending.isEmpty && recorder == nil
    try fit(engine, isNew, mayChange: mayChange, hasTold: hasTold, run(pending, on: engine))
  }

  /// Runs the steps that the file lacks, the last of them with the changes that need no step.
  ///
  /// If the file does not fit the models after the last, none of them was run. Returns the names that the file does not have.
  private func run(
    _ steps: [MigrationStep], on engine: Engine
  ) throws(StoreError) -> [SchemaDifference] {
    var run = StepRun(
      names: FormerNames(models, steps), count: steps.count,
      keepsVersion: configuration.keepsBeforeMigration > 0)
    for step in steps {
      run.number += 1
      try recorded(step.name, engine) { () throws(StoreError) in
        try self.run(step, on: engine, &run)
      }
    }
    return run.unknownNames
  }

  /// The state of a run of several steps.
  private struct StepRun {
    let names: FormerNames
    let count: Int
    /// Whether the version before the next step that changes or removes values is kept.
    var keepsVersion: Bool
    /// The name of the version before the first step, which is kept in case a later one changes or removes values.
    var firstVersion: String?
    /// The number of the current step, from 1.
    var number = 0
    /// The steps that were run, and are in the file.
    var completed: [String] = []
    /// The number of the version that the last step made.
    var lastVersion: UInt64?
    /// Whether the version before the first step can be restored: it is kept, and only the steps have written since.
    var hasStart = false
    /// The names that the steps used and the file did not have, for the error where it does not fit the models afterwards.
    var unknownNames: [SchemaDifference] = []
  }

  /// Adapts the file's tables to the models after all steps. Names that they used and the file did not have are for the error.
  private func fit(
    _ engine: Engine, _ isNew: Bool, mayChange: Bool, hasTold: Bool,
    _ unknownNames: [SchemaDifference]
  ) throws(StoreError) {
    let evolution = SchemaEvolution(of: engine.snapshot(), to: models)
    guard evolution.differences.isEmpty else {
      throw .migrationRequired(evolution.differences + unknownNames)
    }
    guard mayChange else {
      let needed = try working(on: file) { () throws(EngineError) in
        try evolution.needed(by: mayOnlyRead(engine) ? .read : .write, in: engine.snapshot())
      }
      guard needed.isEmpty else { throw .migrationRequired(needed) }
      return
    }
    // In a dry run the last step did not make the file fit the models.
    if recorder != nil, !plan.steps.isEmpty {
      try checkParts { () throws(EngineError) in try engine.snapshot().view }
    }
    let isFit = evolution.isEmpty && !(isNew && !plan.steps.isEmpty)
    if isFit { return hasTold ? () : evolution.notes.forEach(tell) }
    try recorded(nil, engine) { () throws(StoreError) in
      try evolve(engine, isNew ? plan.steps : [])
    }
  }

  /// Runs a part of the migration, and records its changes if requested.
  private func recorded(
    _ step: String?, _ engine: Engine, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let recorder else { return try body() }
    try recorder.record(step, in: file, engine, body)
  }

  /// The versions that are kept through a number of openings, if this one counts.
  private func versionsKeptThroughOpenings(_ engine: Engine) -> [UInt64] {
    guard configuration.migrates, !mayOnlyRead(engine), engine.takeOpening() else { return [] }
    return engine.snapshot().namedVersions.filter { $0.openings > 0 }.map(\.transaction)
  }

  /// Counts an opening that has succeeded: drops those versions of which it was the last.
  ///
  /// One that is refused must not take away the way back.
  private func countOpening(_ engine: Engine, of versions: [UInt64]) {
    guard !versions.isEmpty else { return }
    // If it fails, the next opening counts.
    try? engine.write { (transaction) throws(EngineError) in
      try transaction.countOpening(of: versions)
    }
  }

  /// Runs a step, unless another store of this process has run it meanwhile; the last step makes the file fit the models.
  private func run(
    _ step: MigrationStep, on engine: Engine, _ run: inout StepRun
  ) throws(StoreError) {
    let transaction = try working(on: file) { () throws(EngineError) in
      try engine.beginWrite(onTrees: true)
    }
    transaction.limits = configuration.migrationLimits
    // A dry run reports the other changes on their own.
    let isLast = run.number == run.count && recorder == nil
    run.hasStart = run.hasStart && transaction.baseNumber == run.lastVersion
    let before = transaction.catalog
    let work = try MigrationContext(
      transaction, in: StoreFile(path: path, catalog: before), step: step.name,
      place: (run.number, run.count), progress: configuration.reportsMigration,
      formerNames: run.names, completed: run.completed)
    do {
      if configuration.cache != nil { transaction.writeTime = configuration.time }
      let context = WriteContext(transaction, binding: binding(of: before, engine))
      var history = try MigrationHistory(context)
      guard !history.entries.contains(where: { $0.name == step.name }) else {
        return transaction.rollback()
      }
      // Before the step, because it applies to pages freed from here on.
      let isStart = run.number == 1 && !isLast && recorder == nil
      let hasStart = try isStart ? keepStart(in: work) : run.hasStart
      let name = run.keepsVersion ? try keepVersion(before: step, in: work) : nil
      try step.body(Migration(work))
      try work.checkIsWhole()
      run.unknownNames += work.ignored.names.map { .unknownName($0, step: step.name) }
      let isKept = try name.map { try endKeeping($0, in: work, &run) } ?? false
      history.append(step, from: before, to: transaction.catalog)
      try history.store(in: context)
      if isLast { try endMigration(transaction, engine, run) }
      try work.working { transaction throws(EngineError) in try transaction.commit() }
      recorder?.replaced = work.replaced
      recorder?.ignored = work.ignored.names
      // A dry run leaves nothing in the file.
      if recorder == nil {
        run.completed.append(step.name)
        for name in work.ignored.names {
          tell(
            "The step \"\(step.name)\" names \(name), which the file does not have: what it reads of it is nil, and what it "
              + "changes of it is left out. If no release had it, correct the name: for other files, since this one has run the step. "
              + "What it missed here, a further step can do.")
        }
      }
      run.keepsVersion = run.keepsVersion && !isKept
      (run.hasStart, run.lastVersion) = (hasStart, transaction.number)
    } catch let unfit as UnfitFile {
      transaction.rollback()
      if run.hasStart { goBackToStart(engine, run) }
      guard case .migrationRequired(let differences) = unfit.error else { throw unfit.error }
      throw StoreError.migrationRequired(differences + run.unknownNames)
    } catch {
      transaction.rollback()
      guard let error = error as? StoreError else { throw work.failure(nil, "\(error)") }
      throw work.mapped(error, nil, nil)
    }
  }

  /// Throws where steps left objects with a struct that they do not have all needed parts of.
  private func checkParts(_ view: () throws(EngineError) -> ReadView) throws(StoreError) {
    let missing = try working(on: file) { () throws(EngineError) in
      try SchemaEvolution.missingParts(of: models, in: view())
    }
    guard missing.isEmpty else { throw .migrationRequired(missing) }
  }

  /// The error of making the file fit the models after a step; it is none of the step's.
  private struct UnfitFile: Error { let error: StoreError }

  /// Makes the file fit the models in the transaction of the last step.
  private func endMigration(
    _ transaction: EngineTransaction, _ engine: Engine, _ run: StepRun
  ) throws(UnfitFile) {
    do throws(StoreError) {
      try adapt(transaction, engine, [])
      try checkParts { () throws(EngineError) in try transaction.view() }
      guard run.hasStart else { return }
      try working(on: file) { () throws(EngineError) in
        try transaction.dropVersion(named: Self.startName)
      }
    } catch { throw UnfitFile(error: error) }
  }

  /// The name of the version before the first of several steps, while these run.
  private static let startName = "before the migration"

  /// Keeps the version before the first of several steps, for the case that the file does not fit the models after the last.
  /// If a step fails, or the process ends, the next opening drops it.
  /// - Returns: Whether that was possible.
  private func keepStart(in work: MigrationContext) throws(StoreError) -> Bool {
    try keepVersion(as: Self.startName, openings: 1, in: work) != nil
  }

  /// Restores the version before the first of several steps, unless something else was written since the last. If
  /// that fails, the steps stay.
  private func goBackToStart(_ engine: Engine, _ run: StepRun) {
    let kept = plan.steps.map { KeptVersion.name(before: $0.name) } + [Self.startName]
    try? engine.write { (transaction) throws(EngineError) in
      guard transaction.baseNumber == run.lastVersion else { return }
      try transaction.restoreVersion(named: Self.startName)
    }
    try? engine.write { (transaction) throws(EngineError) in
      for name in kept where transaction.isKeptThroughOpenings(name) {
        try transaction.dropVersion(named: name)
      }
    }
  }

  /// Keeps the version before a step under its own name; nil if that is impossible.
  private func keepVersion(
    before step: MigrationStep, in work: MigrationContext
  ) throws(StoreError) -> String? {
    let name = KeptVersion.name(before: step.name)
    let openings = UInt32(clamping: configuration.keepsBeforeMigration)
    return try keepVersion(as: name, openings: openings, in: work)
  }

  /// Keeps the version before a step under a name; nil if that is impossible.
  private func keepVersion(
    as name: String, openings: UInt32, in work: MigrationContext
  ) throws(StoreError) -> String? {
    do throws(EngineError) {
      // After a rollback the step runs again, and its new starting version counts.
      if work.transaction.isKeptThroughOpenings(name) {
        try work.transaction.dropVersion(named: name)
      }
      try work.transaction.keepBase(
        as: name, date: Date().timeIntervalSinceReferenceDate, openings: openings)
      return name
    } catch {
      guard error.isOfVersionName else { throw StoreError(error, in: file) }
      configuration.log?(
        "The version before the step \"\(work.step)\" is not kept: "
          + StoreError(error, in: file).message)
      return nil
    }
  }

  /// Keeps the version before a step only if the step changes or removes values.
  ///
  /// If any step does, the version before the first step is kept as well: only that one can be opened by the older release.
  private func endKeeping(
    _ name: String, in work: MigrationContext, _ run: inout StepRun
  ) throws(StoreError) -> Bool {
    let isLast = run.number == run.count
    if run.number == 1, !isLast { run.firstVersion = name }
    let first = run.firstVersion
    return try working(on: file) { () throws(EngineError) in
      let isNeeded = try work.transaction.replacesValues { !$0.holdsNamedValue }
      guard !isNeeded else { return true }
      if name != first { try work.transaction.dropVersion(named: name) }
      // Another store of the process may have dropped it.
      if isLast, let first, work.transaction.isKeptThroughOpenings(first) {
        try work.transaction.dropVersion(named: first)
      }
      return false
    }
  }

  /// Adapts the file's tables to the models, in one transaction.
  ///
  /// - Parameter behind: The steps that a new file has behind it.
  private func evolve(_ engine: Engine, _ behind: [MigrationStep]) throws(StoreError) {
    let transaction = try working(on: file) { () throws(EngineError) in try engine.beginWrite() }
    transaction.limits = configuration.migrationLimits
    do throws(StoreError) {
      // Another store of this process may have changed the tables before this transaction began.
      try adapt(transaction, engine, behind)
      try working(on: file) { () throws(EngineError) in _ = try transaction.commit() }
    } catch {
      transaction.rollback()
      throw error
    }
  }

  /// Tells a likely mistake to the log; where there is none, to the developer who runs a debug build.
  private func tell(_ note: String) {
    recorder?.notes.append(note)
    if let log = configuration.log { return log(note) }
    #if DEBUG
    print("Roost: \(note) [\(path)]")
    #endif
  }

  /// Adapts the file's tables to the models.
  ///
  /// - Parameter behind: The steps that a new file has behind it.
  private func adapt(
    _ transaction: EngineTransaction, _ engine: Engine, _ behind: [MigrationStep]
  ) throws(StoreError) {
    let evolution = SchemaEvolution(in: transaction, to: models)
    guard evolution.differences.isEmpty else { throw .migrationRequired(evolution.differences) }
    for note in evolution.notes { tell(note) }
    try evolution.apply(to: transaction, in: file)
    try find(evolution.missingKinds, in: transaction)
    guard !behind.isEmpty else { return }
    let context = WriteContext(transaction, binding: binding(of: transaction.catalog, engine))
    var history = try MigrationHistory(context)
    for step in behind where !history.entries.contains(where: { $0.name == step.name }) {
      history.append(step, from: transaction.catalog, to: transaction.catalog)
    }
    try history.store(in: context)
  }

  /// Finds kinds that another program made unknown.
  private func find(
    _ kinds: [SchemaEvolution.MissingKinds], in transaction: EngineTransaction
  ) throws(StoreError) {
    guard !kinds.isEmpty else { return }
    let work = try MigrationContext(
      transaction, in: StoreFile(path: path, catalog: transaction.catalog), step: "",
      place: (1, 1), progress: nil)
    for kinds in kinds { try work.find(kinds) }
  }

  // MARK: Caches

  /// The models whose objects may be removed if the store is a cache.
  private var cached: [ModelDescription] {
    guard let cache = configuration.cache else { return [] }
    return models.filter { !cache.keeps($0) }
  }

  /// Makes the file store the write times of a cache's objects; existing objects count as written now.
  private func noteWriteTimes(_ engine: Engine) throws(StoreError) {
    func lacking(_ catalog: Catalog) -> [(table: UInt32, name: String)] {
      cached.compactMap { model in
        guard !model.fields.contains(where: \.isCacheDate),
          let table = catalog.table(named: model.name.name), table.writeTimeField == nil
        else { return nil }
        return (table.id, table.name)
      }
    }
    guard !lacking(engine.snapshot().catalog).isEmpty, !mayOnlyRead(engine) else { return }
    guard configuration.migrates else {
      throw .migrationRequired(
        lacking(engine.snapshot().catalog).map {
          .pendingChange(model: $0.name, field: FieldDefinition.writeTimeName)
        })
    }
    try working(on: file) { () throws(EngineError) in
      try engine.write { (transaction) throws(EngineError) in
        for (table, _) in lacking(transaction.catalog) {
          try transaction.addField(
            FieldDefinition(
              name: FieldDefinition.writeTimeName, type: .date,
              defaultValue: .double(configuration.time)), to: table)
        }
      }
    }
  }

  private func evictor(_ engine: Engine, _ binding: StoreBinding) -> CacheEvictor? {
    guard let cache = configuration.cache, !mayOnlyRead(engine) else { return nil }
    let catalog = engine.snapshot().catalog
    let aged = cached.compactMap { model -> CacheEvictor.AgedTable? in
      guard let table = catalog.table(named: model.name.name) else { return nil }
      if let date = model.fields.first(where: \.isCacheDate) {
        return table.field(named: date.name).map {
          .init(table: table.id, field: $0.id, isDated: true)
        }
      }
      return table.writeTimeField.map { .init(table: table.id, field: $0.id, isDated: false) }
    }
    return CacheEvictor(cache, aged, configuration, file)
  }

  /// The recorded steps of a file.
  func history(_ snapshot: EngineSnapshot) throws(StoreError) -> MigrationHistory {
    guard snapshot.catalog.table(named: MigrationHistory.tableName) != nil else {
      return MigrationHistory()
    }
    let binding = StoreBinding(
      file: StoreFile(path: path, catalog: snapshot.catalog), identity: snapshot.fileIdentity,
      catalog: snapshot.catalog, models: [])
    return try MigrationHistory(VersionContext(snapshot, binding: binding))
  }

  /// A file's tables without any model, for a step and its history.
  private func binding(of catalog: Catalog, _ engine: Engine) -> StoreBinding {
    StoreBinding(
      file: StoreFile(path: path, catalog: catalog), identity: engine.snapshot().fileIdentity,
      catalog: catalog, models: [])
  }

  /// Finds each model's table and fields, which exist if the file fits.
  private func bind(_ snapshot: EngineSnapshot) throws(StoreError) -> StoreBinding {
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
      catalog: catalog, models: bindings, epoch: snapshot.version.modelsEpoch)
  }
}
