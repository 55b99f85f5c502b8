internal import RoostEngine

/// What opening a store would do, and what was done to its file.
extension StoreOpening {
  /// Opens the file with all writes redirected to another file, and reports the changes.
  ///
  /// - Parameter scratchPath: Where the file for that is made.
  static func dryRun(
    _ location: Location, _ models: [ModelDescription], _ plan: MigrationPlan,
    _ configuration: Configuration, scratchPath: String
  ) throws(StoreError) -> MigrationReport {
    var configuration = configuration
    configuration.compaction = .never
    configuration.onUnreadable = .throw
    configuration.onSchemaChange = .throw
    configuration.keepsBeforeMigration = 0
    var location = location
    let recorder = MigrationRecorder()
    if let path = try beginning(of: location, in: configuration.fileSystem) {
      location = .file(path)
      if try isMissing(path, in: configuration.fileSystem) {
        recorder.notes.append("There is no file at \(path): these are the changes to a new one.")
      }
      configuration.fileSystem = OverlayFileSystem(
        of: path, in: configuration.fileSystem, scratchPath: scratchPath)
    }
    _ = try StoreOpening(location, models, plan, configuration, recorder: recorder).openAsItIs()
    return MigrationReport(parts: recorder.parts, notes: recorder.notes)
  }

  /// The file that provides a store's content when it is opened: the seed if it must still be copied. Nil in memory.
  private static func beginning(
    of location: Location, in fileSystem: any FileSystem
  ) throws(StoreError) -> String? {
    switch location {
    case .file(let path), .mirrored(let path): return path
    case .seeded(let path, let seed): return try isMissing(path, in: fileSystem) ? seed : path
    case .inMemory: return nil
    }
  }

  private static func isMissing(
    _ path: String, in fileSystem: any FileSystem
  ) throws(StoreError) -> Bool {
    do throws(FileError) { return try fileSystem.kind(of: path) == nil } catch {
      throw StoreError(error)
    }
  }

  /// The history of the file at a location; nil if there is none.
  static func history(
    at location: Location, _ configuration: Configuration
  ) throws(StoreError) -> MigrationHistory? {
    var configuration = configuration
    configuration.isReadOnly = true
    guard location != .inMemory else { return nil }
    let opening = StoreOpening(location, [], MigrationPlan(), configuration)
    let engine: Engine
    do {
      engine = try working(on: opening.file) { () throws(EngineError) in try opening.openEngine() }
    } catch {
      guard case .fileNotFound = error else { throw error }
      // The file that the new file will be copied from.
      guard case .seeded(_, let seed) = location else { return nil }
      return try history(at: .file(seed), configuration)
    }
    return try opening.history(engine.snapshot())
  }
}
