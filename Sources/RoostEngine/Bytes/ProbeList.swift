/// The first bytes of some parts of a node as ascending numbers: contiguous, while the parts are not.
///
/// Set by the initializer of its owner, and constant once other threads can see the owner.
@safe
struct ProbeList: ~Copyable, @unchecked Sendable {
  private let base: UnsafeMutablePointer<UInt64>
  let count: Int

  /// A list of zeros.
  init(count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: max(count, 1))
    unsafe base.initialize(repeating: 0, count: count)
  }

  deinit { unsafe base.deallocate() }

  @inline(__always)
  subscript(index: Int) -> UInt64 {
    get {
      precondition(index >= 0 && index < count, "No such part.")
      return unsafe base[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count, "No such part.")
      unsafe base[index] = newValue
    }
  }

  /// The number of elements below a number.
  @inline(__always)
  func count(below number: UInt64) -> Int {
    // Branchless, so that the processor cannot mispredict.
    var low = 0
    var left = count
    while left > 0 {
      let half = (left &+ 1) >> 1
      // At least 0 and below `low + left`, which never exceeds the count.
      low = unsafe base[low &+ half &- 1] < number ? low &+ half : low
      left &-= half
    }
    return low
  }

  /// The number of elements not above a number, given the number of elements below it.
  @inline(__always)
  func count(notAbove number: UInt64, below: Int) -> Int {
    guard below < count, self[below] == number else { return below }
    return number == .max ? count : count(below: number + 1)
  }
}
