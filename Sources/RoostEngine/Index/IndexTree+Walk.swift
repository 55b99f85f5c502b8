extension IndexTree {
  /// Reads every node and leaf that was written after a transaction, and passes their pointers to `visit`.
  ///
  /// Nothing older is read: an older extent cannot point to a newer one. With 0, every
  /// extent of the tree is visited. A parent comes before its children.
  ///
  /// - Throws: `.corrupt` at the first extent that is not what its parent says.
  package func walk(
    bornAfter transaction: UInt64 = 0,
    _ visit: @escaping (ExtentPointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    try walk(ExtentVisitor(bornAfter: transaction, visit))
  }

  /// As ``walk(bornAfter:_:)``.
  func walk(_ visitor: ExtentVisitor) throws(EngineError) {
    guard let edge = IndexEdge(root: root) else { return }
    _ = try walk(edge, visitor)
  }

  /// Reads the whole tree and throws if anything is invalid.
  package func checkInvariants() throws(EngineError) {
    guard let edge = IndexEdge(root: root) else {
      guard root.count == 0, root.counter == 0, root.level == 0 else {
        throw .corrupt(Corruption(.objectCount, tree: root.id))
      }
      return
    }
    let values = try walk(edge, ExtentVisitor { _ in })
    guard values == root.counter else {
      throw .corrupt(Corruption(.objectCount, unit: root.pointer.unit, tree: root.id))
    }
  }

  /// - Returns: The number of values in the visited leaves.
  private func walk(_ edge: IndexEdge, _ visitor: ExtentVisitor) throws(EngineError) -> UInt64 {
    guard edge.pointer.birth > visitor.bornAfter else { return 0 }
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: root.id, reader)
      defer { held.release() }
      try visitor.visit(edge.pointer)
      return UInt64(held.leaf.valueCount)
    }
    let held = try edge.inner(tree: root.id, reader)
    defer { held.release() }
    try visitor.visit(edge.pointer)
    var values: UInt64 = 0
    for child in 0..<held.node.childCount {
      // Every child has its own entries, so the sum is at most the number of entries.
      values &+= try walk(edge.child(child, of: held.node), visitor)
    }
    return values
  }
}
