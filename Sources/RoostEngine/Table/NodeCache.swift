/// A tree's nodes and leaves that lookups by key have reached, linked as in the tree.
///
/// A lookup in it is a binary search in each node and no more: it neither searches the page cache, nor
/// validates or allocates anything. A slot is set once and then stays as long as the tree is retained, so that
/// reads need no lock. The next version's cache inherits all shared parts, so that after a commit readers lack
/// only the path to the changes; therefore the leaves belong to no version, and the caller must retain the
/// tree while using a leaf. A share of the page cache limits the memory; lookups beyond that limit go
/// through the page cache each time.
final class NodeCache: Sendable {
  /// The slot of the root, as a node has one for each child.
  private let root = CachedNode.Slot()
  private let rootLevel: Int
  /// The context of the leaves.
  let context: TreeContext
  private let budget: NodeBudget

  init(_ root: TreeRoot, context: TreeContext, budget: NodeBudget) {
    rootLevel = root.level
    self.context = context
    self.budget = budget
  }

  /// An empty cache for another root of the same table.
  convenience init(_ root: TreeRoot, like other: NodeCache) {
    self.init(root, context: other.context, budget: other.budget)
  }

  /// Whether no lookup has reached anything yet.
  var isEmpty: Bool { root.content.isEmpty }

  /// Inherits the parts of another version's cache that this tree shares.
  ///
  /// - Complexity: O(children of nodes that differ).
  func inherit(from other: NodeCache, in tree: ObjectTree) {
    guard rootLevel > 0, rootLevel == other.rootLevel, let edge = TreeEdge(root: tree.root),
      let known = other.root.content.node?.object,
      // Read errors are ignored here: the lookup will report them.
      let node = try? CachedNode.succeeding(known, edge, in: tree)
    else { return }
    _ = root.publish(node)
  }

  /// The leaf that contains `key`, if any does; nil if the key lies before the tree's first.
  ///
  /// It does not retain the version: the caller must retain the tree.
  @inline(__always)
  func leaf(for key: Int64, in tree: ObjectTree) throws(EngineError) -> LeafReference? {
    switch cachedLeaf(for: key) {
    case .leaf(let leaf): leaf.object
    case .none: nil
    case .unknown: try load(key, in: tree)
    }
  }

  /// The result of a lookup in the cache alone.
  enum CachedLeaf {
    /// The leaf that holds the key if any does; the cache retains it.
    case leaf(UnownedReference<LeafReference>)
    /// The key lies before the tree's first.
    case none
    /// The path to the key is not in the cache.
    case unknown
  }

  /// The leaf that contains `key`, if any does, if the cache has it. Does no reference counting.
  @inline(__always)
  func cachedLeaf(for key: Int64) -> CachedLeaf {
    var content = root.content
    // The cache holds the node, and the caller's tree holds the cache.
    while let node = content.node {
      guard let below = node.withObject({ $0.content(for: key) }) else { return .none }
      content = below
    }
    guard let leaf = content.leaf else { return .unknown }
    return .leaf(leaf)
  }

  /// The rows of some keys, up to the first key whose leaf is not cached or does not contain it.
  ///
  /// Does no reference counting. Finds all leaves first, then all rows: so the memory for one key is fetched
  /// while the previous key still waits for its own.
  func find(_ keys: ArraySlice<Int64>, _ rows: UnsafeMutableBufferPointer<CachedRow>) -> Int {
    var found = 0
    for key in keys {
      guard case .leaf(let leaf) = cachedLeaf(for: key) else { break }
      unsafe rows.initializeElement(at: found, to: CachedRow(leaf: leaf, row: 0))
      found += 1
    }
    for index in 0..<found {
      let key = keys[keys.startIndex + index]
      guard let row = unsafe rows[index].leaf.withObject({ $0.row(of: key) }) else {
        return index
      }
      unsafe rows[index].row = row
    }
    return found
  }

  /// Loads the missing part of the path to a key.
  @inline(never)
  private func load(_ key: Int64, in tree: ObjectTree) throws(EngineError) -> LeafReference? {
    guard let edge = TreeEdge(root: tree.root) else { return nil }
    guard edge.level > 0 else {
      let leaf = try LeafReference(edge, in: context)
      leaf.share()
      return root.keep(leaf)
    }
    var node: CachedNode
    if let known = root.content.node?.object {
      node = known
    } else {
      node = root.keep(try CachedNode(edge, in: tree, budget))
    }
    while true {
      let child = node.child(for: key)
      guard child >= 0 else { return nil }
      let below = node.edge(child)
      if below.level == 0 {
        if let known = node.content(child).leaf?.object { return known }
        let leaf = try LeafReference(below, in: context)
        guard budget.hasRoomForLeaves else { return leaf }
        leaf.share()
        return node.keep(leaf, at: child)
      }
      if let known = node.content(child).node?.object {
        node = known
      } else if budget.hasRoomForNodes {
        node = node.keep(try CachedNode(below, in: tree, budget), at: child)
      } else {
        return try tree.leafEdge(for: key, below: below).map { edge throws(EngineError) in
          try LeafReference(edge, in: context)
        }
      }
    }
  }
}

/// A row in a leaf that a tree's cache retains. Retain the tree while using it.
package struct CachedRow: BitwiseCopyable {
  /// The leaf, which the tree's cache retains.
  package let leaf: UnownedReference<LeafReference>
  /// The row in the leaf.
  package fileprivate(set) var row: Int

  init(leaf: UnownedReference<LeafReference>, row: Int) {
    self.leaf = leaf
    self.row = row
  }
}

/// Consecutive leaves of a tree.
enum LeafSpan {
  /// Children of a node.
  case cached(CachedNode, Range<Int>)
  /// All leaves below an edge whose node or leaf is not in the cache.
  case uncached(TreeEdge)
}

extension NodeCache {
  /// Passes all leaves that may contain keys of a range to `body`, from left to right, a node's children at a time.
  func forEachSpan(
    of keys: ClosedRange<Int64>, in tree: ObjectTree,
    _ body: (LeafSpan) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let edge = TreeEdge(root: tree.root) else { return }
    guard edge.level > 0 else { return try body(.uncached(edge)) }
    if let known = root.content.node?.object {
      try forEachSpan(below: known, keys, tree, body)
    } else {
      let node = root.keep(try CachedNode(edge, in: tree, budget))
      try forEachSpan(below: node, keys, tree, body)
    }
  }

  private func forEachSpan(
    below node: CachedNode, _ keys: ClosedRange<Int64>, _ tree: ObjectTree,
    _ body: (LeafSpan) throws(EngineError) -> Void
  ) throws(EngineError) {
    let children = node.children(for: keys)
    guard node.level > 1 else { return try body(.cached(node, children)) }
    for child in children {
      if let known = node.content(child).node?.object {
        try forEachSpan(below: known, keys, tree, body)
      } else if budget.hasRoomForNodes {
        let below = node.keep(try CachedNode(node.edge(child), in: tree, budget), at: child)
        try forEachSpan(below: below, keys, tree, body)
      } else {
        try body(.uncached(node.edge(child)))
      }
    }
  }

  /// The leaf at a child of a node above leaves; nil if the cache has no room for it.
  func leaf(
    _ child: Int, of node: CachedNode, in tree: ObjectTree
  ) throws(EngineError) -> LeafReference? {
    if let known = node.content(child).leaf?.object { return known }
    let leaf = try LeafReference(node.edge(child), in: context)
    guard budget.hasRoomForLeaves else { return nil }
    leaf.share()
    return node.keep(leaf, at: child)
  }

  /// The node column of a field in a node above leaves; nil if the cache has no room for it.
  func nodeColumn(_ field: FieldID, of node: CachedNode) -> NodeColumn? {
    if let known = node.nodeColumn(field) { return known }
    return budget.hasRoomForNodes ? node.makeNodeColumn(field) : nil
  }
}

/// An inner node of a ``NodeCache``, with a slot for each child.
final class CachedNode: Sendable {
  typealias Slot = ReferenceSlot<CachedNode, LeafReference>

  private let frame: Frame
  private let node: InnerNode
  private let ownEdge: TreeEdge
  /// The node columns of fields that were scanned, the last one made first.
  private let nodeColumns = PublishedChain<NodeColumn>()
  private let budget: NodeBudget
  /// The table for finding the child of a key.
  private let spread: InterpolationTable
  /// For each child its node or leaf.
  private let slots: FixedArray<Slot>

  private static let byteCount = 2 * Unit.bytes

  init(_ edge: TreeEdge, in tree: ObjectTree, _ budget: NodeBudget) throws(EngineError) {
    frame = try tree.innerFrame(edge)
    node = tree.innerNode(frame)
    ownEdge = edge
    self.budget = budget
    spread = InterpolationTable(node)
    slots = FixedArray(count: node.childCount) { _ in Slot() }
    budget.add(nodeBytes: Self.byteCount)
  }

  /// A node with the keys of a node of another version, and its equal children.
  private init(_ frame: Frame, _ node: InnerNode, _ edge: TreeEdge, like other: CachedNode) {
    self.frame = frame
    self.node = node
    ownEdge = edge
    budget = other.budget
    spread = InterpolationTable(copyOf: other.spread)
    slots = FixedArray(count: node.childCount) { child in
      let held = other.content(child)
      guard !held.isEmpty, other.node.hasChild(child, of: node, at: child) else { return Slot() }
      return Slot(holding: held)
    }
    budget.add(nodeBytes: Self.byteCount)
  }

  deinit {
    var bytes = Self.byteCount
    var next = nodeColumns.first?.object
    while let nodeColumn = next {
      bytes += NodeColumn.byteCount(node.childCount)
      next = nodeColumn.next
    }
    budget.add(nodeBytes: -bytes)
  }

  /// A node that inherits from a node of another version: equal children, and below other children
  /// the parts that both versions share.
  static func succeeding(
    _ other: CachedNode, _ edge: TreeEdge, in tree: ObjectTree
  ) throws(EngineError) -> CachedNode {
    let frame = try tree.innerFrame(edge)
    let node = tree.innerNode(frame)
    guard other.node.hasKeys(of: node) else {
      let made = try CachedNode(edge, in: tree, other.budget)
      try made.inherit(from: other, in: tree)
      return made
    }
    let made = CachedNode(frame, node, edge, like: other)
    for child in 0..<node.childCount where made.content(child).isEmpty {
      try made.inherit(other.content(child), at: child, in: tree)
    }
    return made
  }

  private func inherit(from other: CachedNode, in tree: ObjectTree) throws(EngineError) {
    var place = 0
    for child in 0..<node.childCount {
      // The child of the other node whose range contains the start of this one.
      let key = node.key(child)
      while place + 1 < other.node.childCount, other.node.key(place + 1) <= key { place += 1 }
      let held = other.content(place)
      if other.node.hasChild(place, of: node, at: child) {
        _ = slots[child].publish(held)
      } else {
        try inherit(held, at: child, in: tree)
      }
    }
  }

  /// Inherits from the node of a child that is another one.
  private func inherit(
    _ held: Slot.Content, at child: Int, in tree: ObjectTree
  ) throws(EngineError) {
    guard let known = held.node?.object, budget.hasRoomForNodes else { return }
    _ = slots[child].publish(try CachedNode.succeeding(known, edge(child), in: tree))
  }

  /// The child whose range contains `key`, or −1 if the key lies before all of them.
  @inline(__always)
  func child(for key: Int64) -> Int {
    spread.child(for: key, in: node)
  }

  func edge(_ child: Int) -> TreeEdge { ownEdge.child(child, in: node) }

  /// The number of objects below a child.
  @inline(__always) func count(_ child: Int) -> Int { Int(clamping: node.count(child)) }

  var level: Int { node.level }
  var childCount: Int { node.childCount }
  /// The edge that leads to this node.
  var edge: TreeEdge { ownEdge }

  /// The children that may contain keys of a range.
  func children(for keys: ClosedRange<Int64>) -> Range<Int> {
    let first = max(node.child(for: keys.lowerBound), 0)
    return first..<max(first, node.child(for: keys.upperBound) + 1)
  }

  /// The slot of the child for a key; nil if the key lies before all children.
  @inline(__always)
  func content(for key: Int64) -> Slot.Content? {
    let child = child(for: key)
    return child < 0 ? nil : slots[child].content
  }

  /// What the slot of a child holds.
  @inline(__always)
  func content(_ child: Int) -> Slot.Content { slots[child].content }

  /// Holds the node of a child, unless another thread was first; returns the one that is held.
  func keep(_ node: CachedNode, at child: Int) -> CachedNode { slots[child].keep(node) }

  /// Holds the leaf of a child, unless another thread was first; returns the one that is held.
  func keep(_ leaf: LeafReference, at child: Int) -> LeafReference { slots[child].keep(leaf) }

  // MARK: Node columns

  /// The node column of a field, if it exists.
  func nodeColumn(_ field: FieldID) -> NodeColumn? {
    Self.nodeColumn(field, from: nodeColumns.first?.object)
  }

  private static func nodeColumn(_ field: FieldID, from first: NodeColumn?) -> NodeColumn? {
    var nodeColumn = first
    while let known = nodeColumn, known.field != field { nodeColumn = known.next }
    return nodeColumn
  }

  /// Creates the node column of a field, unless another thread was first.
  fileprivate func makeNodeColumn(_ field: FieldID) -> NodeColumn {
    var known: NodeColumn?
    var made: NodeColumn?
    nodeColumns.push { first in
      known = Self.nodeColumn(field, from: first)
      made = known == nil ? NodeColumn(field, count: childCount, next: first) : nil
      return made
    }
    if let known { return known }
    guard let made else { preconditionFailure("Either it was there, or it was made.") }
    budget.add(nodeBytes: NodeColumn.byteCount(childCount))
    return made
  }
}

extension CachedNode: SlotObject {
  var keeper: UnownedReference<CachedNode> { UnownedReference(self) }
}
