/// Which version each slot holds, and which slot the next one may overwrite.
struct SlotRotation {
  private let slots: SlotStore
  /// The transaction in each slot, 0 for an empty slot; and the slot's checksum.
  private var entries: [(transaction: UInt64, checksum: UInt64)]
  /// The slot of the newest version known durable.
  private var confirmed: Int?
  /// The slot of the version that a sync under way covers.
  private var covered: Int?

  /// - Parameter confirmed: The transaction whose slot is known durable.
  init(_ slots: SlotStore, transactions: [UInt64], confirmed: UInt64) {
    self.slots = slots
    entries = transactions.map { ($0, 0) }
    self.confirmed = transactions.firstIndex(of: confirmed)
  }

  /// Writes a version's slot, unless it was written before.
  ///
  /// - Parameter isCovered: Whether a sync is about to begin that makes it durable.
  mutating func write(_ slot: MetaSlot, isCovered: Bool) throws(EngineError) {
    let written = entries.firstIndex { $0.transaction == slot.transaction }
    let index = if let written { written } else { try write(slot) }
    if isCovered { covered = index }
  }

  /// Overwrites the oldest slot that is not needed; returns its index.
  private mutating func write(_ slot: MetaSlot) throws(EngineError) -> Int {
    // Of three, one is neither confirmed nor covered.
    let index =
      entries.indices.filter { $0 != confirmed && $0 != covered }
      .min { entries[$0].transaction < entries[$1].transaction } ?? 0
    var slot = slot
    slot.confirmed = confirmed.map { entries[$0].transaction } ?? slot.confirmed
    // If this fails, the slot's content is not a version.
    entries[index] = (0, 0)
    entries[index] = (slot.transaction, try slots.write(slot, at: index))
    return index
  }

  /// Notes that the covered version is durable, and writes its mark.
  mutating func confirm() {
    guard let index = covered else { return }
    covered = nil
    guard index != confirmed else { return }
    confirmed = index
    // Only a help for the next recovery: without the mark it would walk what the slot covers.
    try? slots.confirm(
      slot: index, transaction: entries[index].transaction, checksum: entries[index].checksum)
  }

  /// Makes sure that a later opening finds no version that holds a dropped one: overwrites the slots of
  /// those above the confirmed one, and those whose writing failed.
  mutating func dropUnconfirmed() throws(EngineError) {
    let last = confirmed.map { entries[$0].transaction } ?? 0
    covered = nil
    var failure: EngineError?
    for index in entries.indices where index != confirmed {
      guard entries[index].transaction == 0 || entries[index].transaction > last else { continue }
      entries[index] = (0, 0)
      do { try slots.invalidate(index) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Overwrites the slots whose writing failed.
  mutating func dropFailed() throws(EngineError) {
    for index in entries.indices where entries[index].transaction == 0 {
      try slots.invalidate(index)
    }
  }
}
