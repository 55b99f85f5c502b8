/// Finds the newest version that the file holds whole (Format.md §7).
package struct Recovery {
  /// The result of the search.
  package struct Outcome {
    package var slot: MetaSlot
    var checksum: UInt64
    /// The transaction in each slot; 0 for an empty slot.
    var slotTransactions: [UInt64]
    /// The highest transaction number that may have been used.
    var lastTransaction: UInt64
    /// Whether the version was known durable before this recovery.
    var wasConfirmed: Bool
    /// The slots that were dropped because their version was not whole.
    var dropped: [Int]
  }

  /// After a version was dropped, numbering continues this far above the highest number seen.
  private static let numbersSkipped: UInt64 = 1024

  let slots: SlotStore
  let reader: PageReader
  /// The number of whole units in the file.
  let fileUnits: UInt64

  package init(slots: SlotStore, reader: PageReader, fileUnits: UInt64) {
    self.slots = slots
    self.reader = reader
    self.fileUnits = fileUnits
  }

  /// Only reads; writes nothing.
  package func find() throws(EngineError) -> Outcome {
    let survey = try slots.survey()
    let confirmed = survey.confirmed
    var dropped: [Int] = []
    for found in survey.slots {
      guard found.slot.transaction >= confirmed else { break }
      let isConfirmed =
        found.slot.transaction == confirmed
        && survey.marks.allSatisfy {
          $0.transaction != confirmed || $0.slotChecksum == found.checksum
        }
      guard isConfirmed || found.slot.transaction > confirmed else { break }
      if !isConfirmed, !(try isWhole(found.slot)) {
        dropped.append(found.index)
        continue
      }
      var transactions = [UInt64](repeating: 0, count: MetaSlot.count)
      for other in survey.slots where !dropped.contains(other.index) {
        transactions[other.index] = other.slot.transaction
      }
      return Outcome(
        slot: found.slot, checksum: found.checksum, slotTransactions: transactions,
        lastTransaction: dropped.isEmpty
          ? survey.highest : survey.highest + Self.numbersSkipped,
        wasConfirmed: isConfirmed, dropped: dropped)
    }
    throw .corrupt(Corruption(survey.slots.isEmpty ? .noValidSlot : .confirmedVersionLost))
  }

  /// Makes the version found durable: overwrites the dropped slots, syncs once, confirms.
  func settle(_ outcome: Outcome) throws(EngineError) {
    for index in outcome.dropped { try slots.invalidate(index) }
    guard !outcome.wasConfirmed || !outcome.dropped.isEmpty else { return }
    // The process that wrote it may have died before the file's name was durable.
    try slots.file.makeNameDurable()
    do { try slots.file.synchronize() } catch { throw .file(error) }
    let transaction = outcome.slot.transaction
    guard let index = outcome.slotTransactions.firstIndex(of: transaction) else { return }
    try slots.confirm(slot: index, transaction: transaction, checksum: outcome.checksum)
  }

  /// Whether all extents that the version's own and earlier unconfirmed commits wrote are whole.
  private func isWhole(_ slot: MetaSlot) throws(EngineError) -> Bool {
    // The file grew before the sync that would have confirmed it, which has not returned then.
    guard slot.highWater <= fileUnits else { return false }
    guard !slot.pagesWereSynced else { return true }
    do {
      let walk = VersionWalk(slot: slot, reader: reader, bornAfter: slot.confirmed)
      try walk.visit { pointer throws(EngineError) in _ = try reader.frame(pointer) }
      return true
    } catch {
      guard error.isDamage else { throw error }
      return false
    }
  }
}

extension StorageFile {
  /// Makes the file's name durable, as far as the process can.
  func makeNameDurable() throws(EngineError) {
    do { try synchronizeName() } catch {
      // Without permission to open the directory, the process cannot sync it: the name stays as its creator left it.
      guard error.meaning == .forbidden else { throw .file(error) }
    }
  }
}
