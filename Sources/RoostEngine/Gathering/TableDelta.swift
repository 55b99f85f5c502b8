/// The changes of one table that a transaction has not applied to its tree yet.
///
/// Inserted rows are collected as columns, updates as logs of keys and values by field, deletes as a
/// log of keys. It is applied on commit, when it has grown, and before anything is read that must see
/// it; so a tree's leaf is written once for many changes.
final class TableDelta {
  let shape: TableShape
  /// The inserted rows; dead ones stay until the delta is applied.
  private(set) var batch: RecordBatch
  /// Where the row of a key is in the batch, of as many rows as were looked for. Not used while the keys ascend.
  private var rows = BatchRows()
  private var indexedRows = 0
  /// The keys in the batch, so that a new one need not be looked for. Not used while the keys ascend.
  private var keyBits = KeyBits()
  private var keysAscend = true
  private var deadRows = 0
  private var isDead: [Bool] = []
  /// The keys in the tree that are deleted, some of them inserted anew.
  private let deletes = KeyLog()
  /// The same keys as bits, so that others need not be looked for.
  private var deleteBits = KeyBits()
  /// By field of the shape, the new values of rows in the tree, if there are any. Of few, the memory is reused.
  ///
  /// The newest value of a key counts; that of a row which was deleted since does not.
  private var updates: [Updates?]
  /// The fields of the shape whose long values are read in ranges only.
  private let streamed: [Int]
  private var hasUpdates = false
  private var updateByteCount = 0
  /// Where the changes of the running transaction begin, for its record: behind those of transactions before it.
  private var recordStart = RecordStart()
  /// Whether the changes of the running transaction are all here: none of them was applied or forgotten.
  private(set) var isWhole = true

  private struct RecordStart {
    var rowCount = 0
    var deleteCount = 0
    /// What the transaction changed of the rows that those before it inserted.
    var changedCells: [(row: Int, position: Int)] = []
    var removedKeys: [Int64] = []
  }

  private final class Updates {
    let log = KeyLog()
    let values: ColumnBuffer
    /// The keys whose value in the tree was changed in place.
    var editedKeys: Set<Int64> = []
    /// How many of them transactions before the running one made.
    var earlierCount = 0

    init(_ type: PhysicalType) { values = ColumnBuffer(type: type) }

    func removeAll() {
      log.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
      editedKeys = []
      earlierCount = 0
    }
  }

  init(shape: TableShape) {
    self.shape = shape
    batch = RecordBatch(shape: shape)
    updates = Array(repeating: nil, count: shape.fields.count)
    streamed = shape.fields.indices.filter { shape.fields[$0].isStreamed }
  }

  /// Whether there is nothing to apply.
  var isEmpty: Bool { batch.count == 0 && deletes.isEmpty && !hasUpdates }

  /// The number of pending rows and values.
  private(set) var changeCount = 0
  /// The number of pending rows. A row that is changed again counts again, unless it is the one that was changed last.
  var rowCount: Int { batch.count + deletes.count + updatedRowCount }
  private var updatedRowCount = 0
  /// The row that was changed last.
  private var lastUpdatedKey: Int64?
  /// The maximum that was ever pending at once.
  private(set) var changeCountMax = 0

  /// The memory of the inserted rows and the new values, in bytes.
  var byteCount: Int {
    (batch.count == 0 ? 0 : batch.byteCount) + updateByteCount
  }

  /// Whether all inserted keys came in ascending order.
  var isAscending: Bool { keysAscend }

  /// Whether only rows in ascending order of their keys are pending.
  var onlyAppends: Bool { keysAscend && !hasUpdates && deletes.isEmpty }

  // MARK: Inserting

  /// Takes in the first of the rows whose cells were appended to the batch's columns.
  func finishRow(key: Int64) {
    let row = batch.count
    if keysAscend, row > 0, key <= batch.key(row - 1) { keysAscend = false }
    batch.keys.append(key)
    changeCount += 1
    if !isDead.isEmpty { isDead.append(false) }
  }

  /// Takes in rows whose cells were appended, one for each key from a place on, up to the first key that is
  /// not known to be new.
  ///
  /// - Parameter last: The highest key of the tree, from which nothing is deleted; nil where it is empty.
  /// - Returns: The place of that key.
  func finishRows(new keys: ColumnBuffer, from first: Int, behind last: Int64?) -> Int {
    guard deletes.isEmpty, isDead.isEmpty else { return first }
    let batchKeys = batch.keys
    // Not in place: each access of a class's property is checked.
    var bits = KeyBits()
    swap(&bits, &keyBits)
    defer { swap(&bits, &keyBits) }
    var highest = keysAscend && batch.count > 0 ? batch.key(batch.count - 1) : nil
    var place = first
    while place < keys.count {
      let key = keys.integer(place)
      if let last, key <= last { break }
      if keysAscend, highest.map({ $0 < key }) ?? true {
        highest = key
      } else {
        guard !bits.mayHold(key, among: batchKeys) else { break }
        keysAscend = false
      }
      batchKeys.append(key)
      place += 1
    }
    changeCount += place - first
    return place
  }

  /// Takes in rows whose cells were appended and whose keys ascend from above the last row's on.
  ///
  /// Only while the keys of all rows ascend.
  func finishRows(ascending keys: ColumnBuffer) {
    batch.keys.append(keys, rows: 0..<keys.count)
    changeCount += keys.count
    if !isDead.isEmpty { isDead.append(contentsOf: repeatElement(false, count: keys.count)) }
  }

  /// Discards the cells of rows that will not be inserted.
  func abandonRows() {
    for column in batch.columns { column.removeRows(from: batch.count) }
  }

  /// The row of a key that was inserted.
  func insertedRow(_ key: Int64) -> Int? {
    guard keysAscend else {
      guard keyBits.mayHold(key, among: batch.keys) else { return nil }
      while indexedRows < batch.count {
        rows.insert(indexedRows, batch.keys)
        indexedRows += 1
      }
      guard let row = rows.row(of: key, batch.keys), !isDead(row) else { return nil }
      return row
    }
    let count = batch.count
    guard count > 0, key <= batch.key(count - 1) else { return nil }
    let row = (0..<count).partitioningIndex { batch.key($0) >= key }
    guard batch.key(row) == key, !isDead(row) else { return nil }
    return row
  }

  // MARK: Changing

  /// Forgets an inserted row.
  func removeInserted(_ row: Int) {
    if isDead.isEmpty { isDead = [Bool](repeating: false, count: batch.count) }
    isDead[row] = true
    deadRows += 1
    if row < recordStart.rowCount { recordStart.removedKeys.append(batch.key(row)) }
  }

  /// Notes that a row of the tree is deleted.
  func delete(_ key: Int64) {
    deletes.append(key)
    changeCount += 1
  }

  /// Whether the tree's row of a key is deleted.
  func isDeleted(_ key: Int64) -> Bool {
    !deletes.isEmpty && deleteBits.mayHold(key, among: deletes.keys) && deletes.contains(key)
  }

  /// Sets a field of an inserted row to the value of a cell.
  func setInserted(_ position: Int, row: Int, to cells: ColumnBuffer, _ cell: Int) {
    let column = batch.columns[position]
    if row < recordStart.rowCount {
      if column.isIdentical(row, to: cells, row: cell) { return }
      recordStart.changedCells.append((row, position))
      changeCount += 1
      noteUpdate(of: batch.key(row))
    }
    // A cell of the column itself is copied first: its bytes move when the column grows.
    if cells === column {
      column.set(row, cells.value(cell))
    } else {
      column.set(row, cells, row: cell)
    }
  }

  /// Sets a field of a row of the tree to the value of a cell.
  ///
  /// - Parameter isEdited: Whether that is the old value, changed in place: what it replaces is freed already.
  func update(
    _ position: Int, of key: Int64, to cells: ColumnBuffer, _ cell: Int, isEdited: Bool = false
  ) {
    let update = updates(of: position)
    update.log.append(key)
    update.values.append(cells, row: cell)
    if isEdited { update.editedKeys.insert(key) }
    updateByteCount += cells.type == .bytes ? 16 + cells.bytes(cell).count : 16
    changeCount += 1
    noteUpdate(of: key)
  }

  private func noteUpdate(of key: Int64) {
    guard lastUpdatedKey != key else { return }
    lastUpdatedKey = key
    updatedRowCount += 1
  }

  /// Sets a field of rows of the tree to the values of a column.
  func update(_ position: Int, of keys: ColumnBuffer, to values: ColumnBuffer) {
    precondition(keys.count == values.count, "A row has one value.")
    let update = updates(of: position)
    update.log.append(keys)
    update.values.append(values, rows: 0..<values.count)
    updateByteCount += 8 * keys.count + values.byteCount
    changeCount += keys.count
    updatedRowCount += keys.count
  }

  private func updates(of position: Int) -> Updates {
    hasUpdates = true
    if let known = updates[position] { return known }
    let made = Updates(shape.fields[position].type)
    updates[position] = made
    return made
  }

  /// The new value of a field of a row of the tree.
  func updated(_ position: Int, of key: Int64) -> (values: ColumnBuffer, row: Int)? {
    guard hasUpdates, let update = updates[position], let row = update.log.row(of: key) else {
      return nil
    }
    return (update.values, row)
  }

  /// Whether a row of the tree has new values, and beside them a long value that is not to be read whole.
  func isUpdated(
    _ key: Int64, besideStreamed leaf: LeafReference, row: Int
  ) throws(EngineError) -> Bool {
    guard hasUpdates, !streamed.isEmpty,
      updates.contains(where: { $0?.log.contains(key) == true })
    else { return false }
    for position in streamed where updated(position, of: key) == nil {
      if try leaf.column(shape.fields[position].id).external(row) != nil { return true }
    }
    return false
  }

  /// A row of the tree with its new values, as the only row of a batch; nil where it has none.
  func patched(
    key: Int64, leaf: LeafReference, row: Int
  ) throws(EngineError) -> RecordBatch? {
    guard hasUpdates, updates.contains(where: { $0?.log.contains(key) == true }) else { return nil }
    let patched = RecordBatch(shape: shape)
    patched.keys.append(key)
    for (position, column) in patched.columns.enumerated() {
      if let update = updated(position, of: key) {
        column.append(update.values, row: update.row)
      } else {
        try RowPlace.leaf(leaf, row).append(shape.fields[position].id, to: column)
      }
    }
    return patched
  }

  // MARK: Applying

  /// Hands over everything; until ``didApply()`` the inserted rows stay where they are.
  func takeChanges() -> TableChanges {
    let inserts = deadRows == 0 ? batch : liveRows()
    if !keysAscend { inserts.gatherNeighbours() }
    let deleted = deletes.sorted().keys
    var changes = TableChanges(
      inserts: inserts, insertOrder: keysAscend ? nil : KeyOrder.rows(ascending: inserts.keys),
      deletes: deleted, updates: [])
    if hasUpdates { changes.updates.reserveCapacity(updates.count) }
    for case (let position, let update?) in updates.enumerated() where !update.log.isEmpty {
      var (keys, rows) = update.log.sorted()
      remove(deleted, from: &keys, &rows)
      guard !keys.isEmpty else { continue }
      changes.updates.append(
        TableChanges.FieldUpdates(
          field: shape.fields[position].id, keys: keys, rows: rows, values: update.values,
          editedKeys: update.editedKeys))
    }
    forgetUpdatesAndDeletes()
    return changes
  }

  /// Forgets everything.
  func forget() {
    forgetUpdatesAndDeletes()
    didApply()
  }

  private func forgetUpdatesAndDeletes() {
    hasUpdates = false
    updateByteCount = 0
    deletes.removeAll()
    deleteBits.removeAll()
    recordStart = RecordStart()
    isWhole = false
  }

  /// Resets to empty.
  func didApply() {
    for case (let position, let update?) in updates.enumerated() where !update.log.isEmpty {
      if update.values.byteCount + 8 * update.log.count > Self.keptUpdateBytesMax {
        updates[position] = nil
      } else {
        update.removeAll()
      }
    }
    if batch.byteCount > Self.keptBytesMax {
      batch = RecordBatch(shape: shape)
    } else {
      batch.removeAll(keepingCapacity: true)
    }
    rows.removeAll()
    indexedRows = 0
    keyBits.removeAll()
    keysAscend = true
    deadRows = 0
    isDead = []
    changeCountMax = max(changeCountMax, changeCount)
    changeCount = 0
    updatedRowCount = 0
    lastUpdatedKey = nil
  }

  /// Memory for at most this many bytes of rows is reused for the next rows.
  private static let keptBytesMax = 16 << 20
  /// The same for the new values of a field.
  private static let keptUpdateBytesMax = 4096

  /// Removes keys that ascend, and their rows, from keys that ascend.
  private func remove(_ removed: [Int64], from keys: inout [Int64], _ keyRows: inout [Int32]?) {
    guard !removed.isEmpty else { return }
    var rows = keyRows.take() ?? keys.indices.map { Int32($0) }
    var next = removed.startIndex
    var kept = 0
    for place in keys.indices {
      while next < removed.count, removed[next] < keys[place] { next += 1 }
      if next < removed.count, removed[next] == keys[place] { continue }
      keys[kept] = keys[place]
      rows[kept] = rows[place]
      kept += 1
    }
    keys.removeSubrange(kept...)
    rows.removeSubrange(kept...)
    keyRows = rows
  }

  private func isDead(_ row: Int) -> Bool { !isDead.isEmpty && isDead[row] }

  private func liveRows() -> RecordBatch {
    let live = RecordBatch(shape: shape)
    for row in 0..<batch.count where !isDead[row] {
      live.keys.append(batch.key(row))
      for (target, source) in zip(live.columns, batch.columns) { target.append(source, row: row) }
    }
    return live
  }
}

// MARK: Records

extension TableDelta {
  /// Lets the changes of a transaction begin here.
  func beginRecord() {
    isWhole = true
    recordStart = RecordStart(rowCount: batch.count, deleteCount: deletes.count)
    guard hasUpdates else { return }
    for case let update? in updates { update.earlierCount = update.log.count }
  }

  /// The highest key of the rows that transactions before it inserted.
  var highestEarlierKey: Int64? { (0..<recordStart.rowCount).lazy.map(batch.key).max() }

  /// Whether the transaction has changed rows, as far as the changes are here.
  var hasRecordedChanges: Bool {
    batch.count > recordStart.rowCount || deletes.count > recordStart.deleteCount
      || !recordStart.changedCells.isEmpty || !recordStart.removedKeys.isEmpty
      || updates.contains { ($0?.log.count ?? 0) > $0?.earlierCount ?? 0 }
  }

  /// Whether a row of the tree has a value already: that in a row of the last parameter.
  typealias Comparison = (_ position: Int, _ key: Int64, ColumnBuffer, Int) throws(EngineError)
    -> Bool

  /// Writes what the transaction has changed.
  ///
  /// - Returns: Whether it could: not where a value lies in extents of its own.
  func record(
    to writer: inout RowWriter, _ hasAlready: Comparison
  ) throws(EngineError) -> Bool {
    var deleted = recordStart.removedKeys
    for place in recordStart.deleteCount..<deletes.count {
      deleted.append(deletes.keys.integer(place))
    }
    writer.append(count: deleted.count)
    for key in deleted { writer.append(object: key) }
    writer.changeCount += deleted.count
    guard recordInserts(to: &writer) else { return false }
    return try recordUpdates(to: &writer, deleted, hasAlready)
  }

  private func recordInserts(to writer: inout RowWriter) -> Bool {
    let rows = (recordStart.rowCount..<batch.count).filter { !isDead($0) }
    writer.append(count: rows.count)
    writer.changeCount += rows.count
    for row in rows { writer.append(object: batch.key(row), isInserted: true) }
    writer.append(count: rows.isEmpty ? 0 : shape.fields.count)
    guard !rows.isEmpty else { return true }
    for (position, column) in batch.columns.enumerated() {
      writer.append(shape.fields[position])
      for row in rows where !writer.append(column, row: row) { return false }
    }
    return true
  }

  /// - Parameter deleted: What was noted of their rows before is of no use.
  private func recordUpdates(
    to writer: inout RowWriter, _ deleted: [Int64], _ hasAlready: Comparison
  ) throws(EngineError) -> Bool {
    let cells = recordStart.changedCells.filter { !isDead($0.row) }
    var changed: [(position: Int, rows: [Int], cells: [Int])] = []
    for position in updates.indices {
      let rows = try changedRows(position, but: deleted, hasAlready)
      let cells = cells.filter { $0.position == position }.map(\.row)
      if !rows.isEmpty || !cells.isEmpty { changed.append((position, rows, cells)) }
    }
    writer.append(count: changed.count)
    for (position, rows, cells) in changed {
      writer.append(shape.fields[position])
      writer.append(count: cells.count + rows.count)
      writer.changeCount += cells.count + rows.count
      for row in cells {
        writer.append(object: batch.key(row))
        guard writer.append(batch.columns[position], row: row) else { return false }
      }
      guard let update = updates[position] else { continue }
      for row in rows {
        writer.append(object: update.log.keys.integer(row))
        guard writer.append(update.values, row: row) else { return false }
      }
    }
    return true
  }

  /// The rows of the log of a field with new values that their rows of the tree did not have.
  private func changedRows(
    _ position: Int, but deleted: [Int64], _ hasAlready: Comparison
  ) throws(EngineError) -> [Int] {
    guard let update = updates[position] else { return [] }
    let keys = update.log.keys
    var rows: [Int] = []
    for row in update.earlierCount..<keys.count {
      let key = keys.integer(row)
      let isReplaced = (row + 1..<keys.count).contains { keys.integer($0) == key }
      if isReplaced || deleted.contains(key) { continue }
      let isSame =
        if let earlier = (0..<update.earlierCount).last(where: { keys.integer($0) == key }) {
          update.values.isIdentical(earlier, to: update.values, row: row)
        } else {
          try hasAlready(position, key, update.values, row)
        }
      if !isSame { rows.append(row) }
    }
    return rows
  }
}
