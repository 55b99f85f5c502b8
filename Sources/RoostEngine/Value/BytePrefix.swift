/// Prefixes of byte strings as numbers that sort like the strings.
extension ByteView {
  /// The 8 bytes from `offset` as a big-endian number, padded with zeros after the end.
  ///
  /// Zone maps store this prefix of a text (Format.md §3).
  @inlinable @inline(__always)
  func bigEndianPrefix(at offset: Int) -> UInt64 {
    if offset &+ 8 <= count { return uint64(at: offset).byteSwapped }
    var prefix: UInt64 = 0
    var index = offset
    while index < count {
      prefix = prefix &<< 8 | UInt64(uint8(at: index))
      index &+= 1
    }
    let missing = offset &+ 8 &- max(offset, count)
    return missing >= 8 ? 0 : prefix &<< UInt64(truncatingIfNeeded: missing &* 8)
  }
}
