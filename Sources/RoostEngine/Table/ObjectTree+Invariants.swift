extension ObjectTree {
  /// Throws unless the whole tree conforms to Format.md and to the layout that this engine writes.
  ///
  /// Reads everything: checks every extent's checksum, every node, head and column; that no two extents
  /// overlap; that every zone map is correct; that keys ascend through all leaves.
  package func checkInvariants() throws(EngineError) {
    try checkExtents()
    var cursor = try leaves()
    var total: UInt64 = 0
    var previous: Int64?
    while let leaf = try cursor.next() {
      if let previous, previous >= leaf.firstKey {
        throw damage(.nodeOrder, leaf)
      }
      previous = leaf.lastKey
      total += UInt64(leaf.rowCount)
      try check(leaf)
    }
    guard total == count else {
      throw .corrupt(Corruption(.objectCount, tree: root.id))
    }
  }

  /// Throws if two extents overlap.
  private func checkExtents() throws(EngineError) {
    var extents: [Range<UInt64>] = []
    try walk { pointer in extents.append(pointer.unit..<pointer.end) }
    extents = extents.ascending { Int(clamping: $0.lowerBound) }
    for (one, next) in zip(extents, extents.dropFirst()) where one.upperBound > next.lowerBound {
      throw .corrupt(Corruption(.overlap, unit: next.lowerBound, tree: root.id))
    }
  }

  private func check(_ leaf: LeafReference) throws(EngineError) {
    for row in 0..<leaf.rowCount where leaf.row(of: leaf.key(row)) != row {
      throw damage(.nodeOrder, leaf)
    }
    for (place, entry) in leaf.head.entries.enumerated() {
      let column = try leaf.column(at: place)
      guard column.rowCount == leaf.rowCount, column.entry == entry else {
        throw damage(.column, leaf)
      }
      do { try column.checkInvariants(unit: leaf.pointer.unit) } catch {
        throw error.located(in: root.id, keys: leaf.firstKey...leaf.lastKey)
      }
    }
    for field in shape.fields where try leaf.column(field.id).type != field.type {
      throw damage(.column, leaf)
    }
    withExtendedLifetime(leaf) {}
  }

  private func damage(_ reason: Corruption.Reason, _ leaf: LeafReference) -> EngineError {
    .corrupt(
      Corruption(
        reason, unit: leaf.pointer.unit, tree: root.id, keys: leaf.firstKey...leaf.lastKey))
  }
}
