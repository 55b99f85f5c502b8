/// The log of freed and used units, as stored in the file (Format.md §5).
///
/// Records are appended to the slot; when the slot's places are used up, all of them go to pages. For
/// each new page the oldest is cut off, after its ranges that are still free have been noted again:
/// so the log stays within a small multiple of its necessary size, and no commit rewrites it.
struct FreeLog {
  /// The pages, oldest first.
  private(set) var pages: [ExtentPointer] = []
  /// The records in the slot; after a rebuild, those that no page holds yet.
  private(set) var inline: [FreeRecord] = []

  /// An empty log.
  init() {}

  /// A log of the given free space.
  init(rebuilt space: FreeSpace, at transaction: UInt64) {
    inline = FreeRecord.all(of: space, in: [Unit.firstExtent..<space.highWater], at: transaction)
  }

  /// Reads the log that a slot describes, and the resulting free set.
  ///
  /// - Parameters:
  ///   - named: The versions that have names, ascending; what they see waits for them.
  ///   - pending: The records of the ring that follow the log; what their anchor sees waits for it.
  init(
    _ slot: MetaSlot, named: [UInt64], pending: PendingFree? = nil, reader: PageReader,
    into space: inout FreeSpace
  ) throws(EngineError) {
    var pointer = slot.freeLog
    var contents: [[FreeRecord]] = []
    var seen: Set<UInt64> = []
    for _ in 0..<slot.freeLogPages {
      guard !pointer.isNull, pointer.end <= slot.highWater, seen.insert(pointer.unit).inserted
      else {
        throw .corrupt(Corruption(.freeLog, unit: pointer.unit))
      }
      pages.append(pointer)
      pointer = try reader.withBytes(of: pointer) { (bytes) throws(EngineError) in
        let page = try FreeLogPage(bytes, pointer: pointer)
        contents.append(page.records)
        return page.older
      }
    }
    pages.reverse()
    if named.isEmpty, pending == nil {
      for records in contents.reversed() { try FreeLog.apply(records, to: &space) }
      try FreeLog.apply(slot.inlineFree, to: &space)
    } else {
      let protected = ProtectedVersions(
        held: pending.map { [$0.anchor.transaction] } ?? [], named: named)
      try FreeLog.apply(
        [pending?.records.all ?? [], slot.inlineFree] + contents, to: &space, protected)
    }
    inline = slot.inlineFree
    guard space.free.count == slot.freeUnits else { throw .corrupt(Corruption(.freeLog)) }
  }

  private static func apply(
    _ records: [FreeRecord], to space: inout FreeSpace
  ) throws(EngineError) {
    for record in records {
      let range = record.unit..<record.end
      guard range.upperBound <= space.highWater else {
        throw .corrupt(Corruption(.freeLog, unit: record.unit))
      }
      // A range may be noted again while it is free; adding it then changes nothing.
      if record.isFree { space.makeAvailable(range) } else { space.remove(range) }
    }
  }

  /// Applies records from newest to oldest: for each unit the newest record counts, with its ages.
  private static func apply(
    _ contents: [[FreeRecord]], to space: inout FreeSpace, _ protected: ProtectedVersions
  ) throws(EngineError) {
    var open = UnitSet()
    open.insert(Unit.firstExtent..<max(space.highWater, Unit.firstExtent))
    for records in contents {
      for record in records.reversed() {
        let range = record.unit..<record.end
        guard range.upperBound <= space.highWater else {
          throw .corrupt(Corruption(.freeLog, unit: record.unit))
        }
        for run in open.runs(in: range) where record.isFree {
          space.release(
            FreeSpace.Waiting(
              unit: run.lowerBound, units: run.count, birth: record.birth, death: record.death),
            protected: protected)
        }
        open.remove(range)
      }
    }
  }

  /// The units that the log needs at most when so many records are added.
  static func pagesNeeded(for records: Int) -> Int { 2 + records / FreeLogPage.capacity }

  /// Notes the transaction's records, in the slot or in new pages.
  mutating func append(to writer: PageWriter) throws(EngineError) {
    if inline.count + writer.records.count <= MetaSlot.inlineFreeMax {
      inline += writer.takeRecords()
      return
    }
    var records = inline
    let pageCount = { (count: Int) in
      (count + FreeLogPage.capacity - 1) / FreeLogPage.capacity
    }
    let cut = min(pages.count, pageCount(records.count + writer.records.count))
    do { try cutOldest(cut, writer) } catch {
      guard case .corrupt = error else { throw error }
      cutAll(writer)
    }
    // Taking units for the pages adds a record for each, at most.
    let expected = pageCount(records.count + writer.records.count)
    let reserved = pageCount(records.count + writer.records.count + 2 * expected + 2)
    var places: [UInt64] = []
    for _ in 0..<reserved { places.append(try writer.reserve(1)) }
    records += writer.takeRecords()
    var older = pages.last ?? .null
    var rest = records[...]
    for place in places {
      let part = rest.prefix(FreeLogPage.capacity)
      rest = rest.dropFirst(FreeLogPage.capacity)
      older = try writer.write(kind: .freeLog, at: place, units: 1) { view in
        FreeLogPage.store(part, older: older, transaction: writer.transaction, in: view)
      }
      pages.append(older)
    }
    guard rest.isEmpty else {
      throw .limit(EngineLimit(.freeExtents, places.count * FreeLogPage.capacity))
    }
    inline = []
  }

  /// Drops the oldest pages, after noting again their ranges that are still free.
  private mutating func cutOldest(_ count: Int, _ writer: PageWriter) throws(EngineError) {
    var ranges: [Range<UInt64>] = []
    for pointer in pages.prefix(count) {
      try writer.reader.withBytes(of: pointer) { (bytes) throws(EngineError) in
        for record in try FreeLogPage(bytes, pointer: pointer).records where record.isFree {
          ranges.append(record.unit..<record.end)
        }
      }
    }
    var done: UInt64 = 0
    var fresh: [Range<UInt64>] = []
    for range in ranges.ascending(by: { Int(clamping: $0.lowerBound) })
    where range.upperBound > done {
      fresh.append(max(range.lowerBound, done)..<range.upperBound)
      done = range.upperBound
    }
    writer.recordAgain(fresh)
    for pointer in pages.prefix(count) { writer.free(pointer) }
    pages.removeFirst(count)
  }

  /// Drops all pages, after noting all free ranges again: a page became unreadable.
  private mutating func cutAll(_ writer: PageWriter) {
    writer.recordAgain([Unit.firstExtent..<writer.space.highWater])
    for pointer in pages { writer.free(pointer) }
    pages = []
  }
}
