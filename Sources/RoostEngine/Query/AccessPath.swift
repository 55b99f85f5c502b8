/// The way to find the matching objects of a table.
enum AccessPath {
  /// No object can match.
  case nothing
  /// All objects with keys in the range match: they are at these positions of the tree.
  case positions(Range<UInt64>, ClosedRange<Int64>)
  /// Scans all leaves that may contain keys of the range.
  case scan(ClosedRange<Int64>, CompiledPredicate)
  /// The objects with these keys that exist and meet the condition.
  case lookup([Int64], CompiledPredicate)
  /// The objects of index entries that meet the condition.
  case index(IndexAccess, CompiledPredicate)
  /// The objects of entries in any of several indexes that meet the condition.
  case union([IndexAccess], CompiledPredicate)
  /// The objects of entries in all of several indexes that meet the condition.
  case intersection([IndexAccess], CompiledPredicate)
}

extension AccessPath {
  /// The approximate costs of testing one candidate, and of visiting a leaf, in nanoseconds.
  private static let candidateCost: Double = 160
  private static let leafCost: Double = 120
  /// The approximate costs of reading an index entry, and of sorting a key among many, in nanoseconds.
  private static let entryCost: Double = 8
  private static let sortingCost: Double = 40

  /// The approximate cost of scanning rows.
  static func scanCost(of condition: CompiledPredicate, rows: Int, leaves: Int) -> Double {
    Double(rows) * condition.cost + Double(leaves) * leafCost
  }

  /// The approximate cost of an index access.
  ///
  /// - Parameter isWhole: Whether its entries need no further test.
  static func indexCost(entries: Int, isWhole: Bool) -> Double {
    Double(entries) * (isWhole ? entryCost : candidateCost)
  }

  /// Chooses the cheapest way to find the objects of a table that meet a condition.
  init(
    _ condition: CompiledPredicate, table: TableDefinition, tree: ObjectTree, view: ReadView
  ) throws(EngineError) {
    if case .constant(false) = condition {
      self = .nothing
      return
    }
    var bounds = KeyBounds()
    var others: [CompiledPredicate] = []
    for conjunct in condition.conjuncts where !bounds.narrow(conjunct) { others.append(conjunct) }
    guard tree.count > 0, let range = bounds.range else {
      self = .nothing
      return
    }
    let residual = CompiledPredicate.all(others)
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
    // The conjuncts on keys, which index entries do not answer.
    let onKeys =
      positions == 0..<tree.count
      ? []
      : condition.conjuncts.filter {
        var bounds = KeyBounds(); return bounds.narrow($0)
      }
    if let access = try Self.bestIndex(others, table: table, view: view) {
      let isWhole = access.isExact && access.used.count == others.count && onKeys.isEmpty
      let cost = Self.indexCost(entries: Int(clamping: access.count), isWhole: isWhole)
      if let both = try Self.intersection(access, others, table: table, tree: tree, view: view),
        both.cost < min(cost, scanCost)
      {
        self = .intersection(both.accesses, .all(both.left.map { others[$0] } + onKeys))
        return
      }
      if cost < scanCost || access.count == 0 {
        let kept =
          access.isExact
          ? others.indices.filter { !access.used.contains($0) } : Array(others.indices)
        self = .index(access, .all(kept.map { others[$0] } + onKeys))
        return
      }
    }
    let union = try Self.firstUnion(
      among: others, onKeys, below: scanCost, table: table, view: view)
    self = union ?? .scan(range, condition)
  }

  /// The union of indexes for the first disjunction among some conjuncts that costs less than a scan; nil if there is none.
  private static func firstUnion(
    among conjuncts: [CompiledPredicate], _ onKeys: [CompiledPredicate], below scanCost: Double,
    table: TableDefinition, view: ReadView
  ) throws(EngineError) -> AccessPath? {
    for (place, conjunct) in conjuncts.enumerated() {
      guard case .or(let parts) = conjunct,
        let any = try union(parts, table: table, view: view), any.cost < scanCost
      else { continue }
      var left = conjuncts
      if any.isExact { left.remove(at: place) }
      return .union(any.accesses, .all(left + onKeys))
    }
    return nil
  }

  /// An access for each of some conditions, which together find every object that meets one; nil if an index is missing.
  private static func union(
    _ parts: [CompiledPredicate], table: TableDefinition, view: ReadView
  ) throws(EngineError) -> (accesses: [IndexAccess], isExact: Bool, cost: Double)? {
    var accesses: [IndexAccess] = []
    var isExact = true
    var cost = 0.0
    for part in parts {
      let conjuncts = part.conjuncts
      guard let access = try bestIndex(conjuncts, table: table, view: view) else { return nil }
      isExact = isExact && access.isExact && access.used.count == conjuncts.count
      accesses.append(access)
      cost += Double(access.count) * (sortingCost + entryCost)
    }
    if !isExact { cost += accesses.reduce(0) { $0 + Double($1.count) } * candidateCost }
    return (accesses, isExact, cost)
  }

  private static let fewEntries = 16

  /// The best access combined with a second one; nil if there is no second one, or the first has few entries.
  private static func intersection(
    _ first: IndexAccess, _ conjuncts: [CompiledPredicate], table: TableDefinition,
    tree: ObjectTree,
    view: ReadView
  ) throws(EngineError) -> (accesses: [IndexAccess], left: [Int], cost: Double)? {
    let others = conjuncts.indices.filter { !first.used.contains($0) }
    // Testing a few objects costs less than searching another index.
    guard first.count > Self.fewEntries, !others.isEmpty,
      let second = try bestIndex(others.map { conjuncts[$0] }, table: table, view: view)
    else { return nil }
    let entries = Double(first.count) + Double(second.count)
    // Assumes that the two are independent.
    let candidates = Double(first.count) * Double(second.count) / Double(max(tree.count, 1))
    let secondUsed = second.used.map { others[$0] }
    let used = (first.isExact ? first.used : []) + (second.isExact ? secondUsed : [])
    let left = conjuncts.indices.filter { !used.contains($0) }
    return (
      [first, second], left,
      entries * (entryCost + sortingCost)
        + candidates * (left.isEmpty ? entryCost : candidateCost)
    )
  }

  /// The index access with the fewest entries.
  private static func bestIndex(
    _ conjuncts: [CompiledPredicate], table: TableDefinition, view: ReadView
  ) throws(EngineError) -> IndexAccess? {
    var best: IndexAccess?
    for field in table.fields where field.indexTree != 0 {
      guard let access = try IndexAccess(field, try view.index(field), conjuncts: conjuncts),
        access.count < best?.count ?? .max
      else { continue }
      best = access
    }
    for index in table.indexes {
      let tree = try view.index(tree: index.tree)
      guard let access = try IndexAccess(index, of: table, tree, conjuncts: conjuncts),
        access.count < best?.count ?? .max
      else { continue }
      best = access
    }
    return best
  }
}
