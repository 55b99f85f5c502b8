/// What only a writer needs of the file, and the commit itself (Format.md §7). Used under the write lock.
final class Committer {
  /// What a transaction hands over.
  struct Outcome {
    /// The roots of the trees that changed.
    var roots: [TreeRoot] = []
    /// The trees that are gone.
    var removedTrees: [UInt32] = []
    /// The version that it began from.
    var base: Version
    /// The tables and fields where they changed.
    var catalog: Catalog?
    /// Where they are stored now.
    var catalogPointer: ExtentPointer
    var catalogLength: UInt64
    /// The states of the tables that it touched, for the next transaction to use the memory.
    var states: [TableState] = []
  }

  private let slots: SlotStore
  private let reader: PageReader
  private let pins: PinRegistry
  private let grower: FileGrower
  /// What is free and the log that says so, read by the first transaction: opening does not wait for it.
  private var ledger: (log: FreeLog, space: FreeSpace)?
  private var roots: RootTable
  /// The transaction in each slot; 0 for a slot that holds nothing.
  private var slotTransactions: [UInt64]
  private var confirmed: UInt64
  private var current: MetaSlot
  private var lastTransaction: UInt64
  /// What the last transaction made for tables: making it anew would be much of a small transaction's time.
  private var spareStates: [TableState] = []
  /// A sync failed, or a failed commit could not be taken back: nothing more is written.
  private(set) var refusesWrites = false

  /// A commit of more bytes syncs its pages before it writes its slot.
  private static let unverifiedBytesMax = 4 << 20

  init(
    slots: SlotStore, reader: PageReader, pins: PinRegistry, recovered: Recovery.Outcome,
    fileSize: UInt64
  ) throws(EngineError) {
    self.slots = slots
    self.reader = reader
    self.pins = pins
    current = recovered.slot
    confirmed = recovered.slot.transaction
    slotTransactions = recovered.slotTransactions
    lastTransaction = recovered.lastTransaction
    grower = FileGrower(
      file: slots.file, size: fileSize, highWater: recovered.slot.highWater)
    roots = try RootTable(recovered.slot, reader: reader)
  }

  /// The catalog's place in the newest version.
  var catalogPlace: (pointer: ExtentPointer, length: UInt64) {
    (current.catalog, current.catalogLength)
  }

  /// The state of a table as a transaction has left it when it ended.
  func takeSpareState(_ table: UInt32) -> TableState? {
    spareStates.firstIndex { $0.definition.id == table }.map { spareStates.remove(at: $0) }
  }

  /// Begins a transaction.
  func begin() throws(EngineError) -> PageWriter {
    guard !refusesWrites else { throw .writesRefused }
    let space = try readLedger().space
    lastTransaction += 1
    return PageWriter(
      reader: reader, transaction: lastTransaction, space: space,
      protected: pins.protected(with: confirmed), grower: grower)
  }

  /// What is free in the newest version.
  private func readLedger() throws(EngineError) -> (log: FreeLog, space: FreeSpace) {
    if let ledger { return ledger }
    let read = try FreeLog.read(current, reader: reader)
    ledger = read
    return read
  }

  /// Makes the transaction durable and returns its version; after an error nothing of it is left.
  func commit(_ writer: PageWriter, _ outcome: Outcome) throws(EngineError) -> Version {
    guard !refusesWrites else { throw .writesRefused }
    var roots = roots
    try roots.update(outcome.roots, removing: outcome.removedTrees, writer: writer)
    var log = try readLedger().log
    try log.append(to: writer)

    var slot = current
    slot.transaction = writer.transaction
    slot.confirmed = confirmed
    slot.highWater = writer.space.highWater
    slot.freeUnits = writer.space.free.count
    slot.catalog = outcome.catalogPointer
    slot.catalogLength = outcome.catalogLength
    slot.rootsExtent = roots.extent
    slot.inlineRoots = roots.inlineRoots
    slot.freeLog = log.pages.last ?? .null
    slot.freeLogPages = UInt32(log.pages.count)
    slot.inlineFree = log.inline

    try writer.flush()
    slot.pagesWereSynced = writer.fileBytes > Self.unverifiedBytesMax
    if slot.pagesWereSynced { try synchronize() }
    let index = freeSlot()
    let checksum: UInt64
    do { checksum = try slots.write(slot, at: index) } catch {
      takeBack(index)
      throw error
    }
    do { try synchronize() } catch {
      takeBack(index)
      throw error
    }

    ledger = (log, writer.space)
    self.roots = roots
    slotTransactions[index] = slot.transaction
    confirmed = slot.transaction
    current = slot
    if outcome.catalog == nil { spareStates += outcome.states } else { spareStates = [] }
    // Only a help for the next recovery: without the mark it would walk this commit's pages.
    try? slots.confirm(slot: index, transaction: slot.transaction, checksum: checksum)
    guard let catalog = outcome.catalog else {
      return Version(
        slot: slot, checksum: checksum, roots: roots.roots, succeeding: outcome.base, pins: pins)
    }
    return Version(
      slot: slot, checksum: checksum, catalog: catalog, roots: roots.roots, reader: reader,
      pins: pins)
  }

  /// The slot with the oldest transaction that is not the confirmed one.
  private func freeSlot() -> Int {
    slotTransactions.indices
      .filter { slotTransactions[$0] != confirmed }
      .min { slotTransactions[$0] < slotTransactions[$1] } ?? 0
  }

  /// A sync is never retried: after a failed one nobody knows what the disk holds.
  private func synchronize() throws(EngineError) {
    do { try slots.file.synchronize() } catch {
      refusesWrites = true
      throw .file(error)
    }
  }

  /// Makes sure that a slot whose commit failed is not found by a later opening.
  private func takeBack(_ index: Int) {
    slotTransactions[index] = 0
    do { try slots.invalidate(index) } catch { refusesWrites = true }
  }
}
