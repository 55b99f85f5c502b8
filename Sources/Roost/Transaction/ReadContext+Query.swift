internal import RoostEngine

extension ReadContext {
  /// The objects that a query finds: where they are, in order.
  func results<M>(of query: Query<M>) throws(StoreError) -> ResultSet {
    let lowered = try binding.lower(query)
    let view = try view()
    return try atPath(path) { () throws(EngineError) in try view.matches(lowered) }
  }

  /// The object keys that a query finds, in order.
  func keys<M>(of query: Query<M>) throws(StoreError) -> [Int64] {
    let results = try results(of: query)
    return try atPath(path) { () throws(EngineError) in try results.keys() }
  }

  /// How many objects a query finds.
  func count<M>(_ query: Query<M>) throws(StoreError) -> Int {
    let lowered = try binding.lower(query)
    let view = try view()
    return try atPath(path) { () throws(EngineError) in try view.count(lowered) }
  }

  /// Gives the objects that a query finds to `body`, decoded, in order.
  func forEach<M>(
    _ query: Query<M>, _ body: (M) -> Void, counted: (Int) -> Void
  ) throws(StoreError) {
    let results = try results(of: query)
    counted(results.count)
    let schema = M.schema
    let model = try model(M.self)
    var cursor = results.cursor()
    while true {
      let next = try atPath(path) { () throws(EngineError) in try cursor.next() }
      guard let batch = next else { return }
      let columns = ModelColumns.of(batch.leaf, for: model)
      for row in batch.rows {
        body(try schema.object(columns, row: row, in: self))
      }
      withExtendedLifetime(batch.leaf) {}
    }
  }
}
