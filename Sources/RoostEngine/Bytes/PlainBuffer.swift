/// A growable array of trivial values that owns its memory.
///
/// Rewriting a tree empties and refills these buffers for every leaf; an array's uniqueness checks would
/// take most of that time. Indices come from the engine, never from a file; a wrong index
/// is a mistake in the engine and ends the program in every build.
@safe
struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var base = unsafe reallocated(nil, 1).assumingMemoryBound(to: Element.self)
  private var capacity = 0
  private let firstCapacity: Int
  private(set) var count = 0

  /// An empty buffer, which allocates memory when it is first filled.
  init(minimumCapacity: Int = 64) {
    firstCapacity = minimumCapacity
  }

  deinit { unsafe deallocated(base) }

  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < count, "Index outside the buffer.")
      return unsafe base[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count, "Index outside the buffer.")
      unsafe base[index] = newValue
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    unsafe (base + count).initialize(to: element)
    count += 1
  }

  /// Adds `additional` places and lets `body` fill all of them.
  @inline(__always)
  mutating func append(
    unsafely additional: Int, _ body: (UnsafeMutableBufferPointer<Element>) -> Void
  ) {
    if count + additional > capacity { grow(to: count + additional) }
    unsafe body(UnsafeMutableBufferPointer(start: base + count, count: additional))
    count += additional
  }

  /// Appends the elements that `element` returns for 0 up to `additional`.
  @inline(__always)
  mutating func append(count additional: Int, _ element: (Int) -> Element) {
    unsafe append(unsafely: additional) { target in
      for place in 0..<additional { unsafe target.initializeElement(at: place, to: element(place)) }
    }
  }

  /// Appends a range of another buffer's elements.
  mutating func append(_ other: borrowing PlainBuffer, _ range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= other.count, "Range outside the buffer.")
    if count + range.count > capacity { grow(to: count + range.count) }
    unsafe (base + count).initialize(from: other.base + range.lowerBound, count: range.count)
    count += range.count
  }

  mutating func removeAll() { count = 0 }

  mutating func removeLast(_ removed: Int = 1) {
    precondition(removed >= 0 && removed <= count, "More removed than there are.")
    count -= removed
  }

  /// Removes elements from the front; the others move down.
  mutating func removeFirst(_ removed: Int) {
    precondition(removed >= 0 && removed <= count, "More removed than there are.")
    guard removed > 0 else { return }
    unsafe base.update(from: base + removed, count: count - removed)
    count -= removed
  }

  /// Sets the number of elements; new elements are `element`.
  mutating func resize(to newCount: Int, filling element: Element) {
    if newCount > capacity { grow(to: newCount) }
    if newCount > count {
      unsafe (base + count).initialize(repeating: element, count: newCount - count)
    }
    count = newCount
  }

  /// Calls `body` with the elements in place; valid until the buffer changes.
  @inline(__always)
  func withUnsafeElements<R, E: Error>(
    _ body: (UnsafeBufferPointer<Element>) throws(E) -> R
  ) throws(E) -> R {
    unsafe try body(UnsafeBufferPointer(start: base, count: count))
  }

  /// Calls `body` with the elements in place, for writing.
  @inline(__always)
  mutating func withUnsafeMutableElements<R, E: Error>(
    _ body: (UnsafeMutableBufferPointer<Element>) throws(E) -> R
  ) throws(E) -> R {
    unsafe try body(UnsafeMutableBufferPointer(start: base, count: count))
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    capacity = max(needed, capacity * 2, firstCapacity)
    // The system moves a large allocation in its page tables, without copying or touching it.
    unsafe base = reallocated(base, capacity * MemoryLayout<Element>.stride)
      .assumingMemoryBound(to: Element.self)
  }
}

extension PlainBuffer where Element == UInt8 {
  /// A view of some of the bytes; valid until the buffer changes.
  @inline(__always)
  func view(_ offset: Int, _ count: Int) -> ByteView {
    precondition(
      offset >= 0 && count >= 0 && count <= self.count && offset <= self.count &- count,
      "View outside the buffer.")
    return unsafe ByteView(base: base + offset, count: count)
  }

  /// Appends the bytes of a view, which must not lie in this buffer.
  @inline(__always)
  mutating func append(_ bytes: ByteView) {
    unsafe append(unsafely: bytes.count) { target in
      unsafe bytes.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
      }
    }
  }
}
