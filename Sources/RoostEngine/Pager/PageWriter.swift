import Synchronization

/// Writes the extents of one transaction: finds units for them, keeps their frames, and notes the extents that
/// the transaction frees.
///
/// A frame is filled, sealed with its checksum, and readable at once through `reader`. It goes to
/// the file when 4 MiB have gathered or at the commit; so a transaction larger than memory spills.
/// Used by one thread, under the write lock.
package final class PageWriter {
  /// Reads older extents and those written here.
  package let reader: PageReader
  /// The transaction: the birth of every extent written here.
  package let transaction: UInt64

  private(set) var space: FreeSpace
  /// The versions whose extents must be kept.
  private var protected: ProtectedVersions
  /// The named versions when the transaction began.
  private let namedBefore: [UInt64]
  /// Nil where everything stays in memory.
  private let grower: FileGrower?
  /// Whether versions may have gone since what waits for them was last looked through.
  private var mayFreeMore: Bool
  /// The extents that are not in the file yet: no more than take ``spillBytes``.
  private var unwritten: [UnwrittenExtent] = []
  private(set) var unwrittenBytes = 0
  /// Every extent written here since the last savepoint and not freed since, for a rollback.
  private var written: Set<ExtentPointer> = []
  /// The extents written here before the last savepoint and freed since: they are kept until it is released.
  private var kept: [ExtentPointer] = []
  /// The first extents of older versions that the transaction freed: those written here are made of them.
  private(set) var replaced: [Frame] = []
  /// The state to restore at each savepoint, oldest first.
  private var marks: [Mark] = []
  /// The units that became free or used, for the free log.
  private(set) var records: [FreeRecord] = []
  /// How many of them earlier transactions made.
  private var earlierCount = 0
  /// The number of bytes written to the file.
  private(set) var fileBytes = 0
  /// Whether the transaction has done nothing but delete so far: then it may fill the file to its end.
  var onlyDeletes = true
  /// Whether it only deletes, and takes of the last room of a full disk.
  private(set) var takesLastRoom = false
  /// Whether the transaction leaves a store without objects.
  var leavesNoObjects = false

  private static let spillBytes = 4 << 20
  /// With fewer units available, a transaction looks for more.
  private static let spareUnits = 64
  /// A transaction that replaces more extents has no record of its differences.
  private static let replacedMax = 64
  /// Larger ones are not held.
  private static let replacedUnitsMax = 16

  /// The writer's state at a savepoint.
  private struct Mark {
    let space: FreeSpace
    let recordCount: Int
    let onlyDeletes: Bool
    var written: Set<ExtentPointer>
    let kept: [ExtentPointer]
  }

  /// - Parameter mayFreeMore: Whether what waits for versions was looked through when the transaction before had ended: then
  ///   that is done again only where little is available.
  init(
    reader: PageReader, transaction: UInt64, space: FreeSpace,
    protected: ProtectedVersions,
    grower: FileGrower, mayFreeMore: Bool = false
  ) {
    self.reader = reader
    self.mayFreeMore = mayFreeMore
    self.transaction = transaction
    self.space = space
    self.protected = protected
    namedBefore = protected.named
    self.grower = grower
    if !mayFreeMore { reader.dropDirty(self.space.reconsider(protected: protected)) }
    // Of a small transaction nothing grows.
    records.reserveCapacity(16)
    unwritten.reserveCapacity(12)
    written.reserveCapacity(12)
    replaced.reserveCapacity(12)
  }

  /// A writer of extents that are never written to the file, behind all that a version has there.
  init(inMemory reader: PageReader, transaction: UInt64, highWater: UInt64) {
    self.reader = reader
    self.transaction = transaction
    space = FreeSpace(highWater: highWater)
    mayFreeMore = false
    // Whatever it replaces is read on: its units stay taken.
    protected = ProtectedVersions(held: [transaction - 1])
    namedBefore = []
    grower = nil
  }

  /// Whether nothing was written or freed.
  var isUntouched: Bool {
    written.isEmpty && records.isEmpty && marks.isEmpty && fileBytes == 0
  }

  /// Writes an extent: `fill` gets its bytes, which are zero.
  package func write(
    kind: ExtentKind, units: Int, _ fill: (MutableByteView) throws(EngineError) -> Void
  ) throws(EngineError) -> ExtentPointer {
    try writeFrame(kind: kind, at: try reserve(units), units: units, fill).pointer
  }

  /// Writes an extent and returns its frame, so that the caller can attach an object to it.
  ///
  /// - Parameter older: An extent that has most of the same content, if one is known.
  func writeFrame(
    kind: ExtentKind, units: Int, like older: Frame? = nil,
    _ fill: (MutableByteView) throws(EngineError) -> Void
  ) throws(EngineError) -> Frame {
    try writeFrame(kind: kind, at: try reserve(units), units: units, like: older, fill)
  }

  /// Takes units, for an extent that is written later with `write(kind:at:units:_:)`.
  @inline(never)
  func reserve(_ units: Int) throws(EngineError) -> UInt64 {
    if mayFreeMore, space.available.count < UInt64(units + Self.spareUnits) {
      mayFreeMore = false
      reader.dropDirty(space.reconsider(protected: protected, isInTransaction: true))
    }
    let place = try space.allocate(units)
    if let gap = place.gap { record(gap, isFree: true, birth: transaction) }
    if place.wasFree { record(place.unit..<place.unit + UInt64(units), isFree: false, birth: 0) }
    return place.unit
  }

  /// Writes an extent to units that were reserved for it.
  func write(
    kind: ExtentKind, at unit: UInt64, units: Int,
    _ fill: (MutableByteView) throws(EngineError) -> Void
  ) throws(EngineError) -> ExtentPointer {
    try writeFrame(kind: kind, at: unit, units: units, fill).pointer
  }

  private func writeFrame(
    kind: ExtentKind, at unit: UInt64, units: Int, like older: Frame? = nil,
    _ fill: (MutableByteView) throws(EngineError) -> Void
  ) throws(EngineError) -> Frame {
    let (run, view) = try memory(units)
    view.zero()
    do { try fill(view) } catch {
      reader.arena.release(run)
      throw error
    }
    return try keep(run, view, kind: kind, at: unit, madeOf: older)
  }

  /// Writes an extent that is made of an older one.
  ///
  /// - Parameter fill: Makes all of its bytes, and returns the operations that say how; nil where it does not know.
  func writeFrame(
    kind: ExtentKind, units: Int, madeOf base: Frame,
    _ fill: (MutableByteView) throws(EngineError) -> DeltaOps?
  ) throws(EngineError) -> Frame {
    let unit = try reserve(units)
    let (run, view) = try memory(units)
    let ops: DeltaOps?
    do { ops = try fill(view) } catch {
      reader.arena.release(run)
      throw error
    }
    return try keep(run, view, kind: kind, at: unit, madeOf: base, ops)
  }

  // The next two are never inlined: each way of filling has its own copy of the function that fills.

  /// Memory for an extent, of any content.
  @inline(never)
  private func memory(
    _ units: Int
  ) throws(EngineError) -> (run: FrameArena.Run, view: MutableByteView) {
    let run = try reader.arena.allocate(units)
    return (run, unsafe MutableByteView(base: run.base, count: units * Unit.bytes))
  }

  /// Makes a frame of a filled extent.
  @inline(never)
  private func keep(
    _ run: FrameArena.Run, _ view: MutableByteView, kind: ExtentKind, at unit: UInt64,
    madeOf base: Frame? = nil, _ ops: DeltaOps? = nil
  ) throws(EngineError) -> Frame {
    let pointer = ExtentPointer(
      unit: unit, units: view.count / Unit.bytes, kind: kind, birth: transaction,
      checksum: XXH3.hash(view.readOnly))
    let frame = Frame(pointer: pointer, run: run, arena: reader.arena, isWritten: false)
    // An extent of the transaction itself is no part of the version that a record follows.
    let isCopy = base.map { $0.pointer.birth < transaction } ?? false
    unwritten.append(
      UnwrittenExtent(
        frame: frame, unit: unit, base: isCopy ? base : nil, ops: isCopy ? ops : nil))
    unwrittenBytes += view.count
    written.insert(pointer)
    _ = reader.cache.insert(frame)
    if unwrittenBytes >= Self.spillBytes { try flush() }
    return frame
  }

  /// Frees an extent: at once if this transaction wrote it, otherwise when no protected version sees it.
  package func free(_ pointer: ExtentPointer) {
    guard !pointer.isNull else { return }
    let range = pointer.unit..<pointer.end
    guard pointer.birth == transaction, written.remove(pointer) != nil else {
      // A node of an index holds children: the versions that see it hold it, and nobody else needs to.
      if pointer.birth == transaction, !marks.isEmpty { return kept.append(pointer) }
      noteReplaced(pointer)
      if pointer.kind == .indexInner { reader.cache.remove(pointer) }
      // What the file says of itself is no part of a version's content: a name does not keep it.
      let isContent = pointer.kind?.isContent ?? true
      record(range, isFree: true, birth: isContent ? pointer.birth : transaction)
      space.release(
        FreeSpace.Waiting(
          unit: pointer.unit, units: pointer.units, birth: pointer.birth, death: transaction,
          isContent: isContent),
        protected: protected)
      return
    }
    record(range, isFree: true, birth: pointer.birth)
    forget(pointer)
    space.makeAvailable(range)
  }

  /// Holds an extent of an older version: what is written in its place is probably much like it.
  private func noteReplaced(_ pointer: ExtentPointer) {
    guard replaced.count < Self.replacedMax, fileBytes == 0, pointer.units <= Self.replacedUnitsMax,
      let frame = reader.cache.frame(pointer)
    else { return }
    replaced.append(frame)
  }

  /// Forgets an extent that was written here.
  private func forget(_ pointer: ExtentPointer) {
    reader.cache.remove(pointer)
    // It is mostly one of the last.
    if let place = unwritten.lastIndex(where: { $0.unit == pointer.unit }) {
      unwritten.remove(at: place)
      unwrittenBytes -= pointer.byteCount
    }
  }

  /// Writes the gathered frames to their places, in runs of neighbouring units.
  ///
  /// - Parameter dirty: Frames of earlier transactions to write with them.
  /// - Throws: `.displaced` where somebody has taken the file from its place, or cut it off, since it was opened.
  func flush(with dirty: [Frame] = []) throws(EngineError) {
    guard let grower else { return }
    try grower.checkPlace()
    if onlyDeletes, try grower.isShortOfRoom(behind: space.highWater) { takesLastRoom = true }
    // Also if the extents that raised the mark are gone: no slot may name a unit beyond the end of the file.
    try grower.reserve(
      through: space.highWater, onlyDeletes: onlyDeletes, isEmpty: leavesNoObjects)
    guard !unwritten.isEmpty || !dirty.isEmpty else { return }
    let frames = (dirty + unwritten.map(\.frame)).ascending { Int(clamping: $0.pointer.unit) }
    var run: [Frame] = []
    var next: UInt64 = 0
    for frame in frames {
      if frame.pointer.unit != next, !run.isEmpty {
        try write(run)
        run.removeAll(keepingCapacity: true)
      }
      run.append(frame)
      next = frame.pointer.end
    }
    try write(run)
    for extent in unwritten { extent.frame.isWritten.store(true, ordering: .relaxed) }
    unwritten.removeAll(keepingCapacity: true)
    unwrittenBytes = 0
  }

  /// The gathered extents, by unit, if nothing was written to the file yet; nil otherwise.
  var gathered: [UnwrittenExtent]? {
    guard fileBytes == 0 else { return nil }
    return unwritten.ascending { Int(clamping: $0.unit) }
  }

  /// Reserves space in the file for the gathered frames, which are written to their places later or never.
  ///
  /// - Parameter more: A number of units that are needed behind them when they are written.
  /// - Returns: False where there is no room for that, or it would be the last room of a full disk, which is kept for deletes.
  func reserveSpace(andUnits more: Int) throws(EngineError) -> Bool {
    guard let grower else { return true }
    let end = space.highWater + UInt64(more)
    try grower.checkPlace()
    if onlyDeletes, try grower.isShortOfRoom(behind: end) { return false }
    do throws(EngineError) {
      try grower.reserve(
        through: end, onlyDeletes: onlyDeletes, isEmpty: false, isWrittenNext: false)
      return true
    } catch {
      if case .file(let cause) = error, cause.isLackOfRoom { return false }
      throw error
    }
  }

  /// Hands the gathered frames over to the table of dirty pages.
  func handOver() {
    reader.dirty.add(unwritten)
    unwritten.removeAll()
    unwrittenBytes = 0
    replaced.removeAll()
  }

  /// Hands over the free space at the transaction's end; a copy that both have would be copied at its next change.
  func takeSpace() -> FreeSpace {
    defer { space = FreeSpace(highWater: space.highWater) }
    return space
  }

  /// Drops everything that was written here; the caller keeps the free space from before.
  func discard() {
    for pointer in written { reader.cache.remove(pointer) }
    for mark in marks {
      for pointer in mark.written { reader.cache.remove(pointer) }
    }
    written.removeAll()
    marks.removeAll()
    unwritten.removeAll()
    unwrittenBytes = 0
    replaced.removeAll()
  }

  private func write(_ run: [Frame]) throws(EngineError) {
    guard let first = run.first else { return }
    do {
      try reader.file.write(run.map(\.bytes), at: first.pointer.unit * UInt64(Unit.bytes))
    } catch { throw .file(error) }
    fileBytes += run.reduce(0) { $0 + $1.bytes.count }
    withExtendedLifetime(run) {}
  }

  /// Notes a change of the free set.
  private func record(_ range: Range<UInt64>, isFree: Bool, birth: UInt64) {
    records.add(
      FreeRecord(
        unit: range.lowerBound, units: range.count, isFree: isFree, birth: birth,
        death: isFree ? transaction : 0),
      joinedFrom: max(marks.last?.recordCount ?? 0, earlierCount),
      named: protected.named)
  }

  /// Notes the free units of some ranges again, because the log pages that listed them are cut.
  ///
  /// - Parameter ranges: Ascending, and none has a unit of another.
  func recordAgain(_ ranges: [Range<UInt64>]) {
    records += FreeRecord.all(of: space, in: ranges, at: transaction)
  }

  /// Notes whether this transaction names the version that it began from.
  ///
  /// Named versions stay protected: dropping a name takes effect when it is confirmed.
  func setBase(_ base: UInt64, isNamed: Bool) {
    let wanted = namedBefore + (isNamed && namedBefore.last != base ? [base] : [])
    guard wanted != protected.named else { return }
    protected = ProtectedVersions(held: protected.held, named: wanted)
    reader.dropDirty(space.reconsiderAll(protected: protected))
  }

  /// Notes changes of the free set that earlier transactions made and no log has.
  func note(_ earlier: [FreeRecord]) {
    records.insert(contentsOf: earlier, at: 0)
    earlierCount += earlier.count
  }

  /// Hands over the records, for the log.
  func takeRecords() -> [FreeRecord] {
    defer {
      records.removeAll()
      earlierCount = 0
    }
    return records
  }
}

// MARK: Savepoints

extension PageWriter {
  /// Begins a savepoint: what was written so far stays as it is until the savepoint is released.
  ///
  /// Cost: copies of what this transaction has freed, and of the free map's segments that are changed after it.
  func beginSavepoint() {
    marks.append(
      Mark(
        space: space, recordCount: records.count, onlyDeletes: onlyDeletes, written: written,
        kept: kept))
    written = []
    kept = []
  }

  /// Ends the last savepoint, and keeps the changes since.
  ///
  /// Cost: what was written and freed since, however much was written before.
  func releaseSavepoint() {
    guard var mark = marks.popLast() else { return }
    let freed = kept
    swap(&written, &mark.written)
    written.formUnion(mark.written)
    kept = mark.kept
    // Extents older than the previous savepoint are kept for that savepoint.
    for pointer in freed { free(pointer) }
  }

  /// Ends the last savepoint, and drops everything written and freed since.
  func rollbackToSavepoint() {
    guard let mark = marks.popLast() else { return }
    for pointer in written { forget(pointer) }
    written = mark.written
    kept = mark.kept
    space = mark.space
    records.removeSubrange(mark.recordCount...)
    onlyDeletes = mark.onlyDeletes
  }
}

extension [FreeRecord] {
  /// Adds a record, joined with the last one where they touch; records before a place stay as they are.
  ///
  /// - Parameter named: Versions that see both or neither where they are joined; ascending.
  fileprivate mutating func add(_ record: FreeRecord, joinedFrom first: Int, named: [UInt64]) {
    let segment = UInt64(Unit.segmentUnits)
    guard count > first, let last, last.isFree == record.isFree, last.end == record.unit,
      last.unit / segment == (record.end - 1) / segment,
      !record.isFree || !named.contains(where: record.isSeen(otherwiseThan: last))
    else { return append(record) }
    self[count - 1] = FreeRecord(
      unit: last.unit, units: last.units + record.units, isFree: record.isFree,
      birth: Swift.min(record.birth, last.birth), death: record.death)
  }
}
