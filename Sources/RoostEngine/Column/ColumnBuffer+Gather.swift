extension ColumnBuffer {
  /// Appends rows of another buffer of the same type, in the given order.
  package func append(_ other: ColumnBuffer, gathering rows: ArraySlice<Int32>) {
    precondition(other.type == type && other !== self, "The column's type is another.")
    guard !rows.isEmpty else { return }
    let first = count
    switch type {
    case .integer, .double: gatherCells(of: other, rows, as: UInt64.self)
    case .float: gatherCells(of: other, rows, as: UInt32.self)
    case .uuid: gatherCells(of: other, rows, as: SIMD2<UInt64>.self)
    case .bytes: gatherTexts(of: other, rows)
    }
    guard other.nullCount > 0 else { return }
    for (place, row) in rows.enumerated() where other.isNull(Int(row)) {
      unsafe storage.pointee.setNull(first + place, true)
    }
  }

  private func gatherCells<Cell: BitwiseCopyable>(
    of other: ColumnBuffer, _ rows: ArraySlice<Int32>, as type: Cell.Type
  ) {
    let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: Cell.self)
    var place = 0
    for row in rows {
      unsafe target[place] = other.cell(Int(row))
      place &+= 1
    }
  }

  /// Reserves memory once, so that the loop only copies and many cache misses overlap.
  private func gatherTexts(of other: ColumnBuffer, _ rows: ArraySlice<Int32>) {
    var byteCount = 0
    for row in rows { byteCount += Int(other.span(Int(row)).length) }
    // Rows that are gathered several times, or that share texts, share them here too.
    if unsafe byteCount > other.storage.pointee.heapCount {
      return gatherSharedTexts(of: other, rows)
    }
    unsafe storage.pointee.reserveHeap(storage.pointee.heapCount + byteCount)
    let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: ByteSpan.self)
    let heap = unsafe storage.pointee.heap
    let source = unsafe other.storage.pointee.heap
    var end = unsafe storage.pointee.heapCount
    var externals = 0
    var place = 0
    for row in rows {
      var span = other.span(Int(row))
      if span.length > 0, let heap = unsafe heap, let source = unsafe source {
        unsafe (heap + end).copyMemory(from: source + span.offset, byteCount: Int(span.length))
      }
      span.offset = end
      end &+= Int(span.length)
      externals &+= span.isExternal ? 1 : 0
      unsafe target[place] = span
      place &+= 1
    }
    unsafe storage.pointee.heapCount = end
    unsafe storage.pointee.externalCount += externals
  }

  private func gatherSharedTexts(of other: ColumnBuffer, _ rows: ArraySlice<Int32>) {
    let heap = other.heapBytes
    appendSpans(of: heap, 0..<heap.count, count: rows.count) {
      other.span(Int(rows[rows.startIndex &+ $0]))
    }
    guard other.externalCount > 0 else { return }
    for row in rows where other.span(Int(row)).isExternal {
      unsafe storage.pointee.externalCount += 1
    }
  }
}
