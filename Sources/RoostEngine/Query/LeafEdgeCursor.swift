/// Steps through the edges to the leaves that may contain keys of a range, without reading the leaves.
///
/// Retains the nodes on its path, and allocates only for that path.
struct LeafEdgeCursor {
  private let tree: ObjectTree
  private let keys: ClosedRange<Int64>
  private var path: [Step] = []
  private var only: TreeEdge?

  private struct Step {
    let edge: TreeEdge
    let frame: Frame
    let node: InnerNode
    /// The next child.
    var child: Int
  }

  init(_ tree: ObjectTree, keys: ClosedRange<Int64> = .min ... .max) throws(EngineError) {
    self.tree = tree
    self.keys = keys
    if let root = TreeEdge(root: tree.root) { try begin(root) }
  }

  /// A cursor through the leaves below an edge.
  init(
    _ tree: ObjectTree, below edge: TreeEdge, keys: ClosedRange<Int64>
  ) throws(EngineError) {
    self.tree = tree
    self.keys = keys
    try begin(edge)
  }

  private mutating func begin(_ edge: TreeEdge) throws(EngineError) {
    guard edge.level > 0 else {
      only = edge
      return
    }
    path.reserveCapacity(edge.level)
    try push(edge)
  }

  /// The edge to the next leaf; nil behind the last leaf.
  mutating func next() throws(EngineError) -> TreeEdge? {
    if let edge = only {
      only = nil
      return edge
    }
    while !path.isEmpty {
      let top = path.count - 1
      let child = path[top].child
      let node = path[top].node
      guard child < node.childCount, node.key(child) <= keys.upperBound else {
        path.removeLast()
        continue
      }
      path[top].child = child + 1
      let below = path[top].edge.child(child, in: node)
      if below.level == 0 { return below }
      try push(below)
    }
    return nil
  }

  private mutating func push(_ edge: TreeEdge) throws(EngineError) {
    let frame = try tree.innerFrame(edge)
    let node = tree.innerNode(frame)
    path.append(
      Step(edge: edge, frame: frame, node: node, child: max(node.child(for: keys.lowerBound), 0)))
  }
}
