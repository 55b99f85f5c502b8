/// Objects: inserting, replacing, updating, deleting, and reading with the transaction's own changes.
extension EngineTransaction {
  /// The batch whose columns take the cells of the next row of a table.
  ///
  /// Append one cell to each column, then call ``insertRow(into:key:)``, ``replaceRow(in:key:)`` or
  /// ``abandonRows(of:)``. The batch is another after other operations, so ask again for each row.
  package func batch(for table: UInt32) throws(EngineError) -> RecordBatch {
    try settledState(table).delta.batch
  }

  /// Discards cells that were appended for rows that will not be inserted.
  package func abandonRows(of table: UInt32) throws(EngineError) {
    try state(table).delta.abandonRows()
  }

  /// Inserts the row whose cells were appended.
  ///
  /// - Parameter key: The object key, for a table whose identifier is an integer; else nil.
  /// - Returns: The object key.
  /// - Throws: `.duplicate`; the cells are then taken back.
  @discardableResult
  package func insertRow(into table: UInt32, key: Int64?) throws(EngineError) -> Int64 {
    let state = try settledState(table, toChange: true)
    let row = state.delta.batch.count
    state.noteWrites(ofNew: row..<row + 1)
    let objectKey: Int64
    do { objectKey = try insertNextRow(state, key) } catch {
      state.delta.abandonRows()
      throw error
    }
    state.addToIndexes(rows: row..<row + 1, &scratchKey)
    noteInserted(from: row, in: state)
    try applyIfLarge(state)
    return objectKey
  }

  /// Inserts rows whose cells were appended, the same number to each column.
  ///
  /// If the keys ascend above all existing ones and no value must be unique, nothing is looked up.
  /// - Parameter keys: The rows' object keys, for a table whose identifier is an integer; else nil.
  /// - Throws: `.duplicate`; the rows before the one that it names are inserted, and the cells of the
  ///   others are taken back.
  package func insertRows(
    into table: UInt32, count: Int, keys: ColumnBuffer?
  ) throws(EngineError) {
    precondition(keys.map { $0.count == count } ?? true, "A row has one key.")
    let state = try settledState(table, toChange: true)
    let first = state.delta.batch.count
    state.noteWrites(ofNew: first..<first + count)
    if let keys, !state.hasUniqueValues, try state.ascends(keys) {
      state.delta.finishRows(ascending: keys)
    } else {
      do {
        var row = 0
        while row < count {
          if let keys { row = try state.takeInNewRows(keys, from: row) }
          guard row < count else { break }
          _ = try insertNextRow(state, keys?.integer(row))
          row += 1
        }
      } catch {
        state.delta.abandonRows()
        state.addToIndexes(rows: first..<state.delta.batch.count, &scratchKey)
        noteInserted(from: first, in: state)
        throw error
      }
    }
    state.addToIndexes(rows: first..<first + count, &scratchKey)
    noteInserted(from: first, in: state)
    try applyIfLarge(state)
  }

  /// Takes in the first of the rows whose cells were appended, with its entries in unique indexes.
  private func insertNextRow(_ state: TableState, _ key: Int64?) throws(EngineError) -> Int64 {
    let row = state.delta.batch.count
    let objectKey = try newKey(key, in: state, row: row)
    if state.delta.isDeleted(objectKey) {
      try state.removeEntriesOfDeleted(objectKey, &scratchKey)
    }
    for index in state.uniqueIndexes {
      try checkUnique(index, in: state, row: row, except: nil)
    }
    for index in state.tableIndexes where index.checksUnique {
      let entry = index.keys.set(&scratchKey, state.delta.batch.columns, row: row)
      try checkUnique(index, entry, in: state, except: nil)
    }
    for index in state.uniqueIndexes {
      index.add(state.delta.batch.columns[index.column], row: row, objectKey, &scratchKey)
    }
    state.delta.finishRow(key: objectKey)
    state.addToTableIndexes(rows: row..<row + 1, isUnique: true, &scratchKey)
    return objectKey
  }

  /// Replaces an existing object's fields with the appended cells; unchanged fields are not written.
  ///
  /// - Parameters:
  ///   - fields: Those that get their cells; nil for all.
  ///   - kinds: For fields among these, the field whose values' kinds they have: they change only if the value changes.
  /// - Returns: Whether there was such an object; the cells are taken back either way.
  package func replaceRow(
    in table: UInt32, key: Int64, fields: [FieldID]? = nil, kinds: [FieldID: FieldID] = [:]
  ) throws(EngineError) -> Bool {
    let state = try settledState(table, toChange: true)
    guard try replaceByNextRow(key, in: state, fields, kinds) else { return false }
    try applyIfLarge(state)
    return true
  }

  private func replaceByNextRow(
    _ key: Int64, in state: TableState, _ fields: [FieldID]?, _ kinds: [FieldID: FieldID]
  ) throws(EngineError) -> Bool {
    let batch = state.delta.batch
    let row = batch.count
    defer { state.delta.abandonRows() }
    guard let holder = try state.holder(of: key) else { return false }
    var changed: [Int] = []
    for position in batch.columns.indices {
      if let fields, !fields.contains(batch.shape.fields[position].id) { continue }
      let column = batch.columns[position]
      if try state.differs(position, of: key, at: holder, from: column, row) {
        changed.append(position)
      }
    }
    if !kinds.isEmpty {
      let values = Set(changed.map { batch.shape.fields[$0].id })
      changed.removeAll { kinds[batch.shape.fields[$0].id].map { !values.contains($0) } ?? false }
    }
    if let time = state.writeTime, !changed.contains(time.position) {
      // It is written even if all other fields are unchanged.
      let column = batch.columns[time.position]
      column.removeRows(from: row)
      column.append(time.time)
      changed.append(time.position)
    }
    for index in state.uniqueIndexes where changed.contains(index.column) {
      try checkUnique(index, in: state, row: row, except: key)
    }
    let tableIndexes = state.tableIndexes.filter { changed.contains(where: $0.keys.uses) }
    for index in tableIndexes where index.index.isUnique {
      let entry = try state.set(&scratchKey, of: key, at: holder, in: index) {
        changed.contains($0) ? (batch.columns[$0], row) : nil
      }
      try checkUnique(index, entry, in: state, except: key)
    }
    if notingLog != nil {
      for position in changed where try isLong(position, of: key, at: holder, in: state) {
        return try replaceAfterSavepoint(key, in: state, fields, kinds)
      }
      try noteReplaced(changed, of: key, at: holder, in: state)
    }
    for index in tableIndexes {
      try state.removeEntry(of: key, at: holder, from: index, &scratchKey)
    }
    for position in changed {
      try state.changeField(
        position, of: key, at: holder, to: batch.columns[position], row, &scratchKey)
    }
    for index in tableIndexes {
      try state.addEntry(of: key, at: holder, to: index, &scratchKey)
    }
    return true
  }

  /// Begins the savepoint of the current operation before an object gets the appended cells.
  private func replaceAfterSavepoint(
    _ key: Int64, in state: TableState, _ fields: [FieldID]?, _ kinds: [FieldID: FieldID]
  ) throws(EngineError) -> Bool {
    let row = state.delta.batch.count
    let next = RecordBatch(shape: state.delta.shape)
    for (cells, column) in zip(next.columns, state.delta.batch.columns) {
      cells.append(column, row: row)
    }
    // The gathered changes are applied; these cells belong to no row among them.
    state.delta.abandonRows()
    try beginSavepointOfUndoLog()
    for (cells, column) in zip(next.columns, state.delta.batch.columns) {
      column.append(cells, row: 0)
    }
    return try replaceByNextRow(key, in: state, fields, kinds)
  }

  /// Sets one field of an object to a new value.
  ///
  /// - Returns: Whether there was such an object.
  @discardableResult
  package func update(
    _ table: UInt32, key: Int64, field: FieldID, to value: Value
  ) throws(EngineError) -> Bool {
    let state = try settledState(table, toChange: true)
    guard let position = state.delta.shape.index(of: field) else {
      throw .unknownField(table: state.name, field: "\(field)")
    }
    let cell = ColumnBuffer(type: state.delta.shape.fields[position].type)
    guard value == .null || value.type == cell.type || value.type == nil else {
      throw .wrongType(
        table: state.name, field: state.definition.field(field)?.name ?? "\(field)")
    }
    cell.append(value)
    return try update(table, key: key, field: field, to: cell, row: 0)
  }

  /// Sets one field of an object to the value of a cell; an unchanged value is not written.
  ///
  /// - Returns: Whether there was such an object.
  package func update(
    _ table: UInt32, key: Int64, field: FieldID, to cells: ColumnBuffer, row: Int
  ) throws(EngineError) -> Bool {
    try beginSavepointOfUndoLog()
    let state = try settledState(table, toChange: true)
    guard let position = state.delta.shape.index(of: field) else {
      throw .unknownField(table: state.name, field: "\(field)")
    }
    guard cells.type == state.delta.shape.fields[position].type,
      !cells.isNull(row) || state.isOptional[position],
      state.delta.shape.fields[position].partBytesMax == nil
        || state.definition.field(field)?.type != .links
        || LinkList.canHave(UInt64(cells.bytes(row).count))
    else {
      throw .wrongType(
        table: state.name, field: state.definition.field(field)?.name ?? "\(field)")
    }
    let tableIndexes = state.tableIndexes(using: position)
    let index = state.index(column: position)
    guard index != nil || !tableIndexes.isEmpty else {
      if let inserted = state.delta.insertedRow(key) {
        state.delta.setInserted(position, row: inserted, to: cells, row)
      } else {
        guard try state.isStored(key) else { return false }
        state.delta.update(position, of: key, to: cells, row)
        state.noteWrite(of: key)
      }
      try applyIfLarge(state)
      return true
    }
    guard let holder = try state.holder(of: key) else { return false }
    guard try state.differs(position, of: key, at: holder, from: cells, row) else {
      if case .leaf = holder { state.noteWrite(of: key) }
      return true
    }
    if let index, index.field.isUnique {
      try checkUnique(index, in: state, column: cells, row: row, except: key)
    }
    for index in tableIndexes where index.index.isUnique {
      let entry = try state.set(&scratchKey, of: key, at: holder, in: index) {
        $0 == position ? (cells, row) : nil
      }
      try checkUnique(index, entry, in: state, except: key)
    }
    try state.change(position, of: key, at: holder, to: cells, row, &scratchKey)
    // Also if the value returns to the one in the tree.
    if case .leaf = holder { state.noteWrite(of: key) }
    try applyIfLarge(state)
    return true
  }

  /// Deletes an object.
  ///
  /// - Returns: Whether there was such an object.
  @discardableResult
  package func delete(from table: UInt32, key: Int64) throws(EngineError) -> Bool {
    try buildDeferredIndexes()
    try beginSavepointOfUndoLog()
    let state = try settledState(table)
    guard let holder = try state.holder(of: key) else { return false }
    try delete(key, at: holder, in: state)
    try applyIfLarge(state)
    try followIfMany(state)
    return true
  }

  /// Deletes objects; costs sorting their keys and visiting each leaf once.
  ///
  /// - Parameter keys: In any order; one that no object has, or that is there twice, is left out.
  /// - Returns: How many objects there were.
  /// - Throws: The errors of a damaged file. Where some objects are deleted then, the transaction has ended.
  package func delete(from table: UInt32, keys: ColumnBuffer) throws(EngineError) -> Int {
    try buildDeferredIndexes()
    try beginSavepointOfUndoLog()
    let state = try settledState(table)
    let count = try delete(keys, in: state)
    try followIfMany(state)
    return count
  }

  /// Deletes objects.
  ///
  /// - Parameter willDelete: Called before each.
  /// - Returns: How many there were.
  func delete(
    _ keys: ColumnBuffer, in state: TableState,
    _ willDelete: (Int64, RowHolder) throws(EngineError) -> Void = { _, _ in }
  ) throws(EngineError) -> Int {
    let order = KeyOrder.rows(ascending: keys)
    var count = 0
    var leaf: LeafReference?
    do throws(EngineError) {
      for place in 0..<keys.count {
        let key = keys.integer(order.map { Int($0[place]) } ?? place)
        guard let holder = try state.holder(of: key, near: leaf) else { continue }
        if case .leaf(let found, _) = holder { leaf = found }
        try willDelete(key, holder)
        count += 1
        try delete(key, at: holder, in: state)
        guard count.isMultiple(of: 4096) else { continue }
        try applyIfLarge(state)
        leaf = nil
      }
    } catch {
      // The deleted objects cannot be brought back.
      if count > 0 { rollback() }
      throw error
    }
    try applyIfLarge(state)
    return count
  }

  private func delete(
    _ key: Int64, at holder: RowHolder, in state: TableState
  ) throws(EngineError) {
    hasBegunChanges = true
    try state.remove(key, at: holder, &scratchKey)
    state.didDelete(key)
    if !state.inboundLinks.isEmpty { pendingDeletions.note(in: state.definition.id, catalog) }
  }

  /// The place of the object with this key, with this transaction's changes; nil if there is none.
  package func row(in table: UInt32, key: Int64) throws(EngineError) -> RowPlace? {
    let state = try settledState(table)
    switch try state.holder(of: key) {
    case .batch(let row): return .batch(state.delta.batch, row)
    case .leaf(let leaf, let row):
      if try state.delta.isUpdated(key, besideStreamed: leaf, row: row) {
        // In its leaf the object has its new values, and the long one stays where it is.
        try applying { () throws(EngineError) in try state.apply(writer) }
        return try self.row(in: table, key: key)
      }
      if let patched = try state.delta.patched(key: key, leaf: leaf, row: row) {
        return .batch(patched, 0)
      }
      return .leaf(leaf, row)
    case nil: return nil
    }
  }

  // MARK: Keys and uniqueness

  /// The object key of the object with this identifier, with this transaction's changes.
  ///
  /// - Parameter reserving: Whether a key is set aside for an identifier that no object has yet, so
  ///   that a link can point at an object that is inserted later. At the commit it must be there.
  package func objectKey(
    in table: UInt32, identifier value: Value, reserving: Bool = false
  ) throws(EngineError) -> Int64? {
    guard let index = try state(table).identifierIndex else {
      guard case .integer(let key) = value else { return nil }
      return key
    }
    // A value of it may stay open, for no field is read.
    if pendingDeletions.mayChange(table) { try followDeletes() }
    let state = try state(table)
    scratchKey.set(value)
    // No object has an identifier that a key does not hold whole.
    guard !scratchKey.isTruncated else { return nil }
    if let key = try state.first(scratchKey, in: index) { return key }
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
      if try state.holder(of: key) != nil {
        throw .duplicate(
          table: state.name, field: state.definition.identifier?.name ?? "",
          value: state.definition.text(ofKey: key))
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
      throw .limit(EngineLimit(.objectsEver, Int64.max, in: state.name))
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
    if let other = try state.first(scratchKey, in: index), other != key {
      throw .duplicate(
        table: state.name, field: index.field.name, value: text(column.value(row), of: index.field))
    }
  }

  /// - Parameter entry: What the key was set to.
  private func checkUnique(
    _ index: TableIndexState, _ entry: TableIndexKeys.Entry, in state: TableState,
    except key: Int64?
  ) throws(EngineError) {
    guard try state.isTaken(scratchKey, entry, of: key, in: index) else { return }
    throw .duplicate(
      table: state.name, field: state.definition.fieldNames(of: index.index),
      value: state.definition.text(ofEntry: scratchKey.bytes, of: index.index, text))
  }
}
