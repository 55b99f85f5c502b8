/// Where an object's fields are: in a leaf of the file, in a batch whose rows are not in the trees yet, or both.
package enum RowPlace {
  /// Row `1` of a leaf.
  case leaf(LeafReference, Int)
  /// Row `1` of a batch; that of a transaction only until it changes something.
  case batch(RecordBatch, Int)
  /// A row of a leaf with newer values.
  case patched(PatchedRow)

  /// The value of a field; a large value is read whole.
  package func value(of field: FieldID) throws(EngineError) -> Value {
    switch self {
    case .leaf(let leaf, let row):
      let column = try leaf.column(field)
      defer { withExtendedLifetime(leaf) {} }
      guard let reference = column.external(row) else { return column.value(row) }
      return .bytes(try leaf.value(reference, of: field))
    case .batch(let batch, let row):
      guard let column = batch.column(field) else { throw .unknownColumn(tree: nil, field: field) }
      return column.value(row)
    case .patched(let patched):
      if let value = patched.value(of: field) { return value }
      return try RowPlace.leaf(patched.leaf, patched.row).value(of: field)
    }
  }

  /// The fields whose values differ from those at another place, in another version; ascending. Both are found in trees.
  ///
  /// Fields missing in either version are ignored.
  /// - Throws: `.corrupt` where the file is damaged.
  package func changedFields(since earlier: RowPlace) throws(EngineError) -> [FieldID] {
    guard case .leaf(let old, let oldRow) = earlier, case .leaf(let new, let row) = self else {
      preconditionFailure("Both are in trees.")
    }
    return try new.changedFields(ofRow: row, since: old, row: oldRow)
  }

  /// Appends the field's cell to a column.
  package func append(_ field: FieldID, to target: ColumnBuffer) throws(EngineError) {
    switch self {
    case .leaf(let leaf, let row):
      let column = try leaf.column(field)
      if column.hasExternals, let reference = column.external(row) {
        target.append(.bytes(try leaf.value(reference, of: field)))
      } else {
        target.append(column, rows: row..<row + 1)
      }
      withExtendedLifetime(leaf) {}
    case .batch(let batch, let row):
      guard let column = batch.column(field) else { throw .unknownColumn(tree: nil, field: field) }
      target.append(column, row: row)
    case .patched(let patched):
      if let value = patched.value(of: field) { return target.append(value) }
      try RowPlace.leaf(patched.leaf, patched.row).append(field, to: target)
    }
  }
}

/// Where a transaction finds an object: among the rows that it inserted, or in the tree.
enum RowHolder {
  /// A row of the batch.
  case batch(Int)
  /// A row of a leaf; its fields may have new values that are not applied yet.
  case leaf(LeafReference, Int)
}

extension IndexKey {
  /// The key of a field of a row of a leaf.
  mutating func set(
    _ leaf: LeafReference, row: Int, field: FieldID
  ) throws(EngineError) {
    let column = try leaf.column(field)
    defer { withExtendedLifetime(leaf) {} }
    guard !column.isNull(row) else { return setNull() }
    switch column.type {
    case .integer: set(column.integer(row))
    case .double: set(column.double(row))
    case .float: set(column.float(row))
    case .uuid:
      let (high, low) = column.uuid(row)
      set(uuid: high, low)
    case .bytes:
      guard let reference = column.external(row) else { return set(column.bytes(row)) }
      let value = try leaf.value(reference, of: field)
      set(value)
    }
  }
}
