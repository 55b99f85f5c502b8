import Synchronization

/// A place for one object that is published once, and then read without a lock until the place's own end.
package struct PublishedReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, which is retained once, or 0.
  private let word = Atomic<UInt>(0)

  package init() {}

  deinit { unsafe reference?.release() }

  /// The object, if one was published; valid for as long as this place is held.
  @inline(__always)
  package var reference: UnownedReference<Object>? {
    // Only addresses of objects of this type are ever stored, and each is retained until the end.
    guard let address = unsafe UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) else {
      return nil
    }
    return unsafe UnownedReference(at: address)
  }

  /// Publishes an object, unless another thread was first; returns the one that is published.
  package func publish(_ object: Object) -> Object {
    let reference = UnownedReference(object)
    // Before the others can see it.
    unsafe reference.retain()
    let (isFirst, _) = word.compareExchange(
      expected: 0, desired: reference.address, ordering: .acquiringAndReleasing)
    guard !isFirst else { return object }
    unsafe reference.release()
    return self.reference?.object ?? object
  }
}

/// An element of a ``PublishedChain``.
package protocol ChainLink: AnyObject, Sendable {
  /// The link that was published before this one, which retains it.
  var next: Self? { get }
}

/// A chain of objects that only grows, at its front, and is read without a lock.
///
/// The chain retains the first link, and each link the next one: so all of them live as long as the chain.
package struct PublishedChain<Link: ChainLink>: ~Copyable, Sendable {
  /// The address of the first link, which is retained once, or 0.
  private let word = Atomic<UInt>(0)

  package init() {}

  deinit { unsafe first?.release() }

  /// The link that was published last; valid for as long as the chain is held.
  @inline(__always)
  package var first: UnownedReference<Link>? {
    // Only addresses of links are ever stored, and each link lives as long as the chain.
    guard let address = unsafe UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) else {
      return nil
    }
    return unsafe UnownedReference(at: address)
  }

  /// Publishes the link that `make` returns for the first one so far; none where that returns nil.
  ///
  /// - Parameter make: Called again where another thread publishes a link meanwhile. The new link's ``ChainLink/next``
  ///   must be the link that it is given.
  package func push(_ make: (Link?) -> Link?) {
    while true {
      let known = first
      guard let link = make(known?.object) else { return }
      precondition(link.next === known?.object, "The new link retains the one before it.")
      let reference = UnownedReference(link)
      // Before the others can see it.
      unsafe reference.retain()
      let (isFirst, _) = word.compareExchange(
        expected: known?.address ?? 0, desired: reference.address,
        ordering: .acquiringAndReleasing)
      if isFirst {
        // The new link retains the known one, so the chain's own reference is not needed any more.
        unsafe known?.release()
        return
      }
      unsafe reference.release()
    }
  }
}
