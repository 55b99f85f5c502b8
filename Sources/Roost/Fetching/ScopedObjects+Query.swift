// All of these are compiled into the programs that use them: most programs use none and should not grow for it.

/// Other results of queries than objects, and reads through links to objects of the model.
extension ScopedObjects {
  /// The target of a link, or nil if it does not exist.
  @_alwaysEmitIntoClient
  public func fetch(_ link: Link<Object>) throws(StoreError) -> Object? {
    try reader.fetch(link)
  }

  /// The targets of links, in their order.
  @_alwaysEmitIntoClient
  public func fetch(_ links: Links<Object>) throws(StoreError) -> [Object] {
    try reader.fetch(links)
  }

  /// The results of a query, each with the targets of its links (``QueryIncluding``), or some fields of each
  /// (``QuerySelection``).
  @_alwaysEmitIntoClient
  public func fetch<Including: _IncludingQuery>(
    _ query: Including
  ) throws(StoreError) -> [Including._Tuple] where Including._Object == Object {
    try reader.fetch(query)
  }

  /// The number of the objects that link to the object with this id; see ``ObjectReader/count(_:of:)``.
  ///
  /// ```swift
  /// let count = try orders.count(Customer.orders, of: customer.id)
  /// ```
  @_alwaysEmitIntoClient
  public func count<Target: Model>(
    _ inverse: Inverse<Target, Object>, of id: Target.ID
  ) throws(StoreError) -> Int {
    try reader.count(inverse, of: id)
  }

  /// Some fields or computed values of each result of a query; see ``ObjectReader/values(of:_:)``.
  @_alwaysEmitIntoClient
  public func values<each Value: Storable>(
    of query: Query<Object> = Object.all,
    _ value: repeat (QueryRoot<Object>) -> QueryValue<each Value>
  ) throws(StoreError) -> [(repeat each Value)] {
    try reader.values(of: query, repeat each value)
  }

  /// A field or computed value of each result of a query, in its order.
  @_alwaysEmitIntoClient
  public func values<Value: Storable>(
    of query: Query<Object> = Object.all, _ value: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> [Value] {
    try reader.values(of: query, value)
  }

  /// The distinct values of a query's results, in their order; nil first.
  @_alwaysEmitIntoClient
  public func distinct<Value: Storable>(
    of query: Query<Object> = Object.all, _ value: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> [Value] {
    try reader.distinct(of: query, value)
  }

  /// The groups of a query, each with its key and the requested values; see ``ObjectReader/groups(_:_:)``.
  @_alwaysEmitIntoClient
  public func groups<each Key: Storable, each Value: Storable>(
    _ query: GroupedQuery<Object, repeat each Key>,
    _ value: repeat (ObjectGroup<Object, repeat each Key>) -> GroupValue<each Value>
  ) throws(StoreError) -> [(key: (repeat each Key), values: (repeat each Value))] {
    try reader.groups(query, repeat each value)
  }

  /// Answers a query, and reports how; see ``ObjectReader/explain(_:)``.
  @_alwaysEmitIntoClient
  public func explain(
    _ query: Query<Object> = Object.all
  ) throws(StoreError) -> QueryExplanation {
    try reader.explain(query)
  }
}

/// Sums, means and extremes of a computed value; see ``ObjectReader/sum(of:_:)``.
extension ScopedObjects {
  /// The sum of a number of each result of a query; 0 if there are none.
  @_alwaysEmitIntoClient
  public func sum<Value: _Multipliable>(
    of query: Query<Object> = Object.all, _ value: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> Value._Sum {
    try reader.sum(of: query, value)
  }

  /// The mean of a number of the results of a query that have one; nil if none has.
  @_alwaysEmitIntoClient
  public func average<Value: _Multipliable>(
    of query: Query<Object> = Object.all, _ value: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> Value._Mean? {
    try reader.average(of: query, value)
  }

  /// The lowest value of the results of a query; nil if there is none.
  @_alwaysEmitIntoClient
  public func min<Value: Sortable>(
    of query: Query<Object> = Object.all, _ value: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> Value._Unwrapped? {
    try reader.min(of: query, value)
  }

  /// The highest value of the results of a query; nil if there is none.
  @_alwaysEmitIntoClient
  public func max<Value: Sortable>(
    of query: Query<Object> = Object.all, _ value: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> Value._Unwrapped? {
    try reader.max(of: query, value)
  }
}
