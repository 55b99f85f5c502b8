/// Atomic operations over many objects.
extension EngineTransaction {
  /// Begins an operation over many objects, which ``endUndoable()`` or ``undo()`` ends.
  ///
  /// Costs next to nothing, other than a savepoint. An operation within it lets it go on with a savepoint.
  /// - Parameter withSavepoint: Whether it begins with one: where nothing has gathered, and rows are to be deleted.
  package func beginUndoable(withSavepoint: Bool = false) throws(EngineError) {
    try checkIsOpen()
    try beginSavepointOfUndoLog()
    let log = UndoLog()
    undoLogs.append(log)
    notingLog = log
    if withSavepoint { try beginSavepointOfUndoLog() }
  }

  /// Ends the innermost operation and keeps its changes.
  package func endUndoable() {
    notingLog = nil
    guard let savepoint = undoLogs.popLast()?.takeSavepoint() else { return }
    releaseLinkChecks()
    release(savepoint)
  }

  /// Ends the innermost operation and undoes its changes. Keys that were taken are not assigned again.
  ///
  /// If the file is damaged, the whole transaction has ended.
  package func undo() {
    notingLog = nil
    guard let log = undoLogs.popLast(), (try? checkIsOpen()) != nil else { return }
    do throws(EngineError) {
      if let savepoint = log.takeSavepoint() {
        releaseLinkChecks()
        try rollback(to: savepoint)
      }
      for table in log.tables { try undo(table) }
    } catch { rollback() }
  }

  /// Applies the gathered changes, and uses a savepoint to undo the rest of the operation.
  @inline(__always)
  func beginSavepointOfUndoLog() throws(EngineError) {
    if let log = notingLog { try beginSavepoint(of: log) }
  }

  @inline(never)
  private func beginSavepoint(of log: UndoLog) throws(EngineError) {
    notingLog = nil
    log.begin(try savepoint(onlyReads: false))
    holdLinkChecks()
  }

  private func undo(_ table: TableUndoLog) throws(EngineError) {
    let state = try settledState(table.id)
    for field in table.replaced {
      // A value that was replaced twice gets its oldest value last.
      for row in (0..<field.keys.count).reversed() {
        let key = field.keys.integer(row)
        guard let holder = try state.holder(of: key) else { continue }
        try state.change(
          field.position, of: key, at: holder, to: field.values, row, &scratchKey)
      }
    }
    for row in 0..<table.insertedKeys.count {
      let key = table.insertedKeys.integer(row)
      guard let holder = try state.holder(of: key) else { continue }
      // No link's rule is followed: what links to it did so before it was there.
      try state.remove(key, at: holder, &scratchKey)
    }
    try applyIfLarge(state)
  }

  /// Notes the rows of the batch from one on, which were inserted.
  @inline(__always)
  func noteInserted(from first: Int, in state: TableState) {
    guard let log = notingLog else { return }
    let keys = state.delta.batch.keys
    log.table(state.definition.id).insertedKeys.append(keys, rows: first..<keys.count)
  }

  /// Notes the values of fields of a row that are about to be replaced.
  func noteReplaced(
    _ positions: [Int], of key: Int64, at holder: RowHolder, in state: TableState
  ) throws(EngineError) {
    guard let log = notingLog else { return }
    let table = log.table(state.definition.id)
    for position in positions {
      let field = state.delta.shape.fields[position]
      let replaced = table.replaced(position, field.type)
      switch holder {
      case .batch(let row): replaced.values.append(state.delta.batch.columns[position], row: row)
      case .leaf(let leaf, let row):
        if let update = state.delta.updated(position, of: key) {
          replaced.values.append(update.values, row: update.row)
        } else {
          try RowPlace.leaf(leaf, row).append(field.id, to: replaced.values)
        }
      }
      replaced.keys.append(key)
    }
  }

  /// Whether a field of a row has a value that lies in the file by itself, and would have to be read to be noted.
  func isLong(
    _ position: Int, of key: Int64, at holder: RowHolder, in state: TableState
  ) throws(EngineError) -> Bool {
    guard case .leaf(let leaf, let row) = holder,
      state.delta.shape.fields[position].type == .bytes,
      state.delta.updated(position, of: key) == nil
    else { return false }
    return try leaf.column(state.delta.shape.fields[position].id).external(row) != nil
  }
}
