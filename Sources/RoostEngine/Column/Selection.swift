/// The rows of a leaf that a filter has selected: a reusable bitmap of at most 4096 rows.
///
/// Bits beyond the last row are always clear. Not thread safe.
@safe
@usableFromInline
package final class Selection {
  /// The number of rows, selected or not.
  @usableFromInline package private(set) var rowCount: Int
  @usableFromInline let words: UnsafeMutablePointer<UInt64>

  /// An empty selection of 0 rows.
  package init() {
    rowCount = 0
    unsafe words = .allocate(capacity: ColumnLayout.rowCountMax / 64)
    unsafe words.initialize(repeating: 0, count: ColumnLayout.rowCountMax / 64)
  }

  deinit { unsafe words.deallocate() }

  /// The number of words that contain bits of rows.
  @inline(__always) var wordCount: Int { (rowCount + 63) >> 6 }

  /// Resets the selection to a number of rows, with all or none of them selected.
  package func reset(rowCount: Int, selected: Bool) {
    precondition(
      0 <= rowCount && rowCount <= ColumnLayout.rowCountMax, "More rows than a leaf has.")
    self.rowCount = rowCount
    unsafe words.update(repeating: selected ? ~0 : 0, count: wordCount)
    clearTail()
  }

  /// Resets the selection to a number of rows, with one run of them selected.
  func reset(rowCount: Int, run: Range<Int>) {
    reset(rowCount: rowCount, selected: false)
    for index in run.lowerBound >> 6..<(run.upperBound + 63) >> 6 {
      let first = index << 6
      unsafe words[index] =
        Bits.low(run.upperBound - first) & ~Bits.low(max(run.lowerBound - first, 0))
    }
  }

  /// The number of selected rows.
  package var count: Int {
    (0..<wordCount).reduce(0) { unsafe $0 &+ words[$1].nonzeroBitCount }
  }

  /// Whether no row is selected.
  package var isEmpty: Bool { (0..<wordCount).allSatisfy { unsafe words[$0] == 0 } }

  // MARK: Rows

  /// Whether a row is selected.
  @inlinable
  package func contains(_ row: Int) -> Bool {
    precondition(UInt(bitPattern: row) < UInt(bitPattern: rowCount), "No such row.")
    return unsafe words[row >> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  /// Selects or deselects a row.
  @inlinable
  package func set(_ row: Int, _ isSelected: Bool) {
    precondition(UInt(bitPattern: row) < UInt(bitPattern: rowCount), "No such row.")
    let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: row & 63)
    if isSelected {
      unsafe words[row >> 6] |= bit
    } else {
      unsafe words[row >> 6] &= ~bit
    }
  }

  /// The first selected row at or after `row`; nil if there is none.
  package func first(from row: Int) -> Int? {
    guard row < rowCount else { return nil }
    var index = row >> 6
    var word = unsafe words[index] & ~Bits.low(row & 63)
    while word == 0 {
      index += 1
      guard index < wordCount else { return nil }
      word = unsafe words[index]
    }
    return index << 6 | word.trailingZeroBitCount
  }

  /// Calls the closure with every selected row, in order.
  @inlinable
  package func forEach<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
    for index in 0..<(rowCount + 63) >> 6 {
      var word = unsafe words[index]
      while word != 0 {
        try body(index &<< 6 | word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  /// Calls the closure with every run of selected rows, in order.
  package func forEachRun<E: Error>(_ body: (Range<Int>) throws(E) -> Void) throws(E) {
    var start = first(from: 0)
    while let lower = start {
      let upper = firstMissing(from: lower)
      try body(lower..<upper)
      start = first(from: upper)
    }
  }

  /// The first row at or after `row` that is not selected; the row count if there is none.
  private func firstMissing(from row: Int) -> Int {
    var index = row >> 6
    var word = unsafe ~words[index] & ~Bits.low(row & 63)
    while word == 0 {
      index += 1
      guard index < wordCount else { return rowCount }
      word = unsafe ~words[index]
    }
    return min(rowCount, index << 6 | word.trailingZeroBitCount)
  }

  // MARK: Combining

  /// Keeps only the rows that are also selected in the other.
  package func formIntersection(_ other: Selection) {
    combine(other) { $0 & $1 }
  }

  /// Adds the rows that are selected in the other.
  package func formUnion(_ other: Selection) {
    combine(other) { $0 | $1 }
  }

  /// Removes the rows that are selected in the other.
  package func subtract(_ other: Selection) {
    combine(other) { $0 & ~$1 }
  }

  /// Copies the other's row count and selected rows.
  package func copy(_ other: Selection) {
    rowCount = other.rowCount
    combine(other) { $1 }
  }

  /// Selects exactly the rows that were not selected.
  package func invert() {
    for index in 0..<wordCount { unsafe words[index] = ~words[index] }
    clearTail()
  }

  @inline(__always)
  private func combine(_ other: Selection, _ operation: (UInt64, UInt64) -> UInt64) {
    precondition(rowCount == other.rowCount, "The selections are of different leaves.")
    let words = unsafe words
    let others = unsafe other.words
    for index in 0..<wordCount { unsafe words[index] = operation(words[index], others[index]) }
  }

  /// Clears the bits of the last word beyond the last row.
  func clearTail() {
    guard rowCount & 63 != 0 else { return }
    unsafe words[rowCount >> 6] &= Bits.low(rowCount & 63)
  }
}
