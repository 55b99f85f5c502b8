/// Looking single objects up behind changes that are not applied to the trees.
///
/// A lookup goes through the keys of all changes, newest first, of which there are as many as ``ChangeLeaving`` lets be left. The
/// record of a commit is read by the first who finds one of its objects.
extension UnappliedRows {
  /// What became of an object.
  enum Object {
    /// It is as the trees have it.
    case unchanged
    case deleted
    /// Its row is not in the trees.
    case inserted(RecordBatch)
    /// Its row is in the trees, with other values.
    case updated([PatchedRow.Value])
    /// Only trees can tell.
    case unknown
  }

  /// An object with these changes.
  ///
  /// - Parameter shape: The table's fields.
  /// - Throws: `.corrupt` where they are no changes of this table.
  func object(
    _ key: Int64, of table: UInt32, _ shape: TableShape
  ) throws(EngineError) -> Object {
    var values: [PatchedRow.Value] = []
    var next: UnappliedRows? = self
    while let last = next {
      guard let changes = last.changes else { return .unknown }
      var known: Int32 = 0
      for change in changes.reversed()
      where change.key == key && change.table == table && change.commit != known {
        known = change.commit
        guard let rows = try last.commit(known)?.rows(of: table) else { return .unknown }
        for (field, changed) in rows.updates where !values.contains(where: { $0.field == field }) {
          guard let value = changed.last(where: { $0.key == key })?.value else { continue }
          values.append(PatchedRow.Value(field: field, value: value))
        }
        if let place = rows.insertedKeys.firstIndex(of: key) {
          return .inserted(try rows.inserted(place, with: values, shape))
        }
        guard !rows.deletes.contains(key) else {
          guard values.isEmpty else { throw rows.damaged(key) }
          return .deleted
        }
      }
      next = last.before
    }
    return values.isEmpty ? .unchanged : .updated(values)
  }

  /// The key of the object that these changes inserted last with an identifier; they may have deleted it again.
  ///
  /// - Returns: Nil where only trees can tell; `.some(nil)` where they inserted none.
  func insertedKey(
    _ identifier: Value, in field: FieldID, of table: UInt32
  ) throws(EngineError) -> Int64?? {
    var next: UnappliedRows? = self
    while let last = next {
      guard let changes = last.changes else { return nil }
      var known: Int32 = 0
      for change in changes.reversed()
      where change.isInserted && change.table == table && change.commit != known {
        known = change.commit
        guard let rows = try last.commit(known)?.rows(of: table) else { return nil }
        let identifiers = rows.inserts.first { $0.field == field }?.values
        if let place = identifiers?.firstIndex(of: identifier) {
          return .some(rows.insertedKeys[place])
        }
      }
      next = last.before
    }
    return .some(nil)
  }

  /// One of the commits, counted from 1.
  private func commit(_ number: Int32) -> UnappliedRows? {
    var next: UnappliedRows? = self
    while let commit = next, commit.count > number { next = commit.earlier }
    return next
  }
}

extension RecordedRows {
  /// A row that was inserted, as the only one of a batch.
  ///
  /// - Parameter values: The values that it got since.
  fileprivate func inserted(
    _ place: Int, with values: [PatchedRow.Value], _ shape: TableShape
  ) throws(EngineError) -> RecordBatch {
    let key = insertedKeys[place]
    guard inserts.map(\.field) == shape.fields.map(\.id) else { throw damaged(key) }
    let batch = RecordBatch(shape: shape)
    batch.keys.append(key)
    for (position, column) in batch.columns.enumerated() {
      let field = shape.fields[position]
      let value =
        values.first { $0.field == field.id }?.value ?? inserts[position].values[place]
      guard value.type.map({ $0 == field.type }) ?? true else { throw damaged(key) }
      column.append(value)
    }
    return batch
  }

  fileprivate func damaged(_ key: Int64) -> EngineError {
    .corrupt(Corruption(.ringRecord, keys: key...key))
  }
}

/// A row of a leaf in which some fields have other values than there: those of commits that are not applied to the trees.
package final class PatchedRow: Sendable {
  /// A field's new value.
  package struct Value: Sendable {
    package let field: FieldID
    package let value: RoostEngine.Value
  }

  package let leaf: LeafReference
  package let row: Int
  /// Of each changed field one, in any order; of the field's type.
  package let values: [Value]

  /// - Throws: `.corrupt` where a value is not of its field's type.
  init(_ leaf: LeafReference, row: Int, _ values: [Value]) throws(EngineError) {
    for value in values {
      guard let place = leaf.shape.index(of: value.field),
        value.value.type.map({ $0 == leaf.shape.fields[place].type }) ?? true
      else {
        let key = leaf.key(row)
        throw .corrupt(Corruption(.ringRecord, tree: leaf.context.tree, keys: key...key))
      }
    }
    self.leaf = leaf
    self.row = row
    self.values = values
  }

  /// The new value of a field; nil where it is the leaf's.
  package func value(of field: FieldID) -> RoostEngine.Value? {
    values.first { $0.field == field }?.value
  }
}
