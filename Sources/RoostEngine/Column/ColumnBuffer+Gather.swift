extension ColumnBuffer {
  /// Appends rows of another buffer of the same type, in the order that is given.
  func append(_ other: ColumnBuffer, gathering rows: ArraySlice<Int32>) {
    precondition(other.type == type && other !== self, "The column's type is another.")
    guard !rows.isEmpty else { return }
    let first = count
    switch type {
    case .integer, .double: gatherCells(of: other, rows, as: UInt64.self)
    case .float: gatherCells(of: other, rows, as: UInt32.self)
    case .uuid: gatherCells(of: other, rows, as: SIMD2<UInt64>.self)
    case .bytes:
      for row in rows { append(other, row: Int(row)) }
      return
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
}
