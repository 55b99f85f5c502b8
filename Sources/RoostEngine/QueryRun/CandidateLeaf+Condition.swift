/// Testing a condition on single objects.
extension CandidateLeaf {
  /// Whether a row of the leaf meets a condition.
  mutating func fulfils(_ condition: CompiledPredicate, row: Int) throws(EngineError) -> Bool {
    try leaf?.fulfils(condition, row: row) ?? false
  }

  /// Writes the sort keys of a row of the leaf.
  mutating func write(_ keys: inout SortKeyBytes, row: Int) throws(EngineError) {
    try leaf?.write(&keys, row: row)
  }
}

extension ObjectTree {
  /// The keys of the objects that exist and meet a condition, in the given order.
  ///
  /// - Parameter areEntries: Whether an index has the keys, so that the objects must exist.
  func fulfilling(
    _ condition: CompiledPredicate, _ keys: [Int64], areEntries: Bool,
    _ statistics: inout ScanStatistics
  ) throws(EngineError) -> [Int64] {
    if areEntries, case .constant(true) = condition { return keys }
    var matching: [Int64] = []
    var candidates = CandidateLeaf(self)
    defer {
      candidates.leaf?.report(to: &statistics)
      statistics.leavesVisited += candidates.visited
      statistics.rowsExamined += keys.count
    }
    for key in keys {
      guard let row = try candidates.row(of: key) else {
        guard !areEntries else { throw missing(key) }
        continue
      }
      if try candidates.fulfils(condition, row: row) { matching.append(key) }
    }
    return matching
  }
}

extension ScanLeaf {
  /// Whether a row meets a condition.
  mutating func fulfils(_ condition: CompiledPredicate, row: Int) throws(EngineError) -> Bool {
    try condition.holds(&self, row: row)
  }

  /// Writes the sort keys of a row.
  mutating func write(_ keys: inout SortKeyBytes, row: Int) throws(EngineError) {
    try keys.set(&self, row: row)
  }
}
