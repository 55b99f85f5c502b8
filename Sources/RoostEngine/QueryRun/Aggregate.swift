/// An aggregate over many objects: a function and the expression that it takes.
package struct Aggregate: Equatable, Sendable {
  /// The function.
  package var function: AggregateFunction
  /// The aggregated expression.
  package var value: ColumnExpression

  /// Aggregates a field; 0 is the object key.
  package init(_ function: AggregateFunction, of field: FieldID) {
    self.init(function, of: .field(field))
  }

  /// Aggregates an expression over each object.
  package init(_ function: AggregateFunction, of value: ColumnExpression) {
    self.function = function
    self.value = value
  }
}

extension ReadView {
  /// Aggregates over the objects of a query, in one pass over the required columns.
  ///
  /// Integers and decimal numbers are added exactly; doubles and floats as doubles, in an order that the leaves
  /// determine. If all rows of a leaf match, its zone map gives the extremes.
  /// A sum has the field's type.
  /// - Throws: `.overflow` when a sum of integers does not fit 64 bits, or one of decimal numbers is none;
  ///   `.wrongType` for the sum of a field that is no number; else as ``count(_:)``.
  package func aggregate(
    _ aggregates: [Aggregate], over query: ObjectQuery
  ) throws(EngineError) -> [Value] {
    var statistics = ScanStatistics()
    return try aggregate(aggregates, over: query, &statistics)
  }

  /// Aggregates over the objects of a query; adds the data read to the statistics.
  package func aggregate(
    _ aggregates: [Aggregate], over query: ObjectQuery, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> [Value] {
    let compiler = try PredicateCompiler(self, table: query.table)
    var run = try AggregateRun(aggregates, compiler)
    if query.limit == nil, query.offset <= 0 {
      var matched = 0
      let condition = try compiler.condition(query.predicate)
      let queryRun = try QueryRun(compiler, condition)
      if case .constant(true) = queryRun.condition, run.readsOnlyColumns {
        try run.addAll(of: queryRun.tree, &statistics)
        return try run.values()
      }
      try queryRun.forEachLeaf(&statistics) {
        (leaf, answer, selection) throws(EngineError) in
        matched += answer == .all ? leaf.rowCount : selection.count
        try run.add(&leaf, answer == .all ? nil : selection)
        return true
      }
      statistics.rowsMatched += matched
    } else {
      let result = try matches(query, &statistics)
      let tree = try compiler.objects()
      let selection = Selection()
      try result.forEachLeaf { (reference, rows) throws(EngineError) in
        selection.reset(rowCount: reference.rowCount, selected: false)
        for row in rows { selection.set(row, true) }
        var leaf = ScanLeaf(reference, in: tree.context)
        try run.add(&leaf, selection)
      }
    }
    return try run.values()
  }

  /// The sum of a field over a query.
  package func sum(_ field: FieldID, over query: ObjectQuery) throws(EngineError) -> Value {
    try aggregate([Aggregate(.sum, of: field)], over: query)[0]
  }

  /// The smallest value of a field over a query; null if there is no value.
  package func minimum(_ field: FieldID, over query: ObjectQuery) throws(EngineError) -> Value {
    try aggregate([Aggregate(.minimum, of: field)], over: query)[0]
  }

  /// The largest value of a field over a query; null if there is no value.
  package func maximum(_ field: FieldID, over query: ObjectQuery) throws(EngineError) -> Value {
    try aggregate([Aggregate(.maximum, of: field)], over: query)[0]
  }

  /// The average of a field over a query; nil if there is no value.
  package func average(_ field: FieldID, over query: ObjectQuery) throws(EngineError) -> Double? {
    let value = try aggregate([Aggregate(.average, of: field)], over: query)[0]
    if case .double(let average) = value { return average }
    return nil
  }
}
