/// One column of a leaf to be written.
struct LeafColumn {
  /// The source of the column's bytes.
  enum Content {
    /// Rows of a buffer, to be encoded according to the plan.
    case rows(ColumnBuffer, Range<Int>, ColumnPlan)
    /// Bytes of an older leaf, copied unchanged.
    case encoded(ByteView, ColumnEntry)
    /// Bytes of an older leaf, with rows appended.
    case grown(ColumnGrowth)
    /// A column in a group that stays: only its directory entry is written.
    case kept(ColumnEntry)
  }

  var field: FieldID
  var content: Content

  /// The number of bytes that the column takes in the extent to be written.
  var byteCount: Int {
    switch content {
    case .rows(_, _, let plan): plan.byteCount
    case .encoded(let bytes, _): bytes.count
    case .grown(let growth): growth.byteCount
    case .kept: 0
    }
  }

  /// Writes the column's bytes at `offset` and returns its directory entry.
  func write(into bytes: MutableByteView, at offset: Int, group: Int) -> ColumnEntry {
    switch content {
    case .rows(let buffer, let rows, let plan):
      ColumnEncoder.encode(
        buffer, rows: rows, plan: plan, into: bytes.slice(offset, plan.byteCount))
      return plan.entry(field: field, group: UInt16(group), offset: UInt32(offset))
    case .encoded(let encoded, let old):
      bytes.copy(encoded, at: offset)
      return old.moved(to: offset, group: group)
    case .grown(let growth):
      growth.store(in: bytes.slice(offset, growth.byteCount))
      return growth.entry.moved(to: offset, group: group)
    case .kept(let entry):
      return entry
    }
  }
}

extension ColumnEntry {
  /// The entry of the column at another place.
  fileprivate func moved(to offset: Int, group: Int) -> ColumnEntry {
    var entry = self
    entry.group = UInt16(group)
    entry.offset = UInt32(offset)
    return entry
  }
}

/// A leaf to be written: its columns and their placement.
struct LeafDraft {
  enum Group {
    /// A group of the older leaf that is kept.
    case kept(ExtentPointer)
    /// A group to write, and its units.
    case written(units: Int)
  }

  var tree: UInt32
  var rowCount: Int
  var firstKey: Int64
  var lastKey: Int64
  /// The columns in the order of the directory, the object key first.
  var columns: [LeafColumn]
  /// The group of each column; 0 is the head.
  var groupOfColumn: [Int]
  var groups: [Group]
  var headUnits: Int
}

extension PageWriter {
  /// Writes a leaf: its groups, then the head that points to them.
  ///
  /// - Parameter old: The leaf whose rows it begins with, if it has the same columns.
  func writeLeaf(
    _ draft: LeafDraft, appendingTo old: LeafReference? = nil
  ) throws(EngineError) -> TreeEntry {
    var entries: [ColumnEntry?] = draft.columns.map { column in
      if case .kept(let entry) = column.content { entry } else { nil }
    }
    var pointers: [ExtentPointer] = []
    for (index, group) in draft.groups.enumerated() {
      switch group {
      case .kept(let pointer):
        pointers.append(pointer)
      case .written(let units):
        pointers.append(
          try write(kind: .leafGroup, units: units) { bytes in
            draft.writeColumns(of: index + 1, into: bytes, from: 0, &entries)
          })
      }
    }
    let pointer =
      if let old {
        try writeFrame(kind: .leafHead, units: draft.headUnits, madeOf: old.frame) { bytes in
          bytes.zero()
          draft.writeHead(into: bytes, groups: pointers, &entries)
          return DeltaOps(
            from: old.frame.bytes, to: bytes.readOnly,
            moves: draft.moves(to: entries, from: old.head))
        }.pointer
      } else {
        try write(kind: .leafHead, units: draft.headUnits) { bytes in
          draft.writeHead(into: bytes, groups: pointers, &entries)
        }
      }
    return TreeEntry(
      firstKey: draft.firstKey, count: UInt64(draft.rowCount), pointer: pointer)
  }
}

extension LeafDraft {
  /// Where the parts of a shorter leaf's columns are that these columns begin with.
  fileprivate func moves(to entries: [ColumnEntry?], from old: LeafHead) -> [PageMove] {
    var moves: [PageMove] = []
    moves.reserveCapacity(3 * entries.count)
    for case (let entry?, let former) in zip(entries, old.entries) {
      let layout = ColumnLayout(entry, rowCount: rowCount)
      let formerLayout = ColumnLayout(former, rowCount: old.rowCount)
      func add(_ part: Int, _ formerPart: Int) {
        moves.append(
          PageMove(place: Int(entry.offset) + part, source: Int(former.offset) + formerPart))
      }
      add(0, 0)
      guard entry.type == .bytes else { continue }
      if layout.offsets > 0 { add(layout.offsets, formerLayout.offsets) }
      add(layout.heap, formerLayout.heap)
    }
    return moves
  }

  /// Writes the columns of one extent, one after the other.
  fileprivate func writeColumns(
    of group: Int, into bytes: MutableByteView, from start: Int, _ entries: inout [ColumnEntry?]
  ) {
    var offset = start
    for column in columns.indices where groupOfColumn[column] == group && entries[column] == nil {
      entries[column] = columns[column].write(into: bytes, at: offset, group: group)
      offset += columns[column].byteCount
    }
  }

  fileprivate func writeHead(
    into bytes: MutableByteView, groups: [ExtentPointer], _ entries: inout [ColumnEntry?]
  ) {
    bytes.store(ExtentKind.leafHead.rawValue, at: 0)
    bytes.store(UInt8(0), at: LeafLayout.level)
    bytes.store(UInt16(groups.count), at: LeafLayout.groupCount)
    bytes.store(tree, at: LeafLayout.tree)
    bytes.store(UInt32(rowCount), at: LeafLayout.rowCount)
    bytes.store(UInt16(columns.count), at: LeafLayout.columnCount)
    bytes.store(firstKey, at: LeafLayout.firstKey)
    bytes.store(lastKey, at: LeafLayout.lastKey)
    var offset = LeafLayout.columnsOffset(columns: columns.count, groups: groups.count)
    writeColumns(of: 0, into: bytes, from: offset, &entries)
    offset = LeafLayout.directory
    for entry in entries {
      entry?.store(in: bytes, at: offset)
      offset += ColumnEntry.byteCount
    }
    for group in groups {
      group.store(in: bytes, at: offset)
      offset += ExtentPointer.size
    }
  }
}
