internal import RoostEngine

extension ReadContext {
  /// Gives the column of a field to `body`, leaf by leaf, with the rows that a query finds in it.
  private func forEachColumn<M>(
    of path: AnyKeyPath, in query: Query<M>,
    _ body: (ColumnChunk, LeafRows, LeafReference) throws(StoreError) -> Void
  ) throws(StoreError) {
    let model = try model(M.self)
    guard let position = M.schema.position(of: path) else {
      throw .unknownField(model: model.name.name, property: "\(path)")
    }
    var query = query
    // Without a limit the order decides nothing, and in the order of keys each leaf comes once.
    if query.countMax == nil && query.offset == 0 { query.order = [] }
    let results = try results(of: query)
    let window = RowWindow(model, lookup: self)
    var cursor = results.cursor()
    while true {
      let next = try atPath(self.path) { () throws(EngineError) in try cursor.next() }
      guard let batch = next else { return }
      try body(try window.column(position, of: batch.leaf), batch.rows, batch.leaf)
      withExtendedLifetime(batch.leaf) {}
    }
  }

  /// The sum of a numeric field, and how many values it has.
  private func total<M>(
    _ path: AnyKeyPath, of query: Query<M>
  ) throws(StoreError) -> (integer: Int64, double: Double, count: Int) {
    var integer: Int64 = 0
    var double = 0.0
    var count = 0
    try forEachColumn(of: path, in: query) { (column, rows, _) throws(StoreError) in
      for row in rows {
        if column.hasNulls && column.isNull(row) { continue }
        count += 1
        switch column.type {
        case .integer:
          let (sum, overflows) = integer.addingReportingOverflow(column.integer(row))
          if overflows { throw .overflow(field: "\(path)") }
          integer = sum
        case .double: double += column.double(row)
        case .float: double += Double(column.float(row))
        case .bytes, .uuid: break
        }
      }
    }
    return (integer, double, count)
  }

  func sum<M, Value: Summable>(
    _ path: AnyKeyPath, of query: Query<M>
  ) throws(StoreError) -> Value {
    let total = try total(path, of: query)
    let isInteger = Value._fieldType.kind.physical == .integer
    let sum = Value._sum(_Constant(isInteger ? .integer(total.integer) : .double(total.double)))
    guard let sum else { throw .overflow(field: "\(path)") }
    return sum
  }

  func average<M>(_ path: AnyKeyPath, of query: Query<M>) throws(StoreError) -> Double? {
    let total = try total(path, of: query)
    // One of the two sums is 0.
    return total.count == 0
      ? nil : (Double(total.integer) + total.double) / Double(total.count)
  }

  /// The value that comes before all others, as `isBetter` says of how two of them compare.
  func extreme<M, Value: Storable>(
    _ path: KeyPath<M, Value>, of query: Query<M>, _ isBetter: (Int) -> Bool
  ) throws(StoreError) -> Value? {
    var best: (leaf: LeafReference, row: Int)?
    var bestColumn: ColumnChunk?
    try forEachColumn(of: path, in: query) { (column, rows, leaf) throws(StoreError) in
      for row in rows where !column.isNull(row) && !column.isNaN(row) {
        if let best, let bestColumn,
          !isBetter(column.compare(row, with: bestColumn, best.row))
        {
          continue
        }
        best = (leaf, row)
        bestColumn = column
      }
    }
    guard let best else { return nil }
    let window = RowWindow(try model(M.self), lookup: self)
    let position = M.schema.position(of: path) ?? 0
    try window.move(to: best.leaf, only: position)
    return try Value._read(window.cell(position, row: best.row))
  }
}

extension ColumnChunk {
  fileprivate func isNaN(_ row: Int) -> Bool {
    switch type {
    case .double: double(row).isNaN
    case .float: float(row).isNaN
    case .integer, .bytes, .uuid: false
    }
  }

  /// Below, at or above zero as a value sorts before, with or after one of another leaf.
  fileprivate func compare(_ row: Int, with other: ColumnChunk, _ otherRow: Int) -> Int {
    func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    switch type {
    case .integer: return order(integer(row), other.integer(otherRow))
    case .double: return order(double(row), other.double(otherRow))
    case .float: return order(float(row), other.float(otherRow))
    case .bytes: return bytes(row).compare(other.bytes(otherRow))
    case .uuid:
      let (a, b) = (uuid(row), other.uuid(otherRow))
      return a.high == b.high ? order(a.low, b.low) : order(a.high, b.high)
    }
  }
}
