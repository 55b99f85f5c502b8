extension [UInt8] {
  /// Calls `body` with a view of the array's bytes, which is valid until `body` returns.
  @inlinable @inline(__always)
  package func withByteView<Result, Failure: Error>(
    _ body: (ByteView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The array is held, and not changed, until `body` returns.
    unsafe try withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
      try unsafe body(ByteView(UnsafeRawBufferPointer(buffer)))
    }
  }

  /// Calls `body` with a view through which the array's bytes are changed, valid until `body` returns.
  @inline(__always)
  mutating func withMutableByteView<Result, Failure: Error>(
    _ body: (MutableByteView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The array is held, and reached in no other way, until `body` returns.
    unsafe try withUnsafeMutableBufferPointer { (buffer) throws(Failure) -> Result in
      try unsafe body(MutableByteView(UnsafeMutableRawBufferPointer(buffer)))
    }
  }

  /// Adds bytes that do not lie in this array.
  @inlinable @inline(__always)
  package mutating func append(_ bytes: ByteView) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// Adds the bytes of an integer as it lies in memory: give `bigEndian` or `littleEndian` of it.
  @inline(__always)
  mutating func append(bytesOf integer: some FixedWidthInteger & BitwiseCopyable) {
    unsafe Swift.withUnsafeBytes(of: integer) { unsafe append(contentsOf: $0) }
  }
}

extension [UInt64] {
  /// So many zeros, set as bytes: a debug build would take long for a step for each.
  init(zeros count: Int) {
    // For none, the call below would write the count shared by all empty arrays, on every thread.
    guard count > 0 else {
      self = []
      return
    }
    unsafe self.init(unsafeUninitializedCapacity: count) { words, initialized in
      unsafe MutableByteView(UnsafeMutableRawBufferPointer(words)).zero()
      initialized = count
    }
  }
}

/// Calls `body` with memory for some bytes, on the stack where they are few; valid until `body` returns.
///
/// The bytes are not zeroed: `body` writes them before it reads them.
@inline(__always)
func withTemporaryBytes<Result, Failure: Error>(
  _ count: Int, _ body: (MutableByteView) throws(Failure) -> Result
) throws(Failure) -> Result {
  // The standard library's closure is not generic over its error.
  let result = unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { buffer in
    Swift.Result { () throws(Failure) in try unsafe body(MutableByteView(buffer)) }
  }
  return try result.get()
}

extension ArraySlice<UInt8> {
  /// Calls `body` with a view of the slice's bytes, which is valid until `body` returns.
  @inlinable @inline(__always)
  package func withByteView<Result, Failure: Error>(
    _ body: (ByteView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The slice is held, and not changed, until `body` returns.
    unsafe try withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
      try unsafe body(ByteView(UnsafeRawBufferPointer(buffer)))
    }
  }
}

extension String {
  /// Calls `body` with a view of the text's UTF-8, which is valid until `body` returns.
  @inlinable @inline(__always)
  package func withByteView<Result>(_ body: (ByteView) -> Result) -> Result {
    var text = self
    // The copy is held, and not changed, until `body` returns.
    return text.withUTF8 { body(unsafe ByteView(UnsafeRawBufferPointer($0))) }
  }
}
