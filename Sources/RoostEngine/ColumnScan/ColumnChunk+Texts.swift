/// Filters of texts.
extension ColumnChunk {
  /// Selects the rows whose text matches a pattern.
  package func filter(_ match: TextMatch, _ pattern: [UInt8], into selection: Selection) {
    switch entry.answer(match, pattern, rowCount: rowCount) {
    case .none: selection.reset(rowCount: rowCount, selected: false)
    case .all: selection.reset(rowCount: rowCount, selected: true)
    case .some:
      unsafe pattern.withUnsafeBytes { unsafe scan(match, ByteView($0), into: selection) }
      keepPresent(selection)
    }
  }

  private func scan(_ match: TextMatch, _ pattern: ByteView, into selection: Selection) {
    if pattern.count == 0 {
      return selection.reset(rowCount: rowCount, selected: true)
    }
    switch (entry.encoding, match) {
    case (.dictionary, .prefix):
      scan(entries(withPrefix: pattern), into: selection)
    case (.dictionary, _):
      // Once for each distinct text, then by code.
      let entries = Selection()
      scan(match, pattern, count: Int(entry.parameter), into: entries)
      scan(entries: entries, into: selection)
    default:
      scan(match, pattern, count: rowCount, into: selection)
    }
  }

  /// Selects the entries of the heap that match.
  func scan(
    _ match: TextMatch, _ pattern: ByteView, count: Int, into selection: Selection
  ) {
    switch match {
    case .contains:
      selection.reset(rowCount: textCount, selected: false)
      search(pattern, into: selection)
    case .prefix:
      let beginning = pattern.bigEndianPrefix(at: 0)
      let mask = pattern.count >= 8 ? ~0 : ~(~0 as UInt64 &>> UInt64(pattern.count * 8))
      selection.fill(rowCount: count) { index in
        let range = textRange(index)
        guard range.count >= pattern.count,
          heap.bigEndianPrefix(range) & mask == beginning
        else { return false }
        return heap.slice(range.lowerBound, pattern.count).bytesEqual(pattern)
      }
    case .suffix:
      selection.fill(rowCount: count) { index in
        let range = textRange(index)
        return range.count >= pattern.count
          && heap.slice(range.upperBound &- pattern.count, pattern.count).bytesEqual(pattern)
      }
    }
  }

  /// Selects the rows whose dictionary entry is selected.
  func scan(entries: Selection, into selection: Selection) {
    guard let first = entries.first(from: 0) else {
      return selection.reset(rowCount: rowCount, selected: false)
    }
    let count = entries.count
    if entries.first(from: first + count - 1) == first + count - 1,
      count == 1 || isRun(entries, first, count)
    {
      return scan(
        CodeRange(lower: UInt64(first), upper: UInt64(first + count - 1)), into: selection)
    }
    let chosen = unsafe entries.words
    selection.fill(rowCount: rowCount) { row in
      let code = code(row)
      return unsafe chosen[code >> 6] &>> UInt64(truncatingIfNeeded: code & 63) & 1 != 0
    }
  }

  private func isRun(_ entries: Selection, _ first: Int, _ count: Int) -> Bool {
    (first..<first + count).allSatisfy(entries.contains)
  }

  /// Selects the rows of a plain column that meet a comparison; for `notEqual` the equal rows.
  func scanTexts(_ comparison: Comparison, _ constant: ByteView, into selection: Selection) {
    let beginning = constant.bigEndianPrefix(at: 0)
    if comparison == .equal || comparison == .notEqual {
      selection.fill(rowCount: rowCount) { row in
        let range = textRange(row)
        guard range.count == constant.count, heap.bigEndianPrefix(range) == beginning else {
          return false
        }
        return constant.count <= 8
          || heap.slice(range.lowerBound, range.count).bytesEqual(constant)
      }
    } else {
      selection.fill(rowCount: rowCount) { row in
        let range = textRange(row)
        let prefix = heap.bigEndianPrefix(range)
        // If the first 8 bytes differ, they decide; the zeros that pad a short text sort like its end.
        let order =
          prefix != beginning
          ? (prefix < beginning ? -1 : 1)
          : heap.slice(range.lowerBound, range.count).compare(constant)
        return comparison.holds(order: order)
      }
    }
  }

  // MARK: Dictionaries

  /// The codes of a dictionary whose texts meet a comparison; nil if none does.
  func codes(_ comparison: Comparison, _ constant: ByteView) -> CodeRange? {
    let below = firstEntry { !$0.precedes(constant) }
    let isEqual = below < Int(entry.parameter) && text(below).bytesEqual(constant)
    return CodeRange(
      comparison, below: UInt64(below), equal: isEqual ? 1 : 0, mask: UInt64(entry.parameter - 1))
  }

  private func entries(withPrefix prefix: ByteView) -> CodeRange? {
    let first = firstEntry { !$0.precedes(prefix) }
    let end = firstEntry {
      $0.slice(0, min($0.count, prefix.count)).compare(prefix) > 0
    }
    return first < end ? CodeRange(lower: UInt64(first), upper: UInt64(end - 1)) : nil
  }

  /// The first entry of the dictionary that passes a test that all later entries pass too.
  private func firstEntry(where passes: (ByteView) -> Bool) -> Int {
    (0..<Int(entry.parameter)).partitioningIndex { passes(text($0)) }
  }
}

extension ByteView {
  /// The first 8 bytes of a range as a big-endian number, padded with zeros.
  @inline(__always)
  func bigEndianPrefix(_ range: Range<Int>) -> UInt64 {
    let length = range.upperBound &- range.lowerBound
    guard range.lowerBound &+ 8 <= count else {
      return slice(range.lowerBound, length).bigEndianPrefix(at: 0)
    }
    let word = uint64(at: range.lowerBound).byteSwapped
    guard length < 8 else { return word }
    return word & ~(~0 &>> UInt64(truncatingIfNeeded: length &* 8))
  }
}
