/// Appending rows of other columns; moving and repacking rows use this.
extension ColumnBuffer {
  /// Appends one row of another buffer of the same type.
  package func append(_ other: ColumnBuffer, row: Int) {
    append(other, rows: row..<row + 1)
  }

  /// Appends rows of another buffer of the same type; it must not be this buffer.
  package func append(_ other: ColumnBuffer, rows: Range<Int>) {
    precondition(other.type == type && other !== self, "The column's type is another.")
    other.check(rows)
    guard !rows.isEmpty, let source = unsafe other.storage.pointee.cells else { return }
    let first = count
    if type == .bytes {
      appendTexts(of: other, rows)
    } else {
      let stride = type.cellStride
      let target = unsafe growCells(by: rows.count)
      unsafe target.copyMemory(
        from: source + rows.lowerBound * stride, byteCount: rows.count * stride)
    }
    guard other.nullCount > 0 else { return }
    for index in 0..<rows.count where other.isNull(rows.lowerBound + index) {
      unsafe storage.pointee.setNull(first + index, true)
    }
  }

  private func appendTexts(of other: ColumnBuffer, _ rows: Range<Int>) {
    let spans = unsafe other.cells(from: rows.lowerBound, as: ByteSpan.self)
    if other.isSequential(rows) {
      let start = unsafe spans[0].offset
      let heapBytes = other.heapBytes.slice(start, unsafe spans[rows.count - 1].end - start)
      let moved = unsafe heapBytes.withUnsafeBytes { unsafe appender.appendToHeap($0) } - start
      let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: ByteSpan.self)
      for index in 0..<rows.count {
        var span = unsafe spans[index]
        span.offset &+= moved
        unsafe target[index] = span
      }
    } else {
      var range = unsafe spans[0].offset..<spans[0].end
      for index in 1..<max(rows.count, 1) {
        let span = unsafe spans[index]
        range = min(range.lowerBound, span.offset)..<max(range.upperBound, span.end)
      }
      appendSpans(of: other.heapBytes, range, count: rows.count) { unsafe spans[$0] }
    }
    guard other.externalCount > 0 else { return }
    for index in 0..<rows.count where unsafe spans[index].isExternal {
      unsafe storage.pointee.externalCount += 1
    }
  }

  /// Adds rows and returns the address of their cells, which the caller must fill.
  @unsafe
  func growCells(by rows: Int) -> UnsafeMutableRawPointer {
    let first = count
    unsafe storage.pointee.reserve(first + rows, stride: type.cellStride)
    unsafe storage.pointee.count = first + rows
    // Traps: only on a mistake in the engine, which must request cells of existing rows only.
    guard let cells = unsafe storage.pointee.cells else { fatalError("There are no rows.") }
    return unsafe cells + first * type.cellStride
  }
}
