import Synchronization

/// An object that a ``ReferenceSlot`` can hold.
package protocol SlotObject: AnyObject, Sendable {
  associatedtype Keeper: AnyObject & Sendable
  /// The object that retains this one for as long as it lives itself: this one, or the frame that it is attached to.
  var keeper: UnownedReference<Keeper> { get }
}

/// A place for one object, a node or a leaf, that is published once and read without a lock.
///
/// The slot is empty until a thread publishes an object, and from then on holds that object until the slot's own end.
/// So what is read from it is valid for as long as the slot is held, and a path through nodes and their slots needs no
/// reference counted.
///
/// A slot's word is 0, the address of a node, or the address of a leaf plus one: objects lie at even addresses. The
/// slot retains the object's keeper.
package struct ReferenceSlot<Node: SlotObject, Leaf: SlotObject>: ~Copyable, Sendable {
  private let word = Atomic<UInt>(0)

  /// The content of a slot; valid for as long as the slot is held.
  package struct Content: BitwiseCopyable, Sendable {
    fileprivate let word: UInt

    /// The content of an empty slot.
    package static var empty: Content { Content(word: 0) }

    /// Whether nothing was published yet.
    @inline(__always)
    package var isEmpty: Bool { word == 0 }

    /// The node; nil in an empty slot, and in one of a leaf.
    @inline(__always)
    package var node: UnownedReference<Node>? {
      // An even word other than 0 is the address of a node that was published, so of this type.
      guard word & 1 == 0, let address = unsafe UnsafeRawPointer(bitPattern: word) else {
        return nil
      }
      return unsafe UnownedReference(at: address)
    }

    /// The leaf; nil in an empty slot, and in one of a node.
    @inline(__always)
    package var leaf: UnownedReference<Leaf>? {
      // An odd word is the address of a leaf that was published, plus one.
      guard word & 1 == 1, let address = unsafe UnsafeRawPointer(bitPattern: word &- 1) else {
        return nil
      }
      return unsafe UnownedReference(at: address)
    }
  }

  package init() {}

  /// A slot that holds from the beginning what another one does, or is empty as that one.
  ///
  /// - Parameter content: Of a slot that the caller holds.
  package init(holding content: Content) {
    if let node = content.node {
      let keeper = node.withObject { $0.keeper }
      unsafe keeper.retain()
    } else if let leaf = content.leaf {
      let keeper = leaf.withObject { $0.keeper }
      unsafe keeper.retain()
    }
    word.store(content.word, ordering: .relaxed)
  }

  deinit {
    // Publishing retained the keeper once; nobody reads the slot any more.
    if let node = content.node {
      let keeper = node.withObject { $0.keeper }
      unsafe keeper.release()
    } else if let leaf = content.leaf {
      let keeper = leaf.withObject { $0.keeper }
      unsafe keeper.release()
    }
  }

  /// What the slot holds.
  @inline(__always)
  package var content: Content { Content(word: word.load(ordering: .acquiring)) }

  /// Holds a node from now on; false where another object was published first.
  package func publish(_ node: Node) -> Bool {
    publish(UnownedReference(node).address, node.keeper)
  }

  /// Holds a leaf from now on; false where another object was published first.
  package func publish(_ leaf: Leaf) -> Bool {
    publish(UnownedReference(leaf).address | 1, leaf.keeper)
  }

  /// Holds what another slot does; false where that is empty or another object was published first.
  ///
  /// - Parameter content: Of a slot that the caller holds.
  package func publish(_ content: Content) -> Bool {
    if let node = content.node { return publish(content.word, node.withObject { $0.keeper }) }
    if let leaf = content.leaf { return publish(content.word, leaf.withObject { $0.keeper }) }
    return false
  }

  /// Holds a node from now on, unless another thread was first; returns the node that is held.
  package func keep(_ node: Node) -> Node {
    publish(node) ? node : content.node?.object ?? node
  }

  /// Holds a leaf from now on, unless another thread was first; returns the leaf that is held.
  package func keep(_ leaf: Leaf) -> Leaf {
    publish(leaf) ? leaf : content.leaf?.object ?? leaf
  }

  private func publish<Keeper>(_ desired: UInt, _ keeper: UnownedReference<Keeper>) -> Bool {
    // Before the others can see it: the slot's own reference, which `deinit` takes back.
    unsafe keeper.retain()
    let (isFirst, _) = word.compareExchange(
      expected: 0, desired: desired, ordering: .acquiringAndReleasing)
    if !isFirst { unsafe keeper.release() }
    return isFirst
  }
}
