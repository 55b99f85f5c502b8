internal import RoostEngine

extension Store {
  /// Writes on the caller's thread: waits for the turn, runs `body` and makes its changes durable.
  ///
  /// ```swift
  /// try store.write { transaction in
  ///   try transaction.insert(ann)
  ///   try transaction.update(Dog.self, id: 7, set: \.owner, to: Link(ann))
  /// }
  /// ```
  ///
  /// All changes are made or none: if `body` throws, it has no effect, and its error is rethrown
  /// unchanged. After the return the changes survive a crash of the machine, unless the durability
  /// says otherwise.
  ///
  /// - Parameters:
  ///   - durability: What to wait for; nil for what the ``Configuration`` says.
  ///   - tag: What observers of this store know the write by.
  ///   - body: What is written.
  /// - Throws: ``StoreError/reentrantWrite`` inside of another `write` of this thread;
  ///   ``StoreError/danglingLink(model:id:field:target:targetID:)`` and
  ///   ``StoreError/linkedTarget(model:id:linkingModel:linkingField:isListed:)``; the errors of the file, after which nothing is
  ///   changed.
  @discardableResult
  public func write<Result>(
    durability: Durability? = nil, tag: WriteTag? = nil,
    _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    let (result, commit) = try stage(body, durability ?? self.durability, tag)
    try makeDurable(commit)
    return result
  }

  /// Writes on a queue of the store, without blocking the caller's thread or actor.
  ///
  /// ```swift
  /// let note = try await store.write { try $0.insert(Note(id: .assigned, text: "…")) }
  /// ```
  ///
  /// Like the synchronous form; if the task is cancelled before the changes are made durable, none
  /// is made.
  /// - Throws: `CancellationError` then, and ``StoreError/cancelled`` out of a query that was under way.
  @discardableResult
  public func write<Result: Sendable>(
    durability: Durability? = nil, tag: WriteTag? = nil,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let durability = durability ?? self.durability
    guard durability == .grouped else {
      return try await withTaskExecutorPreference(writers) {
        let (result, commit) = try stage(body, durability, tag, endsWithTask: true)
        try makeDurable(commit)
        return result
      }
    }
    // A write that shares a sync lets the next one begin before the sync.
    let (result, commit) = try await withTaskExecutorPreference(writers) {
      try stage(body, durability, tag, endsWithTask: true)
    }
    try await withTaskExecutorPreference(synchronizers) { try makeDurable(commit) }
    return result
  }

  /// Returns when all earlier writes are durable, whatever their ``Durability``.
  ///
  /// For a store in memory with a failed mirror, returns when the mirror is up to date, or throws the reason why it is not.
  /// - Throws: ``StoreError/writesRefused(path:)`` after a sync that failed;
  ///   ``StoreError/reentrantWrite`` inside of `write`.
  public func synchronize() throws(StoreError) {
    let engine = try open()
    try working(on: file) { () throws(EngineError) in
      try engine.synchronize()
      try engine.bringMirrorUpToDate()
    }
  }

  /// Writes the pages that small commits left in memory to their places in the file; all earlier writes are durable then.
  ///
  /// A small commit writes what differs to the file's ring, and a later commit its pages. Afterwards the ring is empty, so
  /// that opening the file after a crash makes nothing anew. Closing the store does the same, and a commit does where half
  /// of the ring is used: a program needs it only before a moment when it wants its next commits to be short.
  ///
  /// Cost: up to ``Configuration/waitingBytesMax`` are written, and one sync; nothing where nothing waits.
  /// - Throws: As ``synchronize()``.
  public func checkpoint() throws(StoreError) {
    let engine = try open()
    try working(on: file) { () throws(EngineError) in try engine.checkpoint() }
  }

  /// Runs a transaction, and lets the next one begin.
  ///
  /// - Parameter endsWithTask: Whether it is rolled back where the task was cancelled.
  private func stage<Result>(
    _ body: (WriteTransaction) throws -> Result, _ durability: Durability, _ tag: WriteTag?,
    endsWithTask: Bool = false
  ) throws -> (Result, PendingCommit?) {
    let context = try beginWrite()
    let transaction = WriteTransaction(context)
    do {
      defer { transaction.end() }
      if endsWithTask { try Task.checkCancellation() }
      let result = try body(transaction)
      if endsWithTask { try Task.checkCancellation() }
      // Before the version becomes visible.
      if let tag {
        let written = context.transaction
        observers.note(tag, of: written.number, from: written.baseNumber)
      }
      return (result, try context.stage(durability.engine))
    } catch {
      context.rollback()
      throw error
    }
  }

  private func makeDurable(_ commit: PendingCommit?) throws(StoreError) {
    if let commit { try working(on: file) { () throws(EngineError) in try commit.makeDurable() } }
    reportOldSnapshot()
    if let evictor, let engine = try? open() { evictor.didWrite(engine) }
  }
}
