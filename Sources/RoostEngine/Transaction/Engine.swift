import Synchronization

/// How a store's file is opened.
package struct EngineOptions: Sendable {
  /// Whether the file is only read. Nothing is written then, not even to finish a recovery.
  package var isReadOnly: Bool
  /// Whether a missing file is made.
  package var createsFile: Bool
  /// Who may use a file that is made: the nine bits of a POSIX mode, whatever the process's mask. Its owner alone, unless
  /// said otherwise.
  package var newFilePermissions: UInt16 = 0o600
  /// How many bytes of the file may be kept in memory, beside what rows in use hold.
  package var cacheBytes: Int
  /// Whether the file is compacted when it is opened, from its size and the bytes that are in use.
  ///
  /// Nil compacts never. Not asked when the file is open already, or only read.
  package var compactsOnOpen: (@Sendable (_ fileBytes: UInt64, _ usedBytes: UInt64) -> Bool)?
  /// When what nobody waits for is synced.
  package var syncTimer: any SyncTimer = ClockTimer()

  /// Options; by default a missing file is made, 192 MiB may be kept in memory, and a large file
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
/// The file is locked against other processes until the engine and every snapshot of it are gone.
package final class Engine: Sendable {
  /// The path by which the file was opened.
  package let path: String
  /// Whether nothing may be written.
  package let isReadOnly: Bool
  let file: any StorageFile
  /// The newest version, for those who take one often.
  package let newest: NewestVersion
  /// Nil when the file is only read. Used under its write lock.
  @safe nonisolated(unsafe) private let committer: Committer?
  private let hasCountedOpening = Atomic(false)
  private let failedCompaction = Mutex<EngineError?>(nil)
  private let generation = ForkGeneration.ofNewFile()

  init(
    path: String, file: any StorageFile, newest: NewestVersion, committer: Committer?
  ) {
    self.path = path
    self.file = file
    isReadOnly = committer == nil
    self.newest = newest
    self.committer = committer
  }

  deinit {
    // In a forked child the locks may be held by threads that are not there, and the file is the parent's.
    guard isOfThisProcess else { return }
    newest.replace(with: nil)
    // What was committed without waiting for it; a failure could be told to nobody.
    try? committer?.group.synchronize()
    committer?.group.end()
  }

  /// Whether the process that runs is the one that opened the file, and not a child that it forked.
  ///
  /// - Complexity: O(1), a load of a number from memory.
  package var isOfThisProcess: Bool { generation.isCurrent }

  /// Throws in a process that was forked since the file was opened: it must open the file itself.
  package func checkProcess() throws(EngineError) {
    guard isOfThisProcess else { throw .file(FileError(.open, path: path, .forked)) }
  }

  /// The newest version, pinned until the snapshot and everything read through it are gone.
  ///
  /// - Complexity: O(1), about 20 ns; waits for nobody.
  package func snapshot() -> EngineSnapshot {
    guard let snapshot = newest.snapshot() else {
      preconditionFailure("An engine has a version.")
    }
    return snapshot
  }

  /// Says once that the file was opened, however often this process opens it while it has it open.
  package func takeOpening() -> Bool { !hasCountedOpening.exchange(true, ordering: .relaxed) }

  /// Why the file was not compacted although the options said so when it was opened; nil where it was,
  /// or did not have to be. The file is as good as before, and the next opening tries again.
  package var compactionFailure: EngineError? { failedCompaction.withLock { $0 } }

  func noteFailedCompaction(_ error: EngineError) { failedCompaction.withLock { $0 = error } }

  /// Why the file on a disk that mirrors this one in memory is not up to date; nil where it is, or there is none.
  package var mirrorFailure: FileError? { (file as? MirroredFile)?.fileSystem.failure }

  /// Brings the file on a disk that mirrors this one in memory up to date, if it is not.
  package func bringMirrorUpToDate() throws(EngineError) {
    try checkProcess()
    guard let mirrored = file as? MirroredFile else { return }
    do { try mirrored.fileSystem.bringUpToDate() } catch { throw .file(error) }
  }

  /// The oldest version that somebody holds although there are newer ones, as far as the last commit knew.
  ///
  /// Nil where none costs anything: nothing that it sees was changed since.
  /// - Complexity: O(1).
  package var oldestSnapshot: OldestPinnedVersion? { committer?.oldestSnapshot }

  /// The size of the file now, in bytes.
  package func fileBytes() throws(EngineError) -> UInt64 {
    do { return try file.size() } catch { throw .file(error) }
  }

  /// Waits until no other transaction writes, and begins one.
  ///
  /// The transaction must be ended by `commit()` or `rollback()`, by the same thread.
  package func beginWrite() throws(EngineError) -> EngineTransaction {
    try checkProcess()
    guard let committer = committer else { throw .readOnly }
    try committer.writeLock.lock()
    do {
      let (base, writer) = try committer.begin()
      return EngineTransaction(engine: self, base: base, writer: writer)
    } catch {
      committer.writeLock.unlock()
      throw error
    }
  }

  /// Runs a write transaction: commits when `body` returns, rolls back when it throws.
  package func write<R>(
    _ durability: SyncPolicy = .full, _ body: (EngineTransaction) throws(EngineError) -> R
  ) throws(EngineError) -> R {
    let transaction = try beginWrite()
    let result: R
    do { result = try body(transaction) } catch {
      transaction.rollback()
      throw error
    }
    try transaction.commit(durability)
    return result
  }

  /// The state of a table that the last transaction has left, for one that does not change the tables.
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

  /// Returns when everything that was committed before is durable, whatever its ``SyncPolicy``.
  ///
  /// - Throws: Also `.nestedWrite` under the write lock, for which a failed sync waits.
  package func synchronize() throws(EngineError) {
    try checkProcess()
    guard let committer else { return }
    try committer.writeLock.checkIsNotMine()
    try committer.group.synchronize()
  }

  /// Returns when what a transaction has staged is durable.
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
  func rollback(_ writer: PageWriter) {
    writer.discard()
    committer?.writeLock.unlock()
  }
}

/// A transaction that has ended, and that others may have begun from, before it is durable.
package final class PendingCommit: @unchecked Sendable {  // used by one thread at a time
  /// Nil where the transaction changed nothing.
  private let writer: PageWriter?
  private let engine: Engine

  init(_ writer: PageWriter?, of engine: Engine) {
    self.writer = writer
    self.engine = engine
  }

  /// Returns when the transaction is durable, and all before it. Must be called once.
  ///
  /// - Throws: Why it is not; then nothing of it is left.
  package func makeDurable() throws(EngineError) {
    if let writer { try engine.makeDurable(writer) } else { try engine.synchronize() }
  }
}
