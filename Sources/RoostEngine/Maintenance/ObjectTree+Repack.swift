extension ObjectTree {
  /// Writes the same objects to another file, every leaf and node full.
  ///
  /// Fields that the table no longer has stay behind; fields that a leaf does not have yet are written.
  /// - Parameters:
  ///   - digest: Takes in all objects as they are read here.
  ///   - progress: Called now and then with how many objects were written since the last call.
  func repacked(
    with writer: PageWriter, digest: ObjectsDigest, progress: (UInt64) -> Void
  ) throws(EngineError) -> TreeRoot {
    let packer = LeafPacker(writer: writer, tree: root.id)
    var entries: [TreeEntry] = []
    var run = LeafRun(shape: shape)
    var leaves = try leaves()
    while let leaf = try leaves.next() {
      let first = run.batch.count
      try run.batch.append(leaf, copyingValuesWith: writer)
      try digest.add(leaf, decoded: run.batch, rows: first..<run.batch.count)
      progress(UInt64(leaf.rowCount))
      guard run.batch.byteCount > 8 << 20 else { continue }
      run.drop(
        before: try packer.packFront(run.batch, rows: run.rows, reserve: 1, into: &entries))
    }
    try packer.packFull(run.batch, rows: run.rows, into: &entries)

    var result = TreeRoot(empty: root.id, kind: .objects)
    result.counter = root.counter
    while entries.count > 1 {
      result.level += 1
      entries = try writer.writeInnerNodes(
        entries, level: result.level, tree: root.id, fillsLeft: true)
    }
    guard let top = entries.first else { return result }
    result.count = top.count
    result.pointer = top.pointer
    return result
  }
}

extension RecordBatch {
  /// Appends all rows of another file's leaf; values outside it are copied to the writer's file.
  fileprivate func append(
    _ leaf: LeafReference, copyingValuesWith writer: PageWriter
  ) throws(EngineError) {
    let first = count
    let rows = 0..<leaf.rowCount
    keys.append(leaf.keys, rows: rows)
    for (column, field) in zip(columns, shape.fields) {
      let chunk = try leaf.column(field.id)
      column.append(chunk, rows: rows)
      guard let place = leaf.head.place(of: field.id) else {
        // Every row has the default, which the leaf did not hold and the new one does.
        try writer.moveOut(column, rows: first..<count)
        continue
      }
      guard chunk.hasExternals else { continue }
      for row in rows {
        guard let reference = chunk.external(row) else { continue }
        var moved = reference
        moved.pointer = try writer.copyValue(
          reference.pointer, length: reference.length,
          parentBirth: leaf.birth(ofColumnAt: place), from: leaf.context.reader)
        column.set(first + row, external: moved)
      }
    }
    withExtendedLifetime(leaf) {}
  }
}
