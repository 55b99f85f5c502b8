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
    guard var position = try TableScanPosition(self, below: edge) else { return }
    defer { position.evaluator.leaf.report(to: &statistics) }
    repeat {
      let answer = try position.evaluate(condition, &statistics)
      if answer != .none {
        guard try body(&position.evaluator.leaf, answer, position.selection) else { return }
      }
    } while try position.moveToNextLeaf()
  }
}

/// The current leaf of a scan, and its matches: what does not differ by what is done with them is compiled once.
private struct TableScanPosition {
  var evaluator: LeafEvaluator
  let selection = Selection()
  private var cursor: LeafEdgeCursor

  @inline(never)
  init?(_ scan: TableScan, below edge: TreeEdge) throws(EngineError) {
    cursor = try LeafEdgeCursor(scan.tree, below: edge, keys: scan.keys)
    guard let first = try cursor.next() else { return nil }
    evaluator = LeafEvaluator(try ScanLeaf(first, in: scan.tree.context))
  }

  @inline(never)
  mutating func evaluate(
    _ condition: CompiledPredicate, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> ZoneMapResult {
    try checkCancellation()
    statistics.leavesVisited += 1
    let answer = try evaluator.evaluate(condition, into: selection)
    if evaluator.looksAtRows {
      statistics.rowsExamined += evaluator.leaf.rowCount
    } else {
      statistics.leavesSkipped += 1
    }
    return answer
  }

  @inline(never)
  mutating func moveToNextLeaf() throws(EngineError) -> Bool {
    guard let next = try cursor.next() else { return false }
    try evaluator.move(to: next)
    return true
  }
}
