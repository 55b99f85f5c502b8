public import Roost

extension Store {
  /// Brings the store up to date with a source, by key: adds new objects, writes fields that differ, and deletes objects that the
  /// source no longer has.
  ///
  /// For the time in which the app still writes to its old store: refresh at each launch, and ``compare(with:limit:progress:_:)``
  /// in tests. The source wins: what the app has changed here is overwritten. Models that the mapping does not name stay as they
  /// are, but for the delete rules of their links. One transaction; values that are equal are not written, and if
  /// nothing differs, nothing is committed. ``importReport`` is then of this refresh. A unique value may move from one object to
  /// another, but not in a circle.
  ///
  /// - Parameters:
  ///   - source: The file, as of now.
  ///   - progress: As in ``open(_:models:configuration:migrations:importing:progress:_:fileID:line:)``.
  ///   - mapping: The same mapping as for the import. Each model's ids must come from the source; ids that the store
  ///     gives would be new ones each time.
  /// - Complexity: Reads the source once; once more if objects were deleted; and as often as unique values must move one after the
  ///   other. The ids of all objects are in memory.
  /// - Returns: What changed, also by other transactions that were committed meanwhile.
  /// - Throws: As the import does, but for space. Nothing is changed then.
  @discardableResult
  public func refresh(
    from source: ImportSource, progress: (@Sendable (ImportProgress) -> Void)? = nil,
    _ mapping: @Sendable (inout Importer) -> Void
  ) async throws -> ImportChanges {
    let work = StoreRefresh(
      store: self, source: source, importer: Importer(mapping), progress: progress)
    return try await withTaskExecutorPreference(QueueExecutor("roost.import")) {
      try Task.checkCancellation()
      return try work.refresh()
    }
  }

  /// Lists how the store differs from a source, by key and field. Changes nothing.
  ///
  /// - Parameters:
  ///   - source: The file, as of now.
  ///   - limit: How many differences are listed; all are counted.
  ///   - progress: As in ``open(_:models:configuration:migrations:importing:progress:_:fileID:line:)``.
  ///   - mapping: The same mapping as for the import. Models that it does not name are not compared.
  /// - Complexity: Reads the source once, and looks up each object. The ids of all objects are in memory.
  /// - Throws: The errors of the source and of the store; `CancellationError`.
  public func compare(
    with source: ImportSource, limit: Int = 1000,
    progress: (@Sendable (ImportProgress) -> Void)? = nil,
    _ mapping: @Sendable (inout Importer) -> Void
  ) async throws -> ImportComparison {
    let work = StoreRefresh(
      store: self, source: source, importer: Importer(mapping), progress: progress)
    return try await withTaskExecutorPreference(QueueExecutor("roost.import")) {
      try Task.checkCancellation()
      return try work.compare(limit: limit)
    }
  }
}
