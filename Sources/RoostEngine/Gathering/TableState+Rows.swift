/// The rows of a table, with what was noted and is not applied yet.
extension TableState {
  /// Finds an object.
  ///
  /// - Parameter leaf: A leaf of the tree that may hold it, to be looked at first.
  func holder(of key: Int64, near leaf: LeafReference? = nil) throws(EngineError) -> RowHolder? {
    if let row = delta.insertedRow(key) { return .batch(row) }
    if let leaf, let row = leaf.row(of: key) {
      return delta.isDeleted(key) ? nil : .leaf(leaf, row)
    }
    if let last = knownLastKey, key > last { return nil }
    guard !delta.isDeleted(key), let found = try objects.find(key) else { return nil }
    return .leaf(found.leaf, found.row)
  }

  /// The current targets of a list of links.
  func links(
    _ position: Int, of key: Int64, at holder: RowHolder
  ) throws(EngineError) -> [Int64] {
    switch holder {
    case .batch(let row): return LinkList.targets(delta.batch.columns[position].bytes(row))
    case .leaf(let leaf, let row):
      if let update = delta.updated(position, of: key) {
        return LinkList.targets(update.values.bytes(update.row))
      }
      return try leaf.links(row, of: delta.shape.fields[position].id)
    }
  }

  /// Sets a field to the value of a cell, in the table and in the indexes.
  func change(
    _ position: Int, of key: Int64, at holder: RowHolder, to cells: ColumnBuffer, _ cell: Int,
    _ scratch: inout IndexKey
  ) throws(EngineError) {
    let tableIndexes = tableIndexes(using: position)
    for index in tableIndexes { try removeEntry(of: key, at: holder, from: index, &scratch) }
    try changeField(position, of: key, at: holder, to: cells, cell, &scratch)
    for index in tableIndexes { try addEntry(of: key, at: holder, to: index, &scratch) }
  }

  /// Sets a field to the value of a cell, in the table and in the field's index.
  func changeField(
    _ position: Int, of key: Int64, at holder: RowHolder, to cells: ColumnBuffer, _ cell: Int,
    _ scratch: inout IndexKey
  ) throws(EngineError) {
    if let index = index(column: position) {
      if index.field.type == .links {
        let old = try links(position, of: key, at: holder)
        index.change(old, to: LinkList.targets(cells.bytes(cell)), of: key, &scratch)
      } else {
        try removeEntries(of: key, at: holder, from: index, &scratch)
        index.add(cells, row: cell, key, &scratch)
      }
    }
    switch holder {
    case .batch(let row): delta.setInserted(position, row: row, to: cells, cell)
    case .leaf: delta.update(position, of: key, to: cells, cell)
    }
  }

  /// Removes the entries of an object from the index of a field.
  private func removeEntries(
    of key: Int64, at holder: RowHolder, from index: IndexState, _ scratch: inout IndexKey
  ) throws(EngineError) {
    switch holder {
    case .batch(let row):
      index.remove(delta.batch.columns[index.column], row: row, key, &scratch)
    case .leaf(let leaf, let row):
      if let update = delta.updated(index.column, of: key) {
        index.remove(update.values, row: update.row, key, &scratch)
      } else {
        try index.remove(leaf, row: row, key, &scratch)
      }
    }
  }

  /// Removes a row and its entries in the indexes. Does not check links to it.
  func remove(
    _ key: Int64, at holder: RowHolder, _ scratch: inout IndexKey
  ) throws(EngineError) {
    switch holder {
    case .batch(let row):
      for index in indexes {
        index.remove(delta.batch.columns[index.column], row: row, key, &scratch)
      }
      for index in tableIndexes {
        try removeEntry(of: key, at: holder, from: index, &scratch)
      }
      delta.removeInserted(row)
    case .leaf:
      try deleteStored(key, at: holder, &scratch)
    }
  }
}
