/// Answering queries.
extension ReadView {
  /// The number of objects that a query finds.
  ///
  /// Reads only the columns of the predicate that zone maps and indexes do not answer.
  /// Ignores the order.
  /// - Throws: `.unknownField` and `.wrongType` for a field that is not there or has another type;
  ///   `.cancelled` when the task was cancelled; `.corrupt` where the file is damaged.
  package func count(_ query: ObjectQuery) throws(EngineError) -> Int {
    var statistics = ScanStatistics()
    return try count(query, &statistics)
  }

  /// The number of objects that a query finds; adds the data read to the statistics.
  package func count(
    _ query: ObjectQuery, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> Int {
    guard let lookup = FieldLookup(query, in: self) else {
      return query.window(of: try QueryRun(query, in: self).count(&statistics)).count
    }
    let count = try lookup.count()
    statistics.index = lookup.field
    statistics.steps.append(.index(lookup.field, entries: UInt64(count)))
    statistics.rowsMatched += count
    return query.window(of: count).count
  }

  /// The number of objects with a value in a field.
  ///
  /// With an index on the field, this takes two descents in it.
  /// - Throws: As ``count(_:)``.
  package func count(
    _ field: FieldID, in table: UInt32, equal value: Value
  ) throws(EngineError) -> Int {
    if let lookup = FieldLookup(field, of: table, .equal, value, in: self) {
      return try lookup.count()
    }
    return try count(ObjectQuery(table: table, predicate: .compare(field, .equal, value)))
  }

  /// The objects that a query finds, in its order.
  ///
  /// - Throws: As ``count(_:)``.
  package func matches(_ query: ObjectQuery) throws(EngineError) -> ResultSet {
    var statistics = ScanStatistics()
    return try matches(query, &statistics)
  }

  /// The objects with a value in a field, if it has an index and they are not too many.
  ///
  /// - Throws: As ``count(_:)``.
  package func indexedMatches(
    _ field: FieldID, in table: UInt32, equal value: Value
  ) throws(EngineError) -> ResultSet? {
    guard let lookup = FieldLookup(field, of: table, .equal, value, in: self),
      let keys = try lookup.keys()
    else { return nil }
    return ResultSet(try objects(table), .keys(keys), window: 0..<keys.count)
  }

  /// The first objects in the order of a field among those whose value meets a comparison, if an index in memory
  /// can answer it.
  ///
  /// - Throws: As ``count(_:)``.
  package func indexedMatches(
    _ field: FieldID, in table: UInt32, _ comparison: Comparison, _ value: Value, limit: Int,
    offset: Int
  ) throws(EngineError) -> ResultSet? {
    let (end, overflow) = max(limit, 0).addingReportingOverflow(max(offset, 0))
    guard !overflow, let lookup = FieldLookup(field, of: table, comparison, value, in: self),
      let keys = try lookup.keys(first: end)
    else { return nil }
    let start = min(max(offset, 0), keys.count)
    return ResultSet(try objects(table), .keys(keys), window: start..<keys.count)
  }

  /// The objects that a query finds; adds the data read to the statistics.
  package func matches(
    _ query: ObjectQuery, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> ResultSet {
    try matches(query, &statistics, notingIn: nil)
  }

  /// The same, and notes what is read behind links and inverses.
  func matches(
    _ query: ObjectQuery, _ statistics: inout ScanStatistics, notingIn searches: RelatedSearches?
  ) throws(EngineError) -> ResultSet {
    if query.order.isEmpty, let lookup = FieldLookup(query, in: self),
      let keys = try lookup.keys()
    {
      statistics.index = lookup.field
      statistics.steps.append(.index(lookup.field, entries: UInt64(keys.count)))
      statistics.rowsMatched += keys.count
      return ResultSet(
        try objects(query.table), .keys(keys), window: query.window(of: keys.count))
    }
    let compiler = try PredicateCompiler(self, table: query.table, notingIn: searches)
    let order = try compiler.columns(query.order, of: query.predicate)
    let condition = try compiler.condition(query.predicate)
    let tree = try compiler.objects()
    let walk = try query.neededCount.flatMap { limit throws(EngineError) in
      try IndexOrderScan.best(condition, of: compiler.table, tree, order, limit: limit, in: self)
    }
    if let walk, !walk.looksAtObjects, let keys = try walk.find(objectsMax: .max, &statistics) {
      return ResultSet(walk.tree, .keys(keys), window: query.window(of: keys.count))
    }
    let run = try QueryRun(compiler, condition)
    if let walk, walk.looksAtObjects,
      let keys = try walk.find(objectsMax: try run.objectsForTheSame(), &statistics)
    {
      return ResultSet(walk.tree, .keys(keys), window: query.window(of: keys.count))
    }
    let (storage, count) = try run.findSorted(order, limit: query.neededCount, &statistics)
    return ResultSet(run.tree, storage, window: query.window(of: count))
  }
}
