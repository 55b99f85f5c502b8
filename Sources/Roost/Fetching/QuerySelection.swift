/// A query of which some fields are fetched, and no object: made by ``Query/select(_:)``.
///
/// ```swift
/// for (name, age) in try snapshot.fetch(Dog.all.select(\.name, \.age)) { print(name, age) }
/// ```
///
/// What it finds are tuples, in the query's order. What is calculated, or lies behind links, is asked for with
/// ``ObjectReader/values(of:_:)``.
public struct QuerySelection<M: Model, each Value: Storable>: _IncludingQuery {
  /// The model that the query is of.
  public typealias _Object = M
  /// The fields.
  public typealias _Tuple = (repeat each Value)

  private let query: Query<M>
  private let terms: [ExpressionTerm]

  fileprivate init(_ query: Query<M>, _ terms: [ExpressionTerm]) {
    self.query = query
    self.terms = terms
  }

  /// All that it finds.
  public func _fetch(from reader: _Reader) throws(StoreError) -> [(repeat each Value)] {
    try reader.context.values(of: query, terms, as: repeat (each Value).self)
  }
}

extension Query {
  /// Some fields of each object of this query, in its order: see ``QuerySelection``.
  ///
  /// Reads the columns of these fields, and of those that the query asks of.
  public func select<each Value: Storable>(
    _ path: repeat any KeyPath<M, each Value> & Sendable
  ) -> QuerySelection<M, repeat each Value> {
    var terms: [ExpressionTerm] = []
    for path in repeat each path { terms.append(.path(FieldPath(field: FieldStep(M.self, path)))) }
    return QuerySelection(self, terms)
  }
}
