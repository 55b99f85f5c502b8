/// Values of objects, without decoding the objects: of each, or of all that are alike.
extension ObjectReader {
  /// Some fields, or what is calculated, of each object that a query finds, in its order.
  ///
  /// ```swift
  /// let names = try snapshot.values(of: Dog.all, { $0.name }, { $0.owner.name.orNil })
  /// ```
  ///
  /// Reads the columns that are asked for, and no other.
  /// - Throws: ``StoreError/undecodable(model:field:value:)`` where a value is nil behind a link, or does not fit its
  ///   type: ask for it with `orNil`, or `??`.
  public func values<M: Model, each Value: Storable>(
    of query: Query<M>, _ value: repeat (QueryRoot<M>) -> QueryValue<each Value>
  ) throws(StoreError) -> [(repeat each Value)] {
    var terms: [ExpressionTerm] = []
    for value in repeat each value { terms.append(value(QueryRoot()).term) }
    return try _reader.context.values(of: query, terms, as: repeat (each Value).self)
  }

  /// The different values that the objects of a query have, in their order; nil first.
  ///
  /// Reads the one column, a leaf at a time, and keeps each value once. Of several fields, the keys of the groups by them
  /// are the different values: `groups(query.grouped(by: \.city, \.age)).map(\.key)`.
  public func distinct<M: Model, Value: Storable>(
    of query: Query<M>, _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> [Value] {
    let values = try groups(query.grouped(by: value)).map(\.key)
    guard Value._fallback != nil || !Value._fieldType.declaredElements.isEmpty else {
      return values
    }
    // What differs only in what the program does not know is the same to it.
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  /// The groups of a query, each with its key and the values that are asked for.
  ///
  /// Reads the columns that are asked for, a leaf at a time, and keeps a row for each group in memory. The key is a tuple
  /// where the objects are grouped by several values.
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
  /// The same for a value that may be nil, as behind links.
  public var orNil: QueryValue<Value._Unwrapped?> { QueryValue<Value._Unwrapped?>(term) }
}
