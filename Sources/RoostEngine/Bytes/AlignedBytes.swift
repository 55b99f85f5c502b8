/// Zeroed memory for reads and writes outside the page cache.
@safe
package final class AlignedBytes {
  package let buffer: UnsafeMutableRawBufferPointer

  package init(count: Int) {
    unsafe buffer = .allocate(byteCount: count, alignment: 16)
    unsafe _ = buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe buffer.deallocate() }

  /// The bytes, for writing; valid only while this object is held.
  var mutableView: MutableByteView {
    guard let base = unsafe buffer.baseAddress else {
      preconditionFailure("No bytes were asked for.")
    }
    return unsafe MutableByteView(base: base, count: buffer.count)
  }

  /// Calls `body` with the bytes.
  package func withView<R, E: Error>(_ body: (ByteView) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(unsafe ByteView(UnsafeRawBufferPointer(buffer)))
  }
}
