extension IndexTree {
  /// The root of the tree without the entries of some objects; the tree itself stays as it is.
  ///
  /// Makes one pass over the whole index and tests each entry's object, so no value is looked up:
  /// faster when many objects are removed.
  /// - Parameter hasOneEach: Whether each object has one entry, and not none or several.
  /// - Throws: `.corrupt` with the reason `indexEntry` where that is not so.
  package func removing(
    _ keys: KeySet, hasOneEach: Bool = true, writer: PageWriter
  ) throws(EngineError) -> TreeRoot {
    guard keys.count > 0 else { return root }
    var rebuilder = IndexRebuilder(tree: root.id, writer: writer)
    var removed = 0
    if let edge = IndexEdge(root: root) {
      removed = try rebuilder.remove(keys, below: edge)
    }
    guard removed == keys.count || !hasOneEach else {
      throw .corrupt(Corruption(.indexEntry, unit: root.pointer.unit, tree: root.id))
    }
    return try rebuilder.finish(replacing: root)
  }
}

extension IndexRebuilder {
  /// Adds the subtree at an edge, without the entries of some objects.
  ///
  /// - Returns: The number of entries left out.
  fileprivate mutating func remove(
    _ keys: KeySet, below edge: IndexEdge
  ) throws(EngineError) -> Int {
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: tree, writer.reader)
      defer { held.release() }
      begin(edge, held.frame)
      let removed = try append(held.leaf, without: keys, unit: edge.pointer.unit)
      free(edge, held.leaf)
      try drain()
      return removed
    }
    let held = try edge.inner(tree: tree, writer.reader)
    defer { held.release() }
    let node = held.node
    free(edge)
    var removed = 0
    for child in 0..<node.childCount {
      let below = edge.child(child, of: node)
      if below.level == 0, try !holdsAny(of: keys, below) {
        try keep(child..<child + 1, of: node, edge)
      } else {
        removed += try remove(keys, below: below)
      }
    }
    return removed
  }

  /// Whether a leaf has an entry of one of the objects.
  private func holdsAny(
    of keys: KeySet, _ edge: IndexEdge
  ) throws(EngineError) -> Bool {
    let held = try edge.leaf(tree: tree, writer.reader)
    defer { held.release() }
    let run = held.leaf.keys(0..<held.leaf.entryCount)
    for entry in 0..<run.count where keys.contains(run.key(entry)) { return true }
    return false
  }

  /// Adds the entries of a leaf, except those of some objects; returns the number left out.
  private mutating func append(
    _ leaf: IndexLeaf, without keys: KeySet, unit: UInt64
  ) throws(EngineError) -> Int {
    let kept = content.keys.count
    for value in 0..<leaf.valueCount {
      let run = leaf.keys(value)
      try content.open(leaf.value(value), unit: unit)
      for entry in 0..<run.count {
        let key = run.key(entry)
        if !keys.contains(key) { content.append(key) }
      }
      content.closeValue()
    }
    return leaf.entryCount - (content.keys.count - kept)
  }
}
