extension Store {
  /// Reads the newest version, on the caller's thread.
  ///
  /// Waits for nobody, and nobody waits for it. What `body` throws comes out unchanged. All reads of the snapshot show one
  /// version, whatever is written meanwhile, also after the closure where the snapshot is kept.
  @discardableResult
  public func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    try body(Snapshot(try version()))
  }

  /// Reads the newest version, on a queue of the store's: the caller's thread or actor is not blocked.
  ///
  /// What `body` throws comes out unchanged. Where the task is cancelled, the query under way ends soon, with
  /// ``StoreError/cancelled``.
  /// - Throws: `CancellationError` where the task was cancelled before it began.
  @discardableResult
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    // Said to be of this type, or the asynchronous form would be meant.
    let read: (@Sendable (Snapshot) throws -> Result) throws -> Result = self.read
    return try await withTaskExecutorPreference(readers) { try read(body) }
  }
}
