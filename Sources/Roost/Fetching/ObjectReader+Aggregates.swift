internal import RoostEngine

/// Sums, means and extremes of a field, without decoding objects.
///
/// They read only the fields that the query names, and the aggregated field. Nil is ignored,
/// and extremes ignore NaN.
extension ObjectReader {
  /// The sum of a field over the results of a query; 0 if there are none.
  ///
  /// - Throws: ``StoreError/overflow(model:field:)`` where a sum of integers or decimal numbers does not fit.
  public func sum<M: Model, Value: Summable>(
    _ path: KeyPath<M, Value>, of query: Query<M>
  ) throws(StoreError) -> Value {
    try _reader.context.sum(path, of: query)
  }

  /// The sum of a field over the results of a query; 0 if there are none.
  ///
  /// - Throws: ``StoreError/overflow(model:field:)`` where a sum of integers or decimal numbers does not fit.
  public func sum<M: Model, Value: Summable>(
    _ path: KeyPath<M, Value?>, of query: Query<M>
  ) throws(StoreError) -> Value {
    try _reader.context.sum(path, of: query)
  }

  /// The mean of a field over the results of a query: a `Double`, or a `Decimal` of decimal numbers, rounded half even
  /// to 38 digits; nil if there are none.
  public func average<M: Model, Value: Summable>(
    _ path: KeyPath<M, Value>, of query: Query<M>
  ) throws(StoreError) -> Value._Mean? {
    try _reader.context.average(path, of: query)
  }

  /// The mean of an optional field over the results of a query that have a value; nil if there are none.
  public func average<M: Model, Value: Summable>(
    _ path: KeyPath<M, Value?>, of query: Query<M>
  ) throws(StoreError) -> Value._Mean? {
    try _reader.context.average(path, of: query)
  }

  /// The lowest value of a field over the results of a query; nil if there are none.
  public func min<M: Model, Value: Sortable>(
    _ path: KeyPath<M, Value>, of query: Query<M>
  ) throws(StoreError) -> Value? {
    try _reader.context.extreme(.minimum, path, of: query)
  }

  /// The lowest value of an optional field over the results of a query that have a value; nil if there are none.
  public func min<M: Model, Value: Sortable>(
    _ path: KeyPath<M, Value?>, of query: Query<M>
  ) throws(StoreError) -> Value? {
    try _reader.context.extreme(.minimum, path, of: query) ?? nil
  }

  /// The highest value of a field over the results of a query; nil if there are none.
  public func max<M: Model, Value: Sortable>(
    _ path: KeyPath<M, Value>, of query: Query<M>
  ) throws(StoreError) -> Value? {
    try _reader.context.extreme(.maximum, path, of: query)
  }

  /// The highest value of an optional field over the results of a query that have a value; nil if there are none.
  public func max<M: Model, Value: Sortable>(
    _ path: KeyPath<M, Value?>, of query: Query<M>
  ) throws(StoreError) -> Value? {
    try _reader.context.extreme(.maximum, path, of: query) ?? nil
  }
}

// Compiled into the programs that use them: most use none and should not grow for it.

/// Sums, means and extremes of a computed value.
///
/// ```swift
/// let worth = try snapshot.sum(of: Item.where { $0.isSold == false }) { $0.price * $0.count }
/// ```
extension ObjectReader {
  /// The sum of a number of each result of a query; 0 if there are none: an `Int`, `UInt`, `Decimal`, or for floating-point
  /// numbers a `Double`.
  ///
  /// - Throws: ``StoreError/overflow(model:field:)`` where a sum of integers or decimal numbers does not fit.
  @_alwaysEmitIntoClient
  public func sum<M: Model, Value: _Multipliable>(
    of query: Query<M>, _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> Value._Sum {
    try aggregate(query) { $0.sum(value) }
  }

  /// The mean of a number of the results of a query that have one: a `Double`, or a `Decimal` of decimal numbers; nil if
  /// none has.
  @_alwaysEmitIntoClient
  public func average<M: Model, Value: _Multipliable>(
    of query: Query<M>, _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> Value._Mean? {
    try aggregate(query) { $0.average(value) }
  }

  /// The lowest value of the results of a query; nil if there is none.
  @_alwaysEmitIntoClient
  public func min<M: Model, Value: Sortable>(
    of query: Query<M>, _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> Value._Unwrapped? {
    try aggregate(query) { $0.min(value) }
  }

  /// The highest value of the results of a query; nil if there is none.
  @_alwaysEmitIntoClient
  public func max<M: Model, Value: Sortable>(
    of query: Query<M>, _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> Value._Unwrapped? {
    try aggregate(query) { $0.max(value) }
  }

  @usableFromInline
  func aggregate<M: Model, Value: Storable>(
    _ query: Query<M>, _ value: (ObjectGroup<M>) -> GroupValue<Value>
  ) throws(StoreError) -> Value {
    let query = GroupedQuery<M>(GroupContent(query.content, by: []))
    let term = value(ObjectGroup(of: query)).term
    // Without keys there is one group, of no results too.
    return try _reader.context.groups(query, [term], as: Value.self)[0].values
  }
}
