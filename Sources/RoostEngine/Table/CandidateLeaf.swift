/// The leaf of the current object, for lookups of single objects in turn.
struct CandidateLeaf {
  private let tree: ObjectTree
  /// The leaf of the last object.
  var leaf: ScanLeaf?
  /// The number of leaves visited.
  private(set) var visited = 0

  init(_ tree: ObjectTree) { self.tree = tree }

  /// The row of an object in ``leaf``; nil if no such object exists.
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
}

extension ObjectTree {
  /// The error for an index entry without an object.
  func missing(_ key: Int64) -> EngineError {
    .corrupt(Corruption(.indexEntry, tree: root.id, keys: key...key))
  }
}

extension ScanLeaf {
  /// Whether the key is in the leaf's key range.
  func covers(_ key: Int64) -> Bool { edge.keys.contains(key) }
}
