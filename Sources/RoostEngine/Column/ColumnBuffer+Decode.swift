/// Appending rows of an encoded column.
extension ColumnBuffer {
  /// Appends one row of a chunk of the same type.
  package func append(_ chunk: ColumnChunk, row: Int) {
    append(chunk, rows: row..<row + 1)
  }

  /// Appends the selected rows of a chunk of the same type, in their order.
  package func append(_ chunk: ColumnChunk, selected: Selection) {
    selected.forEachRun { append(chunk, rows: $0) }
  }

  /// Appends rows of a chunk of the same type.
  package func append(_ chunk: ColumnChunk, rows: Range<Int>) {
    precondition(chunk.type == type, "The column's type is another.")
    precondition(
      0 <= rows.lowerBound && rows.upperBound <= chunk.rowCount, "No such rows.")
    guard !rows.isEmpty else { return }
    let first = count
    switch type {
    case .integer:
      let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: Int64.self)
      unsafe chunk.decode(rows, into: target)
    case .double:
      let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: Double.self)
      unsafe chunk.decode(rows, into: target)
    case .float:
      let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: Float.self)
      unsafe chunk.decode(rows, into: target)
    case .bytes:
      appendTexts(of: chunk, rows)
    case .uuid:
      let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: SIMD2<UInt64>.self)
      for index in 0..<rows.count {
        let halves = chunk.uuid(rows.lowerBound &+ index)
        unsafe target[index] = SIMD2(halves.high.bigEndian, halves.low.bigEndian)
      }
    }
    if chunk.hasNulls { setNulls(of: chunk, rows, first: first) }
  }

  /// Appends rows of a chunk of the same type, in the given order.
  ///
  /// Decodes all numbers of the chunk, then picks the requested ones.
  package func append(_ chunk: ColumnChunk, gathering rows: [Int32]) {
    precondition(chunk.type == type, "The column's type is another.")
    let first = count
    switch type {
    case .integer:
      unsafe gather(chunk, rows, as: Int64.self) {
        unsafe chunk.decode(0..<chunk.rowCount, into: $0)
      }
    case .double:
      unsafe gather(chunk, rows, as: Double.self) {
        unsafe chunk.decode(0..<chunk.rowCount, into: $0)
      }
    case .float:
      unsafe gather(chunk, rows, as: Float.self) {
        unsafe chunk.decode(0..<chunk.rowCount, into: $0)
      }
    case .bytes where chunk.entry.encoding == .dictionary:
      appendEntries(of: chunk, count: rows.count) { Int(rows[$0]) }
    case .bytes:
      for row in rows {
        let bytes = chunk.bytes(Int(row))
        let isExternal = chunk.isExternal(Int(row))
        unsafe bytes.withUnsafeBytes { unsafe appender.appendSpan($0, isExternal: isExternal) }
        if isExternal { unsafe storage.pointee.externalCount += 1 }
      }
    case .uuid:
      for row in rows {
        let halves = chunk.uuid(Int(row))
        append(uuid: halves.high, halves.low)
      }
    }
    guard chunk.hasNulls else { return }
    for (place, row) in rows.enumerated() where chunk.isNull(Int(row)) { setNull(first + place) }
  }

  private func gather<Cell: BitwiseCopyable>(
    _ chunk: ColumnChunk, _ rows: [Int32], as type: Cell.Type,
    _ decode: (UnsafeMutablePointer<Cell>) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: chunk.rowCount) { all in
      guard let base = all.baseAddress, !rows.isEmpty else { return }
      unsafe decode(base)
      let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: Cell.self)
      for place in 0..<rows.count { unsafe target[place] = all[Int(rows[place])] }
    }
  }

  private func appendTexts(of chunk: ColumnChunk, _ rows: Range<Int>) {
    guard chunk.entry.encoding == .plain else {
      if chunk.entry.encoding == .dictionary {
        return appendEntries(of: chunk, count: rows.count) { rows.lowerBound &+ $0 }
      }
      for _ in rows { appendNoText() }
      return
    }
    // The texts are contiguous: one copy for all of them.
    let start = chunk.textRange(rows.lowerBound).lowerBound
    let end = chunk.textRange(rows.upperBound - 1).upperBound
    let slice = chunk.heap.slice(start, end - start)
    let moved = unsafe slice.withUnsafeBytes { unsafe appender.appendToHeap($0) } - start
    let target = unsafe growCells(by: rows.count).assumingMemoryBound(to: ByteSpan.self)
    for index in 0..<rows.count {
      let range = chunk.textRange(rows.lowerBound &+ index)
      unsafe target[index] = ByteSpan(
        offset: range.lowerBound &+ moved,
        length: Int32(truncatingIfNeeded: range.upperBound &- range.lowerBound), isExternal: false)
    }
    guard chunk.hasExternals else { return }
    for index in 0..<rows.count where chunk.isExternal(rows.lowerBound + index) {
      unsafe target[index].isExternal = true
      unsafe storage.pointee.externalCount += 1
    }
  }

  private func appendNoText() {
    unsafe appender.appendSpan(UnsafeRawBufferPointer(start: nil, count: 0), isExternal: false)
  }

  /// Copies the chunk's nulls; the cell of a null becomes zero, whatever the chunk stores there.
  private func setNulls(of chunk: ColumnChunk, _ rows: Range<Int>, first: Int) {
    for index in 0..<rows.count where chunk.isNull(rows.lowerBound + index) {
      setNull(first + index)
    }
  }
}

extension ColumnChunk {
  /// Writes the integers of some rows to memory with room for them; an arbitrary number for a null.
  @unsafe
  package func decode(_ rows: Range<Int>, into target: UnsafeMutablePointer<Int64>) {
    precondition(type == .integer && 0 <= rows.lowerBound && rows.upperBound <= rowCount)
    let base = base
    guard step == 0 else {
      for index in 0..<rows.count {
        unsafe target[index] = uncheckedInteger(rows.lowerBound &+ index)
      }
      return
    }
    codes.forEach(rows, in: cells) { index, code in
      unsafe target[index] = base &+ Int64(bitPattern: code)
    }
  }

  /// Writes the doubles of some rows to memory with room for them; an arbitrary number for a null.
  @unsafe
  package func decode(_ rows: Range<Int>, into target: UnsafeMutablePointer<Double>) {
    precondition(type == .double && 0 <= rows.lowerBound && rows.upperBound <= rowCount)
    switch entry.encoding {
    case .raw:
      let target = unsafe MutableByteView(base: target, count: rows.count * 8)
      target.copy(cells.slice(rows.lowerBound * 8, rows.count * 8), at: 0)
    case .scaled where power == 1:
      codes.forEach(rows, in: cells) { index, code in
        unsafe target[index] = Double(base &+ Int64(bitPattern: code))
      }
    case .scaled:
      codes.forEach(rows, in: cells) { index, code in
        unsafe target[index] = Double(base &+ Int64(bitPattern: code)) / power
      }
    default:
      unsafe target.update(repeating: 0, count: rows.count)
    }
  }

  /// Writes the floats of some rows to memory with room for them; an arbitrary number for a null.
  @unsafe
  package func decode(_ rows: Range<Int>, into target: UnsafeMutablePointer<Float>) {
    precondition(type == .float && 0 <= rows.lowerBound && rows.upperBound <= rowCount)
    for index in 0..<rows.count {
      unsafe target[index] = uncheckedFloat(rows.lowerBound &+ index)
    }
  }
}

extension ColumnChunk {
  /// Writes the positions of some rows' texts in the column's heap to memory with room for them: in each word, the start
  /// offset in the lower half and the end offset in the upper half.
  ///
  /// - Returns: The heap, which the leaf holds; nil, and nothing is written, where some row is null or lies outside.
  @unsafe
  package func decodeTexts(
    _ rows: Range<Int>, into target: UnsafeMutablePointer<UInt64>
  ) -> UnsafeRawPointer? {
    precondition(type == .bytes && 0 <= rows.lowerBound && rows.upperBound <= rowCount)
    guard !hasNulls, !hasExternals else { return nil }
    let isPlain = entry.encoding == .plain
    for index in 0..<rows.count {
      let row = rows.lowerBound &+ index
      let range = textRange(isPlain ? row : code(row))
      unsafe target[index] =
        UInt64(truncatingIfNeeded: range.lowerBound)
        | UInt64(truncatingIfNeeded: range.upperBound) &<< 32
    }
    return unsafe heap.withUnsafeBytes { $0.baseAddress }
  }
}

extension CodeReader {
  /// Calls the closure with the codes of some rows, and their indices counted from the first of them.
  ///
  /// The closure is inlined into a loop of its own for each width of whole bytes.
  @inline(__always)
  func forEach(_ rows: Range<Int>, in cells: ByteView, _ body: (Int, UInt64) -> Void) {
    switch width {
    case 8: Self.forEach(rows, in: cells, of: UInt8.self, body)
    case 16: Self.forEach(rows, in: cells, of: UInt16.self, body)
    case 32: Self.forEach(rows, in: cells, of: UInt32.self, body)
    case 64: Self.forEach(rows, in: cells, of: UInt64.self, body)
    default:
      for row in rows { body(row &- rows.lowerBound, code(row, in: cells)) }
    }
  }

  @inline(__always)
  private static func forEach<Code: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ rows: Range<Int>, in cells: ByteView, of type: Code.Type, _ body: (Int, UInt64) -> Void
  ) {
    let size = MemoryLayout<Code>.size
    let codes = cells.slice(rows.lowerBound &* size, rows.count &* size)
    // The slice was checked: it has as many codes as there are rows.
    for index in 0..<rows.count {
      body(index, UInt64(unsafe codes.uncheckedLoad(at: index &* size, as: Code.self)))
    }
  }
}
