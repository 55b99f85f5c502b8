/// Zeroed memory for reads and writes outside the page cache.
@safe
package final class AlignedBytes {
  private let buffer: UnsafeMutableRawBufferPointer

  /// - Parameter alignment: A power of two; its address is a multiple of it.
  package init(count: Int, alignment: Int = 16) {
    unsafe buffer = .allocate(byteCount: count, alignment: alignment)
    mutableView.zero()
  }

  deinit { unsafe buffer.deallocate() }

  /// The bytes, for writing; valid only while this object is held.
  package var mutableView: MutableByteView { unsafe MutableByteView(buffer) }

  /// Calls `body` with the bytes.
  package func withView<R, E: Error>(_ body: (ByteView) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(unsafe ByteView(UnsafeRawBufferPointer(buffer)))
  }
}
