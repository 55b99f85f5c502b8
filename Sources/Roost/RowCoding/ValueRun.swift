/// Values of one type that lie at equal distances in memory: objects one after the other, or one property of each.
///
/// Programs that use Roost have no need of it.
@safe
public struct _ValueRun<Value>: ~Escapable {
  private let first: UnsafeRawPointer
  private let stride: Int
  /// The number of values.
  let count: Int

  /// - Parameters:
  ///   - first: The first of `count` values, `stride` bytes apart, which nobody changes while the run is used.
  @unsafe
  @inline(__always)
  @_lifetime(immortal)
  private init(first: UnsafeRawPointer, stride: Int, count: Int) {
    unsafe self.first = first
    self.stride = stride
    self.count = count
  }

  /// The values in a buffer, as long as the buffer.
  @inline(__always)
  @_lifetime(borrow values)
  init(_ values: UnsafeBufferPointer<Value>) {
    // The address of an empty buffer is not used.
    let first = unsafe values.baseAddress.map { unsafe UnsafeRawPointer($0) } ?? Self.nothing
    unsafe self.init(first: first, stride: MemoryLayout<Value>.stride, count: values.count)
  }

  /// Calls `body` with a run of one value.
  @inline(__always)
  static func with<Failure: Error>(
    _ value: Value, _ body: (_ValueRun) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafePointer(to: value) { (value) throws(Failure) in
      try body(unsafe _ValueRun(first: value, stride: 0, count: 1))
    }
  }

  private static var nothing: UnsafeRawPointer {
    unsafe UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  /// The value at an index, in place.
  @inline(__always)
  subscript(index: Int) -> Value {
    unsafeAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "No such value.")
      return unsafe (first + index &* stride).assumingMemoryBound(to: Value.self)
    }
  }

  /// Some of the values.
  @inline(__always)
  @_lifetime(copy self)
  func part(_ range: Range<Int>) -> _ValueRun {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "No such values.")
    return unsafe _ValueRun(
      first: first + range.lowerBound &* stride, stride: stride, count: range.count)
  }

  /// One stored property of each of the values.
  ///
  /// - Parameter offset: What `MemoryLayout<Value>.offset(of:)` is for a key path to a property of this type.
  @unsafe
  @inline(__always)
  @_lifetime(copy self)
  package func property<Stored>(at offset: Int, _ type: Stored.Type) -> _ValueRun<Stored> {
    unsafe _ValueRun<Stored>(first: first + offset, stride: stride, count: count)
  }

  /// Calls `body` with the address of the first value and the distance to the next.
  @unsafe
  @inline(__always)
  func withUnsafeValues(_ body: (UnsafeRawPointer, _ stride: Int) -> Void) {
    unsafe body(first, stride)
  }
}

extension Array {
  /// Calls `body` with a run of the elements.
  @inline(__always)
  func withValueRun<Failure: Error>(
    _ body: (_ValueRun<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafeBufferPointer { (elements) throws(Failure) in
      try body(unsafe _ValueRun(elements))
    }
  }
}
