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
  private let reader: PageReader
  private let pins: PinRegistry
  private let grower: FileGrower
  /// The second half of the commit. Also used without the write lock.
  let group: GroupCommit
  private var lastTransaction: UInt64
  /// The table states of the last transaction: creating them anew would take much of a small transaction's time.
  private var spareStates: [TableState] = []
  /// The version that the last transaction staged.
  private var lastStaged: UInt64

  /// - Parameters:
  ///   - version: What was recovered.
  ///   - newest: Where durable versions are published.
  ///   - timer: When versions that nobody waits for are synced.
  init(
    slots: SlotStore, reader: PageReader, pins: PinRegistry, recovered: Recovery.Outcome,
    version: Version, roots: RootTable, newest: NewestVersion, fileSize: UInt64,
    timer: any SyncTimer
  ) {
    self.reader = reader
    self.pins = pins
    lastTransaction = recovered.lastTransaction
    lastStaged = version.transaction
    grower = FileGrower(
      file: slots.file, size: fileSize, highWater: recovered.slot.highWater,
      keepsRoomForDeletes: true)
    group = GroupCommit(
      slots: slots, slotTransactions: recovered.slotTransactions,
      from: CommitState(version: version, roots: roots, ledger: nil, writtenBytes: 0),
      newest: newest, writeLock: writeLock, timer: timer)
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
  func begin() throws(EngineError) -> (base: Version, writer: PageWriter) {
    let (base, confirmed) = try group.base()
    // Versions that were staged and dropped may have different tables.
    if base.transaction != lastStaged { spareStates = [] }
    let space = try base.ledger(reader).space
    lastTransaction = try Self.number(after: lastTransaction)
    let writer = PageWriter(
      reader: reader, transaction: lastTransaction, space: space,
      protected: pins.protected(with: confirmed), grower: grower)
    return (base.version, writer)
  }

  /// Writes the transaction's extents, so that the next one can begin from it; after an error nothing
  /// of it is left.
  ///
  /// - Returns: Whether ``makeDurable(_:)`` must follow.
  func stage(
    _ writer: PageWriter, _ outcome: Outcome, _ durability: SyncPolicy
  ) throws(EngineError) -> Bool {
    let base = try group.base().staged
    var roots = base.roots
    try roots.update(outcome.roots, removing: outcome.removedTrees, writer: writer)
    var log = try base.ledger(reader).log
    var namedPointer = base.version.slot.namedVersions
    if let named = outcome.named {
      writer.free(namedPointer)
      namedPointer = try writer.write(named)
    }
    try log.append(to: writer)
    writer.leavesNoObjects = outcome.catalog != nil && roots.areEmpty
    try writer.flush()

    var slot = base.version.slot
    slot.transaction = writer.transaction
    slot.highWater = writer.space.highWater
    slot.freeUnits = writer.space.free.count
    slot.catalog = outcome.catalogPointer
    slot.catalogLength = outcome.catalogLength
    slot.rootsExtent = roots.extent
    slot.inlineRoots = roots.inlineRoots
    slot.freeLog = log.pages.last ?? .null
    slot.freeLogPages = UInt32(log.pages.count)
    slot.inlineFree = log.inline
    slot.hasEveryRoot = true
    slot.namedVersions = namedPointer
    slot.features.setNamedVersions(!namedPointer.isNull)
    if let catalog = outcome.catalog { slot.features.setDeleteRules(catalog.hasDeleteRules) }
    let named =
      outcome.named.map { $0.isEmpty ? nil : NamedVersions($0, in: pins) } ?? base.version.named
    let version: Version
    if let catalog = outcome.catalog {
      version = try Version(
        slot: slot, catalog: catalog, roots: roots.roots, named: named,
        modelsEpoch: base.version.modelsEpoch + (outcome.changesModels ? 1 : 0), reader: reader,
        pins: pins)
    } else {
      version = try Version(
        slot: slot, roots: roots.roots, named: named, succeeding: outcome.base,
        touched: outcome.touched, pins: pins)
    }
    let mustBeMadeDurable = try group.stage(
      CommitState(
        version: version, roots: roots, ledger: .init(log: log, space: writer.space),
        writtenBytes: base.writtenBytes + writer.fileBytes), durability)
    spareStates = outcome.catalog == nil ? spareStates + outcome.states : []
    lastStaged = version.transaction
    return mustBeMadeDurable
  }

  /// The oldest pinned version that is not the newest, if it costs space. Also used without
  /// the write lock.
  var oldestSnapshot: OldestPinnedVersion? {
    guard let oldest = group.newestStaged.oldestWaiting, let age = pins.age(of: oldest.version)
    else { return nil }
    return OldestPinnedVersion(
      version: oldest.version, age: age, bytes: oldest.units * UInt64(Unit.bytes))
  }
}

extension PageWriter {
  /// Writes the list of named versions; null if there are none.
  fileprivate func write(_ named: [NamedVersion]) throws(EngineError) -> ExtentPointer {
    guard !named.isEmpty else { return .null }
    return try write(kind: .namedVersions, units: named.units) { view in
      named.store(in: view, transaction: transaction)
    }
  }
}
