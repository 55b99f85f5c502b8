/// Appends rows at the end of a tree, the most frequent insert.
///
/// Only the last two leaves are read, and the nodes above them are copied with small edits: listing all
/// their children and writing them again would take much of the time of a one-row commit.
extension TreeEditor {
  /// Applies the changes if all of them are inserts into the last leaf; otherwise nil.
  func editEnd() throws(EngineError) -> [TreeEntry]? {
    guard changes.insertCount > 0, changes.deletes.isEmpty, changes.updates.isEmpty,
      let root = TreeEdge(root: tree.root)
    else { return nil }
    guard root.level > 0 else { return try appendToTail(root).map { [$0] } }
    let key = changes.insertKey(0)
    var edge = root
    while edge.level > 0 {
      let frame = try tree.innerFrame(edge)
      defer { withExtendedLifetime(frame) {} }
      let node = tree.innerNode(frame)
      guard key >= node.key(node.childCount - 1) else { return nil }
      edge = edge.child(node.childCount - 1, in: node)
    }
    return try editEnd(below: root)
  }

  /// Applies the changes at the end of the node at an edge, which is above the leaves.
  private func editEnd(below edge: TreeEdge) throws(EngineError) -> [TreeEntry] {
    let frame = try tree.innerFrame(edge)
    defer { withExtendedLifetime(frame) {} }
    let node = tree.innerNode(frame)
    let last = node.childCount - 1
    var first = last
    let entries: [TreeEntry]
    if edge.level > 1 {
      entries = try editEnd(below: edge.child(last, in: node))
    } else if let tail = try appendToTail(edge.child(last, in: node)) {
      entries = [tail]
    } else {
      // The last leaf may join the one before it.
      first = max(last - 1, 0)
      entries = try editLeaves((first...last).map { edge.child($0, in: node) })
    }
    writer.free(edge.pointer)
    guard first + entries.count <= InnerLayout.childrenMax else {
      let kept = (0..<first).map { TreeEntry(edge.child($0, in: node)) }
      return try writer.writeInnerNodes(
        kept + entries, level: edge.level, tree: tree.root.id, fillsLeft: growsAtEnd)
    }
    var total: UInt64 = 0
    for child in 0..<first { total += node.count(child) }
    for entry in entries {
      let (sum, overflow) = total.addingReportingOverflow(entry.count)
      // Only a file with false counts can overflow.
      guard !overflow else { throw .corrupt(Corruption(.objectCount, tree: tree.root.id)) }
      total = sum
    }
    let copy = try writer.writeFrame(kind: .objectInner, units: 1, madeOf: frame) { target in
      var page = PageCopy(of: frame.bytes, in: target)
      page.copy(to: InnerLayout.childCount)
      page.append(UInt16(first + entries.count))
      page.copy(to: InnerLayout.total)
      page.append(total)
      page.copy(to: InnerLayout.keys + 8 * first)
      for entry in entries { page.append(entry.firstKey) }
      page.copy(to: InnerLayout.counts + 8 * first)
      for entry in entries { page.append(entry.count) }
      page.copy(to: InnerLayout.pointers + ExtentPointer.size * first)
      for entry in entries { page.append(entry.pointer) }
      page.copy(to: frame.bytes.count)
      return page.finish()
    }
    let written = InnerNode(
      copyOf: node, in: copy.bytes, childCount: first + entries.count, total: total)
    _ = copy.attach(written)
    return [TreeEntry(firstKey: node.key(0), count: total, pointer: copy.pointer)]
  }
}
