/// Goes through the leaves of a table whose keys may lie in a range, and says which rows of each match.
struct TableScan {
  let tree: ObjectTree
  let condition: CompiledPredicate
  /// No other keys match; the condition asks for them too, where a leaf holds others.
  let keys: ClosedRange<Int64>

  /// Gives each leaf with matches to `body`, in the order of keys, until it returns false.
  ///
  /// The selection means something only where the answer is `some`. It and the leaf are used again.
  func forEachLeaf(
    _ statistics: inout ScanStatistics,
    _ body: (inout ScanLeaf, ZoneMapResult, Selection) throws(EngineError) -> Bool
  ) throws(EngineError) {
    guard let root = TreeEdge(root: tree.root) else { return }
    try forEachLeaf(below: root, &statistics, body)
  }

  /// The same for the leaves below an edge.
  func forEachLeaf(
    below edge: TreeEdge, _ statistics: inout ScanStatistics,
    _ body: (inout ScanLeaf, ZoneMapResult, Selection) throws(EngineError) -> Bool
  ) throws(EngineError) {
    var cursor = try LeafEdgeCursor(tree, below: edge, keys: keys)
    guard let first = try cursor.next() else { return }
    let selection = Selection()
    var evaluator = LeafEvaluator(try ScanLeaf(first, in: tree.context))
    defer { evaluator.leaf.report(to: &statistics) }
    while true {
      try checkCancellation()
      statistics.leavesVisited += 1
      let answer = try evaluator.evaluate(condition, into: selection)
      if evaluator.looksAtRows {
        statistics.rowsExamined += evaluator.leaf.rowCount
      } else {
        statistics.leavesSkipped += 1
      }
      if answer != .none {
        guard try body(&evaluator.leaf, answer, selection) else { return }
      }
      guard let next = try cursor.next() else { return }
      try evaluator.move(to: next)
    }
  }
}
