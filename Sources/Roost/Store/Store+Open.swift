internal import RoostEngine

extension Store {
  /// Opens the store at a location, or creates it, without blocking the caller's thread or actor.
  ///
  /// ```swift
  /// let store = try await Store.open("people.roost", models: Person.self)
  /// ```
  ///
  /// Does what ``init(_:models:configuration:migrations:fileID:line:)`` does, on a queue: also migration steps, a copy of a
  /// seed and a compaction. If the task is cancelled meanwhile, opening ends soon, and the store is not open: the step, the
  /// copy or the compaction that was under way has no effect. Steps that were complete remain in the file, and the next
  /// opening continues after them.
  /// - Throws: What opening throws; ``StoreError/cancelled``; `CancellationError` where the task was cancelled before it
  ///   began.
  public static func open<each M: Model>(
    _ location: Location, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: @Sendable () -> [MigrationStep] = { [] },
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Store {
    try await open(
      StoreOpening(
        location, descriptions(of: repeat each models), MigrationPlan(migrations), configuration,
        place: SourcePlace(fileID, line)))
  }

  /// Opens the store in the file at a path, or creates it: like opening it at ``Location/file(_:)-enum.case``.
  @_alwaysEmitIntoClient
  public static func open<each M: Model>(
    _ path: String, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: @Sendable () -> [MigrationStep] = { [] },
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Store {
    try await open(
      .file(path), models: repeat each models, configuration: configuration,
      migrations: migrations, fileID: fileID, line: line)
  }

  private static let openers = QueueExecutor("roost.open", isConcurrent: true)

  private static func open(_ opening: StoreOpening) async throws -> Store {
    try Task.checkCancellation()
    return try await withTaskExecutorPreference(openers) {
      let store = try Store(opening)
      guard !Task.isCancelled else { throw StoreError.cancelled }
      return store
    }
  }
}
