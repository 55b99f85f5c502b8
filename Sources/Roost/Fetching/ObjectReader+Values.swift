/// Values of objects or of groups of objects, without decoding the objects.
extension ObjectReader {
  /// Some fields or computed values of each result of a query, in its order.
  ///
  /// ```swift
  /// let names = try snapshot.values(of: Dog.all, { $0.name }, { $0.owner.name.orNil })
  /// ```
  ///
  /// Reads only the requested columns.
  /// - Throws: ``StoreError/undecodable(model:field:value:)`` where a value is nil behind a link, or does not fit its
  ///   type: ask for it with `orNil`, or `??`.
  @_alwaysEmitIntoClient
  public func values<M: Model, each Value: Storable>(
    of query: Query<M>, _ value: repeat (QueryRoot<M>) -> QueryValue<each Value>
  ) throws(StoreError) -> [(repeat each Value)] {
    try tuples(of: query, repeat each value)
  }

  @usableFromInline
  func tuples<M: Model, each Value: Storable>(
    of query: Query<M>, _ value: repeat (QueryRoot<M>) -> QueryValue<each Value>
  ) throws(StoreError) -> [(repeat each Value)] {
    var terms: [ExpressionTerm] = []
    for value in repeat each value { terms.append(value(QueryRoot()).term) }
    return try _reader.context.values(of: query, terms, as: repeat (each Value).self)
  }

  // For one value, not over a pack: see `Query.grouped(by:)`.

  /// A field or computed value of each result of a query, in its order.
  ///
  /// Reads only the columns of the value.
  /// - Throws: As for several values.
  @_alwaysEmitIntoClient
  public func values<M: Model, Value: Storable>(
    of query: Query<M>, _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> [Value] {
    try tuples(of: query, value)
  }

  /// The distinct values of a query's results, in their order; nil first.
  ///
  /// Reads only one column, a leaf at a time, and stores each value once. For several fields, the keys of the groups
  /// are the distinct values: `groups(query.grouped(by: \.city, \.age)).map(\.key)`.
  public func distinct<M: Model, Value: Storable>(
    of query: Query<M>, _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> [Value] {
    let values = try groups(query.grouped(by: value)).map(\.key)
    guard Value._fallback != nil || !Value._fieldType.declaredElements.isEmpty else {
      return values
    }
    // Values that differ only in parts unknown to the program are equal to it.
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  /// The groups of a query, each with its key and the requested values.
  ///
  /// Reads the requested columns, a leaf at a time, and keeps a row for each group in memory. The key is a tuple
  /// if the objects are grouped by several values.
  /// - Throws: ``StoreError/overflow(model:field:)`` where a sum of integers does not fit.
  public func groups<M: Model, each Key: Storable, each Value: Storable>(
    _ query: GroupedQuery<M, repeat each Key>,
    _ value: repeat (ObjectGroup<M, repeat each Key>) -> GroupValue<each Value>
  ) throws(StoreError) -> [(key: (repeat each Key), values: (repeat each Value))] {
    var terms: [ExpressionTerm] = []
    for value in repeat each value { terms.append(value(ObjectGroup(of: query)).term) }
    return try _reader.context.groups(query, terms, as: repeat (each Value).self)
  }
}

extension QueryValue where Value: Storable {
  /// The same as an optional value, which may be nil, for example through links.
  public var orNil: QueryValue<Value._Unwrapped?> { QueryValue<Value._Unwrapped?>(term) }
}
