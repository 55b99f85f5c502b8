extension ColumnAppender {
  /// Appends the UTF-8 of strings in memory from `first`, one every `stride` bytes.
  ///
  /// Reserves memory for all of them first. So nothing can change the strings while they are copied, and they need
  /// no retain: a retain reads and writes the string's own memory, and waits for it.
  @unsafe
  package func append(stringsAt first: UnsafeRawPointer, stride: Int, count: Int) {
    precondition(type == .bytes, "The column's type is another.")
    var byteCount = 0
    for index in 0..<count {
      // The caller guarantees initialized strings at these places.
      let string = unsafe (first + index &* stride).assumingMemoryBound(to: String.self)
      byteCount += unsafe string.pointee.utf8.count
    }
    unsafe storage.pointee.reserve(storage.pointee.count + count, stride: type.cellStride)
    // Empty texts need a place in the heap too.
    unsafe storage.pointee.reserveHeap(storage.pointee.heapCount + max(byteCount, 1))
    guard let heap = unsafe storage.pointee.heap, let cells = unsafe storage.pointee.cells else {
      return
    }
    let spans = unsafe cells.assumingMemoryBound(to: ByteSpan.self)
    for index in 0..<count {
      if index.isMultiple(of: Self.readAhead) {
        unsafe touch(
          first + index &* stride, stride: stride, count: min(Self.readAhead, count &- index))
      }
      let string = unsafe (first + index &* stride).assumingMemoryBound(to: String.self)
      let copied: Void? = unsafe string.pointee.utf8.withContiguousStorageIfAvailable { bytes in
        precondition(bytes.count <= Int32.max, "A text has less than 2 GiB.")
        let offset = unsafe storage.pointee.heapCount
        if let source = bytes.baseAddress {
          unsafe (heap + offset).copyMemory(from: source, byteCount: bytes.count)
        }
        unsafe storage.pointee.heapCount = offset &+ bytes.count
        unsafe spans[storage.pointee.count] = ByteSpan(
          offset: offset, length: Int32(truncatingIfNeeded: bytes.count), isExternal: false)
        unsafe storage.pointee.count &+= 1
      }
      // Memory for its bytes is reserved too, so that nothing moves.
      if copied == nil { unsafe appendBridged(string.pointee) }
    }
  }
  /// The number of strings that are prefetched at a time.
  private static let readAhead = 32

  /// Reads the ends of some strings, so that the processor fetches them in parallel.
  @unsafe @inline(__always)
  private func touch(_ first: UnsafeRawPointer, stride: Int, count: Int) {
    var sum: UInt8 = 0
    for index in 0..<count {
      let string = unsafe (first + index &* stride).assumingMemoryBound(to: String.self)
      _ = unsafe string.pointee.utf8.withContiguousStorageIfAvailable { bytes in
        guard let start = unsafe bytes.first, let end = unsafe bytes.last else { return }
        sum &+= start &+ end
      }
    }
    unsafe storage.pointee.touched = sum
  }
}
