extension [UInt8] {
  /// The little-endian integer at an offset, which has to be inside of the array with all of its bytes.
  @inline(__always)
  func load<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
    // The call checks its bounds, and every bit pattern is a valid integer.
    T(littleEndian: unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }
}
