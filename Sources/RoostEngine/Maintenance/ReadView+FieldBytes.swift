extension ReadView {
  /// The bytes that a field takes: its columns in the leaves, its long values, and its own index.
  ///
  /// Reads the heads of all leaves, the columns that have long values, and the nodes of the index. The object key, which
  /// all of a leaf is found by, counts as nothing.
  package func byteCount(
    of field: FieldDefinition, in table: UInt32
  ) throws(EngineError) -> UInt64 {
    var bytes: UInt64 = 0
    if field.indexTree != 0 { try index(field).walk { bytes += UInt64($0.byteCount) } }
    guard !field.isObjectKey else { return bytes }
    var leaves = try objects(table).leaves()
    while let leaf = try leaves.next() {
      guard let place = leaf.head.place(of: field.id) else { continue }
      bytes += UInt64(leaf.head.entries[place].length)
      guard leaf.head.entries[place].flags.contains(.external) else { continue }
      let column = try leaf.column(at: place)
      for row in 0..<leaf.rowCount { bytes &+= column.external(row)?.length ?? 0 }
      withExtendedLifetime(leaf) {}
    }
    return bytes
  }
}
