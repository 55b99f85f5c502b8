/// A leaf with rows appended, made from the bytes of its columns.
///
/// For a small leaf, the tail of a table, which is one extent.
struct LeafAppend {
  private let leaf: LeafReference
  private let draft: LeafDraft

  /// - Parameters:
  ///   - batch: Rows of the table, of which some are appended.
  ///   - rows: Those rows, whose keys ascend from above the leaf's last.
  /// - Returns: nil if the leaf has to be packed anew.
  init?(_ leaf: LeafReference, _ batch: RecordBatch, rows: Range<Int>) {
    let head = leaf.head
    let rowCount = leaf.rowCount + rows.count
    guard head.groups.isEmpty, rowCount <= LeafLayout.rowsMax,
      head.entries.count == batch.columns.count + 1
    else { return nil }
    var columns: [LeafColumn] = []
    columns.reserveCapacity(head.entries.count)
    var bytes = LeafLayout.columnsOffset(columns: head.entries.count, groups: 0)
    for (place, entry) in head.entries.enumerated() {
      if place > 0, entry.field != batch.shape.fields[place - 1].id { return nil }
      let growth = ColumnGrowth(
        head.columns[place], place == 0 ? batch.keys : batch.columns[place - 1], rows: rows)
      bytes += growth.byteCount
      columns.append(LeafColumn(field: entry.field, content: .grown(growth)))
    }
    let units = LeafPlacement.units(bytes)
    guard units <= LeafSizing.tailUnitsMax else { return nil }
    self.leaf = leaf
    draft = LeafDraft(
      tree: head.tree, rowCount: rowCount, firstKey: head.firstKey,
      lastKey: batch.key(rows.upperBound - 1), columns: columns,
      groupOfColumn: [Int](repeating: 0, count: columns.count), groups: [], headUnits: units)
  }

  /// Writes the new leaf and frees the one that it replaces.
  func write(with writer: PageWriter) throws(EngineError) -> TreeEntry {
    let entry = try writer.writeLeaf(draft, appendingTo: leaf)
    writer.free(leaf.pointer)
    return entry
  }
}
