/// The smallest and largest value among rows of a leaf, ignoring nulls and NaN.
extension ColumnChunk {
  /// The range of the selected integers, or of all; nil if there are none. O(1) for all rows.
  package func integerExtremes(_ selection: Selection? = nil) -> ClosedRange<Int64>? {
    precondition(type == .integer, "The column's type is another.")
    guard selection != nil else {
      guard entry.flags.contains(.zoneMap) else { return nil }
      // The order of the zone map's bounds was validated.
      return Int64(bitPattern: entry.minimum)...Int64(bitPattern: entry.maximum)
    }
    var minimum = Int64.max
    var maximum = Int64.min
    forEachChosen(selection) { row in
      let value = uncheckedInteger(row)
      minimum = min(minimum, value)
      maximum = max(maximum, value)
    }
    return minimum <= maximum ? minimum...maximum : nil
  }

  /// The range of the selected doubles or floats, or of all; nil if there are none. O(1) for all rows.
  package func doubleExtremes(_ selection: Selection? = nil) -> ClosedRange<Double>? {
    precondition(type == .double || type == .float, "The column's type is another.")
    if selection == nil, entry.flags.contains(.zoneMap) {
      return Double(bitPattern: entry.minimum)...Double(bitPattern: entry.maximum)
    }
    var minimum = Double.infinity
    var maximum = -Double.infinity
    forEachChosen(selection) { row in
      let value = type == .double ? uncheckedDouble(row) : Double(uncheckedFloat(row))
      // Comparisons with NaN are false.
      if value <= minimum { minimum = value }
      if value >= maximum { maximum = value }
    }
    return minimum <= maximum ? minimum...maximum : nil
  }

  /// The first of the selected rows, or of all, with the smallest text or UUID.
  ///
  /// Skips external cells: the caller compares them after reading them.
  package func rowOfMinimum(_ selection: Selection? = nil) -> Int? {
    rowOfExtreme(selection) { $0 < 0 }
  }

  /// The first of the selected rows, or of all, with the largest text or UUID, likewise.
  package func rowOfMaximum(_ selection: Selection? = nil) -> Int? {
    rowOfExtreme(selection) { $0 > 0 }
  }

  @inline(__always)
  private func rowOfExtreme(_ selection: Selection?, _ isBetter: (Int) -> Bool) -> Int? {
    precondition(type == .bytes || type == .uuid, "The column's type is another.")
    var best: Int?
    forEachChosen(selection) { row in
      guard !isExternal(row) else { return }
      guard let known = best else {
        best = row
        return
      }
      if isBetter(order(row, known)) { best = row }
    }
    return best
  }

  /// The order of two rows' values: negative, zero or positive.
  private func order(_ row: Int, _ other: Int) -> Int {
    switch entry.encoding {
    case .dictionary: code(row) - code(other)
    case .plain: text(row).compare(text(other))
    case .rawUUID: cells.slice(row * 16, 16).compare(cells.slice(other * 16, 16))
    default: 0
    }
  }
}
