/// A value of an object that is being edited in place.
struct OpenValue {
  let table: UInt32
  let key: Int64
  let field: FieldID
  /// The place of the field in the table's shape.
  let position: Int
  /// The index of a list of links.
  let index: IndexState?
  let editor: ValueEditor
  /// Whether the value lay in extents of its own in the file.
  let wasLong: Bool
  var hasChanged = false
}

/// Values that are edited in place: an edit costs the logarithm of their length.
///
/// The value that was edited last stays open, so that the next edit of it begins where this one ended. It is closed before
/// anything else looks at its table.
extension EngineTransaction {
  /// The value, opened if necessary, for a change.
  func changedValue(
    _ table: UInt32, _ key: Int64, _ field: FieldID, _ type: FieldType
  ) throws(EngineError) -> OpenValue {
    try beginSavepointOfUndoLog()
    let value = try editedValue(table, key, field, type)
    writer.onlyDeletes = false
    hasBegunChanges = true
    openValue?.hasChanged = true
    return value
  }

  /// The value, opened if necessary.
  func editedValue(
    _ table: UInt32, _ key: Int64, _ field: FieldID, _ type: FieldType
  ) throws(EngineError) -> OpenValue {
    try checkIsOpen()
    if let openValue, openValue.table == table, openValue.key == key, openValue.field == field,
      !pendingDeletions.mayChange(table)
    {
      return openValue
    }
    _ = try settledState(table)
    return try openedValue(table, key, field, type)
  }

  /// Opens a value; the rules of deletions are followed, or being followed.
  func openedValue(
    _ table: UInt32, _ key: Int64, _ field: FieldID, _ type: FieldType
  ) throws(EngineError) -> OpenValue {
    try closeValue()
    let state = try self.state(table)
    guard let position = state.delta.shape.index(of: field),
      state.definition.field(field)?.type == type
    else { throw .unknownField(table: state.name, field: "\(field)") }
    guard var holder = try state.holder(of: key) else { throw .missingKey(key) }
    let short = try shortValue(position, of: key, at: holder, in: state)
    if short == nil, try waits(position, of: key, at: holder, in: state) {
      // A long value is edited where it lies in the file.
      try applying { () throws(EngineError) in try state.apply(writer) }
      guard let found = try state.holder(of: key) else { throw .missingKey(key) }
      holder = found
    }
    let editor = try editor(short, position, at: holder, in: state)
    let value = OpenValue(
      table: table, key: key, field: field, position: position, index: state.index(of: field),
      editor: editor, wasLong: short == nil)
    openValue = value
    return value
  }

  /// The bytes of a value stored in its row; nil if the value is too long for that.
  private func shortValue(
    _ position: Int, of key: Int64, at holder: RowHolder, in state: TableState
  ) throws(EngineError) -> [UInt8]? {
    func short(_ column: ColumnBuffer, _ row: Int) -> [UInt8]? {
      let bytes = column.bytes(row)
      return bytes.count > ValueReference.inlineByteCountMax ? nil : bytes.array
    }
    switch holder {
    case .batch(let row): return short(state.delta.batch.columns[position], row)
    case .leaf(let leaf, let row):
      if let update = state.delta.updated(position, of: key) {
        return short(update.values, update.row)
      }
      let column = try leaf.column(state.delta.shape.fields[position].id)
      defer { withExtendedLifetime(leaf) {} }
      return column.external(row) == nil ? column.bytes(row).array : nil
    }
  }

  /// Whether the newest value of a field is still pending, not in the tree.
  private func waits(
    _ position: Int, of key: Int64, at holder: RowHolder, in state: TableState
  ) throws(EngineError) -> Bool {
    switch holder {
    case .batch: true
    case .leaf: state.delta.updated(position, of: key) != nil
    }
  }

  private func editor(
    _ short: [UInt8]?, _ position: Int, at holder: RowHolder, in state: TableState
  ) throws(EngineError) -> ValueEditor {
    let field = state.delta.shape.fields[position]
    let partBytesMax = field.partBytesMax ?? ValueLayout.chunkBytes
    if let short {
      return ValueEditor(short, partBytesMax: partBytesMax, reader: writer.reader)
    }
    guard case .leaf(let leaf, let row) = holder, let place = leaf.head.place(of: field.id),
      let reference = try leaf.column(field.id).external(row)
    else { throw .missingKey(0) }
    guard field.isStreamed || LinkList.canHave(reference.length) else {
      throw leaf.located(.corrupt(Corruption(.externalValue, unit: reference.pointer.unit)))
    }
    return ValueEditor(
      reference, parentBirth: leaf.birth(ofColumnAt: place), partBytesMax: partBytesMax,
      reader: writer.reader)
  }

  /// Stores the open value in its object; does nothing if no value is open.
  func closeValue() throws(EngineError) {
    guard let value = openValue else { return }
    openValue = nil
    guard value.hasChanged else { return }
    try applying { () throws(EngineError) in
      let state = try self.state(value.table)
      let isLong = value.editor.length > UInt64(ValueReference.inlineByteCountMax)
      if isLong, case .batch? = try state.holder(of: value.key) { try state.apply(writer) }
      let cell = ColumnBuffer(type: .bytes)
      switch try value.editor.write(with: writer) {
      case .inline(let bytes): bytes.withByteView { cell.append(bytes: $0) }
      case .extents(let reference): cell.append(external: reference)
      }
      switch try state.holder(of: value.key) {
      case .batch(let row)?:
        state.delta.setInserted(value.position, row: row, to: cell, 0)
      case .leaf?:
        state.delta.update(
          value.position, of: value.key, to: cell, 0, isEdited: value.wasLong)
        // What waits is read as bytes, and not as where they are.
        if isLong || value.wasLong { try state.apply(writer) }
      case nil: throw .missingKey(value.key)
      }
    }
  }
}
