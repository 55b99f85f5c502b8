/// Records that say which rows a transaction changed (Format.md §7).
extension Committer {
  /// Units for what is written with the trees.
  private static let unitsBeside = 32

  /// Writes a record of the rows that a transaction changed to the ring; no tree changes.
  ///
  /// - Returns: Whether ``GroupCommit/makeDurable(_:)`` must follow; nil where a record is not possible.
  func journal(
    _ rows: consuming RowWriter, of writer: PageWriter, _ states: [TableState],
    after version: Version, _ durability: SyncPolicy
  ) throws(EngineError) -> Bool? {
    let base = group.newestStaged
    let (bytes, changes) = (rows.bytes[...], rows.changes)
    // Each extent is written anew once at most. Without room for that, what follows might not even delete.
    let leaves = states.reduce(0) { $0 + $1.unitsToApply }
    let values = states.reduce(0) { $0 + $1.unitsOfValues }
    let units = min(leaves, Int(clamping: version.slot.highWater)) + values + Self.unitsBeside
    guard let place = base.place,
      let record = try record(of: bytes, by: writer, after: base, durability, units: units)
    else { return nil }
    var ledger = try base.ledger(reader)
    return try record.withView { (record) throws(EngineError) in
      try group.journal(record, writer.transaction, at: place, durability) { place in
        var slot = version.slot
        slot.transaction = writer.transaction
        slot.isClosed = false
        ledger.space = writer.takeSpace()
        let version = Version(
          slot: slot, leaving: UnappliedRows(bytes, changes, after: version.unapplied),
          pendingFree: PendingFree(anchor: base.slotted.slot, records: ledger.unlogged),
          succeeding: version, pins: pins)
        return CommitState(
          version: version, roots: base.roots, slotted: base.slotted, place: place,
          recorded: base.recorded, appliedRecords: base.appliedRecords, ledger: ledger,
          writtenBytes: base.writtenBytes + record.count)
      }
    }
  }

  /// Writes a record of the rows that a transaction changed to the ring, and then applies them to the trees: the disk is
  /// writing meanwhile. The extents stay in memory until a slot is written; recovery makes them of the rows anew.
  ///
  /// - Returns: As ``journal(_:of:_:after:_:)``.
  /// - Throws: Where they cannot be applied; the record is taken back then.
  func journalApplied(
    _ rows: consuming RowWriter, of writer: PageWriter, _ states: [TableState],
    after version: Version, _ durability: SyncPolicy
  ) throws(EngineError) -> Bool? {
    let base = group.newestStaged
    var ledger = try base.ledger(reader)
    let rowUnits = states.reduce(0) { $0 + $1.unitsOfRows }
    let values = states.reduce(0) { $0 + $1.unitsOfValues }
    let units = min(rowUnits, Int(clamping: version.slot.highWater)) + values
    guard let place = base.place, base.appliedRecords < pins.leaving.commits,
      // Half of what else waits in a file that is not large: such commits are many before one writes a slot.
      reader.dirty.bytes + units * Unit.bytes
        <= waitingBytes(highWater: version.slot.highWater / 2),
      let record = try record(
        of: rows.bytes[...], by: writer, after: base, durability,
        units: units + FreeLog.pagesNeeded(for: ledger.unlogged.count))
    else { return nil }
    return try record.withView { (record) throws(EngineError) in
      try group.journal(record, writer.transaction, at: place, durability) {
        (place) throws(EngineError) in
        let outcome = try Outcome(applying: states, after: version, writer)
        var roots = base.roots
        try roots.update(outcome.roots, removing: [], writer: writer)
        ledger.unlogged.append(writer.records)
        let version = self.version(of: writer, outcome, roots, &ledger, after: base)
        return CommitState(
          version: version, roots: roots, slotted: base.slotted, place: place,
          recorded: base.recorded, appliedRecords: base.appliedRecords + 1, ledger: ledger,
          writtenBytes: base.writtenBytes + record.count + writer.fileBytes)
      }
    }
  }

  /// A record of rows; nil where there is no room for it in the ring.
  ///
  /// - Parameter units: For so many there must be room in the file, too.
  private func record(
    of rows: ArraySlice<UInt8>, by writer: PageWriter, after base: CommitState,
    _ durability: SyncPolicy, units: Int
  ) throws(EngineError) -> AlignedBytes? {
    guard let place = base.place, let start = base.slotted.place else { return nil }
    let durable = group.durable
    var record = RingRecord(
      .rows, transaction: writer.transaction, chain: place.chain, durable: durable.newest,
      confirmed: durable.confirmed, highWater: base.recorded.highWater,
      freeUnits: base.recorded.free)
    record.rows = rows
    let count = record.byteCount
    guard count <= min(pins.leaving.recordBytes, place.byteCount / 2),
      place.bytes(since: start) + count <= Self.recordBytesMax(in: place, durability)
    else { return nil }
    let more = max(0, units - Int(clamping: writer.space.available.count))
    guard try writer.reserveSpace(andUnits: more) else { return nil }
    let bytes = AlignedBytes(count: count)
    record.store(in: bytes.mutableView, key: place.key)
    return bytes
  }
}

extension Committer.Outcome {
  /// What a transaction changed that gathered rows and applies them now.
  fileprivate init(
    applying states: [TableState], after base: Version, _ writer: PageWriter
  ) throws(EngineError) {
    self.init(
      base: base, catalogPointer: base.slot.catalog, catalogLength: base.slot.catalogLength)
    var changed = TreeRoots()
    for state in states {
      try state.apply(writer)
      state.forEachRoot { changed.update(with: $0) }
      guard let keys = state.touchedKeys else { continue }
      touched.append(WriteSet(table: state.definition.id, keys: keys))
    }
    roots = changed.subtracting(base.appliedRoots).all
  }
}
