internal import RoostEngine

extension ReadContext {
  /// The objects that a query finds: where they are, in order.
  func results(
    of query: QueryContent, _ model: ModelBinding
  ) throws(StoreError) -> ResultSet {
    let view = try view()
    // What apps ask most needs no predicate to be made.
    if case .compare(let path, .equal, let value) = query.filter, path.links.isEmpty,
      query.isWhole
    {
      let field = try binding.field(path.field, model)
      let known = try atPath(self.path) { () throws(EngineError) in
        try view.indexedMatches(field, in: model.tableID, equal: value)
      }
      if let known { return known }
    }
    let lowered = try binding.lower(query, model)
    return try atPath(path) { () throws(EngineError) in try view.matches(lowered) }
  }

  /// The object keys that a query finds, in order.
  func keys<M>(of query: Query<M>) throws(StoreError) -> [Int64] {
    let results = try results(of: query.content, try model(M.self))
    return try atPath(path) { () throws(EngineError) in try results.keys() }
  }

  /// How many objects a query finds.
  func count<M>(_ query: Query<M>) throws(StoreError) -> Int {
    let lowered = try binding.lower(query.content, try model(M.self))
    let view = try view()
    return try atPath(path) { () throws(EngineError) in try view.count(lowered) }
  }

  /// The objects that a query finds, decoded, in order.
  func objects<M>(of query: Query<M>) throws(StoreError) -> [M] {
    let model = try model(M.self)
    let results = try results(of: query.content, model)
    let schema = M.schema
    var cursor = results.cursor()
    var failure: StoreError?
    // Each is decoded into its place: an append would copy it, and count its texts' references twice.
    let objects = unsafe [M](unsafeUninitializedCapacity: results.count) { memory, count in
      do throws(StoreError) {
        while true {
          let next = try atPath(path) { () throws(EngineError) in try cursor.next() }
          guard let batch = next else { return }
          let columns = ModelColumns.of(batch.leaf, for: model)
          for row in batch.rows {
            let object = try schema.object(columns, row: row, in: self)
            unsafe memory.initializeElement(at: count, to: object)
            count += 1
          }
          withExtendedLifetime(batch.leaf) {}
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return objects
  }
}
