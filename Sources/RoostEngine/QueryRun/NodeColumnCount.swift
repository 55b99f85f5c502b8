extension TableScan {
  /// The number of rows that pass all tests, which make up the condition.
  func count(_ tests: [FieldTest], _ statistics: inout ScanStatistics) throws(EngineError) -> Int {
    var count = NodeColumnCount(self, tests)
    try tree.nodes.forEachSpan(of: keys, in: tree) { (span) throws(EngineError) in
      try count.add(span, &statistics)
    }
    return count.finish(&statistics)
  }
}

/// Counts the rows that pass all of some tests, using node columns.
///
/// One test is counted in place. With several, each but the last selects rows, and the last is counted
/// among the remaining rows.
private struct NodeColumnCount {
  private let scan: TableScan
  private let tests: [FieldTest]
  /// The tests that are comparisons of numbers, at the same indices.
  private let numbers: [NumberTest?]
  private var nodeColumns: NodeColumnScan
  private let chosen = Selection()
  private let other = Selection()
  private var count = 0
  private var skipped = 0
  private var examined = 0

  /// Rows are tested one by one when at most this share of a leaf's rows remains: 1/32.
  private static let rowByRowShift = 5

  init(_ scan: TableScan, _ tests: [FieldTest]) {
    self.scan = scan
    self.tests = tests
    numbers = tests.map(\.number)
    nodeColumns = NodeColumnScan(scan.tree, tests.map(\.field))
  }

  func finish(_ statistics: inout ScanStatistics) -> Int {
    statistics.leavesSkipped += skipped
    statistics.rowsExamined += examined
    nodeColumns.report(to: &statistics)
    return count
  }

  mutating func add(
    _ span: LeafSpan, _ statistics: inout ScanStatistics
  ) throws(EngineError) {
    switch span {
    case .uncached(let edge): try add(below: edge, &statistics)
    case .cached(let node, let children):
      guard nodeColumns.move(to: node) else { return try add(below: node.edge, &statistics) }
      for child in children {
        if child & 15 == 0 { try checkCancellation() }
        if try add(child, rowCount: node.count(child)) {
          statistics.leavesVisited += 1
        } else {
          try add(below: node.edge(child), &statistics)
        }
      }
    }
  }

  /// Counts below an edge, without node columns.
  private mutating func add(
    below edge: TreeEdge, _ statistics: inout ScanStatistics
  ) throws(EngineError) {
    try scan.forEachLeaf(below: edge, &statistics) { (leaf, answer, chosen) throws(EngineError) in
      count += answer == .all ? leaf.rowCount : chosen.count
      return true
    }
  }

  /// A zone map's answer to a test; the entry must have been loaded.
  @inline(__always)
  private func answer(
    _ index: Int, _ child: Int, _ rowCount: Int
  ) -> ZoneMapResult {
    let entries = nodeColumns.places[index].entries
    if let number = numbers[index] {
      return entries[child].answer(number, rowCount: rowCount)
    }
    return tests[index].answer(entries[child], rowCount: rowCount)
  }

  /// Counts in a leaf; false if the node columns do not suffice.
  @inline(__always)
  private mutating func add(_ child: Int, rowCount: Int) throws(EngineError) -> Bool {
    var openCount = 0
    var last = 0
    for index in numbers.indices {
      guard try nodeColumns.loadEntry(index, child) else { return false }
      switch answer(index, child, rowCount) {
      case .none:
        skipped += 1
        return true
      case .some:
        openCount += 1
        last = index
      case .all: break
      }
    }
    if openCount == 1, let number = numbers[last] {
      try nodeColumns.loadColumn(last, child)
      if let counted = nodeColumns.places[last].columns[child].directCount(number) {
        nodeColumns.countBytes(last, child)
        count += counted
        examined += rowCount
        return true
      }
    }
    if openCount == 0 {
      count += rowCount
      skipped += 1
      return true
    }
    guard try addChosen(child, rowCount, last: last) else { return false }
    examined += rowCount
    return true
  }

  /// Counts in a leaf by selecting rows.
  ///
  /// - Parameter last: The last test that the zone maps leave open.
  private mutating func addChosen(
    _ child: Int, _ rowCount: Int, last: Int
  ) throws(EngineError) -> Bool {
    var hasChosen = false
    for index in 0...last {
      if try nodeColumns.loadEntry(index, child), answer(index, child, rowCount) == .all {
        continue
      }
      try nodeColumns.loadColumn(index, child)
      let columns = nodeColumns.places[index].columns
      nodeColumns.countBytes(index, child)
      guard !columns[child].hasExternals else { return false }
      guard hasChosen else {
        tests[index].filter(columns[child], into: chosen)
        hasChosen = true
        continue
      }
      let left = chosen.count
      if left == 0 { return true }
      if left <= rowCount >> Self.rowByRowShift {
        chosen.forEach { row in
          if !tests[index].holds(columns[child], row: row) { chosen.set(row, false) }
        }
      } else if index == last, let number = numbers[index],
        let counted = columns[child].directCount(number, among: chosen)
      {
        count += counted
        return true
      } else {
        tests[index].filter(columns[child], into: other)
        chosen.formIntersection(other)
      }
    }
    count += chosen.count
    return true
  }
}
