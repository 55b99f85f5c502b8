internal import RoostEngine

extension Store {
  /// Reads the newest version on the caller's thread.
  ///
  /// ```swift
  /// let adults = try store.read { try $0.fetch(Person.where { $0.age >= 18 }) }
  /// ```
  ///
  /// Never waits, and never blocks others. Errors of `body` are rethrown unchanged. All reads of the snapshot show the same
  /// version, regardless of later writes, even after the closure if the snapshot is kept.
  /// - Parameters:
  ///   - body: What is read.
  ///   - fileID: With `line`, what ``StoreError/inUse(path:by:)`` names in debug builds if rows are still held.
  ///   - line: See `fileID`.
  @discardableResult
  @_alwaysEmitIntoClient
  public func read<Result>(
    _ body: (Snapshot) throws -> Result, fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> Result {
    // Compiled into the caller, so that release builds do not pass the place.
    #if DEBUG
    try body(openedSnapshot(fileID, line))
    #else
    try body(openedSnapshot())
    #endif
  }

  /// Reads the newest version on a background queue, without blocking the caller's thread or actor.
  ///
  /// ```swift
  /// let adults = try await store.read { try $0.fetch(Person.where { $0.age >= 18 }) }
  /// ```
  ///
  /// Errors of `body` are rethrown unchanged. If the task is cancelled, the running query ends soon with
  /// ``StoreError/cancelled``.
  /// - Throws: `CancellationError` where the task was cancelled before it began.
  @discardableResult
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> Result, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await withTaskExecutorPreference(QueueExecutor.readers) {
      try body(Snapshot(try version(at: SourcePlace(fileID, line))))
    }
  }

  /// The newest version.
  ///
  /// - Throws: ``StoreError/closed`` and ``StoreError/modelsChanged``, before anything is read.
  #if DEBUG
  @usableFromInline
  func openedSnapshot(_ fileID: StaticString, _ line: UInt) throws(StoreError) -> Snapshot {
    Snapshot(try version(at: SourcePlace(fileID, line)))
  }
  #else
  @usableFromInline
  func openedSnapshot() throws(StoreError) -> Snapshot { Snapshot(try version()) }
  #endif
}
