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
