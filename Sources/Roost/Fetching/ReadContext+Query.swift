internal import RoostEngine

extension ReadContext {
  /// The locations of a query's results, in order.
  func results(
    of query: QueryContent, _ model: ModelBinding
  ) throws(StoreError) -> ResultSet {
    let view = try view()
    if let known = try simpleResults(of: query, model, in: view) { return known }
    let lowered = try binding.lower(query, model)
    return try working(on: file) { () throws(EngineError) in try view.matches(lowered) }
  }

  /// The results of a query with a single comparison that an index answers: the most frequent query of apps,
  /// without making a predicate.
  private func simpleResults(
    of query: QueryContent, _ model: ModelBinding, in view: ReadView
  ) throws(StoreError) -> ResultSet? {
    guard case .compare(.path(let path), let comparison, let value) = query.filter,
      path.links.isEmpty, query.origin == nil
    else { return nil }
    let field = try binding.field(path.field, model)
    if query.isWhole, comparison == .equal {
      return try working(on: file) { () throws(EngineError) in
        try view.indexedMatches(field, in: model.tableID, equal: value)
      }
    }
    guard let limit = query.countMax, query.order.count == 1, let order = query.order.first,
      !order.isDescending, order.collation == nil, order.value == .path(path)
    else { return nil }
    return try working(on: file) { () throws(EngineError) in
      try view.indexedMatches(
        field, in: model.tableID, comparison, value, limit: limit, offset: query.offset)
    }
  }

  /// The object keys of a query's results, in order.
  func keys<M>(of query: Query<M>) throws(StoreError) -> [Int64] {
    let results = try results(of: query.content, try model(M.self))
    return try working(on: file) { () throws(EngineError) in try results.keys() }
  }

  /// The number of results of a query.
  func count<M>(_ query: Query<M>) throws(StoreError) -> Int {
    let lowered = try binding.lower(query.content, try model(M.self))
    let view = try view()
    return try working(on: file) { () throws(EngineError) in try view.count(lowered) }
  }

  /// Passes the results of a query to `body`, in order, in batches that are stored together.
  func forEachBatch<M>(of query: Query<M>, _ body: ([M]) throws -> Void) throws {
    let model = try model(M.self)
    let schema = M.schema
    var cursor = try results(of: query.content, model).cursor()
    while true {
      let next = try working(on: file) { () throws(EngineError) in try cursor.next() }
      guard let batch = next else { return }
      let columns = ModelColumns.of(batch.leaf, for: model)
      var objects: [M] = []
      objects.reserveCapacity(batch.rows.count)
      try decode(batch, columns, schema, to: &objects)
      try body(objects)
    }
  }

  private func decode<M>(
    _ batch: ResultBatch, _ columns: UnownedColumns, _ schema: Schema<M>, to objects: inout [M]
  ) throws(StoreError) {
    let wasInUse = beginDecoding()
    defer { endDecoding(wasInUse) }
    try columns.findAll(in: self)
    for row in batch.rows { objects.append(try schema.object(found: columns, row: row, in: self)) }
    withExtendedLifetime(batch.leaf) {}
  }

  /// The results of a query, decoded, in order.
  func objects<M>(of query: Query<M>) throws(StoreError) -> [M] {
    let model = try model(M.self)
    let results = try results(of: query.content, model)
    // For no objects, the array below would write the count shared by all empty arrays, on every thread.
    guard !results.isEmpty else { return [] }
    let schema = M.schema
    var cursor = results.cursor()
    var failure: StoreError?
    let wasInUse = beginDecoding()
    defer { endDecoding(wasInUse) }
    // Each is decoded in place: an append would copy it, and count its texts' references twice.
    let objects = unsafe [M](unsafeUninitializedCapacity: results.count) { memory, count in
      do throws(StoreError) {
        while true {
          let next = try working(on: file) { () throws(EngineError) in try cursor.next() }
          guard let batch = next else { return }
          let columns = ModelColumns.of(batch.leaf, for: model)
          try columns.findAll(in: self)
          for row in batch.rows {
            // The cursor passes as many rows as the results count.
            unsafe memory.initializeElement(
              at: count, to: try schema.object(found: columns, row: row, in: self))
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

extension ObjectReader {
  /// Passes the results of a query to `body`, in order, in batches that are stored together.
  package func forEachBatch<M: Model>(
    of query: Query<M>, _ body: ([M]) throws -> Void
  ) throws {
    try _reader.context.forEachBatch(of: query, body)
  }
}
