/// A transaction's changes of one table, ready to apply to its object tree.
///
/// A key is inserted, deleted or updated. A key both deleted and inserted is replaced: the old
/// row is removed and the new one added.
package struct TableChanges {
  /// The rows to insert.
  package var inserts: RecordBatch
  /// The rows of `inserts` to use, in ascending order of their keys; nil when all are used and in order.
  package var insertOrder: [Int32]?
  /// The keys to delete, strictly ascending.
  package var deletes: [Int64]
  /// The new values, at most one list for each field.
  package var updates: [FieldUpdates]

  /// New values of one field.
  package struct FieldUpdates {
    /// The field.
    package var field: FieldID
    /// The keys of the rows to change, strictly ascending.
    package var keys: [Int64]
    /// For each key, the row of `values` with its new value; nil when they are 0, 1, 2 …
    package var rows: [Int32]?
    /// The new values.
    package var values: ColumnBuffer
    /// The keys whose long value was changed in place: the extents that the new value no longer uses are freed already.
    var editedKeys: Set<Int64>

    /// Updates of one field.
    package init(field: FieldID, keys: [Int64], rows: [Int32]? = nil, values: ColumnBuffer) {
      self.init(field: field, keys: keys, rows: rows, values: values, editedKeys: [])
    }

    init(
      field: FieldID, keys: [Int64], rows: [Int32]?, values: ColumnBuffer, editedKeys: Set<Int64>
    ) {
      self.field = field
      self.keys = keys
      self.rows = rows
      self.values = values
      self.editedKeys = editedKeys
    }

    /// The row of `values` with the new value of the key at index `place`.
    @inline(__always) func row(_ place: Int) -> Int { rows.map { Int($0[place]) } ?? place }
  }

  /// Changes; the batch's rows may be in any order, and are sorted here unless they ascend.
  package init(
    inserts: RecordBatch, deletes: [Int64] = [], updates: [FieldUpdates] = []
  ) {
    self.inserts = inserts
    self.deletes = deletes
    self.updates = updates
    insertOrder = KeyOrder.rows(ascending: inserts.keys)
  }

  /// Changes whose rows are in order, or are ordered by `insertOrder`.
  package init(
    inserts: RecordBatch, insertOrder: [Int32]?, deletes: [Int64], updates: [FieldUpdates]
  ) {
    self.inserts = inserts
    self.insertOrder = insertOrder
    self.deletes = deletes
    self.updates = updates
  }

  /// The number of inserted rows.
  package var insertCount: Int { insertOrder?.count ?? inserts.count }

  /// Whether there are no changes.
  package var isEmpty: Bool {
    insertCount == 0 && deletes.isEmpty && updates.allSatisfy { $0.keys.isEmpty }
  }

  /// The batch row of the insert at index `place` in key order.
  @inline(__always) func insertRow(_ place: Int) -> Int {
    insertOrder.map { Int($0[place]) } ?? place
  }

  /// The key of the insert at index `place` in key order.
  @inline(__always) func insertKey(_ place: Int) -> Int64 {
    inserts.keys.integer(insertRow(place))
  }
}

extension TableChanges {
  /// Removes updates whose values are already in the tree's rows.
  mutating func dropUnchanged(in tree: ObjectTree) throws(EngineError) {
    for place in updates.indices { try updates[place].dropUnchanged(in: tree) }
    // By closures: a key path of two components is read by the runtime, in 2,100 instructions for each field.
    if updates.contains(where: { $0.keys.isEmpty }) { updates.removeAll { $0.keys.isEmpty } }
  }
}

extension TableChanges.FieldUpdates {
  fileprivate mutating func dropUnchanged(in tree: ObjectTree) throws(EngineError) {
    var kept = 0
    var place = 0
    while place < keys.count {
      guard let leaf = try tree.leaf(for: keys[place]) else { throw .missingKey(keys[place]) }
      let column = try leaf.column(field)
      repeat {
        let key = keys[place]
        guard let row = leaf.row(of: key) else { throw .missingKey(key) }
        let valueRow = self.row(place)
        let isSame =
          editedKeys.contains(key)
          ? false : try leaf.hasSame(column, field, row: row, as: values, valueRow)
        if !isSame {
          if kept < place { move(place, to: kept) }
          kept += 1
        }
        place += 1
      } while place < keys.count && keys[place] <= leaf.lastKey
    }
    keys.removeLast(keys.count - kept)
    rows?.removeLast(place - kept)
  }

  /// Moves a key and its row over another one.
  private mutating func move(_ place: Int, to other: Int) {
    keys[other] = keys[place]
    var rows = self.rows.take() ?? keys.indices.map { Int32($0) }
    rows[other] = rows[place]
    self.rows = rows
  }
}
