/// A version, with the state that the next transaction builds on.
final class CommitState: Sendable {
  let version: Version
  /// The roots of all trees, as the version's slot stores them.
  let roots: RootTable
  /// The bytes of extents written to the file since it was opened, up to this version's.
  let writtenBytes: Int
  /// The oldest version that units wait for, and the number of these units.
  let oldestWaiting: (version: UInt64, units: UInt64)?
  /// The free units of the version. Used under the write lock.
  @safe nonisolated(unsafe) private var knownLedger: Ledger?

  /// The free units, and the log that lists them.
  struct Ledger {
    var log: FreeLog
    var space: FreeSpace
  }

  /// - Parameter ledger: Nil where it is to be read when the first transaction asks for it, so that
  ///   opening does not wait for it.
  init(version: Version, roots: RootTable, ledger: Ledger?, writtenBytes: Int) {
    self.version = version
    self.roots = roots
    self.writtenBytes = writtenBytes
    oldestWaiting = ledger?.space.oldestWaiting
    knownLedger = ledger
  }

  var transaction: UInt64 { version.transaction }

  func ledger(_ reader: PageReader) throws(EngineError) -> Ledger {
    if let knownLedger { return knownLedger }
    let read = try FreeLog.read(
      version.slot, named: version.named?.list ?? [], pending: version.pendingFree,
      reader: reader)
    let ledger = Ledger(log: read.log, space: read.space)
    knownLedger = ledger
    return ledger
  }
}
