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
    guard let leaf = try leaf(for: key) else { throw .missingKey(key) }
    let all = ChangeCursor.LeafChanges(
      inserts: 0..<0, deletes: 0..<0, updates: changes.updates.map { _ in 0..<1 })
    guard let patch = try LeafPatch(leaf, all, of: changes) else { return nil }
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
