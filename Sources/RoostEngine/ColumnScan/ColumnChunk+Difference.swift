/// Comparing cells of two columns bit for bit: NaN equals itself, and −0 differs from 0.
extension ColumnChunk {
  /// Whether another column has exactly the same bytes, and so the same values in the same rows.
  func hasSameBytes(as other: ColumnChunk) -> Bool {
    entry.isAlike(other.entry) && rowCount == other.rowCount
      && cells.bytesEqual(other.cells) && present.bytesEqual(other.present)
      && externals.bytesEqual(other.externals) && offsets.bytesEqual(other.offsets)
      && heap.bytesEqual(other.heap)
  }

  /// Calls `body` with each row whose value differs from another column's value, of the same type, in another row.
  ///
  /// - Parameters:
  ///   - rows: Rows of this column.
  ///   - start: The row of the other column that the first of them is compared with; the rest follow.
  ///   - isSame: Whether two values that lie outside their leaves, and are equally long, are the same.
  func forEachDifference(
    _ rows: Range<Int>, from other: ColumnChunk, at start: Int,
    isSame: (ValueReference, ValueReference) throws(EngineError) -> Bool,
    _ body: (Int) -> Void
  ) throws(EngineError) {
    guard type == other.type, !rows.isEmpty else { return }
    check(rows.upperBound - 1)
    other.check(start + rows.count - 1)
    let distance = start - rows.lowerBound
    switch type {
    case .integer:
      forEach(rows, distance, other, body) { uncheckedInteger($0) == other.uncheckedInteger($1) }
    case .double:
      forEach(rows, distance, other, body) {
        uncheckedDouble($0).bitPattern == other.uncheckedDouble($1).bitPattern
      }
    case .float:
      forEach(rows, distance, other, body) {
        uncheckedFloat($0).bitPattern == other.uncheckedFloat($1).bitPattern
      }
    case .uuid: forEach(rows, distance, other, body) { uuid($0) == other.uuid($1) }
    case .bytes where hasExternals || other.hasExternals:
      for row in rows where try !hasSameValue(row, other, row + distance, isSame) { body(row) }
    case .bytes:
      guard rows.count > 1, entry.encoding == .dictionary, other.entry.encoding == .dictionary
      else {
        return forEach(rows, distance, other, body) { bytes($0).bytesEqual(other.bytes($1)) }
      }
      let codes = codes(in: other)
      forEach(rows, distance, other, body) { Int(codes[code($0)]) == other.code($1) }
    }
  }

  /// Calls `body` with the rows in which only one cell is null, or the values differ.
  @inline(__always)
  private func forEach(
    _ rows: Range<Int>, _ distance: Int, _ other: ColumnChunk, _ body: (Int) -> Void,
    _ isSame: (_ row: Int, _ otherRow: Int) -> Bool
  ) {
    guard hasNulls || other.hasNulls else {
      for row in rows where !isSame(row, row &+ distance) { body(row) }
      return
    }
    for row in rows {
      let isNull = isNull(row)
      if isNull != other.isNull(row &+ distance) || !isNull && !isSame(row, row &+ distance) {
        body(row)
      }
    }
  }

  /// Whether a text or data is the same, when some values lie outside their leaf.
  private func hasSameValue(
    _ row: Int, _ other: ColumnChunk, _ otherRow: Int,
    _ isSame: (ValueReference, ValueReference) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    guard isNull(row) == other.isNull(otherRow) else { return false }
    guard !isNull(row) else { return true }
    switch (external(row), other.external(otherRow)) {
    case (nil, nil): return bytes(row).bytesEqual(other.bytes(otherRow))
    case (let reference?, let known?):
      guard reference != known else { return true }
      guard reference.length == known.length, reference.prefix == known.prefix else {
        return false
      }
      return try isSame(reference, known)
    // A value outside a leaf is longer than any value inside.
    default: return false
    }
  }

  /// For each code of a dictionary column the code of the same text in another dictionary; −1 if it has none.
  private func codes(in other: ColumnChunk) -> [Int32] {
    let count = Int(entry.parameter)
    let otherCount = Int(other.entry.parameter)
    var codes = [Int32](repeating: -1, count: count)
    var place = 0
    // Both dictionaries are sorted.
    for code in 0..<count {
      let text = text(code)
      while place < otherCount, other.text(place).precedes(text) { place += 1 }
      if place < otherCount, other.text(place).bytesEqual(text) { codes[code] = Int32(place) }
    }
    return codes
  }
}

extension ColumnEntry {
  /// Whether another entry equals this one, ignoring the location of the column.
  func isAlike(_ other: ColumnEntry) -> Bool {
    var other = other
    other.group = group
    other.offset = offset
    return self == other
  }
}
