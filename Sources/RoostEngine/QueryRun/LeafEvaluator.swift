/// Evaluates a condition leaf by leaf: zone maps first, then columns; selections are reused.
struct LeafEvaluator {
  /// The current leaf.
  var leaf: ScanLeaf
  /// Whether rows of the leaf were tested, because zone maps did not decide the condition.
  private(set) var looksAtRows = false
  /// Selections for the parts of conditions, by depth.
  private var scratch: [Selection] = []

  /// A later conjunct is tested row by row when at most this share of the rows remains: 1/16.
  private static let rowByRowShift = 4

  init(_ leaf: ScanLeaf) {
    self.leaf = leaf
  }

  /// Moves to another leaf.
  mutating func move(to edge: TreeEdge) throws(EngineError) {
    try leaf.move(to: edge)
    looksAtRows = false
  }

  /// Finds the rows of the leaf that meet the condition; the selection contains them if the answer is `some`.
  mutating func evaluate(
    _ condition: CompiledPredicate, into selection: Selection, depth: Int = 0
  ) throws(EngineError) -> ZoneMapResult {
    switch condition {
    case .constant(let holds): return holds ? .all : .none
    case .field(let test):
      let answer = try test.filter(&leaf, into: selection)
      if answer == .some { looksAtRows = true }
      return answer
    case .and(let parts): return try evaluate(all: parts, into: selection, depth)
    case .or(let parts): return try evaluate(any: parts, into: selection, depth)
    case .not(let part):
      switch try evaluate(part, into: selection, depth: depth) {
      case .none: return .all
      case .all: return .none
      case .some:
        selection.invert()
        return .some
      }
    }
  }

  private mutating func evaluate(
    all parts: [CompiledPredicate], into selection: Selection, _ depth: Int
  ) throws(EngineError) -> ZoneMapResult {
    // If a zone map rules out one part, the columns of the others need not be read.
    for part in parts {
      if case .field(let test) = part, test.zoneMapResult(leaf) == .none { return .none }
    }
    var answer = ZoneMapResult.all
    for part in parts {
      if answer == .all {
        answer = try evaluate(part, into: selection, depth: depth)
        if answer == .none { return .none }
      } else {
        if case .field(let test) = part, test.zoneMapResult(leaf) == .all { continue }
        let left = selection.count
        if left == 0 { return .none }
        if left <= leaf.rowCount >> Self.rowByRowShift {
          try keep(part, in: selection)
        } else {
          let other = scratchSelection(depth)
          switch try evaluate(part, into: other, depth: depth + 1) {
          case .none: return .none
          case .all: break
          case .some: selection.formIntersection(other)
          }
        }
      }
    }
    return answer
  }

  private mutating func evaluate(
    any parts: [CompiledPredicate], into selection: Selection, _ depth: Int
  ) throws(EngineError) -> ZoneMapResult {
    var answer = ZoneMapResult.none
    for part in parts {
      if answer == .none {
        answer = try evaluate(part, into: selection, depth: depth)
        if answer == .all { return .all }
      } else {
        let other = scratchSelection(depth)
        switch try evaluate(part, into: other, depth: depth + 1) {
        case .none: break
        case .all: return .all
        case .some: selection.formUnion(other)
        }
      }
    }
    return answer
  }

  /// Removes the rows of a selection that do not meet a condition, testing row by row.
  private mutating func keep(
    _ condition: CompiledPredicate, in selection: Selection
  ) throws(EngineError) {
    var row = selection.first(from: 0)
    while let candidate = row {
      if try !condition.holds(&leaf, row: candidate) { selection.set(candidate, false) }
      row = selection.first(from: candidate + 1)
    }
  }

  private mutating func scratchSelection(_ depth: Int) -> Selection {
    while scratch.count <= depth { scratch.append(Selection()) }
    return scratch[depth]
  }
}
