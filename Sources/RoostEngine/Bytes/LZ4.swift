#if canImport(Darwin)
internal import Compression
#else
internal import CLZ4
#endif

/// Raw LZ4 blocks, as stored in large values; coded by the system's library.
package enum LZ4 {
  /// The most bytes that a block can decode to: LZ4's own limit, `LZ4_MAX_INPUT_SIZE`.
  static let sourceBytesMax = 0x7E00_0000

  /// The source as a block; nil if the block would not be smaller.
  package static func compress(_ source: ByteView) -> [UInt8]? {
    guard source.count > 1, source.count <= sourceBytesMax else { return nil }
    // The buffer is one byte smaller than the source, so the library fails if it cannot save anything.
    let block = unsafe [UInt8](unsafeUninitializedCapacity: source.count - 1) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      count = unsafe compressBlock(source, into: target, capacity: source.count - 1)
    }
    return block.isEmpty ? nil : block
  }

  /// Decodes a block into the target, and returns whether the block was complete and filled the target exactly.
  ///
  /// A damaged block is detected or decodes to wrong bytes; nothing outside the target is written. After
  /// false, the content of the target is undefined.
  package static func decompress(_ block: ByteView, into target: MutableByteView) -> Bool {
    guard block.count > 0, block.count <= Int(Int32.max), target.count <= sourceBytesMax else {
      return false
    }
    return decompressBlock(block, into: target)
  }
}

#if canImport(Darwin)
private func compressBlock(
  _ source: ByteView, into target: UnsafeMutablePointer<UInt8>, capacity: Int
) -> Int {
  unsafe source.withUnsafeBytes {
    guard let start = $0.baseAddress else { return 0 }
    return unsafe compression_encode_buffer(
      target, capacity, start.assumingMemoryBound(to: UInt8.self), source.count, nil,
      COMPRESSION_LZ4_RAW)
  }
}

private func decompressBlock(_ block: ByteView, into target: MutableByteView) -> Bool {
  unsafe block.withUnsafeBytes { block in
    guard let start = block.baseAddress else { return false }
    // One byte more than wanted, because the library does not distinguish a full target from a truncated block.
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: target.count + 1) {
      scratch in
      guard let scratchStart = scratch.baseAddress else { return false }
      let count = unsafe compression_decode_buffer(
        scratchStart, scratch.count, start.assumingMemoryBound(to: UInt8.self), block.count, nil,
        COMPRESSION_LZ4_RAW)
      guard count == target.count else { return false }
      unsafe target.copy(ByteView(base: scratchStart, count: count), at: 0)
      return true
    }
  }
}
#else
private func compressBlock(
  _ source: ByteView, into target: UnsafeMutablePointer<UInt8>, capacity: Int
) -> Int {
  unsafe source.withUnsafeBytes {
    Int(
      unsafe LZ4_compress_default(
        $0.baseAddress?.assumingMemoryBound(to: CChar.self),
        UnsafeMutableRawPointer(target).assumingMemoryBound(to: CChar.self),
        Int32(source.count), Int32(capacity)))
  }
}

private func decompressBlock(_ block: ByteView, into target: MutableByteView) -> Bool {
  let count = unsafe block.withUnsafeBytes {
    unsafe LZ4_decompress_safe(
      $0.baseAddress?.assumingMemoryBound(to: CChar.self),
      target.base.assumingMemoryBound(to: CChar.self),
      Int32(block.count), Int32(target.count))
  }
  return Int(count) == target.count
}
#endif
