/// One evaluation of a condition over a table, by the path chosen for it.
struct QueryRun {
  let view: ReadView
  let table: TableDefinition
  let tree: ObjectTree
  let condition: CompiledPredicate
  let path: AccessPath

  /// Chooses the path of a condition that the compiler returned.
  ///
  /// - Parameter compiler: Asked for all columns before.
  init(_ compiler: PredicateCompiler, _ condition: CompiledPredicate) throws(EngineError) {
    view = compiler.view
    table = compiler.table
    tree = try compiler.objects()
    self.condition = condition
    path = try AccessPath(condition, table: table, tree: tree, view: view)
  }

  /// Compiles a query's predicate and chooses its path.
  init(_ query: ObjectQuery, in view: ReadView) throws(EngineError) {
    let compiler = try PredicateCompiler(view, table: query.table)
    _ = try compiler.columns(query.order, of: nil)
    try self.init(compiler, try compiler.condition(query.predicate))
  }

  // MARK: Counting

  /// The number of matching objects.
  func count(_ statistics: inout ScanStatistics) throws(EngineError) -> Int {
    var count = 0
    note(in: &statistics)
    switch path {
    case .nothing: break
    case .positions(let positions, _): count = positions.count
    case .index(let access, .constant(true)):
      access.note(in: &statistics)
      count = Int(clamping: access.count)
    case .index, .lookup, .union, .intersection: count = try candidates(&statistics).count
    case .scan(let keys, let condition):
      let scan = TableScan(tree: tree, condition: condition, keys: keys)
      if let tests = condition.fieldTests {
        count = try scan.count(tests, &statistics)
      } else {
        try scan.forEachLeaf(&statistics) { (leaf, answer, selection) throws(EngineError) in
          count += answer == .all ? leaf.rowCount : selection.count
          return true
        }
      }
    }
    statistics.rowsMatched += count
    return count
  }

  // MARK: Finding

  /// The places of the matching objects, in key order, and their number.
  ///
  /// - Parameter limit: A scan ends after the leaf in which this number is reached; an index ignores it.
  func find(
    limit: Int?, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> (ResultSet.Storage, count: Int) {
    let found: (ResultSet.Storage, count: Int)
    note(in: &statistics)
    switch path {
    case .nothing: found = (.keys([]), 0)
    case .positions(let positions, _):
      found = (.positions(positions.lowerBound), positions.count)
    case .index, .lookup, .union, .intersection:
      let keys = try candidates(&statistics)
      found = (.keys(keys), keys.count)
    case .scan(let keys, let condition):
      var matches = LeafMatches()
      guard limit != 0 else { return (.leaves(matches), 0) }
      try TableScan(tree: tree, condition: condition, keys: keys)
        .forEachLeaf(&statistics) { (leaf, answer, selection) throws(EngineError) in
          matches.append(leaf, answer, selection)
          return matches.count < limit ?? .max
        }
      found = (.leaves(matches), matches.count)
    }
    statistics.rowsMatched += found.count
    return found
  }

  /// Passes each leaf with matches to `body`, in key order, until it returns false.
  ///
  /// The selection is valid only if the answer is `some`. It and the leaf are reused.
  func forEachLeaf(
    _ statistics: inout ScanStatistics,
    _ body: (inout ScanLeaf, ZoneMapResult, Selection) throws(EngineError) -> Bool
  ) throws(EngineError) {
    note(in: &statistics)
    switch path {
    case .nothing: break
    case .positions(_, let keys), .scan(let keys, _):
      try TableScan(tree: tree, condition: condition, keys: keys).forEachLeaf(&statistics, body)
    case .index, .lookup, .union, .intersection:
      try forEachLeaf(of: try candidates(&statistics), body)
    }
  }

  private func forEachLeaf(
    of keys: [Int64], _ body: (inout ScanLeaf, ZoneMapResult, Selection) throws(EngineError) -> Bool
  ) throws(EngineError) {
    let selection = Selection()
    var next = 0
    while next < keys.count {
      var leaf = try leaf(of: keys, from: &next, into: selection)
      guard try body(&leaf, .some, selection) else { return }
    }
  }

  /// The leaf of the next of some keys, with the rows of all that it has.
  @inline(never)
  private func leaf(
    of keys: [Int64], from next: inout Int, into selection: Selection
  ) throws(EngineError) -> ScanLeaf {
    try checkCancellation()
    guard let edge = try tree.leafEdge(for: keys[next]) else { throw tree.missing(keys[next]) }
    let leaf = try ScanLeaf(edge, in: tree.context)
    selection.reset(rowCount: leaf.rowCount, selected: false)
    while next < keys.count, leaf.covers(keys[next]) {
      guard let row = leaf.head.row(of: keys[next]) else { throw tree.missing(keys[next]) }
      selection.set(row, true)
      next += 1
    }
    return leaf
  }

  /// Records the path to the objects, except index accesses, which record themselves.
  func note(in statistics: inout ScanStatistics) {
    switch path {
    case .nothing: statistics.steps.append(.nothing)
    case .positions(let positions, _): statistics.steps.append(.positions(positions.count))
    case .scan: statistics.steps.append(.scan)
    case .lookup(let keys, _): statistics.steps.append(.keys(keys.count))
    case .index, .union, .intersection: break
    }
  }

  /// The keys of all matching objects, ascending.
  func keys(_ statistics: inout ScanStatistics) throws(EngineError) -> [Int64] {
    let (storage, count) = try find(limit: nil, &statistics)
    if case .keys(let keys) = storage { return keys }
    return try ResultSet(tree, storage, window: 0..<count).keys()
  }

  /// The keys of the candidates that match, ascending.
  private func candidates(_ statistics: inout ScanStatistics) throws(EngineError) -> [Int64] {
    switch path {
    case .index(let access, let condition):
      access.note(in: &statistics)
      let keys = try access.keys()
      return try tree.fulfilling(condition, keys, areEntries: true, &statistics)
    case .union(let accesses, let condition):
      var all: [Int64] = []
      for access in accesses {
        access.note(in: &statistics)
        all += try access.keys()
      }
      statistics.steps.append(.union(accesses.count))
      all.sort()
      return try tree.fulfilling(
        condition, all.withoutRepetitions, areEntries: true, &statistics)
    case .intersection(let accesses, let condition):
      var common: [Int64]?
      for access in accesses {
        access.note(in: &statistics)
        let keys = try access.keys()
        common = common.map { $0.common(with: keys) } ?? keys
      }
      statistics.steps.append(.intersection(accesses.count))
      return try tree.fulfilling(condition, common ?? [], areEntries: true, &statistics)
    case .lookup(let keys, let condition):
      return try tree.fulfilling(condition, keys, areEntries: false, &statistics)
    case .nothing, .positions, .scan: return []
    }
  }

  /// The number of single objects that can be tested for about the cost of the path.
  func objectsForTheSame() throws(EngineError) -> Int {
    switch path {
    case .nothing: return 0
    case .positions(let positions, _): return positions.count / Self.rowsPerObject
    case .scan(let keys, _):
      let start = keys.lowerBound == .min ? 0 : try tree.position(of: keys.lowerBound)
      let end =
        keys.upperBound == .max ? tree.count : try tree.position(of: keys.upperBound + 1)
      return Int(clamping: max(start, end) - start) / Self.rowsPerObject
    case .lookup(let keys, _): return keys.count
    case .index(let access, _): return Int(clamping: access.count)
    case .union(let accesses, _), .intersection(let accesses, _):
      return accesses.reduce(0) { $0 + Int(clamping: min($1.count, 1 << 40)) }
    }
  }

  /// This many rows of a scan cost as much as testing a single object.
  private static let rowsPerObject = 64
}
