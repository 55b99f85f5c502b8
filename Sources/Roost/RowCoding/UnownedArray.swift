/// Plain elements in memory that one owner allocates and frees. Copies share it and count no references.
///
/// For what is read for each row. The elements do not change. Invariant: a copy is used only while the owner lives, which
/// calls ``deallocate()`` at its end and nowhere else.
@safe
@usableFromInline
struct UnownedArray<Element: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline let first: UnsafePointer<Element>
  @usableFromInline let count: Int

  /// The elements that `element` returns for their indices.
  @inline(__always)
  init(count: Int, _ element: (Int) -> Element) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: count)
    for index in 0..<count { unsafe (memory + index).initialize(to: element(index)) }
    self.count = count
    unsafe first = UnsafePointer(memory)
  }

  /// A copy of an array.
  init(_ elements: [Element]) { self.init(count: elements.count) { elements[$0] } }

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
