extension ObjectTree {
  /// The edge to the leaf that contains `key`, if any does; nil if the key lies before the tree's first.
  func leafEdge(for key: Int64) throws(EngineError) -> TreeEdge? {
    guard let edge = TreeEdge(root: root) else { return nil }
    return try leafEdge(for: key, below: edge)
  }

  /// The edge to the leaf that contains `key`, if any below this edge does.
  func leafEdge(for key: Int64, below edge: TreeEdge) throws(EngineError) -> TreeEdge? {
    var edge = edge
    while edge.level > 0 {
      let frame = try innerFrame(edge)
      guard let below = withExtendedLifetime(frame, { edge.child(for: key, in: innerNode(frame)) })
      else { return nil }
      edge = below
    }
    return edge
  }

  /// The frame of the inner node at the end of an edge, checked against the edge.
  @inline(never)
  func innerFrame(_ edge: TreeEdge) throws(EngineError) -> Frame {
    let frame: Frame
    let node: InnerNode
    do {
      frame = try reader.frame(edge.pointer)
      if let known = frame.attachment(as: InnerNode.self) {
        node = known
      } else {
        node = frame.attach(try InnerNode(validating: frame.bytes, pointer: frame.pointer))
      }
    } catch {
      throw error.located(in: root.id, keys: edge.keys)
    }
    try edge.check(node, tree: root.id)
    return frame
  }

  /// The validated node of a frame that ``innerFrame(_:)`` returned; retain the frame while using it.
  @inline(__always)
  func innerNode(_ frame: Frame) -> InnerNode {
    guard let node = frame.attachment(as: InnerNode.self) else {
      preconditionFailure("The frame was not validated.")
    }
    return node
  }

  /// The edges to the children of a node, from left to right.
  package func children(of edge: TreeEdge) throws(EngineError) -> [TreeEdge] {
    let frame = try innerFrame(edge)
    return withExtendedLifetime(frame) {
      let node = innerNode(frame)
      return (0..<node.childCount).map { edge.child($0, in: node) }
    }
  }
}

extension TreeEdge {
  /// Throws unless the node matches its parent's entry.
  @inline(__always)
  func check(_ node: InnerNode, tree: UInt32) throws(EngineError) {
    guard node.level == level else { throw corruption(.nodeLevel, tree: tree) }
    guard node.tree == tree else { throw corruption(.nodeTree, tree: tree) }
    guard node.total == count else { throw corruption(.objectCount, tree: tree) }
    guard keys.lowerBound <= node.key(0), node.key(node.childCount - 1) <= keys.upperBound else {
      throw corruption(.keyRange, tree: tree)
    }
  }

  /// The edge to a child of the node at this edge's end.
  @inline(never)
  func child(_ child: Int, in node: InnerNode) -> TreeEdge {
    // Keys ascend strictly, so the next child's key is above the least integer.
    let last = child + 1 < node.childCount ? node.key(child + 1) &- 1 : keys.upperBound
    return TreeEdge(
      pointer: node.pointer(child), level: level - 1, count: node.count(child),
      keys: unsafe ClosedRange(uncheckedBounds: (node.key(child), last)))
  }

  /// The edge to the child whose range contains `key`; nil if the key lies before all of them.
  @inline(__always)
  func child(for key: Int64, in node: InnerNode) -> TreeEdge? {
    let index = node.child(for: key)
    return index < 0 ? nil : child(index, in: node)
  }
}
