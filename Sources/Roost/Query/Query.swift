/// Which objects, in which order, how many of them.
///
/// A query is a value: it can be kept, compared, used as a key of a dictionary and sent anywhere, and it
/// holds no store. Build one from a model and run it by a transaction or a snapshot:
///
/// ```swift
/// let adults = Person.where { $0.age >= 18 && $0.name.hasPrefix("An") }.order(by: \.name).limit(20)
/// let people = try await store.read { try $0.fetch(adults) }
/// ```
public struct Query<M: Model>: Hashable, Sendable {
  /// A field to sort by.
  struct Order: Hashable, Sendable {
    let field: FieldStep
    let isDescending: Bool
  }

  var filter = Filter.always(true)
  var order: [Order] = []
  /// How many objects at most; nil for all of them.
  var countMax: Int?
  var offset = 0

  /// All objects of the model, in the order of their keys' places in the store.
  public init() {}

  /// The objects of this query that also fulfil the condition.
  ///
  /// The condition is applied before ``limit(_:offset:)``, wherever it stands.
  public func `where`(_ condition: (QueryRoot<M>) -> QueryCondition) -> Self {
    var query = self
    let added = condition(QueryRoot()).filter
    if case .always(true) = filter {
      query.filter = added
    } else {
      query.filter = .both(filter, added)
    }
    return query
  }

  /// Sorts by the fields, the first one first; after the fields of an `order` before.
  ///
  /// Nil sorts before everything, NaN after; equal objects keep the order of their object keys.
  public func order<each Value: Sortable>(
    by path: repeat KeyPath<M, each Value>, descending isDescending: Bool = false
  ) -> Self {
    var query = self
    for path in repeat each path {
      query.order.append(Order(field: FieldStep(M.self, path), isDescending: isDescending))
    }
    return query
  }

  /// At most `count` objects, after leaving out the first `offset` of them.
  ///
  /// A negative number counts as 0.
  public func limit(_ count: Int, offset: Int = 0) -> Self {
    var query = self
    query.countMax = max(0, count)
    query.offset = max(0, offset)
    return query
  }
}

extension Model {
  /// All objects of the model.
  public static var all: Query<Self> { Query() }

  /// The objects of the model that fulfil the condition.
  public static func `where`(
    _ condition: (QueryRoot<Self>) -> QueryCondition
  ) -> Query<Self> {
    all.where(condition)
  }
}
