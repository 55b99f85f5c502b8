extension ObjectTree {
  /// Applies changes and returns the new root; this tree stays as it is.
  ///
  /// Only changes are written: for an update the changed columns' extents and the path to them,
  /// for inserted or deleted rows their leaves. Extents that the new tree does not use are freed
  /// through the writer. Long values of `changes` are moved to extents of their own.
  /// - Complexity: O(changes + leaves hit); appended rows are packed at memory speed.
  /// - Throws: `.duplicate` for an insert of a key that is there, `.missing` for a delete or an update
  ///   of one that is not (the transaction checks before, so neither should happen), and what reading
  ///   and writing throw. What was written until then is to be discarded.
  package func apply(
    _ changes: TableChanges, writer: PageWriter
  ) throws(EngineError) -> TreeRoot {
    precondition(changes.inserts.isRectangular, "A row has one value for each field.")
    precondition(
      changes.inserts.shape.hasSameColumns(as: shape), "The rows are those of another table.")
    guard !changes.isEmpty else { return root }
    try writer.moveOut(changes)
    if let patched = try patch(changes, writer: writer) { return patched }
    let editor = TreeEditor(self, changes, writer: writer)
    var entries: [TreeEntry]
    if let end = try editor.editEnd() {
      entries = end
    } else {
      let edges = TreeEdge(root: root).map { [$0] } ?? []
      entries = try editor.edit(edges, level: root.level)
    }
    var level = root.level
    while entries.count > 1 {
      level += 1
      entries = try writer.writeInnerNodes(
        entries, level: level, tree: root.id, fillsLeft: editor.growsAtEnd)
    }
    var result = TreeRoot(empty: root.id, kind: .objects)
    result.counter = root.counter
    guard var top = entries.first else { return result }
    // A root with one child is replaced by that child.
    while level > 0 {
      let edge = TreeEdge(
        pointer: top.pointer, level: level, count: top.count, keys: Int64.min...Int64.max)
      let children = try children(of: edge)
      guard let child = children.first, children.count == 1 else { break }
      writer.free(top.pointer)
      top = TreeEntry(child)
      level -= 1
    }
    result.level = level
    result.count = top.count
    result.pointer = top.pointer
    return result
  }
}
