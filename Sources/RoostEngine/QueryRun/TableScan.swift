/// Scans the leaves of a table that may contain keys of a range, and finds the matching rows of each.
struct TableScan {
  let tree: ObjectTree
  let condition: CompiledPredicate
  /// The range of matching keys; the condition tests it too, for leaves with other keys.
  let keys: ClosedRange<Int64>

  /// Passes each leaf with matches to `body`, in key order, until it returns false.
  ///
  /// The selection is valid only if the answer is `some`. It and the leaf are reused.
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
