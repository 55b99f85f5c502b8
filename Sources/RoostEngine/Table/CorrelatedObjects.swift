/// The objects that one has to do with, where what is asked of them reads the one, too.
///
/// The rows of a leaf and the objects that they have to do with make pairs, of which everything is computed column by
/// column: what is read of the row once a row, what is read of the object once an object of a leaf.
final class CorrelatedObjects: Sendable {
  let related: RelatedObjects
  /// What is read of the one.
  fileprivate let outside: [BoundExpression]
  /// The columns of the pairs that the condition is about.
  private let columns: [BoundExpression]
  /// Whether a row of these columns fulfils it.
  private let isChosen: @Sendable (_ columns: [ColumnBuffer], _ row: Int) -> Bool

  init(
    _ related: RelatedObjects, outside: [BoundExpression], columns: [BoundExpression],
    isChosen: @escaping @Sendable (_ columns: [ColumnBuffer], _ row: Int) -> Bool
  ) {
    self.related = related
    self.outside = outside
    self.columns = columns
    self.isChosen = isChosen
  }
}

/// Objects of a tree beside what is outside of each.
private struct Pairs {
  let tree: ObjectTree
  let keys: ColumnBuffer
  /// What is read of the objects outside.
  let outside: [ColumnBuffer]

  /// Those at some places, with other keys: theirs.
  func gathering(_ places: [Int32], _ keys: ColumnBuffer) -> Pairs {
    Pairs(tree: tree, keys: keys, outside: outside.map { $0.gathering(places) })
  }
}

extension CorrelatedObjects {
  /// The objects that some rows have to do with and that count.
  fileprivate func chosen(
    _ related: RelatedKeys, _ evaluation: inout Evaluation, _ part: BoundExpression.Part
  ) throws(EngineError) -> (keys: RelatedKeys, pairs: Pairs) {
    var rows: [Int32] = []
    rows.reserveCapacity(related.keys.count)
    for row in related.ends.indices {
      for _ in related.range(row) { rows.append(Int32(truncatingIfNeeded: row)) }
    }
    var read: [ColumnBuffer] = []
    for value in outside { read.append(try part(value, &evaluation).gathering(rows)) }
    let pairs = Pairs(tree: self.related.tree, keys: related.keys, outside: read)
    // A condition is that of a query, whatever its result is for.
    var asked = Evaluation(misfitsAreNull: true)
    var columns: [ColumnBuffer] = []
    for column in self.columns { columns.append(try column.compute(pairs, &asked)) }
    var chosen = RelatedKeys()
    var places: [Int32] = []
    for row in related.ends.indices {
      for pair in related.range(row) where isChosen(columns, pair) {
        chosen.keys.append(related.keys.integer(pair))
        places.append(Int32(truncatingIfNeeded: pair))
      }
      chosen.ends.append(chosen.keys.count)
    }
    return (chosen, pairs.gathering(places, chosen.keys))
  }
}

extension BoundExpression {
  /// What the objects that some rows have to do with give together.
  ///
  /// - Parameter part: Computes what is outside of them.
  func compute(
    _ objects: CorrelatedObjects, _ function: AggregateFunction?, _ value: BoundExpression,
    _ related: RelatedKeys, _ evaluation: inout Evaluation, _ part: Part
  ) throws(EngineError) -> ColumnBuffer {
    let (chosen, pairs) = try objects.chosen(related, &evaluation, part)
    if let function {
      return try gather(function, value, chosen, &evaluation) {
        (_, evaluation) throws(EngineError) in
        try value.compute(pairs, &evaluation)
      }
    }
    // Of a link, each row has one or none.
    var inner = Evaluation(misfitsAreNull: evaluation.misfitsAreNull)
    let values = try value.compute(pairs, &inner)
    let column = ColumnBuffer(type: type)
    for row in chosen.ends.indices {
      guard let place = chosen.range(row).first else {
        column.appendNull()
        continue
      }
      if inner.misfit == place { evaluation.note(row) }
      column.append(values, row: place)
    }
    return column
  }

  /// What the expression gives of some objects, each beside what is outside of it.
  fileprivate func compute(
    _ pairs: Pairs, _ evaluation: inout Evaluation
  ) throws(EngineError) -> ColumnBuffer {
    guard readsOutside else {
      return try compute(ofObjects: pairs.keys, in: pairs.tree, &evaluation)
    }
    let part: Part = { (part, evaluation) throws(EngineError) in
      try part.compute(pairs, &evaluation)
    }
    switch content {
    case .outside(let place): return pairs.outside[place]
    case .correlated(let objects, let function, let value):
      let (field, type) = objects.related.origin
      let origin = try BoundExpression(.field(field), type).compute(pairs, &evaluation)
      return try compute(
        objects, function, value, try objects.related.keys(from: origin), &evaluation, part)
    case .elements(let field, _, _):
      let collections = try BoundExpression(.field(field), .bytes).compute(pairs, &evaluation)
      return try compute(
        ofCollections: collections, Corruption(.fieldValue, tree: pairs.tree.root.id),
        &evaluation, part)
    default: return try combine(count: pairs.keys.count, &evaluation, part)
    }
  }

  /// Whether something is read of the object outside of the one that it is computed of.
  private var readsOutside: Bool {
    switch content {
    case .outside: true
    // What follows a link or a relation reads what is outside of its own objects, which are those here.
    case .constant, .field, .target, .related: false
    case .arithmetic(_, _, let a, let b), .concatenation(let a, let b), .coalescing(let a, let b):
      a.readsOutside || b.readsOutside
    case .conversion(_, _, let value), .folded(_, let value), .ranked(let value, _):
      value.readsOutside
    case .elements(_, _, let outside): outside.contains(where: \.readsOutside)
    case .correlated(let objects, _, _): objects.outside.contains(where: \.readsOutside)
    }
  }
}

extension ColumnBuffer {
  /// The rows at some places.
  fileprivate func gathering(_ places: [Int32]) -> ColumnBuffer {
    let column = ColumnBuffer(type: type)
    column.append(self, gathering: places[...])
    return column
  }
}
