/// Schema changes of tables that hold objects: renames, and whole columns.
extension EngineTransaction {
  /// Renames a table.
  package func renameTable(_ id: UInt32, to name: String) throws(EngineError) {
    try catalogDidChange()
    try catalog.renameTable(id, to: name)
  }

  /// Renames a field. Its values, indexes and rules stay as they are; no row is touched.
  package func renameField(
    _ field: FieldID, of table: UInt32, to name: String
  ) throws(EngineError) {
    try catalogDidChange()
    try catalog.renameField(field, of: table, to: name)
  }

  /// Calls `body` with each leaf of a table as it is now, whatever `body` changes in this transaction, until it returns false
  /// or throws.
  ///
  /// Until the end the units of what is replaced are not written again.
  /// - Throws: What `body` throws; `.cancelled` if the task is.
  package func forEachLeaf(
    of table: UInt32, _ body: (LeafReference) throws(EngineError) -> Bool
  ) throws(EngineError) {
    // The savepoint keeps the units that the leaves lie in.
    let savepoint = try savepoint(onlyReads: true)
    do throws(EngineError) {
      var leaves = try view().objects(table).leaves()
      var goesOn = true
      while goesOn, let leaf = try leaves.next() {
        try checkCancellation()
        goesOn = try body(leaf)
      }
    } catch {
      release(savepoint)
      throw error
    }
    release(savepoint)
  }

  /// Gives the elements of a field's collections other columns: values that are stored, and the default.
  ///
  /// What cannot be read as it is stays, and is an error where it is read.
  /// - Returns: In how many objects an element lacks a value of a column that may not be null; then the transaction is to be
  ///   rolled back.
  package func setParts(
    _ parts: [DeclaredElement], of field: FieldDefinition, in table: UInt32
  ) throws(EngineError) -> UInt64 {
    let conversion = ElementConversion(of: field.type, from: field.parts, to: parts)
    return try whole { () throws(EngineError) in
      var missing: UInt64 = 0
      try forEachLeaf(of: table) { (leaf) throws(EngineError) in
        missing += try convertElements(leaf, of: field, in: table, conversion)
        return true
      }
      var changed = field
      changed.parts = parts.map(\.column)
      changed.defaultValue = conversion.converted(field.defaultValue)
      try catalogDidChange()
      try catalog.replaceField(changed, in: table)
      return missing
    }
  }

  /// Converts a field's values in a leaf; returns how many of them lack a value of a column that may not be null.
  private func convertElements(
    _ leaf: LeafReference, of field: FieldDefinition, in table: UInt32,
    _ conversion: ElementConversion
  ) throws(EngineError) -> UInt64 {
    let stored = ColumnBuffer(type: .bytes)
    try leaf.append(field.id, to: stored)
    let keys = ColumnBuffer(type: .integer)
    let values = ColumnBuffer(type: .bytes)
    var missing: UInt64 = 0
    for row in 0..<leaf.rowCount where !stored.isNull(row) {
      do throws(ElementConversion.Failure) {
        values.append(.bytes(try conversion.converted(stored.bytes(row))))
        keys.append(leaf.key(row))
      } catch {
        if error == .missing { missing += 1 }
      }
    }
    try update(table, field: field.id, of: keys, to: values)
    return missing
  }

  /// For each value of a field that several objects share, these objects, ascending.
  ///
  /// Reads only the field's index.
  /// - Throws: `.tooLong` where a value is longer than an index holds.
  package func equalValues(of field: FieldID, in table: UInt32) throws(EngineError) -> [[Int64]] {
    guard let definition = catalog.table(table)?.field(field), definition.indexTree != 0 else {
      throw catalog.unknown(field, of: table)
    }
    return try equalValues(of: definition, in: table).map(\.keys)
  }

  /// Sets a field of stored objects to new values, one for each key.
  ///
  /// - Parameter keys: Of objects that are in the tree, none twice.
  /// - Throws: `.wrongType` for a null where the field is not optional; `.duplicate` where the values are to be unique.
  package func update(
    _ table: UInt32, field: FieldID, of keys: ColumnBuffer, to values: ColumnBuffer
  ) throws(EngineError) {
    guard keys.count > 0 else { return }
    try beginSavepointOfUndoLog()
    let state = try settledState(table, toChange: true)
    guard let position = state.delta.shape.index(of: field) else {
      throw .unknownField(table: state.name, field: "\(field)")
    }
    let isPlain =
      state.index(column: position) == nil && state.tableIndexes(using: position).isEmpty
    guard isPlain, state.delta.shape.fields[position].partBytesMax == nil else {
      for row in 0..<keys.count {
        _ = try update(table, key: keys.integer(row), field: field, to: values, row: row)
      }
      return
    }
    guard values.type == state.delta.shape.fields[position].type,
      values.nullCount == 0 || state.isOptional[position]
    else {
      throw .wrongType(
        table: state.name, field: state.definition.field(field)?.name ?? "\(field)")
    }
    state.delta.update(position, of: keys, to: values)
    try applyIfLarge(state)
  }
}

extension LeafReference {
  /// Appends a field's values of all rows to a column; long values are read whole.
  package func append(_ field: FieldID, to target: ColumnBuffer) throws(EngineError) {
    defer { withExtendedLifetime(self) {} }
    let column = try column(field)
    guard column.hasExternals else { return target.append(column, rows: 0..<rowCount) }
    for row in 0..<rowCount { try RowPlace.leaf(self, row).append(field, to: target) }
  }
}
