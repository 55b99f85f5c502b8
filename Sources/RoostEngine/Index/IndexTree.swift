import Synchronization

/// The entries of one index in one version: a B+tree of pairs of value and object key.
///
/// Entries are ordered by the bytes of the value (``IndexKey``), then by object key. Reading never
/// changes the tree, and ``apply(_:writer:)`` returns another tree's root. What reads have reached is held
/// as far as there is room, linked as the tree links it: a descent along such a path takes no lock,
/// counts no reference and allocates nothing. Other reads go through the page cache. Each can throw.
package final class IndexTree: Sendable {
  /// Where the tree begins.
  package let root: TreeRoot
  let reader: PageReader
  /// The slot of the root.
  private let top = Atomic<UInt>(0)

  /// The tree below `root`.
  package init(root: TreeRoot, reader: PageReader) {
    self.root = root
    self.reader = reader
  }

  /// The slot of the root, as a node has one for each child.
  var heldRoot: UInt { top.load(ordering: .acquiring) }

  deinit { IndexSlot.release(top, level: root.level, reader.indexBudget) }

  /// How many entries there are.
  package var count: UInt64 { root.count }

  /// How many distinct values there are; one that fills several leaves counts once for each.
  package var valueCount: UInt64 { root.counter }
}

// MARK: Descending

extension IndexTree {
  /// A leaf, and what the way to it said.
  @safe
  struct Place {
    let leaf: Unmanaged<IndexLeaf>
    /// The frame that retains the leaf; nil where the tree does.
    let owner: Frame?
    /// How many entries lie in the leaves before.
    let before: UInt64
    /// From which object key on the value goes on in the next leaf; nil where it does not.
    let next: Int64?

    /// Calls `body` with the leaf.
    @inline(__always)
    func withLeaf<Result>(
      _ body: (IndexLeaf) throws(EngineError) -> Result
    ) throws(EngineError) -> Result {
      // Either the tree holds it, which the caller does, or the owner.
      defer { withExtendedLifetime(owner) {} }
      return unsafe try leaf.withReference(body)
    }
  }

  /// The leaf that holds the first entry at or after a position, unless it is the first of the next leaf;
  /// nil where the tree is empty.
  @inline(__always)
  func place(of position: IndexPosition) throws(EngineError) -> Place? {
    var slot = top.load(ordering: .acquiring)
    var level = root.level
    var before: UInt64 = 0
    var next: Int64?
    while level > 0, let address = unsafe UnsafeRawPointer(bitPattern: slot) {
      unsafe Unmanaged<IndexInner>.fromOpaque(address)._withUnsafeGuaranteedRef { node in
        let step = node.step(to: position, continuation: next)
        before &+= node.countBefore(step.child)
        next = step.continuation
        slot = node.held(step.child)
      }
      level -= 1
    }
    guard let leaf = unsafe UnsafeRawPointer(bitPattern: slot) else { return try load(position) }
    return unsafe Place(leaf: .fromOpaque(leaf), owner: nil, before: before, next: next)
  }

  /// The same where the path is not held yet, or there is no room for it.
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
      return unsafe Place(
        leaf: .passUnretained(held.leaf), owner: held.frame, before: before, next: next)
    }
    let held = try inner(edge, in: parent)
    defer { held.release() }
    let node = held.node
    let step = node.step(to: position, continuation: next)
    // What lies below a node is counted once more in the node above, so the sum is at most the tree's.
    return try load(
      edge.child(step.child, of: node), in: IndexStep(node: node, child: step.child), position,
      before: before &+ node.countBefore(step.child), next: step.continuation)
  }

  /// The node at the end of an edge, which is held from now on where there is room.
  ///
  /// - Parameter parent: Where the edge comes from; nil for the root's.
  func inner(_ edge: IndexEdge, in parent: IndexStep?) throws(EngineError) -> PinnedIndexInner {
    let slot = parent.map { $0.node.held($0.child) } ?? top.load(ordering: .acquiring)
    if let address = unsafe UnsafeRawPointer(bitPattern: slot) {
      let node = unsafe Unmanaged<IndexInner>.fromOpaque(address).takeUnretainedValue()
      return unsafe PinnedIndexInner(frame: node.frame.takeUnretainedValue(), node: node)
    }
    let held = try edge.inner(tree: root.id, reader)
    if let parent {
      parent.node.hold(held.node, at: parent.child)
    } else {
      IndexSlot.hold(held.node, in: top, reader.indexBudget)
    }
    return held
  }

  /// The leaf at the end of an edge, which is held from now on where there is room.
  ///
  /// - Parameter parent: Where the edge comes from; nil for the root's.
  func leaf(_ edge: IndexEdge, in parent: IndexStep?) throws(EngineError) -> PinnedIndexLeaf {
    let slot = parent.map { $0.node.held($0.child) } ?? top.load(ordering: .acquiring)
    if let address = unsafe UnsafeRawPointer(bitPattern: slot) {
      let leaf = unsafe Unmanaged<IndexLeaf>.fromOpaque(address).takeUnretainedValue()
      return unsafe PinnedIndexLeaf(frame: leaf.frame.takeUnretainedValue(), leaf: leaf)
    }
    let held = try edge.leaf(tree: root.id, reader)
    if let parent {
      parent.node.hold(held.leaf, at: parent.child)
    } else {
      IndexSlot.hold(held.leaf, in: top, reader.indexBudget)
    }
    return held
  }
}

/// A child of a node that is held.
struct IndexStep {
  let node: IndexInner
  let child: Int
}

// MARK: Looking values up

extension IndexTree {
  /// Gives the keys of a value to `body` in ascending order, run by run, until it returns false.
  ///
  /// - Returns: Whether all were given.
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
    guard let place = try place(of: IndexPosition(before: value, key)) else { return false }
    return try place.withLeaf { (leaf) throws(EngineError) in
      let (index, isFound) = leaf.find(value)
      return isFound && leaf.keys(index).holds(key)
    }
  }
}
