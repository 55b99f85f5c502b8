// As in Schema+Mistakes.swift.

extension Query {
  /// A link and an inverse at once.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "links go into one 'including', and each inverse into one of its own behind it"
  )
  public func including<Value: _Related, Source: Model>(
    _ path: any KeyPath<M, Value> & Sendable, _ inverse: Inverse<M, Source>
  ) -> QueryIncluding<M, Value._Included, [Source]> { noProgramCalls() }

  /// An inverse and a link at once.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "links go into one 'including', and each inverse into one of its own behind it"
  )
  public func including<Value: _Related, Source: Model>(
    _ inverse: Inverse<M, Source>, _ path: any KeyPath<M, Value> & Sendable
  ) -> QueryIncluding<M, [Source], Value._Included> { noProgramCalls() }

  /// Two inverses at once.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "links go into one 'including', and each inverse into one of its own behind it"
  )
  public func including<First: Model, Second: Model>(
    _ first: Inverse<M, First>, _ second: Inverse<M, Second>
  ) -> QueryIncluding<M, [First], [Second]> { noProgramCalls() }
}

// As in QueryIncluding.swift, no program grows for these.

extension QueryIncluding {
  /// As on a query.
  @available(
    *, unavailable, message: "filter, order and limit the query before its first 'including'"
  )
  @_alwaysEmitIntoClient
  public func order<Value: Storable>(
    by path: KeyPath<M, Value>, descending isDescending: Bool = false
  ) -> Self { noProgramCalls() }

  /// As on a query.
  @available(
    *, unavailable, message: "filter, order and limit the query before its first 'including'"
  )
  @_alwaysEmitIntoClient
  public func order<Value: Storable>(
    descending isDescending: Bool = false, by value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> Self { noProgramCalls() }

  /// As on a query.
  @available(
    *, unavailable, message: "filter, order and limit the query before its first 'including'"
  )
  @_alwaysEmitIntoClient
  public func `where`(_ condition: (QueryRoot<M>) -> QueryCondition) -> Self { noProgramCalls() }

  /// As on a query.
  @available(
    *, unavailable, message: "filter, order and limit the query before its first 'including'"
  )
  @_alwaysEmitIntoClient
  public func limit(_ count: Int, offset: Int = 0) -> Self { noProgramCalls() }
}

extension ObjectReader {
  /// Not here: the query that the objects are included with is explained.
  @available(*, unavailable, message: "explain the query before its first 'including'")
  @_alwaysEmitIntoClient
  public func explain<M: Model, each Included: Sendable>(
    _ query: QueryIncluding<M, repeat each Included>
  ) throws(StoreError) -> QueryExplanation { noProgramCalls() }

  /// Not here: the query whose results are grouped is explained.
  @available(*, unavailable, message: "explain the query before its 'grouped'")
  @_alwaysEmitIntoClient
  public func explain<M: Model, each Key: Storable>(
    _ query: GroupedQuery<M, repeat each Key>
  ) throws(StoreError) -> QueryExplanation { noProgramCalls() }
}
