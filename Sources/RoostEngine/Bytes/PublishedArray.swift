import Synchronization

/// A fixed number of elements, each of which is published once, by any thread, and then read without a lock.
@safe
package struct PublishedArray<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  /// A view of the elements, which does not retain the array.
  ///
  /// Invariant: it is used only while the array's owner is held, as a ``ByteView`` is.
  @safe
  package struct View: @unchecked Sendable {
    fileprivate let elements: UnsafeMutablePointer<Element>
    /// For each element whether it is initialized; what is set before is seen by those who read it.
    fileprivate let marks: UnsafeMutablePointer<Atomic<Bool>>
    fileprivate let count: Int

    /// Whether an element was published.
    @inline(__always)
    package func has(_ index: Int) -> Bool {
      precondition(index >= 0 && index < count, "Index outside the array.")
      return unsafe marks[index].load(ordering: .acquiring)
    }

    /// An element, which must have been published.
    @inline(__always)
    package subscript(index: Int) -> Element {
      unsafeAddress {
        precondition(has(index), "The element was not published.")
        return unsafe UnsafePointer(elements + index)
      }
    }
  }

  /// The elements; used only while this array's owner is held.
  package let view: View
  private let publishing = Mutex(())

  /// An array of elements that are all to be published.
  package init(count: Int) {
    view = unsafe View(
      elements: .allocate(capacity: count), marks: .allocate(capacity: count), count: count)
    for index in 0..<count { unsafe (view.marks + index).initialize(to: Atomic(false)) }
  }

  deinit {
    // The elements are plain values.
    unsafe view.elements.deallocate()
    unsafe view.marks.deinitialize(count: view.count)
    unsafe view.marks.deallocate()
  }

  /// Publishes an element, unless one was published at the index before.
  package func publish(_ element: Element, at index: Int) {
    publishing.withLock { _ in
      guard !view.has(index) else { return }
      unsafe (view.elements + index).initialize(to: element)
      unsafe view.marks[index].store(true, ordering: .releasing)
    }
  }
}
