import Synchronization

/// How a store's file is opened.
package struct EngineOptions: Sendable {
  /// Whether the file is opened for reading only. Nothing is written then, not even to finish a recovery.
  package var isReadOnly: Bool
  /// Whether a missing file is created.
  package var createsFile: Bool
  /// The permissions of a new file: the nine bits of a POSIX mode, regardless of the process's umask. By default only the owner
  /// has access.
  package var newFilePermissions: UInt16 = 0o600
  /// The maximum of file bytes kept in memory, in addition to those that rows in use hold.
  package var cacheBytes: Int
  /// Decides from the file's size and its bytes in use whether opening compacts it.
  ///
  /// Nil never compacts. Not called if the file is already open, or read-only.
  package var compactsOnOpen: (@Sendable (_ fileBytes: UInt64, _ usedBytes: UInt64) -> Bool)?
  /// Schedules the sync of commits that no caller waits for.
  package var syncTimer: any SyncTimer = ClockTimer()
  /// The units of the ring where small commits write their records; 0 for no ring, nil for a size that fits the file's.
  package var ringUnits: Int?
  /// The most bytes of extents that small commits leave in memory; at most a quarter of `cacheBytes`.
  package var waitingBytesMax = 4 << 20
  /// Which small commits change no tree before others do.
  package var leaving = ChangeLeaving()

  /// Options; by default a missing file is created, 192 MiB may be kept in memory, and a large file
  /// that is mostly unused is compacted.
  package init(isReadOnly: Bool = false, createsFile: Bool = true, cacheBytes: Int = 192 << 20) {
    self.isReadOnly = isReadOnly
    self.createsFile = createsFile
    self.cacheBytes = cacheBytes
    compactsOnOpen = { Self.isMostlyUnused(fileBytes: $0, usedBytes: $1) }
  }

  /// Whether a file is larger than 100 MiB and less than half of it is used.
  package static func isMostlyUnused(fileBytes: UInt64, usedBytes: UInt64) -> Bool {
    fileBytes > 100 * 1024 * 1024 && usedBytes < fileBytes - min(usedBytes, fileBytes)
  }
}

/// An open file: hands out snapshots to any number of readers and one write transaction at a time.
///
/// The file is locked against other processes until the engine and every snapshot of it are gone. Snapshots that
/// ``EngineHolders`` has noted keep the engine.
package final class Engine: Sendable {
  /// The path by which the file was opened.
  package let path: String
  /// Whether nothing may be written.
  package let isReadOnly: Bool
  /// Whether the file was opened to be only read.
  let isOpenedReadOnly: Bool
  let file: any StorageFile
  /// The newest version, for callers that take it often.
  package let newest: NewestVersion
  /// Nil when the file is only read. Used under its write lock.
  @safe nonisolated(unsafe) private let committer: Committer?
  private let hasCountedOpening = Atomic(false)
  private let failedCompaction = Mutex<EngineError?>(nil)
  private let generation = ForkGeneration.ofNewFile()

  init(
    path: String, file: any StorageFile, newest: NewestVersion, committer: Committer?,
    isOpenedReadOnly: Bool
  ) {
    self.path = path
    self.file = file
    self.isOpenedReadOnly = isOpenedReadOnly
    isReadOnly = committer == nil
    self.newest = newest
    self.committer = committer
  }

  deinit {
    // In a forked child, threads that do not exist there may hold the locks, and the file belongs to the parent.
    guard isOfThisProcess else { return }
    newest.replace(with: nil)
    // There is no caller to report a failure to: then the next opening reads the ring.
    try? committer?.checkpoint(closes: true)
    committer?.group.end()
  }

  /// Whether the current process is the one that opened the file, not a forked child of it.
  ///
  /// - Complexity: O(1), a load of a number from memory.
  package var isOfThisProcess: Bool { generation.isCurrent }

  /// Throws in a process that was forked since the file was opened: it must open the file itself.
  package func checkProcess() throws(EngineError) {
    guard isOfThisProcess else { throw .file(FileError(.open, path: path, .forked)) }
  }

  /// The newest version, pinned until the snapshot and everything read through it are gone.
  ///
  /// - Complexity: O(1), about 20 ns; does not wait for other threads.
  package func snapshot() -> EngineSnapshot {
    guard let snapshot = newest.snapshot() else {
      preconditionFailure("An engine has a version.")
    }
    return snapshot
  }

  /// True on the first call only, however often this process opens the file while it is open.
  package func takeOpening() -> Bool { !hasCountedOpening.exchange(true, ordering: .relaxed) }

  /// Why the compaction that the options asked for at opening failed; nil if it succeeded
  /// or was not needed. The file is as good as before, and the next opening tries again.
  package var compactionFailure: EngineError? { failedCompaction.withLock { $0 } }

  func noteFailedCompaction(_ error: EngineError) { failedCompaction.withLock { $0 = error } }

  /// Why the on-disk mirror of this in-memory file is not up to date; nil if it is, or if there is no mirror.
  package var mirrorFailure: FileError? { (file as? MirroredFile)?.fileSystem.failure }

  /// Brings the on-disk mirror of this in-memory file up to date, if it is not.
  package func bringMirrorUpToDate() throws(EngineError) {
    try checkProcess()
    guard let mirrored = file as? MirroredFile else { return }
    do { try mirrored.fileSystem.bringUpToDate() } catch { throw .file(error) }
  }

  /// The oldest pinned version that is not the newest, as of the last commit.
  ///
  /// Nil if no pinned version costs space: nothing that it sees was changed since.
  /// - Complexity: O(1).
  package var oldestSnapshot: OldestPinnedVersion? { committer?.oldestSnapshot }

  /// The size of the file now, in bytes.
  package func fileBytes() throws(EngineError) -> UInt64 {
    do { return try file.size() } catch { throw .file(error) }
  }

  /// Whether a transaction runs.
  var isWriting: Bool { committer?.writeLock.isHeld ?? false }

  /// Waits until no other transaction writes, and begins one.
  ///
  /// The transaction must be ended by `commit()` or `rollback()`, by the same thread.
  /// - Parameter onTrees: Whether all that earlier commits changed must be in the trees of the version that it begins from,
  ///   so that this version can get a name.
  package func beginWrite(onTrees: Bool = false) throws(EngineError) -> EngineTransaction {
    try checkProcess()
    guard let committer = committer else { throw .readOnly }
    try committer.writeLock.lock()
    let transaction: EngineTransaction
    do {
      let (base, writer, gathered) = try committer.begin()
      transaction = EngineTransaction(
        engine: self, base: base, writer: writer, gathered: gathered)
    } catch {
      committer.writeLock.unlock()
      throw error
    }
    // Who names versions makes one for each of several steps.
    transaction.mayLeaveChanges = !onTrees
    guard onTrees, transaction.base.unapplied != nil else { return transaction }
    _ = try transaction.view()
    try transaction.commit()
    return try beginWrite(onTrees: true)
  }

  /// Runs a write transaction: commits when `body` returns, rolls back when it throws.
  package func write<R>(
    _ durability: SyncPolicy = .full, onTrees: Bool = false,
    _ body: (EngineTransaction) throws(EngineError) -> R
  ) throws(EngineError) -> R {
    let transaction = try beginWrite(onTrees: onTrees)
    let result: R
    do { result = try body(transaction) } catch {
      transaction.rollback()
      throw error
    }
    try transaction.commit(durability)
    return result
  }

  /// The state of a table that the last transaction left, for a transaction that does not change the tables.
  func takeSpareState(_ table: UInt32) -> TableState? { committer?.takeSpareState(table) }

  /// Lets other transactions begin from this one, which has ended, also after an error.
  ///
  /// - Returns: What must yet be made durable, unless the transaction need not wait for that.
  func stage(
    _ writer: PageWriter, _ outcome: Committer.Outcome, _ durability: SyncPolicy
  ) throws(EngineError) -> PendingCommit? {
    guard let committer = committer else { throw .readOnly }
    let mustBeMadeDurable: Bool
    do {
      try checkProcess()
      mustBeMadeDurable = try committer.stage(writer, outcome, durability)
    } catch {
      rollback(writer)
      throw error
    }
    committer.writeLock.unlock()
    return mustBeMadeDurable ? PendingCommit(writer, of: self) : nil
  }

  /// Whether the record of a transaction may say which rows it changed.
  func mayRecordRows(after base: Version, _ durability: SyncPolicy) -> Bool {
    committer?.mayRecordRows(after: base, durability) ?? false
  }

  /// Whether the running transaction may record its rows and apply them, too.
  var mayApplyRecordedRows: Bool { committer?.mayApplyRecordedRows ?? false }

  /// How much a transaction may leave to be applied later; nil for nothing.
  func leaving(after base: Version) -> ChangeLeaving? { committer?.leaving(after: base) }

  /// Lets other transactions begin from this one, whose record says which rows it changed.
  ///
  /// - Parameter leavesThem: Whether the changes stay where they were gathered.
  /// - Returns: As ``stage(_:_:_:)``; nil where that is not possible, and the transaction goes on.
  func stage(
    _ rows: consuming RowWriter, of writer: PageWriter, _ states: [TableState],
    after base: Version, _ durability: SyncPolicy, leavesThem: Bool
  ) throws(EngineError) -> PendingCommit?? {
    guard let committer else { throw .readOnly }
    let mustBeMadeDurable: Bool?
    do {
      try checkProcess()
      mustBeMadeDurable =
        leavesThem
        ? try committer.leave(rows, of: writer, states, after: base, durability)
        : try committer.stage(rows, of: writer, states, after: base, durability)
    } catch {
      rollback(writer)
      throw error
    }
    guard let mustBeMadeDurable else { return nil }
    committer.writeLock.unlock()
    return .some(mustBeMadeDurable ? PendingCommit(writer, of: self) : nil)
  }

  /// Returns when all earlier commits are durable, whatever their ``SyncPolicy``.
  ///
  /// - Throws: Also `.nestedWrite` under the write lock, for which a failed sync waits.
  package func synchronize() throws(EngineError) {
    try checkProcess()
    guard let committer else { return }
    try committer.writeLock.checkIsNotMine()
    try committer.group.synchronize()
  }

  /// Writes what waits in memory to its place in the file; everything before is durable then.
  ///
  /// - Throws: As ``synchronize()``.
  package func checkpoint() throws(EngineError) {
    try checkProcess()
    guard let committer else { return }
    try committer.writeLock.checkIsNotMine()
    try committer.checkpoint(closes: false)
  }

  /// Returns when the staged transaction is durable.
  fileprivate func makeDurable(_ writer: PageWriter) throws(EngineError) {
    do {
      try checkProcess()
      try committer?.group.makeDurable(writer.transaction)
    } catch {
      writer.discard()
      throw error
    }
  }

  /// Forgets a transaction.
  ///
  /// - Parameter states: The tables that it had, where it has changed none of them.
  func rollback(_ writer: PageWriter, unchanged states: [TableState], of base: Version) {
    committer?.giveBack(states, of: base)
    rollback(writer)
  }

  /// Forgets a transaction.
  func rollback(_ writer: PageWriter) {
    writer.discard()
    committer?.writeLock.unlock()
  }
}

/// A transaction that has ended but is not durable yet; others may have begun from it.
package final class PendingCommit: @unchecked Sendable {  // used by one thread at a time
  /// Nil where the transaction changed nothing.
  private let writer: PageWriter?
  private let engine: Engine

  init(_ writer: PageWriter?, of engine: Engine) {
    self.writer = writer
    self.engine = engine
  }

  /// Returns when the transaction and all before it are durable. Must be called once.
  ///
  /// - Throws: Why it is not; then nothing of it is left.
  package func makeDurable() throws(EngineError) {
    if let writer { try engine.makeDurable(writer) } else { try engine.synchronize() }
  }
}
