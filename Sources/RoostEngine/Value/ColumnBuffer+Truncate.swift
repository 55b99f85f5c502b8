extension ColumnBuffer {
  /// Removes the rows from `row` on.
  package func removeRows(from row: Int) {
    precondition(row >= 0, "A row is not negative.")
    guard row < count else { return }
    for removed in row..<count {
      if isNull(removed) { unsafe storage.pointee.setNull(removed, false) }
      if externalCount > 0, span(removed).isExternal { unsafe storage.pointee.externalCount -= 1 }
    }
    unsafe storage.pointee.count = row
    // If the heap has no gaps, the bytes after the last span are unused.
    if unsafe type == .bytes && storage.pointee.isSequential {
      unsafe storage.pointee.heapCount = row == 0 ? 0 : span(row - 1).end
    }
  }
}
