/// A list of links that is being edited.
struct OpenList {
  let table: UInt32
  let key: Int64
  let index: IndexState
  let editor: ValueEditor
  /// Whether the list lies in extents of its own in the file.
  let wasLong: Bool
  var hasChanged = false

  /// How many links there are.
  var count: UInt64 { editor.length / UInt64(LinkList.linkBytes) }
}

/// Lists of links, edited in place: whatever their length, an edit costs the logarithm of it.
///
/// The list that was edited last stays open, so that the next edit of it begins where this one ended. It is closed before
/// anything else looks at its table.
extension WriteTransaction {
  /// How many links a list has.
  ///
  /// - Throws: `.missing` where there is no such object; `.unknown` where the field is no list of links.
  public func linkCount(_ table: UInt32, key: Int64, field: FieldID) throws(EngineError) -> UInt64 {
    try list(table, key, field).count
  }

  /// The targets of some links of a list.
  ///
  /// - Parameter range: Within the list.
  public func links(
    _ table: UInt32, key: Int64, field: FieldID, in range: Range<UInt64>
  ) throws(EngineError) -> [Int64] {
    LinkList.targets(try list(table, key, field).editor.read(bytes(range)))
  }

  /// Inserts links before the one at a place, which is at most their number.
  public func insertLinks(
    _ targets: [Int64], at place: UInt64, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    let list = try changedList(table, key, field)
    try applying { () throws(EngineError) in
      for target in targets { try list.index.addLink(to: target, of: key, &scratchKey) }
      try list.editor.insert(
        LinkList.bytes(targets), at: place * UInt64(LinkList.linkBytes))
    }
    try applyIfLarge(try state(table))
  }

  /// Removes the links of a range, which lies in the list.
  public func removeLinks(
    in range: Range<UInt64>, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    let list = try changedList(table, key, field)
    try applying { () throws(EngineError) in
      for target in LinkList.targets(try list.editor.read(bytes(range))) {
        try list.index.removeLink(to: target, of: key, &scratchKey)
      }
      try list.editor.remove(bytes(range))
    }
    try applyIfLarge(try state(table))
  }

  /// Moves the links of a range to before the one that is now at a place, outside of the range or at its end.
  public func moveLinks(
    in range: Range<UInt64>, to place: UInt64, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    precondition(
      place <= range.lowerBound || place >= range.upperBound, "The links move into themselves.")
    let list = try changedList(table, key, field)
    try applying { () throws(EngineError) in
      let moved = try list.editor.read(bytes(range))
      try list.editor.remove(bytes(range))
      let start = place * UInt64(LinkList.linkBytes)
      try list.editor.insert(
        moved, at: place <= range.lowerBound ? start : start - UInt64(moved.count))
    }
  }

  private func bytes(_ range: Range<UInt64>) -> Range<UInt64> {
    let bytes = UInt64(LinkList.linkBytes)
    return range.lowerBound * bytes..<range.upperBound * bytes
  }

  // MARK: Opening and closing

  private func changedList(
    _ table: UInt32, _ key: Int64, _ field: FieldID
  ) throws(EngineError) -> OpenList {
    let list = try list(table, key, field)
    writer.onlyDeletes = false
    openList?.hasChanged = true
    return list
  }

  /// The list, opened if it is not.
  func list(_ table: UInt32, _ key: Int64, _ field: FieldID) throws(EngineError) -> OpenList {
    try checkIsOpen()
    if let openList, openList.table == table, openList.key == key,
      openList.index.field.id == field, !unfollowedDeletes.mayChange(table)
    {
      return openList
    }
    _ = try settledState(table)
    return try openedList(table, key, field)
  }

  /// Opens a list; the rules of deletions are followed, or being followed.
  func openedList(
    _ table: UInt32, _ key: Int64, _ field: FieldID
  ) throws(EngineError) -> OpenList {
    try closeList()
    let state = try self.state(table)
    guard let index = state.index(of: field), index.field.type == .links else {
      throw .unknown(name: "list \(field) of \(state.name)")
    }
    guard var holder = try holder(of: key, in: state) else { throw .missingKey(key) }
    let short = try shortList(index.column, of: key, at: holder, in: state)
    if short == nil, try waits(index.column, of: key, at: holder, in: state) {
      // A long list is edited where it lies in the file.
      try applying { () throws(EngineError) in try state.apply(writer) }
      guard let found = try self.holder(of: key, in: state) else { throw .missingKey(key) }
      holder = found
    }
    let editor = try editor(short, index.column, at: holder, in: state)
    let list = OpenList(
      table: table, key: key, index: index, editor: editor, wasLong: short == nil)
    openList = list
    return list
  }

  /// The bytes of a list that lies in its row; nil for one that is too long for that.
  private func shortList(
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

  /// Whether the newest value of a field is not in the tree yet.
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
    guard LinkList.canHave(reference.length) else {
      throw leaf.located(.corrupt(Corruption(.externalValue, unit: reference.pointer.unit)))
    }
    return ValueEditor(
      reference, parentBirth: leaf.birth(ofColumnAt: place), partBytesMax: partBytesMax,
      reader: writer.reader)
  }

  /// Gives the object of the open list its list as it is now; does nothing where none is open.
  func closeList() throws(EngineError) {
    guard let list = openList else { return }
    openList = nil
    guard list.hasChanged else { return }
    try applying { () throws(EngineError) in
      let state = try self.state(list.table)
      let isLong = list.editor.length > UInt64(ValueReference.inlineByteCountMax)
      if isLong, case .batch? = try holder(of: list.key, in: state) { try state.apply(writer) }
      let cell = ColumnBuffer(type: .bytes)
      switch try list.editor.write(with: writer) {
      case .inline(let bytes): unsafe bytes.withUnsafeBytes { unsafe cell.append(bytes: $0) }
      case .extents(let reference): cell.append(external: reference)
      }
      switch try holder(of: list.key, in: state) {
      case .batch(let row)?:
        state.delta.setInserted(list.index.column, row: row, to: cell, 0)
      case .leaf?:
        state.delta.update(
          list.index.column, of: list.key, to: cell, 0, isEdited: list.wasLong)
        // What waits is read as bytes, and not as where they are.
        if isLong || list.wasLong { try state.apply(writer) }
      case nil: throw .missingKey(list.key)
      }
    }
  }
}
