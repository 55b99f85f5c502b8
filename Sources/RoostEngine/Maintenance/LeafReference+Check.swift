extension LeafReference {
  /// Checks that a column's directory entry agrees with a scan of its values.
  ///
  /// - Throws: `.corrupt`, with the tree and the leaf's keys.
  func checkColumn(at place: Int) throws(EngineError) {
    try check(place) { (column, unit) throws(EngineError) in
      try column.checkInvariants(unit: unit)
    }
  }

  /// Checks a column's minimum and maximum, where the rest is not asked: in a copy, and for one.
  ///
  /// - Throws: As ``checkColumn(at:)``.
  func checkExtremes(at place: Int) throws(EngineError) {
    try check(place) { (column, unit) throws(EngineError) in
      try column.checkExtremes(unit: unit)
    }
  }

  private func check(
    _ place: Int, _ body: (ColumnChunk, _ unit: UInt64) throws(EngineError) -> Void
  ) throws(EngineError) {
    let column = try column(at: place)
    let group = Int(head.entries[place].group)
    let unit = group == 0 ? pointer.unit : head.groups[group - 1].unit
    do { try body(column, unit) } catch { throw located(error) }
  }
}
