/// What a transaction changed in one table and has not applied to its tree yet.
///
/// Inserted rows are collected as columns, updates by field, deletes as keys. It is applied on
/// commit, when it has grown, and before anything is read that must see it; so a tree's leaf is
/// written once for many changes.
final class TableDelta {
  let shape: TableShape
  /// The inserted rows; dead ones stay until the delta is applied.
  private(set) var batch: RecordBatch
  /// Where the row of a key is in the batch. Empty while the keys ascend.
  private var rows = BatchRows()
  private var keysAscend = true
  private var deadRows = 0
  private var isDead: [Bool] = []
  /// The keys in the tree that are deleted, some of them inserted anew.
  private(set) var deletes: Set<Int64> = []
  /// The new values of fields of rows in the tree.
  private var updates: [FieldID: Updates] = [:]

  private struct Updates {
    var rows: [Int64: Int32] = [:]
    let values: ColumnBuffer
  }

  init(shape: TableShape) {
    self.shape = shape
    batch = RecordBatch(shape: shape)
  }

  /// Whether there is nothing to apply.
  var isEmpty: Bool { batch.count == 0 && deletes.isEmpty && updates.isEmpty }

  /// How many rows and values wait.
  var changeCount: Int {
    batch.count + deletes.count + updates.values.reduce(0) { $0 + $1.rows.count }
  }

  /// How many bytes of memory the inserted rows take.
  var byteCount: Int {
    var byteCount = batch.keys.byteCount
    for column in batch.columns { byteCount += column.byteCount }
    return byteCount
  }

  /// Whether all inserted keys came in ascending order.
  var isAscending: Bool { keysAscend }

  // MARK: Inserting

  /// Takes in the first of the rows whose cells were appended to the batch's columns.
  func finishRow(key: Int64) {
    let row = batch.count
    if keysAscend, row > 0, key <= batch.key(row - 1) {
      keysAscend = false
      rows.build(batch.keys, count: row)
    }
    batch.keys.append(key)
    if !keysAscend { rows.insert(row, batch.keys) }
    if !isDead.isEmpty { isDead.append(false) }
  }

  /// Takes in rows whose cells were appended and whose keys ascend from above the last row's on.
  ///
  /// Only while the keys of all rows ascend.
  func finishRows(ascending keys: ColumnBuffer) {
    batch.keys.append(keys, rows: 0..<keys.count)
    if !isDead.isEmpty { isDead.append(contentsOf: repeatElement(false, count: keys.count)) }
  }

  /// Takes back the cells of rows that are not to be.
  func abandonRows() {
    for column in batch.columns { column.removeRows(from: batch.count) }
  }

  /// The row of a key that was inserted.
  func insertedRow(_ key: Int64) -> Int? {
    guard keysAscend else {
      guard let row = rows.row(of: key, batch.keys), !isDead(row) else { return nil }
      return row
    }
    var high = batch.count
    guard high > 0, key <= batch.key(high - 1) else { return nil }
    var low = 0
    while low < high {
      let middle = (low + high) / 2
      if batch.key(middle) < key { low = middle + 1 } else { high = middle }
    }
    guard low < batch.count, batch.key(low) == key, !isDead(low) else { return nil }
    return low
  }

  // MARK: Changing

  /// Forgets an inserted row.
  func removeInserted(_ row: Int) {
    if isDead.isEmpty { isDead = [Bool](repeating: false, count: batch.count) }
    isDead[row] = true
    deadRows += 1
  }

  /// Notes that a row of the tree is deleted.
  func delete(_ key: Int64) {
    deletes.insert(key)
    for field in updates.keys { updates[field]?.rows[key] = nil }
  }

  /// The column that takes the new value of a field of a row of the tree; the caller appends it.
  private func columnForUpdate(of field: TableField, key: Int64) -> ColumnBuffer {
    let column = updates[field.id]?.values ?? ColumnBuffer(type: field.type)
    updates[field.id, default: Updates(values: column)].rows[key] = Int32(column.count)
    return column
  }

  /// Gives a field of an object the value of a cell.
  func set(_ position: Int, of key: Int64, from cells: ColumnBuffer, row: Int) {
    if let inserted = insertedRow(key) {
      batch.columns[position].set(inserted, cells.value(row))
    } else {
      columnForUpdate(of: shape.fields[position], key: key).append(cells, row: row)
    }
  }

  /// A row of the tree with its new values, as the only row of a batch.
  func patched(
    key: Int64, leaf: LeafReference, row: Int
  ) throws(EngineError) -> RecordBatch {
    let patched = RecordBatch(shape: shape)
    patched.keys.append(key)
    for (column, field) in zip(patched.columns, shape.fields) {
      if let update = updated(field.id, key: key) {
        column.append(update.values, row: update.row)
      } else {
        try RowPlace.leaf(leaf, row).append(field.id, to: column)
      }
    }
    return patched
  }

  /// The new value of a field of a row of the tree.
  private func updated(_ field: FieldID, key: Int64) -> (values: ColumnBuffer, row: Int)? {
    guard let update = updates[field], let row = update.rows[key] else { return nil }
    return (update.values, Int(row))
  }

  /// Whether any field of a row of the tree has a new value.
  func isUpdated(_ key: Int64) -> Bool {
    updates.values.contains { $0.rows[key] != nil }
  }

  // MARK: Applying

  /// Hands over everything, and begins again with nothing.
  func takeChanges() -> TableChanges {
    let inserts = deadRows == 0 ? batch : liveRows()
    let changes = TableChanges(
      inserts: inserts, deletes: deletes.sorted(),
      updates: updates.keys.sorted().compactMap { field in
        guard let update = updates[field], !update.rows.isEmpty else { return nil }
        let keys = update.rows.keys.sorted()
        return TableChanges.FieldUpdates(
          field: field, keys: keys, rows: keys.map { update.rows[$0] ?? 0 },
          values: update.values)
      })
    batch = RecordBatch(shape: shape)
    rows.removeAll()
    keysAscend = true
    deadRows = 0
    isDead = []
    deletes = []
    updates = [:]
    return changes
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
