extension Store {
  /// Reads the newest version on the caller's thread.
  ///
  /// ```swift
  /// let adults = try store.read { try $0.fetch(Person.where { $0.age >= 18 }) }
  /// ```
  ///
  /// Never waits, and never blocks others. Errors of `body` are rethrown unchanged. All reads of the snapshot show the same
  /// version, regardless of later writes, even after the closure if the snapshot is kept.
  @discardableResult
  public func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    try body(Snapshot(try version()))
  }

  /// Reads the newest version on a queue of the store, without blocking the caller's thread or actor.
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
    _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    // The type selects the synchronous form.
    let read: (@Sendable (Snapshot) throws -> Result) throws -> Result = self.read
    return try await withTaskExecutorPreference(readers) { try read(body) }
  }
}
