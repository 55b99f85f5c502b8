/// A leaf with one new value in some of its columns, made by copying its head and the groups that contain the values.
struct LeafPatch {
  private let leaf: LeafReference
  /// In the order of their columns in each extent.
  private let cells: [CellPatch]

  /// - Returns: nil if the leaf has to be rewritten.
  /// - Throws: `.missing` where a key is not in the leaf.
  init?(
    _ leaf: LeafReference, _ share: ChangeCursor.LeafChanges, of changes: TableChanges
  ) throws(EngineError) {
    guard !share.changesRows, share.updates.allSatisfy({ $0.count <= 1 }) else { return nil }
    var cells: [CellPatch] = []
    cells.reserveCapacity(share.updates.count)
    for (range, update) in zip(share.updates, changes.updates) {
      guard let index = range.first else { continue }
      guard let row = leaf.row(of: update.keys[index]) else {
        throw .missingKey(update.keys[index])
      }
      guard let place = leaf.head.place(of: update.field),
        let cell = CellPatch(
          try leaf.column(at: place), place: place, row: row, to: update.values, update.row(index))
      else { return nil }
      cells.append(cell)
    }
    if cells.count > 1 {
      let entries = leaf.head.entries
      cells.sort { entries[$0.place].offset < entries[$1.place].offset }
    }
    self.leaf = leaf
    self.cells = cells
    for group in 0...leaf.head.groups.count where !hasRoom(group) { return nil }
  }

  /// Whether the new cells have room in an extent, and its columns lie behind each other.
  private func hasRoom(_ group: Int) -> Bool {
    var growth = 0
    var place =
      group == 0
      ? LeafLayout.columnsOffset(
        columns: leaf.head.entries.count, groups: leaf.head.groups.count) : 0
    for cell in cells where holds(group, cell) {
      let column = cell.bytes
      guard column.lowerBound >= place else { return false }
      place = column.upperBound
      growth += max(cell.growth, 0)
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
    var groups = leaf.head.groups
    for group in groups.indices where cells.contains(where: { holds(group + 1, $0) }) {
      let held = try leaf.heldGroup(group)
      let old = groups[group]
      groups[group] = try writer.writeFrame(
        kind: .leafGroup, units: old.units, madeOf: held.frame
      ) { target in
        var page = PageCopy(of: held.frame.bytes, in: target)
        store(group + 1, in: &page)
        return page.finish()
      }.pointer
      writer.free(old)
    }
    let frame = try writer.writeFrame(
      kind: .leafHead, units: leaf.pointer.units, madeOf: leaf.frame
    ) { target in
      var page = PageCopy(of: leaf.frame.bytes, in: target)
      storeDirectory(groups, in: &page)
      store(0, in: &page)
      return page.finish()
    }
    writer.free(leaf.pointer)
    return frame.pointer
  }

  /// Stores what differs in the directory: zone maps, where columns lie, and the groups.
  private func storeDirectory(_ groups: [ExtentPointer], in page: inout PageCopy) {
    var offset = LeafLayout.directory
    let isKept = cells.allSatisfy(\.keepsEntry)
    for (place, entry) in leaf.head.entries.enumerated() {
      if !isKept, let changed = changed(entry, at: place) {
        page.copy(to: offset)
        changed.store(in: page.target, at: page.append(ColumnEntry.byteCount))
      }
      offset += ColumnEntry.byteCount
    }
    for (place, group) in groups.enumerated() {
      if group != leaf.head.groups[place] {
        page.copy(to: offset)
        page.append(group)
      }
      offset += ExtentPointer.size
    }
  }

  /// The entry of a column that has a new cell or moves; nil if it stays as it is.
  private func changed(_ entry: ColumnEntry, at place: Int) -> ColumnEntry? {
    var changed = cells.first { $0.place == place }?.entry ?? entry
    for cell in cells where cell.growth != 0 && holds(Int(entry.group), cell) {
      guard Int(entry.offset) >= cell.bytes.upperBound else { continue }
      changed.offset = UInt32(Int(changed.offset) + cell.growth)
    }
    return changed == entry ? nil : changed
  }

  /// Stores an extent from where the page is on, with the new cells.
  private func store(_ group: Int, in page: inout PageCopy) {
    var source = page.place
    for cell in cells where holds(group, cell) {
      cell.store(in: &page, from: &source)
    }
    let end = source == page.place ? page.target.count : end(of: group)
    page.copy(end - source, from: source)
  }
}
