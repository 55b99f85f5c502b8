extension ObjectTree {
  /// The root of the tree with new values of one object, if copying its path with small edits
  /// suffices; else nil, and nothing is written.
  ///
  /// - Throws: `.missing` where there is no such object.
  func patch(_ changes: TableChanges, writer: PageWriter) throws(EngineError) -> TreeRoot? {
    guard changes.insertCount == 0, changes.deletes.isEmpty, let first = changes.updates.first,
      let key = first.keys.first,
      changes.updates.allSatisfy({ $0.keys.count == 1 && $0.keys[0] == key })
    else { return nil }
    guard let leaf = try leaf(for: key), let row = leaf.row(of: key) else {
      throw .missingKey(key)
    }
    defer { withExtendedLifetime(leaf) {} }
    guard let patch = try LeafPatch(leaf, row: row, changes.updates) else { return nil }
    guard let edge = TreeEdge(root: root) else { return nil }
    var patched = root
    patched.pointer = try replace(patch, at: key, below: edge, writer)
    return patched
  }

  /// Writes the leaf below an edge and the nodes that lead to it; returns the new pointer for the edge.
  private func replace(
    _ patch: LeafPatch, at key: Int64, below edge: TreeEdge, _ writer: PageWriter
  ) throws(EngineError) -> ExtentPointer {
    guard edge.level > 0 else { return try patch.write(with: writer) }
    let frame = try innerFrame(edge)
    defer { withExtendedLifetime(frame) {} }
    let node = innerNode(frame)
    let child = node.child(for: key)
    guard child >= 0 else { throw .missingKey(key) }
    let below = try replace(patch, at: key, below: edge.child(child, in: node), writer)
    let copy = try writer.writeFrame(kind: .objectInner, units: 1, madeOf: frame) { target in
      var page = PageCopy(of: frame.bytes, in: target)
      page.copy(to: InnerLayout.pointers + ExtentPointer.size * child)
      page.append(below)
      page.copy(to: frame.bytes.count)
      return page.finish()
    }
    _ = copy.attach(
      InnerNode(copyOf: node, in: copy.bytes, childCount: node.childCount, total: node.total))
    writer.free(edge.pointer)
    return copy.pointer
  }
}

/// A leaf with new values in one row, made by copying its head and the groups that contain the values.
private struct LeafPatch {
  private let leaf: LeafReference
  private let cells: [CellPatch]

  /// - Returns: nil if the leaf has to be rewritten.
  init?(
    _ leaf: LeafReference, row: Int, _ updates: [TableChanges.FieldUpdates]
  ) throws(EngineError) {
    var cells: [CellPatch] = []
    cells.reserveCapacity(updates.count)
    var growth = 0
    for update in updates {
      guard let place = leaf.head.place(of: update.field),
        let cell = CellPatch(
          try leaf.column(at: place), place: place, row: row, to: update.values, update.row(0))
      else { return nil }
      cells.append(cell)
      growth += abs(cell.growth)
    }
    self.leaf = leaf
    self.cells = cells
    guard growth > 0 else { return }
    for group in 0...leaf.head.groups.count where !hasRoom(group) { return nil }
  }

  /// Whether the columns of an extent have room to grow.
  private func hasRoom(_ group: Int) -> Bool {
    let growth = cells.reduce(0) { growth, cell in
      growth + (holds(group, cell) ? max(cell.growth, 0) : 0)
    }
    let units = group == 0 ? leaf.pointer.units : leaf.head.groups[group - 1].units
    return growth == 0 || end(of: group) + growth <= units * Unit.bytes
  }

  private func holds(_ group: Int, _ cell: CellPatch) -> Bool {
    Int(leaf.head.entries[cell.place].group) == group
  }

  /// The end of the last column of an extent.
  private func end(of group: Int) -> Int {
    leaf.head.entries.reduce(0) { end, entry in
      Int(entry.group) == group ? max(end, Int(entry.offset) + Int(entry.length)) : end
    }
  }

  /// Writes the new leaf, frees the extents it replaces, and returns the pointer to the head.
  func write(with writer: PageWriter) throws(EngineError) -> ExtentPointer {
    let head = leaf.head
    var entries = head.entries
    var groups = head.groups
    for group in groups.indices where cells.contains(where: { holds(group + 1, $0) }) {
      let held = try leaf.heldGroup(group)
      let old = groups[group]
      groups[group] = try writer.writeFrame(
        kind: .leafGroup, units: old.units, madeOf: held.frame
      ) { target in
        store(group + 1, of: held.frame.bytes, in: target, &entries)
      }.pointer
      writer.free(old)
    }
    let frame = try writer.writeFrame(
      kind: .leafHead, units: leaf.pointer.units, madeOf: leaf.frame
    ) { target in
      storeHead(in: target, &entries, groups)
    }
    writer.free(leaf.pointer)
    return frame.pointer
  }

  /// Stores the new head, and returns how it is made of the old one, where that is known.
  private func storeHead(
    in target: MutableByteView, _ entries: inout [ColumnEntry], _ groups: [ExtentPointer]
  ) -> DeltaOps? {
    if let ops = edit(0, of: leaf.frame.bytes, in: target, &entries, groups) { return ops }
    _ = store(0, of: leaf.frame.bytes, in: target, &entries)
    var offset = LeafLayout.directory
    for entry in entries {
      entry.store(in: target, at: offset)
      offset += ColumnEntry.byteCount
    }
    for group in groups {
      group.store(in: target, at: offset)
      offset += ExtentPointer.size
    }
    return nil
  }

  /// Stores an extent of which only the patched cells and some pointers change; nil where more does.
  private func edit(
    _ group: Int, of old: ByteView, in target: MutableByteView, _ entries: inout [ColumnEntry],
    _ groups: [ExtentPointer] = []
  ) -> DeltaOps? {
    // In a head, the directory changes where a column grows in any extent.
    for cell in cells where group == 0 || holds(group, cell) {
      guard cell.changedBytes(entries) != nil else { return nil }
    }
    var page = PageCopy(of: old, in: target)
    var offset = LeafLayout.columnsOffset(columns: entries.count, groups: 0)
    for (place, pointer) in groups.enumerated() {
      if pointer != leaf.head.groups[place] {
        page.edit(offset..<offset + ExtentPointer.size)
        pointer.store(in: target, at: offset)
      }
      offset += ExtentPointer.size
    }
    var end = 0
    for cell in cells where holds(group, cell) {
      guard let bytes = cell.changedBytes(entries), bytes.lowerBound >= page.place else {
        return nil
      }
      page.edit(bytes)
      cell.store(in: target, &entries, end: &end)
    }
    page.copy(to: old.count)
    return page.finish()
  }

  /// Stores an extent with the patched cells, and returns how it is made of the old one, where that is known.
  private func store(
    _ group: Int, of old: ByteView, in target: MutableByteView, _ entries: inout [ColumnEntry]
  ) -> DeltaOps? {
    if group > 0, let ops = edit(group, of: old, in: target, &entries) { return ops }
    target.copy(old, at: 0)
    var end = end(of: group)
    for cell in cells where holds(group, cell) {
      cell.store(in: target, &entries, end: &end)
    }
    return nil
  }
}
