/// The two ways of staging a version (Format.md §7).
extension Committer {
  /// The most extents whose changes a record has.
  private static let recordExtentsMax = 256

  /// The most bytes of records behind a slot.
  ///
  /// Once a slot is confirmed, the ring is free again: a durable commit that writes one waits for that. Without a sync records
  /// go on to follow meanwhile, and need the other half.
  static func recordBytesMax(in ring: RingPlace, _ durability: SyncPolicy) -> Int {
    durability == .relaxed ? ring.byteCount / 2 : ring.byteCount / 8 * 7
  }

  /// The most bytes that wait in memory: until they are written, what they replace takes as much space, which is to be little of
  /// a file that is not small.
  func waitingBytes(highWater: UInt64) -> Int {
    min(waitingBytesMax, max(512 << 10, Int(highWater / 16) * Unit.bytes))
  }

  /// Whether what a transaction changed may go to the ring.
  func isSmall(_ outcome: Outcome, _ writer: PageWriter, _ durability: SyncPolicy) -> Bool {
    ringUnits != 0 && outcome.catalog == nil && outcome.named == nil
      && outcome.removedTrees.isEmpty && outcome.base.slot.hasEveryRoot
      && outcome.catalogPointer == outcome.base.slot.catalog
      && outcome.roots.count <= MetaSlot.inlineRootsMax && durability != .paranoid
      && writer.fileBytes == 0 && reader.file.isDisk
  }

  /// Writes a record of what the transaction changed to the ring; its extents stay in memory.
  ///
  /// - Returns: Whether ``GroupCommit/makeDurable(_:)`` must follow; nil where a record is not possible.
  func journal(
    _ writer: PageWriter, _ outcome: Outcome, _ roots: RootTable, after base: CommitState,
    _ durability: SyncPolicy
  ) throws(EngineError) -> Bool? {
    guard base.appliedRecords == 0, let place = base.place, let start = base.slotted.place,
      let extents = writer.gathered, extents.count <= Self.recordExtentsMax,
      reader.dirty.bytes + writer.unwrittenBytes
        <= waitingBytes(highWater: base.version.slot.highWater),
      writer.space.highWater <= base.version.slot.highWater + RingRecord.newUnitsMax
    else { return nil }
    let durable = group.durable
    var record = RingRecord(
      transaction: writer.transaction, chain: place.chain, durable: durable.newest,
      confirmed: durable.confirmed, highWater: writer.space.highWater,
      freeUnits: writer.space.free.count)
    record.roots = roots.isWritten(by: writer.transaction) ? [] : outcome.roots
    record.free = writer.records
    record.extents.reserveCapacity(extents.count)
    for extent in extents {
      record.extents.append(RecordedExtent(of: extent, orOneOf: writer.replaced))
    }
    let count = record.byteCount
    guard count <= min(RingRecord.bytesMax, place.byteCount / 2),
      place.bytes(since: start) + count <= Self.recordBytesMax(in: place, durability)
    else { return nil }
    var ledger = try base.ledger(reader)
    ledger.unlogged.append(writer.records)
    // Without room, a slot may still do: its log can take free units. And what a delete frees is available only after one.
    guard try writer.reserveSpace(andUnits: FreeLog.pagesNeeded(for: ledger.unlogged.count)) else {
      return nil
    }
    let bytes = AlignedBytes(count: count)
    record.store(in: bytes.mutableView, key: place.key)
    return try bytes.withView { (bytes) throws(EngineError) in
      try group.journal(bytes, writer.transaction, at: place, durability) { place in
        let version = self.version(of: writer, outcome, roots, &ledger, after: base)
        return CommitState(
          version: version, roots: roots, slotted: base.slotted, place: place, ledger: ledger,
          writtenBytes: base.writtenBytes + bytes.count)
      }
    }
  }

  /// The version that a transaction makes whose extents stay in memory.
  func version(
    of writer: PageWriter, _ outcome: Outcome, _ roots: RootTable,
    _ ledger: inout CommitState.Ledger,
    after base: CommitState
  ) -> Version {
    writer.handOver()
    let slot = self.slot(of: writer, outcome, roots, after: base)
    ledger.space = writer.takeSpace()
    let version = Version(
      slot: slot, roots: roots.roots, named: base.version.named,
      pendingFree: PendingFree(anchor: base.slotted.slot, records: ledger.unlogged),
      succeeding: outcome.base, touched: outcome.touched, pins: pins)
    // Here it costs no time: the disk is writing.
    let protected = pins.protected(with: group.protected)
    reader.dropDirty(ledger.space.reconsider(protected: protected))
    ledger.isReconsidered = true
    return version
  }

  /// Writes the transaction's extents to their places, and with them those that earlier ones left in memory.
  ///
  /// - Parameters:
  ///   - makesRing: Whether the file gets a ring, if it has none.
  ///   - closes: Whether no record will follow.
  /// - Returns: Whether ``GroupCommit/makeDurable(_:)`` must follow.
  func writeOut(
    _ writer: PageWriter, _ outcome: Outcome, _ roots: RootTable, after base: CommitState,
    _ durability: SyncPolicy, makesRing: Bool = false, closes: Bool = false
  ) throws(EngineError) -> Bool {
    var slot = self.slot(of: writer, outcome, roots, after: base)
    if let named = outcome.named {
      writer.free(slot.namedVersions)
      slot.namedVersions = try writer.write(named)
    }
    slot.features.setNamedVersions(!slot.namedVersions.isNull)
    if let catalog = outcome.catalog { slot.features.setDeleteRules(catalog.hasDeleteRules) }
    slot.ring = try self.ring(writer, after: base, makesRing: makesRing)
    slot.features.setRing(slot.ring != nil)
    slot.features.setRecordedRows(slot.ring != nil)
    slot.isClosed = closes
    var (log, unlogged) = { ($0.log, $0.unlogged) }(try base.ledger(reader))
    writer.note(unlogged.all)
    try log.append(to: writer)
    slot.highWater = writer.space.highWater
    slot.freeUnits = writer.space.free.count
    slot.freeLog = log.pages.last ?? .null
    slot.freeLogPages = UInt32(log.pages.count)
    slot.inlineFree = log.inline
    // The bases of recovered extents may be written over once the slot is confirmed. Closing writes nothing to a damaged file:
    // salvaging may find more in its ring.
    try reader.takeRecorded(skipsDamaged: !closes)
    writer.leavesNoObjects = outcome.catalog != nil && roots.areEmpty
    let dirty = reader.dirty.unwritten()
    try writer.flush(with: dirty)
    reader.dirty.noteWritten(dirty)
    let version = try self.version(slot, outcome, roots, after: base)
    // What a delete frees is available once a slot with it is confirmed: without a sync for each, the next ones would soon take
    // all of the room that is kept for them.
    let durability = writer.takesLastRoom && durability == .relaxed ? .full : durability
    return try group.stage(
      CommitState(
        version: version, roots: roots, place: closes ? nil : slot.ring,
        ledger: .init(log: log, space: writer.space),
        writtenBytes: base.writtenBytes + writer.fileBytes), durability)
  }

  private func version(
    _ slot: MetaSlot, _ outcome: Outcome, _ roots: RootTable, after base: CommitState
  ) throws(EngineError) -> Version {
    let named =
      outcome.named.map { $0.isEmpty ? nil : NamedVersions($0, in: pins) } ?? base.version.named
    guard let catalog = outcome.catalog else {
      return Version(
        slot: slot, roots: roots.roots, named: named, succeeding: outcome.base,
        touched: outcome.touched, pins: pins)
    }
    return try Version(
      slot: slot, catalog: catalog, roots: roots.roots, named: named,
      modelsEpoch: base.version.modelsEpoch + (outcome.changesModels ? 1 : 0), reader: reader,
      pins: pins)
  }

  /// The slot of the transaction's version, but for what only a slot that is written has: the log of free units and the ring.
  private func slot(
    of writer: PageWriter, _ outcome: Outcome, _ roots: RootTable, after base: CommitState
  ) -> MetaSlot {
    var slot = base.version.slot
    slot.transaction = writer.transaction
    slot.highWater = writer.space.highWater
    slot.freeUnits = writer.space.free.count
    slot.catalog = outcome.catalogPointer
    slot.catalogLength = outcome.catalogLength
    slot.rootsExtent = roots.extent
    slot.inlineRoots = roots.inlineRoots
    slot.hasEveryRoot = true
    return slot
  }

  /// The ring of a version whose extents are written to their places, and where the records behind it begin.
  private func ring(
    _ writer: PageWriter, after base: CommitState, makesRing: Bool
  ) throws(EngineError) -> RingPlace? {
    let old = base.place ?? base.version.slot.ring
    guard old != nil || makesRing else { return nil }
    // Whatever lies there was written behind another version, and names another chain value.
    let chain = reader.file.randomNumber()
    let units = ringUnits ?? Self.ringUnits(highWater: writer.space.highWater)
    if var place = old, place.pointer.units * 2 > units || !makesRing {
      place.chain = chain
      return place
    }
    if let old { writer.free(old.pointer) }
    let pointer = try writer.write(kind: .ring, units: units) { _ in }
    // Nobody reads it through the cache.
    reader.cache.remove(pointer)
    return RingPlace(
      unit: pointer.unit, units: units, birth: pointer.birth, key: reader.file.randomNumber(),
      start: 0, chain: chain)
  }

  /// The units of the ring of a file: 64 KiB, from 1 MiB on twice as much, from 2 MiB on a sixteenth of it, at most 1 MiB.
  private static func ringUnits(highWater: UInt64) -> Int {
    let small: UInt64 = highWater < 256 ? 16 : 32
    return Int(min(max(highWater / 16, small), UInt64(Unit.extentUnitsMax)))
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
