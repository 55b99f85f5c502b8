import Synchronization

/// A tree's nodes and leaves that lookups by key have reached, linked as in the tree.
///
/// A lookup in it is a binary search in each node and no more: it neither searches the page cache, nor
/// validates or allocates anything. A slot is set once and then stays as long as the tree is retained, so that
/// reads need no lock. The next version's cache inherits all shared parts, so that after a commit readers lack
/// only the path to the changes; therefore the leaves belong to no version, and the caller must retain the
/// tree while using a leaf. A share of the page cache limits the memory; lookups beyond that limit go
/// through the page cache each time.
final class NodeCache: Sendable {
  private let root = Atomic<UInt>(0)
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

  deinit { CachedNode.release(root, level: rootLevel) }

  /// Inherits the parts of another version's cache that this tree shares.
  ///
  /// - Complexity: O(children of nodes that differ).
  func inherit(from other: NodeCache, in tree: ObjectTree) {
    guard rootLevel > 0, rootLevel == other.rootLevel, let edge = TreeEdge(root: tree.root),
      let known = CachedNode.load(other.root, as: CachedNode.self),
      // Read errors are ignored here: the lookup will report them.
      let node = try? CachedNode(edge, in: tree, budget, succeeding: known)
    else { return }
    _ = CachedNode.keep(node, in: root)
  }

  /// The leaf that contains `key`, if any does; nil if the key lies before the tree's first.
  ///
  /// It does not retain the version: the caller must retain the tree.
  @inline(__always)
  func leaf(for key: Int64, in tree: ObjectTree) throws(EngineError) -> LeafReference? {
    switch cachedLeaf(for: key) {
    case .leaf(let leaf): unsafe leaf.takeUnretainedValue()
    case .none: nil
    case .unknown: try load(key, in: tree)
    }
  }

  /// The result of a lookup in the cache alone.
  @safe
  enum CachedLeaf {
    /// The leaf that contains the key, if any does; valid as long as the cache.
    case leaf(Unmanaged<LeafReference>)
    /// The key lies before the tree's first.
    case none
    /// The path to the key is not in the cache.
    case unknown
  }

  /// The leaf that contains `key`, if any does, if the cache has it. Does no reference counting.
  @inline(__always)
  func cachedLeaf(for key: Int64) -> CachedLeaf {
    var slot = root.load(ordering: .acquiring)
    var level = rootLevel
    while level > 0, let node = unsafe UnsafeRawPointer(bitPattern: slot) {
      // The cache retains the node, and the caller's tree retains the cache.
      let below = unsafe Unmanaged<CachedNode>.fromOpaque(node)._withUnsafeGuaranteedRef {
        $0.slot(for: key)
      }
      guard let below else { return .none }
      slot = below
      level -= 1
    }
    guard let leaf = unsafe UnsafeRawPointer(bitPattern: slot) else { return .unknown }
    return unsafe .leaf(Unmanaged<LeafReference>.fromOpaque(leaf))
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
      let row = unsafe rows[index].leaf._withUnsafeGuaranteedRef { $0.row(of: key) }
      guard let row else { return index }
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
      return CachedNode.keep(leaf, in: root)
    }
    var node: CachedNode
    if let known = CachedNode.load(root, as: CachedNode.self) {
      node = known
    } else {
      node = CachedNode.keep(try CachedNode(edge, in: tree, budget), in: root)
    }
    while true {
      let child = node.child(for: key)
      guard child >= 0 else { return nil }
      let below = node.edge(child)
      if below.level == 0 {
        if let known = node.load(child, as: LeafReference.self) { return known }
        let leaf = try LeafReference(below, in: context)
        guard budget.hasRoomForLeaves else { return leaf }
        leaf.share()
        return node.keep(leaf, at: child)
      }
      if let known = node.load(child, as: CachedNode.self) {
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
@safe
package struct CachedRow: BitwiseCopyable {
  /// The leaf.
  package let leaf: Unmanaged<LeafReference>
  /// The row in the leaf.
  package fileprivate(set) var row: Int
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
    if let known = CachedNode.load(root, as: CachedNode.self) {
      try forEachSpan(below: known, keys, tree, body)
    } else {
      let node = CachedNode.keep(try CachedNode(edge, in: tree, budget), in: root)
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
      if let known = node.load(child, as: CachedNode.self) {
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
    if let known = node.load(child, as: LeafReference.self) { return known }
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
@safe
final class CachedNode: Sendable {
  private let frame: Frame
  private let node: InnerNode
  private let ownEdge: TreeEdge
  /// The node columns of scanned fields: the address of the newest one, which is retained, or 0.
  private let nodeColumns = Atomic<UInt>(0)
  private let budget: NodeBudget
  /// The table for finding the child of a key.
  private let spread: InterpolationTable
  /// For each child the address of a retained node or leaf, or 0; once set it does not change.
  private nonisolated(unsafe) let slots: UnsafeMutablePointer<Atomic<UInt>>

  private static let byteCount = 2 * Unit.bytes

  /// - Parameter other: A node of another version, which may have the same keys.
  init(
    _ edge: TreeEdge, in tree: ObjectTree, _ budget: NodeBudget, like other: CachedNode? = nil
  ) throws(EngineError) {
    frame = try tree.innerFrame(edge)
    node = tree.innerNode(frame)
    ownEdge = edge
    self.budget = budget
    if let other, other.node.hasKeys(of: node) {
      spread = InterpolationTable(copyOf: other.spread)
    } else {
      spread = InterpolationTable(node)
    }
    unsafe slots = .allocate(capacity: node.childCount)
    for child in 0..<node.childCount { unsafe (slots + child).initialize(to: Atomic(0)) }
    budget.add(nodeBytes: Self.byteCount)
  }

  deinit {
    for child in 0..<node.childCount {
      unsafe Self.release(slots[child], level: ownEdge.level - 1)
      unsafe (slots + child).deinitialize(count: 1)
    }
    unsafe slots.deallocate()
    spread.deallocate()
    var bytes = Self.byteCount
    if let nodeColumn = unsafe UnsafeRawPointer(bitPattern: nodeColumns.load(ordering: .acquiring))
    {
      let last = unsafe Unmanaged<NodeColumn>.fromOpaque(nodeColumn)
      var next: NodeColumn? = unsafe last.takeUnretainedValue()
      while let nodeColumn = next {
        bytes += NodeColumn.byteCount(node.childCount)
        next = nodeColumn.next
      }
      unsafe last.release()
    }
    budget.add(nodeBytes: -bytes)
  }

  /// A node that inherits from a node of another version: equal children, and below other children
  /// the parts that both versions share.
  convenience init(
    _ edge: TreeEdge, in tree: ObjectTree, _ budget: NodeBudget, succeeding other: CachedNode
  ) throws(EngineError) {
    try self.init(edge, in: tree, budget, like: other)
    var place = 0
    for child in 0..<node.childCount {
      // The child of the other node whose range contains the start of this one.
      let key = node.key(child)
      while place + 1 < other.node.childCount, other.node.key(place + 1) <= key { place += 1 }
      guard
        let held = unsafe UnsafeRawPointer(
          bitPattern: other.slots[place].load(ordering: .acquiring))
      else { continue }
      if node.pointer(child) == other.node.pointer(place),
        node.count(child) == other.node.count(place)
      {
        unsafe retain(held, at: child)
      } else if ownEdge.level > 1, budget.hasRoomForNodes {
        let known = unsafe Unmanaged<CachedNode>.fromOpaque(held).takeUnretainedValue()
        _ = keep(
          try CachedNode(self.edge(child), in: tree, budget, succeeding: known), at: child)
      }
    }
  }

  /// Retains the object in a slot of another node, which retains it too.
  private func retain(_ held: UnsafeRawPointer, at child: Int) {
    if ownEdge.level > 1 {
      unsafe _ = Unmanaged<CachedNode>.fromOpaque(held).retain()
    } else {
      unsafe _ = Unmanaged<LeafReference>.fromOpaque(held).retain()
    }
    unsafe slots[child].store(UInt(bitPattern: held), ordering: .releasing)
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
  func slot(for key: Int64) -> UInt? {
    let child = child(for: key)
    return child < 0 ? nil : unsafe slots[child].load(ordering: .acquiring)
  }

  func load<T: AnyObject>(_ child: Int, as type: T.Type) -> T? {
    unsafe Self.load(slots[child], as: type)
  }

  func keep<T: AnyObject>(_ object: T, at child: Int) -> T {
    unsafe Self.keep(object, in: slots[child])
  }

  // MARK: Node columns

  /// The node column of a field, if it exists.
  func nodeColumn(_ field: FieldID) -> NodeColumn? {
    var nodeColumn = Self.load(nodeColumns, as: NodeColumn.self)
    while let known = nodeColumn {
      if known.field == field { return known }
      nodeColumn = known.next
    }
    return nil
  }

  /// Creates the node column of a field, unless another thread was first.
  fileprivate func makeNodeColumn(_ field: FieldID) -> NodeColumn {
    while true {
      if let known = nodeColumn(field) { return known }
      let last = nodeColumns.load(ordering: .acquiring)
      let next = unsafe UnsafeRawPointer(bitPattern: last).map {
        unsafe Unmanaged<NodeColumn>.fromOpaque($0)
      }
      let made = unsafe NodeColumn(
        field, count: childCount, next: next?.takeUnretainedValue())
      let retained = unsafe Unmanaged.passRetained(made)
      let (exchanged, _) = nodeColumns.compareExchange(
        expected: last, desired: unsafe UInt(bitPattern: retained.toOpaque()),
        ordering: .acquiringAndReleasing)
      if exchanged {
        budget.add(nodeBytes: NodeColumn.byteCount(childCount))
        // The new node column retains the previous one.
        unsafe next?.release()
        return made
      }
      unsafe retained.release()
    }
  }

  // MARK: Slots

  static func load<T: AnyObject>(_ slot: borrowing Atomic<UInt>, as type: T.Type) -> T? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: slot.load(ordering: .acquiring))
    else { return nil }
    return unsafe Unmanaged<T>.fromOpaque(address).takeUnretainedValue()
  }

  /// Stores an object, unless another thread was first; returns the stored one.
  static func keep<T: AnyObject>(_ object: T, in slot: borrowing Atomic<UInt>) -> T {
    let retained = unsafe Unmanaged.passRetained(object)
    let (exchanged, _) = slot.compareExchange(
      expected: 0, desired: unsafe UInt(bitPattern: retained.toOpaque()),
      ordering: .acquiringAndReleasing)
    guard !exchanged else { return object }
    unsafe retained.release()
    return load(slot, as: T.self) ?? object
  }

  static func release(_ slot: borrowing Atomic<UInt>, level: Int) {
    guard let address = unsafe UnsafeRawPointer(bitPattern: slot.load(ordering: .acquiring))
    else { return }
    if level == 0 {
      unsafe Unmanaged<LeafReference>.fromOpaque(address).release()
    } else {
      unsafe Unmanaged<CachedNode>.fromOpaque(address).release()
    }
  }
}
