/// Applies changes to a tree once, from left to right.
///
/// Works on the children of one parent at a time and returns the parent's new children.
/// Neighbours that change are packed together; unchanged children keep their pointers.
final class TreeEditor {
  let tree: ObjectTree
  let writer: PageWriter
  let changes: TableChanges
  var cursor: ChangeCursor
  let packer: LeafPacker
  /// Rows were appended: leaves and nodes are filled, and the last ones take the rest.
  var growsAtEnd = false

  init(_ tree: ObjectTree, _ changes: TableChanges, writer: PageWriter) {
    self.tree = tree
    self.writer = writer
    self.changes = changes
    cursor = ChangeCursor(changes)
    packer = LeafPacker(writer: writer, tree: tree.root.id)
  }

  /// Applies the changes below these children of one parent, all of one level.
  func edit(_ edges: [TreeEdge], level: Int) throws(EngineError) -> [TreeEntry] {
    level == 0 ? try editLeaves(edges) : try editNodes(edges, level: level)
  }

  private func editNodes(_ edges: [TreeEdge], level: Int) throws(EngineError) -> [TreeEntry] {
    var nodes: [TreeEntry] = []
    nodes.reserveCapacity(edges.count)
    // The children of changed nodes, which are packed into new nodes.
    var children: [TreeEntry] = []
    var next = cursor.nextKey
    for edge in edges {
      if let key = next, key <= edge.keys.upperBound {
        children += try edit(try tree.children(of: edge), level: level - 1)
        next = cursor.nextKey
        writer.free(edge.pointer)
        continue
      }
      if !children.isEmpty, children.count < Self.childrenMin {
        children += try tree.children(of: edge).map(TreeEntry.init)
        writer.free(edge.pointer)
        continue
      }
      try writeNodes(&children, level: level, into: &nodes, atEnd: false)
      nodes.append(TreeEntry(edge))
    }
    if !children.isEmpty, children.count < Self.childrenMin, !growsAtEnd,
      let previous = nodes.popLast()
    {
      let edge = TreeEdge(
        pointer: previous.pointer, level: level, count: previous.count,
        keys: previous.firstKey...max(previous.firstKey, children[0].firstKey &- 1))
      children = try tree.children(of: edge).map(TreeEntry.init) + children
      writer.free(previous.pointer)
    }
    try writeNodes(
      &children, level: level, into: &nodes,
      atEnd: edges.last?.keys.upperBound == .max)
    return nodes
  }

  private func writeNodes(
    _ children: inout [TreeEntry], level: Int, into nodes: inout [TreeEntry], atEnd: Bool
  ) throws(EngineError) {
    guard !children.isEmpty else { return }
    nodes += try writer.writeInnerNodes(
      children, level: level, tree: tree.root.id, fillsLeft: atEnd && growsAtEnd)
    children.removeAll()
  }

  /// A node with fewer children is merged with a neighbour.
  private static let childrenMin = InnerLayout.childrenMax / 4
}

extension TreeEntry {
  /// A child that is kept.
  init(_ edge: TreeEdge) {
    self.init(firstKey: edge.keys.lowerBound, count: edge.count, pointer: edge.pointer)
  }
}
