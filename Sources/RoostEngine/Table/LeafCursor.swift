/// Steps through the leaves of a tree in the order of keys.
///
/// Retains the nodes on its path, so that a step costs one leaf. Not thread safe.
package struct LeafCursor {
  private let tree: ObjectTree
  private let last: Int64
  /// The path to the next leaf: retained nodes, each with its next child.
  private var path: [(frame: Frame, edge: TreeEdge, child: Int)] = []
  /// The leaf of a tree that consists of a single leaf.
  private var onlyLeaf: TreeEdge?
  /// The number of objects before the next leaf.
  package private(set) var position: UInt64 = 0

  /// A cursor before the first leaf that may contain a key of the range.
  init(_ tree: ObjectTree, keys: ClosedRange<Int64>) throws(EngineError) {
    self.tree = tree
    last = keys.upperBound
    guard let root = TreeEdge(root: tree.root) else { return }
    try descend(root) { node in
      let child = max(node.child(for: keys.lowerBound), 0)
      var before: UInt64 = 0
      for index in 0..<child { before += node.count(index) }
      return (child, before)
    }
  }

  /// A cursor before the leaf that contains the object at a position.
  init(_ tree: ObjectTree, from position: UInt64) throws(EngineError) {
    self.tree = tree
    last = .max
    guard position < tree.count, let root = TreeEdge(root: tree.root) else { return }
    var left = position
    try descend(root) { node in
      var before: UInt64 = 0
      for child in 0..<node.childCount {
        let count = node.count(child)
        if left < count { return (child, before) }
        left -= count
        before += count
      }
      return (node.childCount - 1, before)
    }
  }

  /// The next leaf; nil behind the last leaf that may contain a key of the range.
  ///
  /// The first and the last leaf may contain other keys too.
  @inline(never)
  package mutating func next() throws(EngineError) -> LeafReference? {
    guard let edge = try nextEdge(), edge.keys.lowerBound <= last else {
      path.removeAll()
      return nil
    }
    position += edge.count
    return try LeafReference(edge, in: tree.context)
  }

  /// The edge to the next leaf.
  private mutating func nextEdge() throws(EngineError) -> TreeEdge? {
    if let leaf = onlyLeaf {
      onlyLeaf = nil
      return leaf
    }
    while let top = path.last {
      let below = withExtendedLifetime(top.frame) { () -> TreeEdge? in
        let node = tree.innerNode(top.frame)
        return top.child < node.childCount ? top.edge.child(top.child, in: node) : nil
      }
      guard let below else {
        path.removeLast()
        continue
      }
      path[path.count - 1].child += 1
      if below.level == 0 { return below }
      path.append((try tree.innerFrame(below), below, 0))
    }
    return nil
  }

  /// Builds the path down to a leaf; `choose` returns the child, and the number of objects before it.
  private mutating func descend(
    _ root: TreeEdge, _ choose: (InnerNode) -> (child: Int, before: UInt64)
  ) throws(EngineError) {
    guard root.level > 0 else {
      onlyLeaf = root
      return
    }
    var edge = root
    while true {
      let frame = try tree.innerFrame(edge)
      let (below, child) = withExtendedLifetime(frame) { () -> (TreeEdge, Int) in
        let node = tree.innerNode(frame)
        let (child, before) = choose(node)
        position += before
        return (edge.child(child, in: node), child)
      }
      // The leaf itself comes next; at a node on the path, the child after it.
      path.append((frame, edge, below.level == 0 ? child : child + 1))
      if below.level == 0 { return }
      edge = below
    }
  }
}

extension ObjectTree {
  /// The leaves that may contain keys of a range, in order.
  package func leaves(
    in keys: ClosedRange<Int64> = Int64.min...Int64.max
  ) throws(EngineError) -> LeafCursor {
    try LeafCursor(self, keys: keys)
  }

  /// The leaves from the one that contains the object at a position on.
  package func leaves(from position: UInt64) throws(EngineError) -> LeafCursor {
    try LeafCursor(self, from: position)
  }
}
