/// Plain elements in memory that one owner allocates and frees. Copies share it and count no references.
///
/// For what is read for each row. The elements do not change. Invariant: a copy is used only while the owner lives, which
/// calls ``deallocate()`` at its end and nowhere else.
@safe
@usableFromInline
struct UnownedArray<Element: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline let first: UnsafePointer<Element>
  @usableFromInline let count: Int

  /// A copy of some elements.
  init(_ elements: some Collection<Element>) {
    count = elements.count
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: count)
    let (_, end) = unsafe UnsafeMutableBufferPointer(start: memory, count: count)
      .initialize(from: elements)
    // A collection that is shorter than its count would leave memory uninitialized.
    precondition(end == count, "A collection has as many elements as it counts.")
    unsafe first = UnsafePointer(memory)
  }

  /// Frees the memory; plain elements need no end of their own.
  func deallocate() { unsafe first.deallocate() }

  @inline(__always)
  subscript(index: Int) -> Element {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "Index outside the array.")
    return unsafe first[index]
  }

  /// The element at an index that the caller has compared with the count.
  @unsafe
  @inlinable @inline(__always)
  func unchecked(_ index: Int) -> Element {
    assert(UInt(bitPattern: index) < UInt(bitPattern: count), "Index outside the array.")
    return unsafe first[index]
  }
}

// The elements do not change.
extension UnownedArray: @unchecked Sendable where Element: Sendable {}
