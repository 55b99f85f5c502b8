/// An array of a fixed length in memory of its own.
///
/// For what is read on hot paths: an element is reached without counting a reference to the array, and is not copied.
/// Indices are the engine's own, never a file's; a wrong one is a mistake in the engine and ends the program, in every
/// build.
@safe
package struct FixedArray<Element: ~Copyable>: ~Copyable {
  /// `count` elements, all of which are initialized.
  private let base: UnsafeMutablePointer<Element>
  package let count: Int

  /// The elements that `element` returns for their indices.
  package init<Failure: Error>(count: Int, _ element: (Int) throws(Failure) -> Element)
    throws(Failure)
  {
    precondition(count >= 0, "An array cannot have a negative length.")
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
    var made = 0
    do throws(Failure) {
      while made < count {
        unsafe (memory + made).initialize(to: try element(made))
        made += 1
      }
    } catch {
      unsafe memory.deinitialize(count: made)
      unsafe memory.deallocate()
      throw error
    }
    unsafe base = memory
    self.count = count
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  @inline(__always)
  package subscript(index: Int) -> Element {
    unsafeAddress {
      check(index)
      return unsafe UnsafePointer(base + index)
    }
    unsafeMutableAddress {
      check(index)
      return unsafe base + index
    }
  }

  /// One comparison: a negative index is a large number without its sign, and the count is never negative.
  @inline(__always)
  private func check(_ index: Int) {
    precondition(
      UInt(bitPattern: index) < UInt(bitPattern: count), "Index outside the array.")
  }

  /// Where an element is, which is as long as the array.
  @unsafe
  @inline(__always)
  package func pointer(_ index: Int) -> UnsafePointer<Element> {
    check(index)
    return unsafe UnsafePointer(base + index)
  }
}

extension FixedArray: @unchecked Sendable where Element: Sendable & ~Copyable {}

extension FixedArray where Element: BitwiseCopyable {
  /// An element, for loops whose bounds are checked before them.
  ///
  /// - Parameter index: Below ``count``: say beside the call why it is.
  @unsafe
  @inline(__always)
  func unchecked(_ index: Int) -> Element {
    assert(index >= 0 && index < count, "Index outside the array.")
    return unsafe base[index]
  }

  /// An array with the same element everywhere.
  package init(repeating element: Element, count: Int) {
    precondition(count >= 0, "An array cannot have a negative length.")
    unsafe base = .allocate(capacity: max(count, 1))
    unsafe base.initialize(repeating: element, count: count)
    self.count = count
  }

  /// A copy of another array.
  package init(copyOf other: borrowing FixedArray) {
    count = other.count
    unsafe base = .allocate(capacity: max(other.count, 1))
    unsafe base.initialize(from: other.base, count: other.count)
  }
}
