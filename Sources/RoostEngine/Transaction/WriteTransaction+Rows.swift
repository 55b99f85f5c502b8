/// Objects: inserting, replacing, updating, deleting, and reading one's own.
extension WriteTransaction {
  /// The batch whose columns take the cells of the next row of a table.
  ///
  /// Append one cell to each column, then call ``insertRow(into:key:)``, ``replaceRow(in:key:)`` or
  /// ``abandonRows(of:)``. The batch is another after other operations, so ask again for each row.
  public func batch(for table: UInt32) throws(EngineError) -> RecordBatch {
    try state(table).delta.batch
  }

  /// Takes back cells that were appended for rows which are not to be.
  public func abandonRows(of table: UInt32) throws(EngineError) {
    try state(table).delta.abandonRows()
  }

  /// Inserts the row whose cells were appended.
  ///
  /// - Parameter key: The object key, for a table whose identifier is an integer; else nil.
  /// - Returns: The object key.
  /// - Throws: `.duplicate`; the cells are then taken back.
  @discardableResult
  public func insertRow(into table: UInt32, key: Int64?) throws(EngineError) -> Int64 {
    let state = try state(table)
    let row = state.delta.batch.count
    let objectKey: Int64
    do { objectKey = try insertNextRow(state, key) } catch {
      state.delta.abandonRows()
      throw error
    }
    state.addToIndexes(rows: row..<row + 1, &scratchKey)
    try applyIfLarge(state)
    return objectKey
  }

  /// Inserts rows whose cells were appended, as many to each column.
  ///
  /// Where the keys ascend from above all others on and no value must be unique, nothing is looked up.
  /// - Parameter keys: The rows' object keys, for a table whose identifier is an integer; else nil.
  /// - Throws: `.duplicate`; the rows before the one that it names are inserted, and the cells of the
  ///   others are taken back.
  public func insertRows(
    into table: UInt32, count: Int, keys: ColumnBuffer?
  ) throws(EngineError) {
    precondition(keys.map { $0.count == count } ?? true, "A row has one key.")
    let state = try state(table)
    let first = state.delta.batch.count
    if let keys, state.ascends(keys), !state.indexes.contains(where: { $0.field.isUnique }) {
      state.delta.finishRows(ascending: keys)
      if !state.deletedKeys.isEmpty {
        for row in 0..<count { state.deletedKeys.remove(keys.integer(row)) }
      }
    } else {
      do {
        for row in 0..<count { _ = try insertNextRow(state, keys?.integer(row)) }
      } catch {
        state.delta.abandonRows()
        state.addToIndexes(rows: first..<state.delta.batch.count, &scratchKey)
        throw error
      }
    }
    state.addToIndexes(rows: first..<first + count, &scratchKey)
    try applyIfLarge(state)
  }

  /// Takes in the first of the rows whose cells were appended, with its entries in unique indexes.
  private func insertNextRow(_ state: TableState, _ key: Int64?) throws(EngineError) -> Int64 {
    let row = state.delta.batch.count
    let objectKey = try newKey(key, in: state, row: row)
    for index in state.indexes where index.field.isUnique {
      try checkUnique(index, in: state, row: row, except: nil)
    }
    for index in state.indexes where index.field.isUnique {
      index.add(state.delta.batch.columns[index.column], row: row, objectKey, &scratchKey)
    }
    state.delta.finishRow(key: objectKey)
    if !state.deletedKeys.isEmpty { state.deletedKeys.remove(objectKey) }
    return objectKey
  }

  /// Gives an existing object the cells that were appended; fields that stay the same are not written.
  ///
  /// - Returns: Whether there was such an object; the cells are taken back either way.
  public func replaceRow(in table: UInt32, key: Int64) throws(EngineError) -> Bool {
    let state = try state(table)
    let batch = state.delta.batch
    let row = batch.count
    defer { state.delta.abandonRows() }
    guard let place = try self.row(in: table, key: key) else { return false }
    var changed: [Int] = []
    for (position, field) in state.delta.shape.fields.enumerated()
    where try !place.hasSame(field.id, as: batch.columns[position], row: row) {
      changed.append(position)
    }
    for index in state.indexes where index.field.isUnique && changed.contains(index.column) {
      try checkUnique(index, in: state, row: row, except: key)
    }
    for position in changed {
      try moveInIndex(
        state, column: position, key: key, from: place, to: batch.columns[position], row: row)
      state.delta.set(position, of: key, from: batch.columns[position], row: row)
    }
    return true
  }

  /// Gives one field of an object a new value.
  ///
  /// - Returns: Whether there was such an object.
  @discardableResult
  public func update(
    _ table: UInt32, key: Int64, field: FieldID, to value: Value
  ) throws(EngineError) -> Bool {
    let state = try state(table)
    guard let position = state.delta.shape.index(of: field),
      let definition = state.definition.field(field)
    else { throw .unknown(name: "field \(field) of \(state.name)") }
    let type = state.delta.shape.fields[position].type
    guard value == .null ? definition.isOptional : value.type == type || value.type == nil else {
      throw .wrongType(table: state.name, field: definition.name)
    }
    guard let place = try row(in: table, key: key) else { return false }
    let cell = ColumnBuffer(type: type)
    cell.append(value)
    if try place.hasSame(field, as: cell, row: 0) { return true }
    if let index = state.index(of: field), index.field.isUnique {
      try checkUnique(index, in: state, column: cell, row: 0, except: key)
    }
    try moveInIndex(state, column: position, key: key, from: place, to: cell, row: 0)
    state.delta.set(position, of: key, from: cell, row: 0)
    try applyIfLarge(state)
    return true
  }

  /// Deletes an object.
  ///
  /// - Returns: Whether there was such an object.
  @discardableResult
  public func delete(from table: UInt32, key: Int64) throws(EngineError) -> Bool {
    let state = try state(table)
    guard let place = try row(in: table, key: key) else { return false }
    for index in state.indexes {
      try scratchKey.set(place, field: index.field.id)
      index.remove(scratchKey, key)
    }
    if let row = state.delta.insertedRow(key) {
      state.delta.removeInserted(row)
    } else {
      state.delta.delete(key)
    }
    state.deletedKeys.insert(key)
    try applyIfLarge(state)
    return true
  }

  /// Where the object with this key is, with this transaction's changes; nil where there is none.
  public func row(in table: UInt32, key: Int64) throws(EngineError) -> RowPlace? {
    let state = try state(table)
    if let row = state.delta.insertedRow(key) { return .batch(state.delta.batch, row) }
    guard !state.delta.deletes.contains(key), let last = state.lastKey, key <= last,
      let found = try state.objects.find(key)
    else { return nil }
    guard state.delta.isUpdated(key) else { return .leaf(found.leaf, found.row) }
    return .batch(
      try state.delta.patched(key: key, leaf: found.leaf, row: found.row), 0)
  }

  // MARK: Keys and uniqueness

  /// The object key of the object with this identifier, with this transaction's changes.
  ///
  /// - Parameter reserving: Whether a key is set aside for an identifier that no object has yet, so
  ///   that a link can point at an object that is inserted later. At the commit it must be there.
  public func objectKey(
    in table: UInt32, identifier value: Value, reserving: Bool = false
  ) throws(EngineError) -> Int64? {
    let state = try state(table)
    guard let index = state.identifierIndex else {
      guard case .integer(let key) = value else { return nil }
      return key
    }
    scratchKey.set(value)
    if let key = try index.first(scratchKey) { return key }
    guard reserving else { return nil }
    if let key = state.reserved[scratchKey.bytes] { return key }
    let key = try takeSurrogate(state)
    state.reserved[scratchKey.bytes] = key
    return key
  }

  private func newKey(
    _ key: Int64?, in state: TableState, row: Int
  ) throws(EngineError) -> Int64 {
    guard let identifier = state.identifierIndex else {
      guard let key else { throw .wrongType(table: state.name, field: "object key") }
      if try self.row(in: state.definition.id, key: key) != nil {
        throw .duplicate(
          table: state.name, field: state.definition.identifier?.name ?? "", value: "\(key)")
      }
      return key
    }
    guard !state.reserved.isEmpty else { return try takeSurrogate(state) }
    scratchKey.set(state.delta.batch.columns[identifier.column], row: row)
    if let key = state.reserved[scratchKey.bytes] { return key }
    return try takeSurrogate(state)
  }

  private func takeSurrogate(_ state: TableState) throws(EngineError) -> Int64 {
    guard state.nextKey < UInt64(Int64.max) else {
      throw .limit("9223372036854775807 objects ever in \(state.name)")
    }
    defer { state.nextKey += 1 }
    return Int64(state.nextKey)
  }

  private func checkUnique(
    _ index: IndexState, in state: TableState, row: Int, except key: Int64?
  ) throws(EngineError) {
    let column = state.delta.batch.columns[index.column]
    try checkUnique(index, in: state, column: column, row: row, except: key)
  }

  private func checkUnique(
    _ index: IndexState, in state: TableState, column: ColumnBuffer, row: Int, except key: Int64?
  ) throws(EngineError) {
    guard !column.isNull(row) else {
      guard index.field.isOptional else {
        throw .wrongType(table: state.name, field: index.field.name)
      }
      return
    }
    scratchKey.set(column, row: row)
    guard !scratchKey.isTruncated else {
      throw .tooLong(
        table: state.name, field: index.field.name, limit: IndexKey.byteCountMax - 1)
    }
    if let other = try index.first(scratchKey), other != key {
      throw .duplicate(
        table: state.name, field: index.field.name, value: "\(column.value(row))")
    }
  }

  /// Notes in the index of a column, if it has one, that an object's value changes.
  private func moveInIndex(
    _ state: TableState, column: Int, key: Int64, from place: RowPlace,
    to cell: ColumnBuffer, row: Int
  ) throws(EngineError) {
    guard let index = state.indexes.first(where: { $0.column == column }) else { return }
    try scratchKey.set(place, field: index.field.id)
    index.remove(scratchKey, key)
    index.add(cell, row: row, key, &scratchKey)
  }
}
