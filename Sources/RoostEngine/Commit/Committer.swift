/// The parts of the file that only a writer needs, and the first half of the commit (Format.md §7). Used under the
/// write lock.
final class Committer {
  /// A transaction's result, to commit.
  struct Outcome {
    /// The roots of the trees that changed.
    var roots: [TreeRoot] = []
    /// The removed trees.
    var removedTrees: [UInt32] = []
    /// The version that the transaction began from.
    var base: Version
    /// The tables and fields, if they changed.
    var catalog: Catalog?
    /// Where the tables and fields are stored now.
    var catalogPointer: ExtentPointer
    var catalogLength: UInt64
    /// The named versions, if they changed.
    var named: [NamedVersion]?
    /// Whether the tables and fields differ from those of the base.
    var changesModels = false
    /// What it changed, table by table; of tables with many changes nothing.
    var touched: [WriteSet] = []
    /// The states of the tables that it touched, for the next transaction to use the memory.
    var states: [TableState] = []
  }

  /// The lock that protects everything here.
  let writeLock = WriteLock()
  let reader: PageReader
  let pins: PinRegistry
  /// The units of the file's ring; 0 for no ring, nil for a size that fits the file's.
  let ringUnits: Int?
  /// The most bytes that extents take which wait in memory to be written to their places.
  let waitingBytesMax: Int
  private let grower: FileGrower
  /// The second half of the commit. Also used without the write lock.
  let group: GroupCommit
  private var lastTransaction: UInt64
  /// The table states of the last transaction: creating them anew would take much of a small transaction's time.
  private var spareStates: [TableState] = []
  /// The tables with changes that are not applied to the trees.
  private var gathered: [TableState] = []
  /// The version whose changes ``gathered`` has; 0 for none.
  private var gatheredVersion: UInt64 = 0
  /// Before this transaction, no rows are recorded and applied.
  private var rowsFrom: UInt64 = 0
  /// Whether the running transaction's rows had no room in a record.
  private var hadNoRoomForRows = false
  /// The version that the last transaction staged.
  private var lastStaged: UInt64
  /// The version with which the file was opened.
  private let opened: UInt64

  /// - Parameters:
  ///   - version: What was recovered.
  ///   - newest: Where durable versions are published.
  init(
    slots: SlotStore, reader: PageReader, pins: PinRegistry, recovered: borrowing Recovery.Outcome,
    version: Version, roots: RootTable, newest: NewestVersion, fileSize: UInt64,
    _ bounds: (ringUnits: Int?, waitingBytes: Int),
    syncTimer: any SyncTimer
  ) {
    self.reader = reader
    self.pins = pins
    ringUnits = bounds.ringUnits
    waitingBytesMax = min(bounds.waitingBytes, reader.cacheBytes / 4)
    lastTransaction = recovered.lastTransaction
    lastStaged = version.transaction
    opened = version.transaction
    grower = FileGrower(
      file: slots.file, size: fileSize, highWater: recovered.slot.highWater,
      keepsRoomForDeletes: true)
    group = GroupCommit(
      slots: slots, slotTransactions: recovered.slotTransactions,
      from: CommitState(
        version: version, roots: roots,
        slotted: SlottedVersion(slot: recovered.anchor, writtenBytes: 0), place: recovered.place,
        ledger: nil, writtenBytes: 0),
      reader: reader, newest: newest, writeLock: writeLock, timer: syncTimer)
  }

  /// The state of a table that a transaction left when it ended.
  func takeSpareState(_ table: UInt32) -> TableState? {
    spareStates.firstIndex { $0.definition.id == table }.map { spareStates.remove(at: $0) }
  }

  /// The number of the transaction that follows another one.
  ///
  /// - Throws: `.limit` where there is none: a slot with a higher one could not be read.
  static func number(after last: UInt64) throws(EngineError) -> UInt64 {
    guard last < MetaSlot.transactionMax else {
      throw .limit(EngineLimit(.transactionNumber, MetaSlot.transactionMax))
    }
    return last + 1
  }

  /// Begins a transaction, from the version that was staged last.
  ///
  /// - Returns: Also the tables with changes that are not applied to its trees. The transaction has them until it is staged.
  func begin() throws(EngineError) -> (
    base: Version, writer: PageWriter, gathered: [TableState]
  ) {
    let (base, protected) = try group.base()
    // Versions that were staged and dropped may have different tables.
    if base.transaction != lastStaged { spareStates = [] }
    let gathered = try takeGathered(of: base.version)
    let ledger = try base.ledger(reader)
    lastTransaction = try Self.number(after: lastTransaction)
    let writer = PageWriter(
      reader: reader, transaction: lastTransaction, space: ledger.space,
      protected: pins.protected(with: protected), grower: grower,
      mayFreeMore: ledger.isReconsidered)
    return (base.version, writer, gathered)
  }

  /// The tables with changes that are not applied to the trees of a version: those that the last transaction left, or what the
  /// records say again.
  private func takeGathered(of version: Version) throws(EngineError) -> [TableState] {
    defer {
      gathered = []
      gatheredVersion = 0
    }
    guard let unapplied = version.unapplied else { return [] }
    return gatheredVersion == version.transaction
      ? gathered : try unapplied.states(in: version.applied)
  }

  /// Takes the tables back from a transaction that has changed nothing of them.
  func giveBack(_ states: [TableState], of base: Version) {
    guard base.unapplied != nil else { return }
    for state in states { state.beginRecord() }
    gathered = states.filter(\.hasGathered)
    gatheredVersion = base.transaction
  }

  /// A record of extents cannot follow one of rows whose changes are in the trees: the transaction writes out everything.
  /// Where that happens, some transactions go on without records of rows.
  private static let transactionsWithoutRows: UInt64 = 32

  /// Whether the record of a transaction may say which rows it changed.
  func mayRecordRows(after base: Version, _ durability: SyncPolicy) -> Bool {
    durability != .paranoid && ringUnits != 0 && reader.file.isDisk
      && base.slot.features.hasRecordedRows
  }

  /// Whether the running transaction may record its rows and apply them, too.
  var mayApplyRecordedRows: Bool { lastTransaction >= rowsFrom }

  /// How much a transaction may leave to be applied later; nil for nothing.
  func leaving(after base: Version) -> ChangeLeaving? {
    let leaving = pins.leaving
    let mayLeave = base.transaction - min(base.transaction, pins.lastRead) >= leaving.unreadCommits
    return mayLeave ? leaving.inFile(ofUnits: base.slot.highWater) : nil
  }

  /// Writes what the transaction changed, so that the next one can begin from it; after an error nothing
  /// of it is left.
  ///
  /// - Returns: Whether ``GroupCommit/makeDurable(_:)`` must follow.
  func stage(
    _ writer: PageWriter, _ outcome: Outcome, _ durability: SyncPolicy
  ) throws(EngineError) -> Bool {
    let base = group.newestStaged
    var roots = base.roots
    try roots.update(outcome.roots, removing: outcome.removedTrees, writer: writer)
    let isSmall = self.isSmall(outcome, writer, durability)
    if isSmall, base.appliedRecords > 0, !hadNoRoomForRows {
      rowsFrom = writer.transaction + Self.transactionsWithoutRows
    }
    hadNoRoomForRows = false
    let staged =
      isSmall ? try journal(writer, outcome, roots, after: base, durability) : nil
    // A ring takes more than a full disk keeps for deletes.
    let makesRing = isSmall && !writer.onlyDeletes
    let mustBeMadeDurable =
      if let staged { staged } else {
        try writeOut(
          writer, outcome, roots, after: base, durability, makesRing: makesRing)
      }
    // Not before: by now the disk is writing a small commit.
    for state in outcome.states { state.end() }
    spareStates = outcome.catalog == nil ? spareStates + outcome.states : []
    lastStaged = writer.transaction
    return mustBeMadeDurable
  }

  /// Writes a record of the rows that a transaction changed, so that the next one can begin from it; the changes stay where
  /// they were gathered.
  ///
  /// - Returns: As ``stage(_:_:_:)``; nil where a record is not possible.
  func leave(
    _ rows: consuming RowWriter, of writer: PageWriter, _ states: [TableState],
    after version: Version,
    _ durability: SyncPolicy
  ) throws(EngineError) -> Bool? {
    guard
      let mustBeMadeDurable = try journal(
        rows, of: writer, states, after: version, durability)
    else { return nil }
    for state in states { state.beginRecord() }
    gathered = states.filter(\.hasGathered)
    gatheredVersion = writer.transaction
    for state in states where !state.hasGathered {
      state.end()
      spareStates.append(state)
    }
    lastStaged = writer.transaction
    return mustBeMadeDurable
  }

  /// Writes a record of the rows that a transaction changed, and applies them to the trees while the disk writes it.
  ///
  /// - Returns: As ``leave(_:of:_:after:_:)``.
  func stage(
    _ rows: consuming RowWriter, of writer: PageWriter, _ states: [TableState],
    after version: Version, _ durability: SyncPolicy
  ) throws(EngineError) -> Bool? {
    guard
      let mustBeMadeDurable = try journalApplied(
        rows, of: writer, states, after: version, durability)
    else {
      hadNoRoomForRows = true
      return nil
    }
    for state in states { state.end() }
    spareStates += states.filter(\.isSmall)
    lastStaged = writer.transaction
    return mustBeMadeDurable
  }

  /// Makes everything durable, in places that opening the file finds without the records of the ring.
  ///
  /// - Parameter closes: Whether the file is closed: no record follows, and readers see nothing newer.
  func checkpoint(closes: Bool) throws(EngineError) {
    try group.synchronize()
    let staged = group.newestStaged
    guard let place = staged.place else { return }
    let hasRecords = place != staged.slotted.place
    // Where the last commit wrote its slot, the next opening would search the ring for records.
    guard hasRecords || closes && staged.version.transaction != opened else { return }
    if closes { group.endPublishing() }
    try group.makeDurable(try stageUnchanged(closes: closes))
  }

  /// Stages a version that is as the last one, with all extents at their places.
  ///
  /// - Parameter closes: Whether no record follows it.
  /// - Returns: Its number.
  private func stageUnchanged(closes: Bool) throws(EngineError) -> UInt64 {
    try writeLock.lock()
    defer { writeLock.unlock() }
    let (base, writer, gathered) = try begin()
    var outcome = Outcome(
      base: base, catalogPointer: base.slot.catalog, catalogLength: base.slot.catalogLength)
    do {
      let state = try group.base().staged
      for table in gathered {
        try table.apply(writer)
        table.forEachRoot { outcome.roots.append($0) }
      }
      var roots = state.roots
      try roots.update(outcome.roots, removing: [], writer: writer)
      _ = try writeOut(writer, outcome, roots, after: state, .full, closes: closes)
    } catch {
      writer.discard()
      throw error
    }
    return writer.transaction
  }

  /// The oldest pinned version that is not the newest, if it costs space. Also used without
  /// the write lock.
  var oldestSnapshot: OldestPinnedVersion? {
    for oldest in group.newestStaged.oldestWaiting {
      guard let age = pins.age(of: oldest.version) else { continue }
      return OldestPinnedVersion(
        version: oldest.version, age: age, bytes: oldest.units * UInt64(Unit.bytes))
    }
    return nil
  }
}
