/// How the matching objects of a table are found.
enum AccessPath {
  /// There are none.
  case nothing
  /// All objects with keys in the range match: they stand at these positions of the tree.
  case positions(Range<UInt64>, ClosedRange<Int64>)
  /// All leaves that may hold keys of the range are looked at.
  case scan(ClosedRange<Int64>, Condition)
  /// The objects with these keys, where they exist and fulfil the condition.
  case lookup([Int64], Condition)
  /// The objects of index entries that fulfil the condition.
  case index(IndexAccess, Condition)
}

extension AccessPath {
  /// Looking at one candidate costs about as much, in nanoseconds, as these.
  private static let candidateCost: Double = 160
  private static let leafCost: Double = 120

  /// Chooses the cheapest way to find the objects of a table that fulfil a condition.
  init(
    _ condition: Condition, table: TableDefinition, tree: ObjectTree, view: ReadView
  ) throws(EngineError) {
    if case .constant(false) = condition {
      self = .nothing
      return
    }
    var bounds = KeyBounds()
    var others: [Condition] = []
    for conjunct in condition.conjuncts where !bounds.narrow(conjunct) { others.append(conjunct) }
    guard tree.count > 0, let range = bounds.range else {
      self = .nothing
      return
    }
    let residual = Condition.all(others)
    if let keys = bounds.candidates {
      self = keys.isEmpty ? .nothing : .lookup(keys, residual)
      return
    }
    var positions = 0..<tree.count
    if range.lowerBound > .min || range.upperBound < .max {
      let end = range.upperBound == .max ? tree.count : try tree.position(of: range.upperBound + 1)
      let start = try tree.position(of: range.lowerBound)
      positions = start..<max(start, end)
    }
    guard !others.isEmpty, !positions.isEmpty else {
      self = positions.isEmpty ? .nothing : .positions(positions, range)
      return
    }
    let rows = Double(positions.count)
    let scanCost = rows * condition.cost + rows / 1024 * Self.leafCost
    if let access = try Self.bestIndex(others, table: table, view: view) {
      let isWhole =
        access.isExact && access.used.count == others.count && positions == 0..<tree.count
      let cost = Double(access.count) * (isWhole ? 8 : Self.candidateCost)
      if cost < scanCost || access.count == 0 {
        let kept =
          access.isExact
          ? others.indices.filter { !access.used.contains($0) } : Array(others.indices)
        var left = kept.map { others[$0] }
        if positions != 0..<tree.count {
          left += condition.conjuncts.filter {
            var bounds = KeyBounds(); return bounds.narrow($0)
          }
        }
        self = .index(access, .all(left))
        return
      }
    }
    self = .scan(range, condition)
  }

  /// The index access with the fewest entries.
  private static func bestIndex(
    _ conjuncts: [Condition], table: TableDefinition, view: ReadView
  ) throws(EngineError) -> IndexAccess? {
    var best: IndexAccess?
    for field in table.fields where field.indexTree != 0 {
      guard let access = try IndexAccess(field, view.index(field), conjuncts: conjuncts),
        access.count < best?.count ?? .max
      else { continue }
      best = access
    }
    for index in table.indexes {
      let tree = view.index(tree: index.tree)
      guard let access = try IndexAccess(index, of: table, tree, conjuncts: conjuncts),
        access.count < best?.count ?? .max
      else { continue }
      best = access
    }
    return best
  }
}
