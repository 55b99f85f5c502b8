/// The leaf of the object that is looked at, for objects that are looked at one by one.
struct CandidateLeaf {
  private let tree: ObjectTree
  /// The leaf of the last object.
  private(set) var leaf: ScanLeaf?
  /// How many leaves were visited.
  private(set) var visited = 0

  init(_ tree: ObjectTree) { self.tree = tree }

  /// The row of an object in ``leaf``; nil where there is no such object.
  mutating func row(of key: Int64) throws(EngineError) -> Int? {
    if leaf.map({ !$0.covers(key) }) ?? true {
      try checkCancellation()
      guard let edge = try tree.leafEdge(for: key) else { return nil }
      if leaf == nil {
        leaf = try ScanLeaf(edge, in: tree.context)
      } else {
        try leaf?.move(to: edge)
      }
      visited += 1
    }
    return leaf?.head.row(of: key)
  }

  /// Whether a row of the leaf fulfils a condition.
  mutating func fulfils(_ condition: Condition, row: Int) throws(EngineError) -> Bool {
    try leaf?.fulfils(condition, row: row) ?? false
  }

  /// Writes the sort keys of a row of the leaf.
  mutating func write(_ keys: inout SortKeyBytes, row: Int) throws(EngineError) {
    try leaf?.write(&keys, row: row)
  }
}

extension ObjectTree {
  /// Those of some objects that exist and fulfil a condition, in their order.
  ///
  /// - Parameter areEntries: Whether an index has the keys, so that the objects must exist.
  func fulfilling(
    _ condition: Condition, _ keys: [Int64], areEntries: Bool,
    _ statistics: inout ScanStatistics
  ) throws(EngineError) -> [Int64] {
    var matching: [Int64] = []
    var candidates = CandidateLeaf(self)
    defer {
      candidates.leaf?.report(to: &statistics)
      statistics.leavesVisited += candidates.visited
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

  /// The error for an index entry without an object.
  func missing(_ key: Int64) -> EngineError {
    .corrupt(Corruption(.indexEntry, tree: root.id, keys: key...key))
  }
}

extension ScanLeaf {
  /// Whether the key lies in this leaf, if in any.
  func covers(_ key: Int64) -> Bool { edge.keys.contains(key) }

  /// Whether a row fulfils a condition.
  mutating func fulfils(_ condition: Condition, row: Int) throws(EngineError) -> Bool {
    try condition.holds(&self, row: row)
  }

  /// Writes the sort keys of a row.
  mutating func write(_ keys: inout SortKeyBytes, row: Int) throws(EngineError) {
    try keys.set(&self, row: row)
  }
}
