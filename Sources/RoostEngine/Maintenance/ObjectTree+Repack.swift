extension ObjectTree {
  /// Writes the same objects to another file, every leaf and node full.
  ///
  /// Leaves that are full and of the table's fields are moved as they are, but for their pointers; the others'
  /// rows are packed anew. Fields that the table no longer has stay behind; fields that a leaf does not have yet
  /// are written.
  /// - Parameters:
  ///   - digest: Takes in all objects as they are read here.
  ///   - progress: Called now and then with how many objects were written since the last call.
  /// - Throws: Also `.cancelled`, soon after the task was cancelled.
  func repacked(
    with writer: PageWriter, digest: ObjectsDigest, progress: ((UInt64) -> Void)? = nil
  ) throws(EngineError) -> TreeRoot {
    let packer = LeafPacker(writer: writer, tree: root.id)
    var entries: [TreeEntry] = []
    var run = LeafRun(shape: shape)
    var leaves = try leaves()
    var leavesToFill = 0
    while let leaf = try leaves.next() {
      try checkCancellation()
      progress?(UInt64(leaf.rowCount))
      if leaf.canBeMoved, run.isEmpty || entries.count >= leavesToFill {
        if !run.isEmpty {
          try packer.packEvenly(run.batch, rows: run.rows, into: &entries)
          run.removeAll()
          leavesToFill = entries.count + Self.filledLeaves
        }
        entries.append(try writer.move(leaf))
        digest.add(moved: leaf)
        continue
      }
      try leaf.checkExtremes(of: shape)
      let first = run.batch.count
      try run.batch.append(leaf, copyingValuesWith: writer)
      try digest.add(leaf, decoded: run.batch, rows: first..<run.batch.count)
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

  /// After a leaf that is not full, because one that is moved comes next, so many others follow that are full.
  private static let filledLeaves = 16
}

extension LeafReference {
  /// Checks what is read of a leaf to be packed anew, so that no minimum that is wrong becomes part of a value.
  fileprivate func checkExtremes(of shape: TableShape) throws(EngineError) {
    for (place, entry) in head.entries.enumerated()
    where place == 0 || shape.index(of: entry.field) != nil {
      try checkExtremes(at: place)
    }
  }

  /// Whether a copy of the leaf is as good as its rows packed anew.
  fileprivate var canBeMoved: Bool {
    guard isFull, head.entries.count == shape.fields.count + 1 else { return false }
    for (entry, field) in zip(head.entries.dropFirst(), shape.fields)
    where entry.field != field.id || entry.flags.contains(.external) {
      return false
    }
    return true
  }
}

extension PageWriter {
  /// Writes another file's leaf, which refers to nothing but its groups, as it is.
  fileprivate func move(_ leaf: LeafReference) throws(EngineError) -> TreeEntry {
    var groups: [ExtentPointer] = []
    for group in leaf.head.groups {
      // Read to where it is written from; its columns are looked at when the copy is verified.
      let moved = try write(kind: .leafGroup, units: group.units) { bytes throws(EngineError) in
        try leaf.context.reader.read(group, into: bytes)
      }
      guard moved.checksum == group.checksum else {
        throw leaf.located(.corrupt(Corruption(.checksum, unit: group.unit)))
      }
      groups.append(moved)
    }
    let pointer = try write(kind: .leafHead, units: leaf.pointer.units) { bytes in
      bytes.copy(leaf.frame.bytes, at: 0)
      for (index, group) in groups.enumerated() {
        group.store(in: bytes, at: leaf.head.groupPointers + ExtentPointer.size * index)
      }
    }
    return TreeEntry(firstKey: leaf.firstKey, count: UInt64(leaf.rowCount), pointer: pointer)
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
        do {
          moved.pointer = try writer.copyValue(
            reference.pointer, length: reference.length,
            parentBirth: leaf.birth(ofColumnAt: place), from: leaf.context.reader)
        } catch { throw leaf.located(error) }
        column.set(first + row, external: moved)
      }
    }
    withExtendedLifetime(leaf) {}
  }
}
