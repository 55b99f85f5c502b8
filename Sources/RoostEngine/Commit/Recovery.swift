/// Finds the newest version that the file holds whole (Format.md §7).
package struct Recovery {
  /// The result of the search. It is not copied, for copying that many fields takes a program seven kilobytes.
  package struct Outcome: ~Copyable {
    /// The version: as its slot describes it, or as the ring's records make it of that of the anchor.
    package var slot: MetaSlot
    /// The newest slot whose version is whole.
    package var anchor: MetaSlot
    /// The records that follow the anchor; nil where it has no ring, or where nothing follows because the file was closed.
    package var replay: RingReplay?
    /// The checksum of the anchor.
    var checksum: UInt64
    /// The transaction in each slot; 0 for an empty slot.
    var slotTransactions: [UInt64]
    /// The highest transaction number that may have been used.
    var lastTransaction: UInt64
    /// Whether the version was known durable before this recovery.
    var wasConfirmed: Bool
    /// The slots that were dropped because their version was not whole.
    var dropped: [Int]

    /// Where the next record goes; nil where none may follow the version, because it has no ring or closed the file.
    var place: RingPlace? {
      guard !anchor.isClosed, let replay, var place = anchor.ring else { return nil }
      place.start = UInt32(replay.position)
      place.chain = replay.chain
      return place
    }
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
    var known = RingFacts(
      confirmed: survey.confirmed, durable: survey.confirmed, highest: survey.highest)
    // Nothing follows a slot that closed the file, so an orderly opening reads no ring.
    let rings = survey.isClosed ? [] : try readRings(survey, &known)
    var dropped: [Int] = []
    for found in survey.slots {
      guard found.slot.transaction >= known.confirmed else { break }
      let isConfirmed =
        found.slot.transaction == known.confirmed
        && survey.marks.allSatisfy {
          $0.transaction != known.confirmed || $0.slotChecksum == found.checksum
        }
      guard isConfirmed || found.slot.transaction > known.confirmed else { break }
      if !isConfirmed, !(try isWhole(found.slot)) {
        dropped.append(found.index)
        continue
      }
      let replay = try replay(found.slot, rings)
      let slot = replay?.slot ?? found.slot
      // A silent step back to an older version would lose what was acknowledged.
      guard slot.transaction >= known.durable else {
        throw .corrupt(Corruption(.ringCut, unit: found.slot.ring?.pointer.unit))
      }
      var transactions = [UInt64](repeating: 0, count: MetaSlot.count)
      for other in survey.slots where !dropped.contains(other.index) {
        transactions[other.index] = other.slot.transaction
      }
      let wasClean = dropped.isEmpty && known.highest == found.slot.transaction
      return Outcome(
        slot: slot, anchor: found.slot, replay: replay, checksum: found.checksum,
        slotTransactions: transactions,
        lastTransaction: wasClean ? known.highest : known.highest + Self.numbersSkipped,
        wasConfirmed: isConfirmed, dropped: dropped)
    }
    throw .corrupt(Corruption(survey.slots.isEmpty ? .noValidSlot : .confirmedVersionLost))
  }

  /// Reads the rings of all slots that may be chosen, and adds to what is known what any whole record of them says.
  private func readRings(
    _ survey: SlotStore.Survey, _ known: inout RingFacts
  ) throws(EngineError) -> [RingContent] {
    // At most one a slot: the first dictionary of a type costs a program a tenth of a millisecond.
    var rings: [RingContent] = []
    // The ring of an older slot may be something else by now.
    for slot in survey.slots.map(\.slot) where slot.transaction >= survey.confirmed {
      // The file grew before the sync that would have confirmed the slot, which has not returned then.
      guard let ring = slot.ring?.pointer, ring.end <= fileUnits,
        !rings.contains(where: { $0.pointer == ring })
      else { continue }
      let content = try RingContent(reading: ring, from: slots.file)
      known.formUnion(content.facts)
      rings.append(content)
    }
    return rings
  }

  /// The records that follow a slot.
  private func replay(
    _ slot: MetaSlot, _ rings: [RingContent]
  ) throws(EngineError) -> RingReplay? {
    guard let ring = slot.ring, let content = rings.first(where: { $0.pointer == ring.pointer })
    else { return nil }
    // A library that does not know the slot's features does not know the records either.
    _ = try slot.features.check()
    var replay = RingReplay(from: slot, at: ring)
    while try replay.applyNext(of: content) {}
    return replay
  }

  /// Makes the version found durable: overwrites the dropped slots, syncs once, confirms.
  func settle(_ outcome: borrowing Outcome) throws(EngineError) {
    for index in outcome.dropped { try slots.invalidate(index) }
    guard
      !outcome.wasConfirmed || !outcome.dropped.isEmpty || outcome.replay?.recordCount ?? 0 > 0
    else { return }
    // The process that wrote it may have died before the file's name was durable.
    try slots.file.makeNameDurable()
    do { try slots.file.synchronize() } catch { throw .file(error) }
    let transaction = outcome.anchor.transaction
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
