internal import Roost
internal import RoostEngine
internal import Synchronization

/// Makes a store of a source, or opens the store that is there.
struct StoreImport: Sendable {
  let source: ImportSource
  let importer: Importer
  let configuration: Configuration
  let progress: (@Sendable (ImportProgress) -> Void)?
  /// Opens a store for the program's models.
  let open: @Sendable (Location, Configuration) throws -> Store

  /// The least space that must be free.
  private static let bytesMin: UInt64 = 1 << 20

  func run(_ location: Location) async throws -> Store {
    switch location {
    case .inMemory:
      let store = try open(location, configuration)
      try await fill(store)
      return store
    case .seeded(let path, _):
      guard try isThere(path) else { throw ImportError.seeded(path: path) }
    case .file(let path), .mirrored(let path):
      if configuration.mayCreateFile { try await createUnlessThere(path) }
    }
    return try open(location, configuration)
  }

  private func createUnlessThere(_ path: String) async throws {
    guard try isThere(path) else { return try await create(path) }
    // A crash may have left one beside a store that somebody else made meanwhile.
    _ = try? unfinished(path).removeLeftover()
  }

  /// The store while it is being filled.
  private func unfinished(_ path: String) -> UnfinishedFile {
    UnfinishedFile(at: path + SideFile.importing, in: configuration.fileSystem)
  }

  private func isThere(_ path: String) throws -> Bool {
    try files { (files) throws(FileError) in try files.kind(of: path) != nil }
  }

  private func files<R>(
    _ operation: (any FileSystem) throws(FileError) -> R
  ) throws(StoreError) -> R {
    do { return try operation(configuration.fileSystem) } catch { throw StoreError(error) }
  }

  /// Makes the store beside its path, and gives it its name when it is whole and durable.
  private func create(_ path: String) async throws {
    let turn = try ImportTurn(path, in: configuration.fileSystem)
    defer { turn.end() }
    // The import before may have ended since.
    guard try !isThere(path) else { return }
    try checkSpace(path)
    let leftover = unfinished(path)
    guard try files({ (_) throws(FileError) in try leftover.removeLeftover() }) else {
      throw StoreError.locked(path: path)
    }
    do { try await make(path, leftover.path) } catch {
      // One that cannot be removed now is removed by the next opening.
      _ = try? leftover.removeLeftover()
      if case StoreError.locked(let busy) = error, busy == leftover.path {
        throw StoreError.locked(path: path)
      }
      throw error
    }
    // It is still there if another process has made the store meanwhile.
    _ = try? leftover.removeLeftover()
  }

  private func make(_ path: String, _ temporary: String) async throws {
    var configuration = configuration
    configuration.compaction = .never
    configuration.onUnreadable = .throw
    configuration.onSchemaChange = .throw
    configuration.cache = nil
    let store = try open(.file(temporary), configuration)
    // Its file keeps its lock until the name has changed, so no other import removes it.
    defer { store.close() }
    try await fill(store)
    try rename(temporary, to: path)
  }

  /// Gives the store its name, unless somebody has made one meanwhile.
  private func rename(_ temporary: String, to path: String) throws(StoreError) {
    let files = configuration.fileSystem
    do throws(FileError) {
      // Creating a store at the path takes this lock too.
      let turn = UnfinishedFile(at: unfinishedPath(for: path), in: files)
      let file = try turn.create()
      defer {
        // One that stays is removed by the next opening.
        try? files.remove(turn.path)
        file.close()
      }
      guard try files.kind(of: path) == nil else { return }
      try files.rename(temporary, to: path)
      try files.synchronizeDirectory(of: path)
    } catch {
      throw error.meaning == .busy ? .locked(path: path) : StoreError(error)
    }
  }

  private func checkSpace(_ path: String) throws {
    let needed = max(
      try source.foundState().totalBytes &+ source.contentFolderBytes, Self.bytesMin)
    let available = try files { (files) throws(FileError) in
      try files.availableBytes(besides: path)
    }
    if let available, available < needed {
      throw ImportError.notEnoughSpace(path: path, needed: needed, available: available)
    }
  }

  /// Writes the source's objects and the report to an empty store, in one transaction, and checks their counts.
  private func fill(_ store: Store) async throws {
    let state = try source.foundState()
    let source = try source.open()
    let mappings = try importer.mappings(in: source)
    do {
      try await write(state, source, mappings, to: store, defersIndexes: true)
    } catch is IndexRefused {
      // Which object it is, is found where each index grows with each object.
      try await write(state, source, mappings, to: store, defersIndexes: false)
    }
  }

  private func write(
    _ state: ImportReport.SourceState, _ source: any OpenedSource, _ mappings: [any ClassMapping],
    to store: Store, defersIndexes: Bool
  ) async throws {
    let pass = try ImportPass(source, mappings.map(\.className), progress: progress)
    if source.bytesRead == nil {
      try writeOneByOne(pass, mappings, state, to: store, defersIndexes: defersIndexes)
    } else {
      try await writeBatches(pass, mappings, state, to: store, defersIndexes: defersIndexes)
    }
    var written: [String: Int] = [:]
    for counts in pass.classes { written[counts.model, default: 0] += counts.written }
    for mapping in mappings {
      let (model, count) = (mapping.modelName, written[mapping.modelName] ?? 0)
      let found = try mapping.count(in: store.snapshot())
      guard found == count else {
        throw ImportError.countMismatch(model: model, written: count, found: found)
      }
    }
  }

  /// Reads and writes on this thread.
  private func writeOneByOne(
    _ pass: ImportPass, _ mappings: [any ClassMapping], _ state: ImportReport.SourceState,
    to store: Store, defersIndexes: Bool
  ) throws {
    try store.write(durability: .full) { transaction in
      if defersIndexes { try transaction.deferIndexes() }
      try pass.gathering {
        for mapping in mappings { try mapping.insert(into: transaction, pass) }
      }
      try Task.checkCancellation()
      try Self.buildIndexes(transaction)
      let report = try report(pass, state)
      try transaction.setOwnValue(ImportReport.valueName, to: report)
    }
  }

  /// What the source gave, as JSON; throws if the source has changed since it was opened.
  private func report(
    _ pass: ImportPass, _ state: ImportReport.SourceState
  ) throws -> String {
    let report = try pass.report(named: importer.named, ignored: importer.ignored, state)
    try pass.source.checkUnchanged()
    return try report.json
  }

  private static func buildIndexes(_ transaction: WriteTransaction) throws {
    do throws(StoreError) { try transaction.buildDeferredIndexes() } catch {
      switch error {
      case .duplicateKey, .valueTooLong: throw IndexRefused()
      default: throw error
      }
    }
  }
}

// MARK: Two threads

extension StoreImport {
  /// The most batches that are not written yet: each is of a megabyte, or of one object.
  private static let batchesMax = 4

  /// Reads on this thread, while another one writes.
  private func writeBatches(
    _ pass: ImportPass, _ mappings: [any ClassMapping], _ state: ImportReport.SourceState,
    to store: Store, defersIndexes: Bool
  ) async throws {
    let steps = Handover<ImportStep>(countMax: Self.batchesMax)
    let writer = QueueExecutor("roost.import.write")
    defer { withExtendedLifetime(writer) {} }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: writer) {
        try Self.write(steps, to: store, defersIndexes: defersIndexes)
      }
      let read = Result { try send(pass, mappings, state, to: steps) }
      steps.end()
      guard case .failure(let error)? = await group.nextResult() else { return try read.get() }
      try throwFirst(read, error, mappings, in: pass.source)
    }
  }

  /// Hands all objects of the source to the thread that writes.
  private func send(
    _ pass: ImportPass, _ mappings: [any ClassMapping], _ state: ImportReport.SourceState,
    to steps: Handover<ImportStep>
  ) throws {
    try pass.gathering {
      for (place, mapping) in mappings.enumerated() {
        try mapping.send(to: steps, as: place, pass)
      }
    }
    try Task.checkCancellation()
    try steps.send(.buildIndexes)
    let report = try report(pass, state)
    try steps.send(.keep(report: report))
  }

  /// Does what the thread that reads hands over.
  private static func write(
    _ steps: Handover<ImportStep>, to store: Store, defersIndexes: Bool
  ) throws {
    // Whatever ends it, the other thread must not wait.
    defer { steps.stop() }
    try store.write(durability: .full) { transaction in
      if defersIndexes { try transaction.deferIndexes() }
      var isWhole = false
      try steps.forEach { step in
        switch step {
        case .insert(let batch): try batch.insert(into: transaction)
        case .buildIndexes: try buildIndexes(transaction)
        case .keep(let report):
          try transaction.setOwnValue(ImportReport.valueName, to: report)
          isWhole = true
        }
      }
      guard isWhole else { throw ReadingEnded() }
    }
  }

  /// Throws the error that one thread would have found first that did both in turn.
  ///
  /// What was handed over was read before anything that the other thread could not read.
  private func throwFirst(
    _ read: Result<Void, any Error>, _ error: any Error, _ mappings: [any ClassMapping],
    in source: any OpenedSource
  ) throws {
    if case .failure(let error) = read, error is CancellationError { throw error }
    switch error {
    case is ReadingEnded: try read.get()
    case let refused as InsertionRefused:
      if refused.place != nil {
        try mappings[refused.mapping].throwError(of: refused, in: source)
      }
      throw refused.error
    case StoreError.cancelled: throw CancellationError()
    default: break
    }
    throw error
  }
}

/// The source could not be read to its end: the thread that does it knows why.
private struct ReadingEnded: Error {}

/// A value that must be unique is there twice, or is too long for that.
private struct IndexRefused: Error {}

extension Configuration {
  fileprivate var mayCreateFile: Bool { !isReadOnly && createsFile }
}

extension ImportReport {
  static let valueName = "import"
}

/// The turn of an import among those of this process, whose stores of a path would share a file.
private struct ImportTurn {
  private let path: String?
  private static let paths = Mutex<Set<String>>([])

  init(_ path: String, in fileSystem: any FileSystem) throws(StoreError) {
    // Other file systems are those of tests.
    self.path = fileSystem is PosixFileSystem ? path : nil
    guard let path = self.path else { return }
    guard Self.paths.withLock({ $0.insert(path).inserted }) else { throw .locked(path: path) }
  }

  func end() {
    guard let path else { return }
    Self.paths.withLock { _ = $0.remove(path) }
  }
}
