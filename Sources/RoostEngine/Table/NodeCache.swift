import Synchronization

/// The nodes and leaves of one tree that lookups by key have reached, linked as the tree links them.
///
/// A lookup in it is a binary search in each node and no more: nothing is looked for in the page
/// cache, checked again or allocated. A slot is set once and then stays as long as the tree is held,
/// so that it is read without a lock. What it may hold is bounded by a share of the page cache; a
/// path beyond that goes through the page cache each time.
final class NodeCache: Sendable {
  private let root = Atomic<UInt>(0)
  private let rootLevel: Int
  private let leafBytesLeft: Atomic<Int>
  private let nodeBytesLeft: Atomic<Int>

  init(_ root: TreeRoot, cacheBytes: Int) {
    rootLevel = root.level
    leafBytesLeft = Atomic(cacheBytes / 2)
    nodeBytesLeft = Atomic(cacheBytes / 16)
  }

  deinit { CachedNode.release(root, level: rootLevel) }

  /// The leaf that holds `key` if any does; nil where the key lies before the tree's first.
  @inline(__always)
  func leaf(for key: Int64, in tree: ObjectTree) throws(EngineError) -> LeafReference? {
    var slot = root.load(ordering: .acquiring)
    var level = rootLevel
    while level > 0, let node = unsafe UnsafeRawPointer(bitPattern: slot) {
      // The cache holds the node, and the caller's tree holds the cache.
      let below = unsafe Unmanaged<CachedNode>.fromOpaque(node)._withUnsafeGuaranteedRef {
        $0.slot(for: key)
      }
      guard let below else { return nil }
      slot = below
      level -= 1
    }
    if let leaf = unsafe UnsafeRawPointer(bitPattern: slot) {
      return unsafe Unmanaged<LeafReference>.fromOpaque(leaf).takeUnretainedValue()
    }
    return try load(key, in: tree)
  }

  /// Loads the path to a key, as far as it is not here.
  @inline(never)
  private func load(_ key: Int64, in tree: ObjectTree) throws(EngineError) -> LeafReference? {
    guard let edge = TreeEdge(root: tree.root) else { return nil }
    guard edge.level > 0 else {
      let leaf = try LeafReference(edge, in: tree.context)
      return CachedNode.keep(leaf, in: root)
    }
    var node: CachedNode
    if let known = CachedNode.load(root, as: CachedNode.self) {
      node = known
    } else {
      node = CachedNode.keep(try CachedNode(edge, in: tree), in: root)
    }
    while true {
      let child = node.child(for: key)
      guard child >= 0 else { return nil }
      let below = node.edge(child)
      if below.level == 0 {
        if let known = node.load(child, as: LeafReference.self) { return known }
        let leaf = try LeafReference(below, in: tree.context)
        return take(leaf.byteCount, from: leafBytesLeft) ? node.keep(leaf, at: child) : leaf
      }
      if let known = node.load(child, as: CachedNode.self) {
        node = known
      } else if take(2 * Unit.bytes, from: nodeBytesLeft) {
        node = node.keep(try CachedNode(below, in: tree), at: child)
      } else {
        return try tree.leafEdge(for: key, below: below).map { edge throws(EngineError) in
          try LeafReference(edge, in: tree.context)
        }
      }
    }
  }

  private func take(_ byteCount: Int, from left: borrowing Atomic<Int>) -> Bool {
    if left.subtract(byteCount, ordering: .relaxed).newValue >= 0 { return true }
    left.add(byteCount, ordering: .relaxed)
    return false
  }
}

/// An inner node of a ``NodeCache``, with a slot for each child.
@safe
private final class CachedNode: Sendable {
  private let frame: Frame
  private let node: InnerNode
  private let ownEdge: TreeEdge
  /// For each child the address of a retained node or leaf, or 0; once set it does not change.
  private nonisolated(unsafe) let slots: UnsafeMutablePointer<Atomic<UInt>>

  init(_ edge: TreeEdge, in tree: ObjectTree) throws(EngineError) {
    frame = try tree.innerFrame(edge)
    node = tree.innerNode(frame)
    ownEdge = edge
    unsafe slots = .allocate(capacity: node.childCount)
    for child in 0..<node.childCount { unsafe (slots + child).initialize(to: Atomic(0)) }
  }

  deinit {
    for child in 0..<node.childCount {
      unsafe Self.release(slots[child], level: ownEdge.level - 1)
      unsafe (slots + child).deinitialize(count: 1)
    }
    unsafe slots.deallocate()
  }

  @inline(__always)
  func child(for key: Int64) -> Int { node.child(for: key) }

  func edge(_ child: Int) -> TreeEdge { ownEdge.child(child, in: node) }

  /// What the slot of the child for a key holds; nil where the key lies before all children.
  @inline(__always)
  func slot(for key: Int64) -> UInt? {
    let child = node.child(for: key)
    return child < 0 ? nil : unsafe slots[child].load(ordering: .acquiring)
  }

  func load<T: AnyObject>(_ child: Int, as type: T.Type) -> T? {
    unsafe Self.load(slots[child], as: type)
  }

  func keep<T: AnyObject>(_ object: T, at child: Int) -> T {
    unsafe Self.keep(object, in: slots[child])
  }

  // MARK: Slots

  static func load<T: AnyObject>(_ slot: borrowing Atomic<UInt>, as type: T.Type) -> T? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: slot.load(ordering: .acquiring))
    else { return nil }
    return unsafe Unmanaged<T>.fromOpaque(address).takeUnretainedValue()
  }

  /// Keeps an object, unless another thread was first; returns the one that is kept.
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
