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
    // Without gaps in the heap, what lies behind the last span is nobody's.
    if unsafe type == .bytes && storage.pointee.isSequential {
      unsafe storage.pointee.heapCount = row == 0 ? 0 : span(row - 1).end
    }
  }
}
