/// The version that the records of a ring make of a slot's version (Format.md §7).
package struct RingReplay: Sendable {
  /// The version, as a slot would describe it but for the free log, which is the anchor's.
  package private(set) var slot: MetaSlot
  /// The slot that the records follow.
  private let anchor: MetaSlot
  /// The extents of the records.
  private var pages = RecordedPages()
  /// What the last records say of rows, after the last that says it of extents: that of each, oldest first.
  private(set) var unapplied: [ArraySlice<UInt8>] = []
  /// The number of records.
  package private(set) var recordCount = 0
  /// The offset in the ring behind the last record.
  private(set) var position: Int
  /// The chain value that the next record names.
  private(set) var chain: UInt64
  /// What the records say of free units, in order.
  private var free: [FreeRecord] = []

  /// The slot's version itself.
  package init(from anchor: MetaSlot, at ring: RingPlace) {
    self.anchor = anchor
    slot = anchor
    position = Int(ring.start)
    chain = ring.chain
  }

  /// What the records say of rows that is not in the trees, oldest first.
  package func unappliedRows() throws(EngineError) -> [[RecordedRows]] {
    try unapplied.map { (bytes) throws(EngineError) in try RecordedRows.all(bytes) }
  }

  /// What the records say of free units; nil where there are no records.
  package var pendingFree: PendingFree? {
    recordCount == 0 ? nil : PendingFree(anchor: anchor, records: FreeRecords(free))
  }

  /// Lets a reader of the file find the extents that only the records have.
  package func letReaderFind(_ reader: PageReader) {
    reader.dirty.recorded.set(pages, without: freeUnits)
  }

  /// The units that the records leave free.
  private var freeUnits: UnitSet {
    var units = UnitSet()
    for record in free {
      if record.isFree {
        units.insert(record.unit..<record.end)
      } else {
        units.remove(record.unit..<record.end)
      }
    }
    return units
  }

  /// Applies the record that follows, if there is one.
  ///
  /// The file may end below the version's high-water mark, where a crash took its growth: all that lies above the anchor's
  /// mark is in the records. So it depends on the ring alone which records follow.
  ///
  /// - Throws: `.corrupt` where it is whole, and not what Format.md says.
  package mutating func applyNext(
    of content: RingContent
  ) throws(EngineError) -> Bool {
    guard let next = content.next(after: position, slot.transaction, chain: chain) else {
      return false
    }
    try apply(try content.record(next))
    position = next.end
    chain = next.checksum
    recordCount += 1
    return true
  }

  private mutating func apply(_ record: RingRecord) throws(EngineError) {
    guard slot.highWater...slot.highWater + RingRecord.newUnitsMax ~= record.highWater else {
      throw .corrupt(Corruption(.ringRecord))
    }
    switch record.kind {
    case .rows:
      guard anchor.features.hasRecordedRows, record.highWater == slot.highWater,
        record.freeUnits == slot.freeUnits
      else { throw .corrupt(Corruption(.ringRecord)) }
      unapplied.append(record.rows)
    case .commit: unapplied = []
    case .checkpoint, .idle: break
    }
    for extent in record.extents where extent.base?.range.upperBound ?? 0 > slot.highWater {
      throw .corrupt(Corruption(.ringRecord, unit: extent.pointer.unit))
    }
    try pages.add(record.extents)
    let rootsExtents = record.extents.filter { $0.pointer.kind == .roots }
    guard rootsExtents.count <= 1 else { throw .corrupt(Corruption(.ringRecord)) }
    if let extent = rootsExtents.first {
      slot.rootsExtent = extent.pointer
      slot.inlineRoots = []
    }
    for root in record.roots {
      let place = slot.inlineRoots.partitioningIndex { $0.id >= root.id }
      if place < slot.inlineRoots.count, slot.inlineRoots[place].id == root.id {
        slot.inlineRoots[place] = root
      } else {
        slot.inlineRoots.insert(root, at: place)
      }
    }
    guard slot.inlineRoots.count <= MetaSlot.inlineRootsMax else {
      throw .corrupt(Corruption(.ringRecord))
    }
    slot.isClosed = false
    slot.transaction = record.transaction
    slot.highWater = record.highWater
    slot.freeUnits = record.freeUnits
    free += record.free
  }
}
