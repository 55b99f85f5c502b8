extension ColumnBuffer {
  /// Stably sorts the rows by their parts; `parts` holds the part of each row.
  func move(to parts: [UInt8]) {
    precondition(parts.count == count, "A row has one part.")
    guard count > 0 else { return }
    let moved = ColumnBuffer(type: type)
    _ = unsafe moved.growCells(by: count)
    switch type {
    case .integer, .double: moveCells(to: moved, parts, as: UInt64.self)
    case .float: moveCells(to: moved, parts, as: UInt32.self)
    case .uuid: moveCells(to: moved, parts, as: SIMD2<UInt64>.self)
    case .bytes: moveTexts(to: moved, parts)
    }
    if nullCount > 0 {
      var places = Self.starts(of: parts) { _ in 1 }
      for row in 0..<count {
        let part = Int(parts[row])
        if isNull(row) { unsafe moved.storage.pointee.setNull(places[part], true) }
        places[part] += 1
      }
    }
    unsafe moved.storage.pointee.externalCount = externalCount
    withExtendedLifetime(moved) { unsafe swap(&storage.pointee, &moved.storage.pointee) }
  }

  private func moveCells<Cell: BitwiseCopyable>(
    to moved: ColumnBuffer, _ parts: [UInt8], as type: Cell.Type
  ) {
    var places = Self.starts(of: parts) { _ in 1 }
    let source = unsafe cells(from: 0, as: Cell.self)
    let target = unsafe UnsafeMutablePointer(mutating: moved.cells(from: 0, as: Cell.self))
    for row in 0..<count {
      let part = Int(parts[row])
      unsafe target[places[part]] = source[row]
      places[part] &+= 1
    }
  }

  private func moveTexts(to moved: ColumnBuffer, _ parts: [UInt8]) {
    var places = Self.starts(of: parts) { _ in 1 }
    let source = unsafe cells(from: 0, as: ByteSpan.self)
    let target = unsafe UnsafeMutablePointer(mutating: moved.cells(from: 0, as: ByteSpan.self))
    var offsets = Self.starts(of: parts) { row in unsafe Int(source[row].length) }
    let byteCount = heapByteCount(0..<count)
    unsafe moved.storage.pointee.reserveHeap(byteCount)
    unsafe moved.storage.pointee.heapCount = byteCount
    for row in 0..<count {
      let part = Int(parts[row])
      var span = unsafe source[row]
      if span.length > 0, let from = unsafe storage.pointee.heap,
        let to = unsafe moved.storage.pointee.heap
      {
        unsafe (to + offsets[part]).copyMemory(
          from: from + span.offset, byteCount: Int(span.length))
      }
      span.offset = offsets[part]
      offsets[part] &+= Int(span.length)
      unsafe target[places[part]] = span
      places[part] &+= 1
    }
  }

  /// The start of each part once the rows are sorted by part, measured in the sizes of the rows.
  @inline(__always)
  private static func starts(of parts: [UInt8], _ size: (_ row: Int) -> Int) -> [Int] {
    var starts = [Int](repeating: 0, count: Int(UInt8.max) + 1)
    for row in parts.indices { starts[Int(parts[row])] &+= size(row) }
    var sum = 0
    for part in starts.indices {
      let size = starts[part]
      starts[part] = sum
      sum += size
    }
    return starts
  }
}
