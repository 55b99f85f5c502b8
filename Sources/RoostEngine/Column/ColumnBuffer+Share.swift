/// Appending texts that repeat.
///
/// A dictionary column of a leaf may repeat the same thousand bytes in thousands of rows. They are in memory once, as in the
/// file: the rows of a leaf take at most their spans and as many bytes as the leaf, however they are encoded.
extension ColumnBuffer {
  /// Appends the texts of rows of a chunk with a dictionary.
  ///
  /// - Parameter row: The chunk's row at a place among those that are appended.
  @inline(__always)
  func appendEntries(of chunk: ColumnChunk, count: Int, _ row: (_ place: Int) -> Int) {
    appendSpans(of: chunk.heap, 0..<chunk.heap.count, count: count) { place in
      let range = chunk.textRange(chunk.code(row(place)))
      return ByteSpan(
        offset: range.lowerBound,
        length: Int32(truncatingIfNeeded: range.upperBound &- range.lowerBound), isExternal: false)
    }
  }

  /// Appends texts from another heap: the range's bytes once, unless each text on its own takes fewer bytes.
  ///
  /// - Parameters:
  ///   - range: The part of the heap that the texts lie in.
  ///   - span: Where the text at a place among those that are appended lies. External cells are not counted.
  @inline(__always)
  func appendSpans(
    of heap: ByteView, _ range: Range<Int>, count: Int, _ span: (_ place: Int) -> ByteSpan
  ) {
    guard count > 0 else { return }
    let target = unsafe growCells(by: count).assumingMemoryBound(to: ByteSpan.self)
    var byteCount = 0
    for place in 0..<count {
      let span = span(place)
      byteCount &+= Int(span.length)
      unsafe target[place] = span
    }
    guard range.count > byteCount else {
      let start = range.lowerBound
      let slice = heap.slice(start, range.count)
      let moved = unsafe slice.withUnsafeBytes { unsafe appender.appendToHeap($0) } &- start
      for place in 0..<count { unsafe target[place].offset &+= moved }
      unsafe storage.pointee.sharesTexts = true
      unsafe storage.pointee.isSequential = false
      return
    }
    unsafe storage.pointee.reserveHeap(storage.pointee.heapCount + byteCount)
    for place in 0..<count {
      let text = unsafe heap.slice(target[place].offset, Int(target[place].length))
      unsafe target[place].offset = text.withUnsafeBytes { unsafe appender.appendToHeap($0) }
    }
  }
}
