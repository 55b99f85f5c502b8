/// A row of a leaf: an object.
///
/// It retains its version. Its leaf may not: retain the row, or the tree, while using the leaf.
package struct LeafRow: Sendable {
  /// The leaf, retained.
  package let leaf: LeafReference
  /// The row in the leaf.
  package let row: Int
  /// The pin of the version.
  private let context: TreeContext

  /// A row of a tree's leaf.
  init(leaf: LeafReference, row: Int, context: TreeContext) {
    self.leaf = leaf
    self.row = row
    self.context = context
  }

  /// The object key.
  package var key: Int64 { leaf.key(row) }
}

extension ObjectTree {
  /// The object with this key, if it exists.
  ///
  /// - Complexity: A binary search in one node for each level; nothing is allocated once the path is
  ///   in memory.
  package func find(_ key: Int64) throws(EngineError) -> LeafRow? {
    guard let leaf = try leaf(for: key), let row = leaf.row(of: key) else { return nil }
    return LeafRow(leaf: leaf, row: row, context: context)
  }

  /// Whether an object with this key exists.
  package func contains(_ key: Int64) throws(EngineError) -> Bool {
    guard case .leaf(let leaf) = nodes.cachedLeaf(for: key) else {
      return try leaf(for: key)?.row(of: key) != nil
    }
    // The cache retains the leaf, and the tree the cache.
    return leaf.withObject { $0.row(of: key) != nil }
  }

  /// The object with the smallest key.
  package func first() throws(EngineError) -> LeafRow? {
    guard count > 0 else { return nil }
    return try object(at: 0)
  }

  /// The object with the largest key.
  package func last() throws(EngineError) -> LeafRow? {
    guard count > 0 else { return nil }
    return try object(at: count - 1)
  }

  // MARK: Positions

  /// The object at a position in the order of keys, counted from 0; nil beyond the last.
  ///
  /// - Complexity: O(log n): nodes store the number of objects below each child.
  package func object(at position: UInt64) throws(EngineError) -> LeafRow? {
    guard position < count, var edge = TreeEdge(root: root) else { return nil }
    var left = position
    while edge.level > 0 {
      let frame = try innerFrame(edge)
      let below = withExtendedLifetime(frame) { () -> TreeEdge? in
        let node = innerNode(frame)
        for child in 0..<node.childCount {
          let count = node.count(child)
          if left < count { return edge.child(child, in: node) }
          left -= count
        }
        return nil
      }
      // The children's counts add up to the node's, which equals the count in its parent.
      guard let below else { throw edge.corruption(.objectCount, tree: root.id) }
      edge = below
    }
    return LeafRow(
      leaf: try LeafReference(edge, in: context), row: Int(left), context: context)
  }

  /// The number of objects with a key below `key`: the position that it has or would have.
  ///
  /// - Complexity: O(log n).
  package func position(of key: Int64) throws(EngineError) -> UInt64 {
    guard var edge = TreeEdge(root: root) else { return 0 }
    var position: UInt64 = 0
    while edge.level > 0 {
      let frame = try innerFrame(edge)
      let below = withExtendedLifetime(frame) { () -> TreeEdge? in
        let node = innerNode(frame)
        let index = node.child(for: key)
        guard index >= 0 else { return nil }
        for child in 0..<index { position += node.count(child) }
        return edge.child(index, in: node)
      }
      guard let below else { return position }
      edge = below
    }
    let (frame, head) = try LeafReference.load(edge, in: context)
    return withExtendedLifetime(frame) { position + UInt64(head.lowerBound(key)) }
  }
}
