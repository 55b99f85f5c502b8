// With a pack alone, Swift 6.3 does not compile a loop over the results, nor their `return`.
extension ObjectReader {
  /// One field of each result, in the query's order: see ``QuerySelection``.
  @_alwaysEmitIntoClient
  public func fetch<M: Model, A: Storable>(
    _ selection: QuerySelection<M, A>
  ) throws(StoreError) -> [A] { try fetchSelected(selection) }

  /// Two fields of each result, in the query's order: see ``QuerySelection``.
  @_alwaysEmitIntoClient
  public func fetch<M: Model, A: Storable, B: Storable>(
    _ selection: QuerySelection<M, A, B>
  ) throws(StoreError) -> [(A, B)] { try fetchSelected(selection) }

  /// Three fields of each result, in the query's order: see ``QuerySelection``.
  @_alwaysEmitIntoClient
  public func fetch<M: Model, A: Storable, B: Storable, C: Storable>(
    _ selection: QuerySelection<M, A, B, C>
  ) throws(StoreError) -> [(A, B, C)] { try fetchSelected(selection) }

  @_alwaysEmitIntoClient
  func fetchSelected<M: Model, each Value: Storable>(
    _ selection: QuerySelection<M, repeat each Value>
  ) throws(StoreError) -> [(repeat each Value)] { try selection._fetch(from: try _reader) }
}

/// A query that fetches only some fields and no objects: made by ``Query/select(_:)``.
///
/// ```swift
/// for (name, age) in try snapshot.fetch(Dog.all.select(\.name, \.age)) { print(name, age) }
/// ```
///
/// Its results are tuples, in the query's order. For computed values, or fields read through links, use
/// ``ObjectReader/values(of:_:)``.
public struct QuerySelection<M: Model, each Value: Storable>: _IncludingQuery {
  /// The query's model.
  public typealias _Object = M
  /// The fields.
  public typealias _Tuple = (repeat each Value)

  private let query: Query<M>
  private let terms: [ExpressionTerm]

  fileprivate init(_ query: Query<M>, _ terms: [ExpressionTerm]) {
    self.query = query
    self.terms = terms
  }

  /// All results.
  public func _fetch(from reader: _Reader) throws(StoreError) -> [(repeat each Value)] {
    try reader.context.values(of: query, terms, as: repeat (each Value).self)
  }
}

extension Query {
  /// Some fields of each result of this query, in its order: see ``QuerySelection``.
  ///
  /// Reads the columns of these fields, and those that the query needs.
  public func select<each Value: Storable>(
    _ path: repeat any KeyPath<M, each Value> & Sendable
  ) -> QuerySelection<M, repeat each Value> {
    var terms: [ExpressionTerm] = []
    for path in repeat each path { terms.append(.path(FieldPath(field: FieldStep(M.self, path)))) }
    return QuerySelection(self, terms)
  }
}
