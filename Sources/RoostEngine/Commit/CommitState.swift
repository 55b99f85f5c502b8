/// A version, with the state that the next transaction builds on.
final class CommitState: Sendable {
  let version: Version
  /// The roots of all trees, as the version's slot stores them.
  let roots: RootTable
  /// The version itself where a slot describes it, or will; else the last such version before it, behind which the records
  /// of the ring lead to it.
  let slotted: SlottedVersion
  /// Where the record of the next version goes; nil where its extents must be written to their places, because the file has
  /// no ring, or was closed.
  let place: RingPlace?
  /// The units as the ring's records lead to them.
  let recorded: RecordedUnits
  /// How many records of rows there are behind what it says of extents, whose changes are in the version's trees.
  let appliedRecords: Int
  /// The bytes of extents and records written to the file since it was opened, up to this version's.
  let writtenBytes: Int
  /// The oldest versions that units wait for, and the number of these units.
  let oldestWaiting: [(version: UInt64, units: UInt64)]
  /// The free units of the version. Used under the write lock.
  @safe nonisolated(unsafe) private var knownLedger: Ledger?

  /// The most versions that are protected without being held by a reader.
  private static let protectedMax = 7

  /// The free units, and the log that lists them.
  struct Ledger {
    var log: FreeLog
    /// What changed since the log was written, by records of the ring.
    var unlogged = FreeRecords()
    var space: FreeSpace
    /// Whether what waits for versions was looked through when the version was staged.
    var isReconsidered = false
  }

  /// - Parameters:
  ///   - slotted: Nil where a slot describes the version.
  ///   - recorded: Nil where the ring has a record of the version's extents, or needs none.
  ///   - ledger: Nil where it is to be read when the first transaction asks for it, so that
  ///     opening does not wait for it.
  init(
    version: Version, roots: RootTable, slotted: SlottedVersion? = nil, place: RingPlace?,
    recorded: RecordedUnits? = nil, appliedRecords: Int = 0, ledger: Ledger?, writtenBytes: Int
  ) {
    self.version = version
    self.roots = roots
    self.slotted = slotted ?? SlottedVersion(slot: version.slot, writtenBytes: writtenBytes)
    self.place = place
    self.recorded = recorded ?? RecordedUnits(of: version.slot)
    self.appliedRecords = appliedRecords
    self.writtenBytes = writtenBytes
    oldestWaiting = ledger?.space.oldestWaiting(Self.protectedMax + 1) ?? []
    knownLedger = ledger
  }

  var transaction: UInt64 { version.transaction }

  func ledger(_ reader: PageReader) throws(EngineError) -> Ledger {
    if let knownLedger { return knownLedger }
    let read = try FreeLog.read(
      version.slot, named: version.named?.list ?? [], pending: version.pendingFree,
      reader: reader)
    let ledger = Ledger(log: read.log, unlogged: read.pending, space: read.space)
    knownLedger = ledger
    return ledger
  }
}

/// The units of a version, as a record says them.
struct RecordedUnits {
  let highWater: UInt64
  let free: UInt64

  init(of slot: MetaSlot) {
    highWater = slot.highWater
    free = slot.freeUnits
  }
}

/// A version that a slot describes, or will describe.
final class SlottedVersion: Sendable {
  let slot: MetaSlot
  /// The bytes written to the file since it was opened, up to this version's.
  let writtenBytes: Int

  init(slot: MetaSlot, writtenBytes: Int) {
    self.slot = slot
    self.writtenBytes = writtenBytes
  }

  var transaction: UInt64 { slot.transaction }

  /// Where the records behind the version begin; nil where none may be, because the file was closed with it.
  var place: RingPlace? { slot.isClosed ? nil : slot.ring }
}
