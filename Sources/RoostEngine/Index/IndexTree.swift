/// The entries of one index in one version: a B+tree of pairs of value and object key.
///
/// Entries are ordered by the bytes of the value (``IndexKey``), then by object key. Reading never
/// changes the tree, and ``apply(_:writer:)`` returns a new tree's root. Visited nodes and leaves are retained
/// as far as the budget has room, linked as in the tree: a descent along such a path takes no lock,
/// does no reference counting and allocates nothing. Other reads use the page cache. Any read can throw.
package final class IndexTree: Sendable {
  /// The root of the tree.
  package let root: TreeRoot
  let reader: PageReader
  /// The slot of the root.
  private let top = IndexSlot()

  /// The tree below `root`.
  package init(root: TreeRoot, reader: PageReader) {
    self.root = root
    self.reader = reader
  }

  /// The slot of the root, like a node's slot for a child.
  var heldRoot: IndexSlot.Content { top.content }

  deinit { top.leave(reader.indexBudget) }

  /// The number of entries.
  package var count: UInt64 { root.count }

  /// The number of distinct values; a value in several leaves counts once for each.
  package var valueCount: UInt64 { root.counter }
}

// MARK: Descending

extension IndexTree {
  /// A leaf, with facts from the descent to it.
  struct Place {
    /// The leaf, which the tree or ``owner`` retains.
    let leaf: UnownedReference<IndexLeaf>
    /// The frame that retains the leaf; nil if the tree retains it.
    let owner: Frame?
    /// The number of entries in the leaves before.
    let before: UInt64
    /// The object key at which the value continues in the next leaf; nil if it does not.
    let next: Int64?

    /// Calls `body` with the leaf.
    @inline(__always)
    func withLeaf<Result>(
      _ body: (IndexLeaf) throws(EngineError) -> Result
    ) throws(EngineError) -> Result {
      // The leaf is retained by the tree, which the caller retains, or by the owner.
      defer { withExtendedLifetime(owner) {} }
      return try leaf.withObject(body)
    }
  }

  /// The leaf with the first entry at or after a position, unless that is the first entry of the next leaf;
  /// nil if the tree is empty.
  @inline(__always)
  func place(of position: IndexPosition) throws(EngineError) -> Place? {
    var content = top.content
    var before: UInt64 = 0
    var next: Int64?
    while let node = content.node {
      node.withObject { node in
        let step = node.step(to: position, continuation: next)
        before &+= node.countBefore(step.child)
        next = step.continuation
        content = node.held(step.child)
      }
    }
    guard let leaf = content.leaf else { return try load(position) }
    return Place(leaf: leaf, owner: nil, before: before, next: next)
  }

  /// The same if the path is not retained yet, or there is no room for it.
  @inline(never)
  private func load(_ position: IndexPosition) throws(EngineError) -> Place? {
    guard let edge = IndexEdge(root: root) else { return nil }
    return try load(edge, in: nil, position, before: 0, next: nil)
  }

  private func load(
    _ edge: IndexEdge, in parent: IndexStep?, _ position: IndexPosition, before: UInt64,
    next: Int64?
  ) throws(EngineError) -> Place {
    guard edge.level > 0 else {
      let held = try leaf(edge, in: parent)
      return Place(
        leaf: UnownedReference(held.leaf), owner: held.frame, before: before, next: next)
    }
    let held = try inner(edge, in: parent)
    defer { held.release() }
    let node = held.node
    let step = node.step(to: position, continuation: next)
    // A node's count includes the counts below it, so the sum is at most the tree's.
    return try load(
      edge.child(step.child, of: node), in: IndexStep(node: node, child: step.child), position,
      before: before &+ node.countBefore(step.child), next: step.continuation)
  }

  /// The node at the end of an edge, which is retained from now on if there is room.
  ///
  /// - Parameter parent: The node and child that the edge is; nil for the root's edge.
  func inner(_ edge: IndexEdge, in parent: IndexStep?) throws(EngineError) -> PinnedIndexInner {
    let content = parent.map { $0.node.held($0.child) } ?? top.content
    if let node = content.node?.object {
      return PinnedIndexInner(frame: node.frame.object, node: node)
    }
    let held = try edge.inner(tree: root.id, reader)
    if let parent {
      parent.node.hold(held.node, at: parent.child)
    } else {
      top.hold(held.node, reader.indexBudget)
    }
    return held
  }

  /// The leaf at the end of an edge, which is retained from now on if there is room.
  ///
  /// - Parameter parent: The node and child that the edge is; nil for the root's edge.
  func leaf(_ edge: IndexEdge, in parent: IndexStep?) throws(EngineError) -> PinnedIndexLeaf {
    let content = parent.map { $0.node.held($0.child) } ?? top.content
    if let leaf = content.leaf?.object {
      return PinnedIndexLeaf(frame: leaf.frame.object, leaf: leaf)
    }
    let held = try edge.leaf(tree: root.id, reader)
    if let parent {
      parent.node.hold(held.leaf, at: parent.child)
    } else {
      top.hold(held.leaf, reader.indexBudget)
    }
    return held
  }
}

/// A child of a retained node.
struct IndexStep {
  let node: IndexInner
  let child: Int
}

// MARK: Looking values up

extension IndexTree {
  /// Passes the keys of a value to `body` in ascending order, run by run, until it returns false.
  ///
  /// - Returns: Whether all keys were passed.
  @discardableResult
  @inline(__always)
  package func visit(
    equal value: ByteView, _ body: (IndexKeyRun) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    var position = IndexPosition(before: value)
    while let place = try place(of: position) {
      let wantsMore = try place.withLeaf { (leaf) throws(EngineError) in
        let (index, isFound) = leaf.find(value)
        return isFound ? try body(leaf.keys(index)) : true
      }
      guard wantsMore else { return false }
      // The separators of a node ascend, so this one lies behind the position.
      guard let next = place.next else { return true }
      position = IndexPosition(before: value, next)
    }
    return true
  }

  /// Adds the keys of a value to an array, ascending.
  package func keys(equal value: ByteView, into keys: inout [Int64]) throws(EngineError) {
    try visit(equal: value) { (run) throws(EngineError) in
      run.append(to: &keys)
      return true
    }
  }

  /// The least key of a value; the only key if the index is unique.
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
    guard let place = try place(of: IndexPosition(before: value, key)) else { return false }
    return try place.withLeaf { (leaf) throws(EngineError) in
      let (index, isFound) = leaf.find(value)
      return isFound && leaf.keys(index).holds(key)
    }
  }
}
