extension TreeEditor {
  /// Applies the changes to leaves of one parent.
  func editLeaves(_ edges: [TreeEdge]) throws(EngineError) -> [TreeEntry] {
    var leaves: [TreeEntry] = []
    leaves.reserveCapacity(edges.count)
    var run = LeafRun(shape: tree.shape)
    var next = cursor.nextKey
    for edge in edges {
      if run.isEmpty, next.map({ $0 > edge.keys.upperBound }) ?? true {
        leaves.append(TreeEntry(edge))
        continue
      }
      let share = cursor.take(through: edge.keys.upperBound)
      next = cursor.nextKey
      if share.isEmpty {
        if try absorbs(edge, &run) { continue }
        try finish(&run, into: &leaves)
        leaves.append(TreeEntry(edge))
        continue
      }
      let leaf = try LeafReference(edge, in: tree.context)
      if !share.changesRows, let entry = try update(leaf, share) {
        try finish(&run, into: &leaves)
        leaves.append(entry)
        continue
      }
      if isAppend(share, to: leaf, edge) {
        growsAtEnd = true
        if leaf.isFull || staysBeforeTail(leaf, share.inserts.count) {
          try finish(&run, into: &leaves)
          leaves.append(
            TreeEntry(firstKey: leaf.firstKey, count: edge.count, pointer: edge.pointer))
        } else {
          if run.isEmpty, outgrowsTail(leaf, share.inserts.count),
            let previous = try takeUnfilled(from: &leaves, before: leaf)
          {
            try gather(previous, .none, &run)
          }
          try gather(leaf, .none, &run)
        }
        try append(share.inserts, &run, into: &leaves)
      } else {
        try gather(leaf, share, &run)
        try thin(&run, into: &leaves)
      }
    }
    if edges.isEmpty {
      let share = cursor.take(through: .max)
      guard share.deletes.isEmpty, !share.hasUpdates else { throw .missingKey(0) }
      growsAtEnd = true
      try append(share.inserts, &run, into: &leaves)
    }
    try finishLast(&run, into: &leaves)
    return leaves
  }

  /// Writes a leaf whose rows stay; nil if it should be packed anew.
  private func update(
    _ leaf: LeafReference, _ share: ChangeCursor.LeafChanges
  ) throws(EngineError) -> TreeEntry? {
    guard let patch = try LeafPatch(leaf, share, of: changes) else {
      return try LeafRewrite(leaf, share, of: changes).write(with: writer)
    }
    return TreeEntry(
      firstKey: leaf.firstKey, count: UInt64(leaf.rowCount), pointer: try patch.write(with: writer))
  }

  // MARK: Gathering rows

  /// Adds a leaf's rows to the run, with the changes made.
  private func gather(
    _ leaf: LeafReference, _ share: ChangeCursor.LeafChanges, _ run: inout LeafRun
  ) throws(EngineError) {
    let merge = try LeafMerge(leaf, share, of: changes)
    let batch = run.batch
    let first = batch.count
    try batch.append(leaf, merge, of: changes)
    try moveOutDefaults(leaf, batch, rows: first..<batch.count)
    try update(batch, rows: first..<batch.count, share, leaf)
    try writer.free(leaf, deletedRows: merge.deletedRows)
    if !share.deletes.isEmpty { run.lostRows = true }
  }

  /// Sets the new values of rows just gathered.
  private func update(
    _ batch: RecordBatch, rows: Range<Int>, _ share: ChangeCursor.LeafChanges, _ leaf: LeafReference
  ) throws(EngineError) {
    for (range, updates) in zip(share.updates, changes.updates) where !range.isEmpty {
      guard let column = batch.column(updates.field) else {
        throw .unknownColumn(tree: tree.root.id, field: updates.field)
      }
      let place = leaf.head.place(of: updates.field)
      for index in range {
        let key = updates.keys[index]
        guard let row = batch.row(of: key, in: rows), leaf.row(of: key) != nil else {
          throw .missingKey(key)
        }
        if let place, let reference = column.external(row), !updates.editedKeys.contains(key) {
          try writer.freeValue(
            reference, parentBirth: leaf.birth(ofColumnAt: place), of: leaf)
        }
        column.set(row, updates.values, row: updates.row(index))
      }
    }
  }

  /// Moves long defaults to extents of their own: the old leaf did not store them, the new one will.
  private func moveOutDefaults(
    _ leaf: LeafReference, _ batch: RecordBatch, rows: Range<Int>
  ) throws(EngineError) {
    for (place, field) in tree.shape.fields.enumerated()
    where field.type == .bytes && !leaf.stores(field.id) {
      try writer.moveOut(batch.columns[place], rows: rows)
    }
  }

  /// Adds the neighbour's rows to a run with too few rows for a leaf.
  private func absorbs(_ edge: TreeEdge, _ run: inout LeafRun) throws(EngineError) -> Bool {
    guard isUnderfull(run) else { return false }
    try gather(try LeafReference(edge, in: tree.context), .none, &run)
    run.lostRows = true
    return true
  }

  private func isUnderfull(_ run: LeafRun) -> Bool {
    guard run.lostRows, !run.isEmpty, run.count < LeafLayout.rowsMax / 4 else { return false }
    return LeafSizing.isUnderfull(LeafWindow(run.batch, rows: run.rows))
  }

  // MARK: Appending behind the last row

  private func isAppend(
    _ share: ChangeCursor.LeafChanges, to leaf: LeafReference, _ edge: TreeEdge
  ) -> Bool {
    edge.keys.upperBound == .max && !share.hasUpdates && share.deletes.isEmpty
      && changes.insertKey(share.inserts.lowerBound) > leaf.lastKey
  }

  // A few appended rows do not rewrite the last leaf: they make a small leaf of their own, the
  // tail, which joins the leaf before it when it has grown.

  /// The maximum rows of a tail, when this many rows are appended.
  private func tailRowsMax(_ appended: Int) -> Int {
    max(LeafSizing.tailRowsMax, appended * LeafSizing.tailAppends)
  }

  /// Whether a leaf is small enough to be rewritten with the appended rows.
  private func isTail(_ leaf: LeafReference, _ appended: Int) -> Bool {
    leaf.rowCount <= tailRowsMax(appended) && leaf.head.groups.isEmpty
      && leaf.pointer.units <= LeafSizing.tailUnitsMax
  }

  /// Writes a tail with all inserts behind its rows; nil if the leaf is not a tail, or must be packed anew.
  func appendToTail(_ edge: TreeEdge) throws(EngineError) -> TreeEntry? {
    let appended = changes.insertCount
    let leaf = try LeafReference(edge, in: tree.context)
    guard changes.insertOrder == nil, isTail(leaf, appended), !outgrowsTail(leaf, appended),
      changes.insertKey(0) > leaf.lastKey,
      let append = LeafAppend(leaf, changes.inserts, rows: 0..<appended)
    else { return nil }
    growsAtEnd = true
    return try append.write(with: writer)
  }

  /// Whether the appended rows make a tail behind the leaf, which stays as it is.
  private func staysBeforeTail(_ leaf: LeafReference, _ appended: Int) -> Bool {
    !isTail(leaf, appended) && appended * 8 <= leaf.rowCount
  }

  /// Whether a tail becomes too large for a tail with the appended rows.
  private func outgrowsTail(_ leaf: LeafReference, _ appended: Int) -> Bool {
    let rows = leaf.rowCount + appended
    return isTail(leaf, appended)
      && (rows > tailRowsMax(appended)
        || leaf.pointer.byteCount / leaf.rowCount * rows > LeafSizing.tailUnitsMax * Unit.bytes)
  }

  /// Removes the leaf before a tail from the result, if it has room for the tail's rows.
  private func takeUnfilled(
    from leaves: inout [TreeEntry], before tail: LeafReference
  ) throws(EngineError) -> LeafReference? {
    guard let previous = leaves.last else { return nil }
    let edge = TreeEdge(
      pointer: previous.pointer, level: 0, count: previous.count,
      keys: previous.firstKey...max(previous.firstKey, tail.firstKey &- 1))
    let leaf = try LeafReference(edge, in: tree.context)
    guard !leaf.isFull else { return nil }
    leaves.removeLast()
    return leaf
  }

  /// Appends inserts to the run and packs all leaves that become full.
  private func append(
    _ inserts: Range<Int>, _ run: inout LeafRun, into leaves: inout [TreeEntry]
  ) throws(EngineError) {
    try checkAscending(inserts)
    var left = inserts
    if changes.insertOrder == nil, run.isEmpty {
      // The rows are in order: they are packed from the batch directly.
      return try packer.packFull(changes.inserts, rows: left, into: &leaves)
    }
    while !left.isEmpty {
      let part = left.prefix(2 * LeafLayout.rowsMax)
      run.batch.append(changes, inserts: part)
      left = part.upperBound..<left.upperBound
      if changes.insertOrder == nil, !left.isEmpty {
        // After the first leaves only inserts remain, which are packed from the batch directly.
        let packed = try packer.packFront(
          run.batch, rows: run.rows, reserve: 1, into: &leaves)
        let rest = run.batch.count - packed
        guard rest <= part.count else {
          run.drop(before: packed)
          continue
        }
        run.removeAll()
        return try packer.packFull(
          changes.inserts, rows: part.upperBound - rest..<left.upperBound, into: &leaves)
      }
      if !left.isEmpty {
        run.drop(
          before: try packer.packFront(
            run.batch, rows: run.rows, reserve: 1, into: &leaves))
      }
    }
  }

  private func checkAscending(_ inserts: Range<Int>) throws(EngineError) {
    // Without an order the rows were found to ascend.
    guard changes.insertOrder != nil else { return }
    var previous: Int64?
    for insert in inserts {
      let key = changes.insertKey(insert)
      if let previous, previous >= key { throw .duplicateKey(key) }
      previous = key
    }
  }

  // MARK: Packing

  /// Packs the front of a long run, so that memory stays bounded.
  private func thin(_ run: inout LeafRun, into leaves: inout [TreeEntry]) throws(EngineError) {
    guard run.count > 4 * LeafLayout.rowsMax || run.batch.byteCount > 1 << 20 else { return }
    run.drop(
      before: try packer.packFront(run.batch, rows: run.rows, reserve: 3, into: &leaves))
  }

  /// Packs the rest of a run, before a leaf that is kept.
  private func finish(_ run: inout LeafRun, into leaves: inout [TreeEntry]) throws(EngineError) {
    guard !run.isEmpty else { return }
    if isUnderfull(run), let previous = leaves.popLast() {
      try prepend(previous, &run)
    }
    try packer.packEvenly(run.batch, rows: run.rows, into: &leaves)
    run.removeAll()
  }

  /// Packs the rest of a parent's last run.
  private func finishLast(
    _ run: inout LeafRun, into leaves: inout [TreeEntry]
  ) throws(EngineError) {
    guard growsAtEnd else { return try finish(&run, into: &leaves) }
    try packer.packFull(run.batch, rows: run.rows, into: &leaves)
    run.removeAll()
  }

  /// Inserts the rows of the leaf before a run at its front.
  private func prepend(_ entry: TreeEntry, _ run: inout LeafRun) throws(EngineError) {
    let edge = TreeEdge(
      pointer: entry.pointer, level: 0, count: entry.count,
      keys: entry.firstKey...max(entry.firstKey, run.batch.key(run.start) &- 1))
    var joined = LeafRun(shape: tree.shape)
    try gather(try LeafReference(edge, in: tree.context), .none, &joined)
    joined.batch.append(run.batch, rows: run.rows)
    run = joined
  }
}

extension ChangeCursor.LeafChanges {
  /// No changes: the leaf's rows stay as they are.
  static var none: ChangeCursor.LeafChanges {
    ChangeCursor.LeafChanges(inserts: 0..<0, deletes: 0..<0, updates: [])
  }
}

extension RecordBatch {
  /// The row of a key among rows whose keys ascend.
  func row(of key: Int64, in rows: Range<Int>) -> Int? {
    var low = rows.lowerBound
    var length = rows.count
    while length > 0 {
      let half = length >> 1
      if self.key(low + half) < key {
        low += half + 1
        length -= half + 1
      } else {
        length = half
      }
    }
    return low < rows.upperBound && self.key(low) == key ? low : nil
  }

  /// The memory that the rows take.
  package var byteCount: Int { columns.reduce(keys.byteCount) { $0 + $1.byteCount } }
}
