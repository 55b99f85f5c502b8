import Synchronization

/// What is held of a child of a node, or of a root: the address of its node or leaf, or 0.
///
/// Set once, and then as it is for as long as the slot's owner lives: so it is read without a lock, and
/// what is found through it needs no reference counted. It holds the frame, which holds the node or leaf.
enum IndexSlot {
  /// Holds a node, unless another thread was first or there is no room.
  static func hold(_ node: IndexInner, in slot: borrowing Atomic<UInt>, _ budget: NodeBudget) {
    guard budget.hasRoomForNodes else { return }
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque())
    guard unsafe hold(node.frame, address, in: slot) else { return }
    budget.add(nodeBytes: node.heldBytes)
  }

  /// Holds a leaf, unless another thread was first or there is no room.
  static func hold(_ leaf: IndexLeaf, in slot: borrowing Atomic<UInt>, _ budget: NodeBudget) {
    guard budget.hasRoomForLeaves else { return }
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(leaf).toOpaque())
    guard unsafe hold(leaf.frame, address, in: slot) else { return }
    budget.add(leafBytes: leaf.heldBytes)
  }

  private static func hold(
    _ frame: Unmanaged<Frame>, _ address: UInt, in slot: borrowing Atomic<UInt>
  ) -> Bool {
    unsafe _ = frame.retain()
    let (exchanged, _) = slot.compareExchange(
      expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if !exchanged { unsafe frame.release() }
    return exchanged
  }

  /// Lets go of what a slot holds, when its owner ends.
  static func release(_ slot: borrowing Atomic<UInt>, level: Int, _ budget: NodeBudget) {
    guard let address = unsafe UnsafeRawPointer(bitPattern: slot.load(ordering: .acquiring))
    else { return }
    if level == 0 {
      let leaf = unsafe Unmanaged<IndexLeaf>.fromOpaque(address)
      let (frame, bytes) = unsafe leaf._withUnsafeGuaranteedRef { unsafe ($0.frame, $0.heldBytes) }
      budget.add(leafBytes: -bytes)
      unsafe frame.release()
    } else {
      let node = unsafe Unmanaged<IndexInner>.fromOpaque(address)
      let (frame, bytes) = unsafe node._withUnsafeGuaranteedRef { unsafe ($0.frame, $0.heldBytes) }
      budget.add(nodeBytes: -bytes)
      unsafe frame.release()
    }
  }
}

extension IndexInner {
  /// The memory of the node with what is kept for each child.
  fileprivate var heldBytes: Int { bytes.count + 2 * MemoryLayout<UInt>.stride * childCount }
}

extension IndexLeaf {
  /// The memory of the leaf.
  fileprivate var heldBytes: Int { bytes.count }
}
