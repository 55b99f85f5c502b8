import Synchronization

/// A ``Relation`` whose tables and fields are bound: finds the related objects of a leaf's rows.
struct BoundRelation: Sendable {
  enum Source: Sendable {
    /// A link.
    case link(FieldID)
    /// A list of links.
    case links(FieldID)
    /// The index of the link, or of the list of links, whose target is this table.
    case inverse(IndexTree)
  }

  let source: Source
  /// The table of the related objects.
  let tree: ObjectTree
  /// The keys to include; nil includes all.
  var chosen: KeySet?
  /// The condition that also reads the outer object; nil without one.
  var correlation: Correlation?
  /// Counts the objects whose values are read; nil where nobody asks.
  var reads: RelatedReads?
}

/// A number of objects behind links or inverses whose values were read for each object that leads to them.
final class RelatedReads: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func add(_ count: Int) { number.wrappingAdd(count, ordering: .relaxed) }
}

/// The keys of the related objects of some rows, row after row.
struct RelatedKeys {
  let keys = ColumnBuffer(type: .integer)
  /// The end of each row's keys.
  var ends: [Int] = []

  func range(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }
}

extension BoundRelation {
  /// More rows than this are looked up in one pass over the index.
  private static let rowsLookedUpMax = 16

  fileprivate func keys(
    _ leaf: inout ScanLeaf, _ rows: LeafRows
  ) throws(EngineError) -> RelatedKeys {
    var related = RelatedKeys()
    related.ends.reserveCapacity(rows.count)
    switch source {
    case .link(let field):
      let links = ColumnBuffer(type: .integer)
      try links.append(field, of: &leaf, rows)
      for place in 0..<rows.count {
        if !links.isNull(place) { related.keys.append(links.integer(place)) }
        related.ends.append(related.keys.count)
      }
    case .links(let field):
      let lists = ColumnBuffer(type: .bytes)
      try lists.append(field, of: &leaf, rows)
      for place in 0..<rows.count {
        let list = lists.bytes(place)
        for link in 0..<list.count / 8 {
          add(Int64(bitPattern: list.uint64(at: link * 8)), to: &related)
        }
        related.ends.append(related.keys.count)
      }
    case .inverse(let index):
      if let range = rows.contiguous, rows.count > Self.rowsLookedUpMax {
        try walk(index, leaf.head, range, &related)
      } else {
        var found: [Int64] = []
        var key = IndexKey()
        for row in rows {
          found.removeAll(keepingCapacity: true)
          key.set(leaf.head.key(row))
          try key.withView { (view) throws(EngineError) in
            try index.keys(equal: view, into: &found)
          }
          for key in found { add(key, to: &related) }
          related.ends.append(related.keys.count)
        }
      }
    }
    return related
  }

  private func add(_ key: Int64, to related: inout RelatedKeys) {
    if chosen?.contains(key) ?? true { related.keys.append(key) }
  }

  /// Scans the index entries of consecutive rows.
  private func walk(
    _ index: IndexTree, _ head: LeafHead, _ rows: Range<Int>, _ related: inout RelatedKeys
  ) throws(EngineError) {
    guard let lastRow = rows.last else { return }
    var bounds = (IndexKey(), IndexKey())
    bounds.0.set(head.key(rows.lowerBound))
    bounds.1.set(head.key(lastRow))
    let range = IndexRange(from: .inclusive(bounds.0.bytes), to: .inclusive(bounds.1.bytes))
    var row = rows.lowerBound
    var key = bounds.0
    try index.scan(range) { (value, run) throws(EngineError) in
      // The entries ascend as the rows do. A longer value is a further link to the same target.
      while row < rows.upperBound {
        key.set(head.key(row))
        let order = key.withView { value.compare($0) }
        if order == 0 {
          for place in 0..<run.count { add(run.key(place), to: &related) }
        }
        guard order > 0 else { break }
        related.ends.append(related.keys.count)
        row += 1
      }
      return row < rows.upperBound
    }
    while related.ends.count < rows.count { related.ends.append(related.keys.count) }
  }
}

extension BoundExpression {
  /// Aggregates over the related objects of each row.
  func compute(
    _ objects: BoundRelation, _ function: AggregateFunction?, _ value: BoundExpression,
    _ leaf: inout ScanLeaf, _ rows: LeafRows, _ evaluation: inout Evaluation
  ) throws(EngineError) -> ColumnBuffer {
    var related = try objects.keys(&leaf, rows)
    let outside =
      try objects.correlation?.choose(from: &related, in: objects.tree, &leaf, rows, &evaluation)
    let column = ColumnBuffer(type: type)
    if function == .count, case .field(0) = value.content {
      for place in 0..<rows.count { column.append(Int64(related.range(place).count)) }
      return column
    }
    objects.reads?.add(related.keys.count)
    var inner = Evaluation(misfitsAreNull: evaluation.misfitsAreNull)
    let values = try value.compute(
      ofObjects: related.keys, in: objects.tree, outside: outside ?? [], &inner)
    for place in 0..<rows.count {
      let range = related.range(place)
      if let misfit = inner.misfit, range.contains(misfit) { evaluation.note(place) }
      guard let function else {
        // A link has at most one target.
        column.append(range.first.map { values.value($0) } ?? .null)
        continue
      }
      var gathered = AggregateAccumulator(function, value.type, value.form)
      for row in range where !values.isNull(row) { gathered.add(values.value(row)) }
      let result = gathered.result
      if result == nil { evaluation.note(place) }
      column.append(result ?? .null)
    }
    return column
  }
}

/// A condition on related objects that also reads their outer object: a correlated subquery.
///
/// Each row of a leaf and each of its related objects form a pair. Expressions are computed column by column over the
/// pairs; the row's fields are read once per row, a related object's fields once per object.
final class Correlation: Sendable {
  /// The expressions over the outer object.
  private let outside: [BoundExpression]
  /// The columns of the pairs that the condition reads.
  private let columns: [BoundExpression]
  /// Whether a row of these columns meets the condition.
  private let isChosen: @Sendable (_ columns: [ColumnBuffer], _ row: Int) -> Bool

  init(
    outside: [BoundExpression], columns: [BoundExpression],
    isChosen: @escaping @Sendable (_ columns: [ColumnBuffer], _ row: Int) -> Bool
  ) {
    self.outside = outside
    self.columns = columns
    self.isChosen = isChosen
  }

  /// Keeps the related objects that meet the condition; returns the outer columns, one row for each object kept.
  func choose(
    from related: inout RelatedKeys, in tree: ObjectTree, _ leaf: inout ScanLeaf, _ rows: LeafRows,
    _ evaluation: inout Evaluation
  ) throws(EngineError) -> [ColumnBuffer] {
    var places: [Int32] = []
    places.reserveCapacity(related.keys.count)
    for row in related.ends.indices {
      for _ in related.range(row) { places.append(Int32(truncatingIfNeeded: row)) }
    }
    var read: [ColumnBuffer] = []
    for value in outside { read.append(try value.compute(&leaf, rows, &evaluation)) }
    read = read.gathering(places)
    // As in any query's condition, misfits are null, whatever the result is used for.
    var asked = Evaluation(misfitsAreNull: true)
    var columns: [ColumnBuffer] = []
    for column in self.columns {
      columns.append(try column.compute(ofObjects: related.keys, in: tree, outside: read, &asked))
    }
    var chosen = RelatedKeys()
    places.removeAll(keepingCapacity: true)
    for row in related.ends.indices {
      for pair in related.range(row) where isChosen(columns, pair) {
        chosen.keys.append(related.keys.integer(pair))
        places.append(Int32(truncatingIfNeeded: pair))
      }
      chosen.ends.append(chosen.keys.count)
    }
    related = chosen
    return read.gathering(places)
  }
}

extension [ColumnBuffer] {
  /// The rows at the given indices.
  func gathering(_ places: [Int32]) -> [ColumnBuffer] {
    var columns: [ColumnBuffer] = []
    for column in self { columns.append(column.gathering(places)) }
    return columns
  }
}

extension ColumnBuffer {
  /// The rows at the given indices.
  func gathering(_ places: [Int32]) -> ColumnBuffer {
    let column = ColumnBuffer(type: type)
    column.append(self, gathering: places[...])
    return column
  }
}
