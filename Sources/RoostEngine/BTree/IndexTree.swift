/// The entries of one index in one version: a B+tree of pairs of value and object key.
///
/// Entries are ordered by the bytes of the value (``IndexKey``), then by object key. A value: reading
/// never changes it, and ``apply(_:writer:)`` returns another tree's root. Every read goes through
/// the page cache and can throw.
package struct IndexTree: Sendable {
  /// Where the tree begins.
  package let root: TreeRoot
  let reader: PageReader

  /// The tree below `root`.
  package init(root: TreeRoot, reader: PageReader) {
    self.root = root
    self.reader = reader
  }

  /// How many entries there are.
  package var count: UInt64 { root.count }

  /// How many distinct values there are; one that fills several leaves counts once for each.
  package var valueCount: UInt64 { root.counter }
}

extension IndexTree {
  /// Gives the keys of a value to `body` in ascending order, run by run, until it returns false.
  ///
  /// - Returns: Whether all were given.
  @discardableResult
  package func visit(
    equal value: ByteView, _ body: (IndexKeyRun) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    guard let edge = IndexEdge(root: root) else { return true }
    return try visit(edge, value, body)
  }

  /// Adds the keys of a value to an array, ascending.
  package func keys(equal value: ByteView, into keys: inout [Int64]) throws(EngineError) {
    try visit(equal: value) { (run) throws(EngineError) in
      run.append(to: &keys)
      return true
    }
  }

  /// The least key of a value; the only one where values are unique.
  package func first(equal value: ByteView) throws(EngineError) -> Int64? {
    var first: Int64?
    try visit(equal: value) { (run) throws(EngineError) in
      first = run.key(0)
      return false
    }
    return first
  }

  /// Whether a pair is in the index.
  package func contains(_ value: ByteView, _ key: Int64) throws(EngineError) -> Bool {
    guard let edge = IndexEdge(root: root) else { return false }
    return try contains(edge, IndexPosition(before: value, key))
  }

  private func visit(
    _ edge: IndexEdge, _ value: ByteView, _ body: (IndexKeyRun) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: root.id, reader)
      defer { held.release() }
      let (index, isFound) = held.leaf.find(value)
      return isFound ? try body(held.leaf.keys(index)) : true
    }
    let held = try edge.inner(tree: root.id, reader)
    defer { held.release() }
    var child = held.node.child(for: IndexPosition(before: value))
    while true {
      guard try visit(edge.child(child, of: held.node), value, body) else { return false }
      guard held.node.continues(value, after: child) else { return true }
      child += 1
    }
  }

  private func contains(
    _ edge: IndexEdge, _ position: IndexPosition
  ) throws(EngineError) -> Bool {
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: root.id, reader)
      defer { held.release() }
      let (index, isFound) = held.leaf.find(position.value)
      return isFound && held.leaf.keys(index).holds(position.key)
    }
    let held = try edge.inner(tree: root.id, reader)
    defer { held.release() }
    return try contains(edge.child(held.node.child(for: position), of: held.node), position)
  }
}
