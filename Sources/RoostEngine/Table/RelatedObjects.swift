/// The objects that those of a leaf have to do with: what a ``Relation`` comes down to.
struct RelatedObjects: Sendable {
  enum Source: Sendable {
    /// One link.
    case link(FieldID)
    /// A list of links.
    case links(FieldID)
    /// The index of the link, or of the list, that leads here.
    case inverse(IndexTree)
  }

  let source: Source
  /// The table that they are in.
  let tree: ObjectTree
  /// Those that count; nil where all do.
  let chosen: KeySet?
}

/// The keys of the objects that some rows have to do with, those of one row after those of the other.
struct RelatedKeys {
  let keys = ColumnBuffer(type: .integer)
  /// Where the keys of each row end.
  var ends: [Int] = []

  func range(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }
}

extension RelatedObjects {
  /// More rows than this are looked up in one pass over the index.
  private static let rowsLookedUpMax = 16

  func keys(_ leaf: inout ScanLeaf, _ rows: LeafRows) throws(EngineError) -> RelatedKeys {
    if case .inverse(let index) = source, let range = rows.contiguous,
      rows.count > Self.rowsLookedUpMax
    {
      var related = RelatedKeys()
      related.ends.reserveCapacity(rows.count)
      try walk(index, leaf.head, range, &related)
      return related
    }
    let column = ColumnBuffer(type: origin.type)
    try column.append(origin.field, of: &leaf, rows)
    return try keys(from: column)
  }

  /// The field that leads to them.
  var origin: (field: FieldID, type: PhysicalType) {
    switch source {
    case .link(let field): (field, .integer)
    case .links(let field): (field, .bytes)
    case .inverse: (0, .integer)
    }
  }

  /// The keys, by the values of the field that leads to them; where one is null there is none.
  func keys(from column: ColumnBuffer) throws(EngineError) -> RelatedKeys {
    var related = RelatedKeys()
    related.ends.reserveCapacity(column.count)
    var found: [Int64] = []
    var key = IndexKey()
    for place in 0..<column.count {
      if !column.isNull(place) {
        switch source {
        case .link: add(column.integer(place), to: &related)
        case .links:
          let list = column.bytes(place)
          for link in 0..<list.count / 8 {
            add(Int64(bitPattern: list.uint64(at: link * 8)), to: &related)
          }
        case .inverse(let index):
          found.removeAll(keepingCapacity: true)
          key.set(column.integer(place))
          try key.withView { (view) throws(EngineError) in
            try index.keys(equal: view, into: &found)
          }
          for key in found { add(key, to: &related) }
        }
      }
      related.ends.append(related.keys.count)
    }
    return related
  }

  private func add(_ key: Int64, to related: inout RelatedKeys) {
    if chosen?.contains(key) ?? true { related.keys.append(key) }
  }

  /// Goes through the entries of rows that follow one another.
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
      // The entries ascend as the rows do. A longer value is of a further link to the same target.
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
  /// What the objects that some rows have to do with give together.
  func compute(
    _ objects: RelatedObjects, _ function: AggregateFunction, _ value: BoundExpression,
    _ leaf: inout ScanLeaf, _ rows: LeafRows, _ evaluation: inout Evaluation
  ) throws(EngineError) -> ColumnBuffer {
    try gather(function, value, try objects.keys(&leaf, rows), &evaluation) {
      (keys, evaluation) throws(EngineError) in
      try value.compute(ofObjects: keys, in: objects.tree, &evaluation)
    }
  }

  /// What an expression of the objects that some rows have to do with gives together.
  func gather(
    _ function: AggregateFunction, _ value: BoundExpression, _ related: RelatedKeys,
    _ evaluation: inout Evaluation,
    _ compute: (_ keys: ColumnBuffer, inout Evaluation) throws(EngineError) -> ColumnBuffer
  ) throws(EngineError) -> ColumnBuffer {
    let column = ColumnBuffer(type: type)
    if function == .count, case .field(0) = value.content {
      for place in related.ends.indices { column.append(Int64(related.range(place).count)) }
      return column
    }
    var inner = Evaluation(misfitsAreNull: evaluation.misfitsAreNull)
    let values = try compute(related.keys, &inner)
    for place in related.ends.indices {
      let range = related.range(place)
      if let misfit = inner.misfit, range.contains(misfit) { evaluation.note(place) }
      var gathered = GatheredValues(function, value.type, isUnsigned: value.isUnsigned)
      for row in range where !values.isNull(row) { gathered.add(values.value(row)) }
      if gathered.result == nil { evaluation.note(place) }
      column.append(gathered.result ?? .null)
    }
    return column
  }
}
