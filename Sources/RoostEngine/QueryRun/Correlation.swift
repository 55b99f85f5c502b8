/// How those of related objects are told that count, where the object that has them is asked, too.
///
/// The rows of a leaf and the objects that they have to do with make pairs, of which everything is computed column by
/// column: what is read of the row once a row, and a field of the object once an object.
final class Correlation: Sendable {
  /// What is read of the one.
  private let outside: [BoundExpression]
  /// The columns of the pairs that the condition is about.
  private let columns: [BoundExpression]
  /// Whether a row of these columns fulfils it.
  private let isChosen: @Sendable (_ columns: [ColumnBuffer], _ row: Int) -> Bool

  init(
    outside: [BoundExpression], columns: [BoundExpression],
    isChosen: @escaping @Sendable (_ columns: [ColumnBuffer], _ row: Int) -> Bool
  ) {
    self.outside = outside
    self.columns = columns
    self.isChosen = isChosen
  }

  /// Leaves those of the objects that count; returns what is read of the row that has each of them.
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
    // A condition is that of a query, whatever its result is for.
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
  /// The rows at some places.
  func gathering(_ places: [Int32]) -> [ColumnBuffer] {
    var columns: [ColumnBuffer] = []
    for column in self { columns.append(column.gathering(places)) }
    return columns
  }
}

extension ColumnBuffer {
  /// The rows at some places.
  func gathering(_ places: [Int32]) -> ColumnBuffer {
    let column = ColumnBuffer(type: type)
    column.append(self, gathering: places[...])
    return column
  }
}
