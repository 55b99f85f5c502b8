/// Rewrites some columns of a leaf, whose rows stay the same.
///
/// Only the head and the groups with a changed column are written; the other groups stay as they are.
struct LeafRewrite {
  private let leaf: LeafReference
  private var columns: [LeafColumn] = []
  private var groupOfColumn: [Int] = []
  /// The columns of fields that the leaf did not store.
  private var added: [LeafColumn] = []
  /// The values that the replaced cells referred to.
  private var replacedValues: [(reference: ValueReference, birth: UInt64)] = []
  /// For each group whether it contains a changed column.
  private var isGroupChanged: [Bool]

  /// Decodes the changed columns and sets their new values.
  ///
  /// - Throws: `.missing` where a key is not in the leaf.
  init(
    _ leaf: LeafReference, _ share: ChangeCursor.LeafChanges, of changes: TableChanges
  ) throws(EngineError) {
    self.leaf = leaf
    let head = leaf.head
    isGroupChanged = [Bool](repeating: false, count: head.groups.count)
    var changed = [ColumnBuffer?](repeating: nil, count: head.entries.count)
    for (range, updates) in zip(share.updates, changes.updates) where !range.isEmpty {
      let buffer = try replaceValues(of: updates, range)
      guard let place = head.place(of: updates.field) else {
        added.append(Self.column(updates.field, buffer))
        continue
      }
      changed[place] = buffer
      let group = Int(head.entries[place].group)
      if group > 0 { isGroupChanged[group - 1] = true }
    }
    for (place, entry) in head.entries.enumerated() {
      let content: LeafColumn.Content
      if let buffer = changed[place] {
        content = Self.column(entry.field, buffer).content
      } else if entry.group == 0 {
        content = .encoded(leaf.frame.bytes.slice(Int(entry.offset), Int(entry.length)), entry)
      } else if isGroupChanged[Int(entry.group) - 1] {
        let bytes = try leaf.heldGroup(Int(entry.group) - 1).frame.bytes
        content = .encoded(bytes.slice(Int(entry.offset), Int(entry.length)), entry)
      } else {
        content = .kept(entry)
      }
      columns.append(LeafColumn(field: entry.field, content: content))
      groupOfColumn.append(Int(entry.group))
    }
  }

  /// Writes the new leaf and frees the extents it replaces; nil if the leaf should be packed anew instead.
  func write(with writer: PageWriter) throws(EngineError) -> TreeEntry? {
    guard let draft = draft(addedInHead: true) ?? draft(addedInHead: false) else { return nil }
    let entry = try writer.writeLeaf(draft)
    writer.free(leaf.pointer)
    for (group, pointer) in leaf.head.groups.enumerated() where isGroupChanged[group] {
      writer.free(pointer)
    }
    for (reference, birth) in replacedValues {
      try writer.freeValue(reference, parentBirth: birth, of: leaf)
    }
    withExtendedLifetime(leaf) {}
    return entry
  }

  /// The leaf to write, with added columns in the head or in a group of their own.
  private func draft(addedInHead: Bool) -> LeafDraft? {
    var columns = columns
    var groupOfColumn = groupOfColumn
    var groups: [LeafDraft.Group] = []
    for (index, pointer) in leaf.head.groups.enumerated() {
      guard isGroupChanged[index] else {
        groups.append(.kept(pointer))
        continue
      }
      groups.append(.written(units: max(1, units(of: index + 1, columns, groupOfColumn))))
    }
    if !added.isEmpty {
      if !addedInHead { groups.append(.written(units: 0)) }
      let group = addedInHead ? 0 : groups.count
      for column in added {
        let place = columns.firstIndex { $0.field > column.field } ?? columns.count
        columns.insert(column, at: place)
        groupOfColumn.insert(group, at: place)
      }
      if !addedInHead {
        groups[group - 1] = .written(units: max(1, units(of: group, columns, groupOfColumn)))
      }
    }
    let directory = LeafLayout.columnsOffset(columns: columns.count, groups: groups.count)
    var headBytes = directory
    for (column, group) in zip(columns, groupOfColumn) where group == 0 {
      headBytes += column.byteCount
    }
    let headUnits = LeafPlacement.units(headBytes)
    let oldHeadUnits = leaf.pointer.units
    let limit =
      added.isEmpty || !addedInHead || groups.isEmpty
      ? max(LeafLayout.headUnitsMax, LeafPlacement.units(directory) + 2) : oldHeadUnits
    guard headUnits <= limit, groups.allSatisfy(\.isWritable) else { return nil }
    let unitCount = groups.reduce(headUnits) { $0 + $1.units }
    guard !LeafSizing.isOvergrown(rows: leaf.rowCount, units: unitCount) else { return nil }
    return LeafDraft(
      tree: leaf.head.tree, rowCount: leaf.rowCount, firstKey: leaf.firstKey,
      lastKey: leaf.lastKey, columns: columns, groupOfColumn: groupOfColumn, groups: groups,
      headUnits: headUnits)
  }

  private func units(of group: Int, _ columns: [LeafColumn], _ groupOfColumn: [Int]) -> Int {
    var bytes = 0
    for (column, place) in zip(columns, groupOfColumn) where place == group {
      bytes += column.byteCount
    }
    return LeafPlacement.units(bytes)
  }

  /// The field's column with the new values.
  private mutating func replaceValues(
    of updates: TableChanges.FieldUpdates, _ range: Range<Int>
  ) throws(EngineError) -> ColumnBuffer {
    let chunk = try leaf.column(updates.field)
    let buffer = ColumnBuffer(type: chunk.type)
    buffer.append(chunk, rows: 0..<leaf.rowCount)
    let birth = leaf.head.place(of: updates.field).map { leaf.birth(ofColumnAt: $0) }
    for place in range {
      guard let row = leaf.row(of: updates.keys[place]) else {
        throw .missingKey(updates.keys[place])
      }
      if let birth, let reference = chunk.external(row),
        !updates.editedKeys.contains(updates.keys[place])
      {
        replacedValues.append((reference, birth))
      }
      buffer.set(row, updates.values, row: updates.row(place))
    }
    return buffer
  }

  private static func column(_ field: FieldID, _ buffer: ColumnBuffer) -> LeafColumn {
    let rows = 0..<buffer.count
    return LeafColumn(
      field: field, content: .rows(buffer, rows, ColumnEncoder.plan(buffer, rows: rows)))
  }
}

extension LeafDraft.Group {
  fileprivate var units: Int {
    switch self {
    case .kept(let pointer): pointer.units
    case .written(let units): units
    }
  }

  fileprivate var isWritable: Bool { units <= Unit.extentUnitsMax }
}

extension ColumnBuffer {
  /// Replaces the value of a row by one of another buffer of the same type.
  func set(_ row: Int, _ other: ColumnBuffer, row source: Int) {
    precondition(type == other.type, "The column's type is another.")
    guard !other.isNull(source) else { return setNull(row) }
    switch type {
    case .integer: set(row, other.integer(source))
    case .double: set(row, other.double(source))
    case .float: set(row, other.float(source))
    case .bytes:
      if let reference = other.external(source) {
        set(row, external: reference)
      } else {
        set(row, bytes: other.bytes(source))
      }
    case .uuid:
      let (high, low) = other.uuid(source)
      set(row, uuid: high, low)
    }
  }
}
