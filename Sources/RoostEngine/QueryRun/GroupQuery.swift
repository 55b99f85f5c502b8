/// A query with groups: aggregates over objects with equal values in some fields.
///
/// Null equals null, NaN equals NaN, and −0 equals 0. Without aggregates, the groups are the distinct values.
package struct GroupQuery: Equatable, Sendable {
  /// The objects to group. Their order matters only with a limit.
  package var objects: ObjectQuery
  /// The grouping keys.
  package var keys: [ColumnExpression]
  /// The aggregates of each group.
  package var aggregates: [Aggregate]
  /// The condition on groups: field n is the n-th column of the result, counted from 1, keys first.
  package var having: Predicate
  /// The sort keys, over the same columns; groups that are equal in all of these are ordered by their keys.
  package var order: [SortKey]
  /// The maximum number of groups; nil for all.
  package var limit: Int?
  /// The number of groups to skip before the first.
  package var offset: Int

  /// A query; by default for all groups, in the order of their keys.
  package init(
    _ objects: ObjectQuery, by keys: [ColumnExpression], _ aggregates: [Aggregate] = [],
    having: Predicate = .always(true), order: [SortKey] = [], limit: Int? = nil, offset: Int = 0
  ) {
    self.objects = objects
    self.keys = keys
    self.aggregates = aggregates
    self.having = having
    self.order = order
    self.limit = limit
    self.offset = offset
  }
}

extension ReadView {
  /// The groups of the objects of a query.
  ///
  /// Reads the required columns, a leaf at a time, and keeps a row for each group in memory.
  /// - Throws: `.overflow` when a sum of integers does not fit 64 bits, or one of decimal numbers is none; else as
  ///   ``count(_:)``.
  package func groups(_ query: GroupQuery) throws(EngineError) -> ValueTable {
    var statistics = ScanStatistics()
    return try groups(query, &statistics)
  }

  /// The groups of the objects of a query; adds the data read to the statistics.
  package func groups(
    _ query: GroupQuery, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> ValueTable {
    let compiler = try PredicateCompiler(self, table: query.objects.table)
    var run = try GroupRun(query, compiler)
    let condition = try compiler.condition(query.objects.predicate)
    if query.objects.limit == nil, query.objects.offset <= 0 {
      try QueryRun(compiler, condition).forEachLeaf(&statistics) {
        (leaf, answer, selection) throws(EngineError) in
        try run.add(&leaf, LeafRows(answer, selection, of: leaf.rowCount))
        return true
      }
    } else {
      let context = try compiler.objects().context
      try matches(query.objects, &statistics).forEachLeaf { (leaf, rows) throws(EngineError) in
        var leaf = ScanLeaf(leaf, in: context)
        try run.add(&leaf, rows)
      }
    }
    return try run.result(query)
  }

  /// The values of expressions over the objects of a query, in its order: one row per object.
  ///
  /// Reads only the required columns.
  /// - Throws: As ``count(_:)``.
  package func values(
    _ expressions: [ColumnExpression], of query: ObjectQuery
  ) throws(EngineError) -> ValueTable {
    let compiler = try PredicateCompiler(self, table: query.table)
    var bound: [BoundExpression] = []
    for expression in expressions { bound.append(try compiler.bind(expression)) }
    let context = try objects(query.table).context
    let columns = bound.map { ColumnBuffer(type: $0.type) }
    let results = try matches(query)
    var evaluation = Evaluation(misfitsAreNull: true)
    try results.forEachLeaf { (leaf, rows) throws(EngineError) in
      var leaf = ScanLeaf(leaf, in: context)
      for (expression, column) in zip(bound, columns) {
        let values = try expression.compute(&leaf, rows, &evaluation)
        column.append(values, rows: 0..<rows.count)
      }
    }
    return ValueTable(columns: columns, count: results.count)
  }
}
