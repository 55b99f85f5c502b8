package import RoostEngine

/// The objects to find, their order, and their number.
///
/// A query is a value: it can be kept, compared, used as a key of a dictionary and sent to another thread, and it
/// retains no store. Build it from a model and run it in a transaction or a snapshot:
///
/// ```swift
/// let adults = Person.where { $0.age >= 18 && $0.name.hasPrefix("An") }.order(by: \.name).limit(20)
/// let people = try await store.read { try $0.fetch(adults) }
/// ```
public struct Query<M: Model>: Hashable, Sendable {
  private(set) var content: QueryContent

  init(_ content: QueryContent) { self.content = content }

  /// The objects that fulfil a condition made by another library of the package.
  package init(_ filter: Filter) {
    content = QueryContent(filter, [], countMax: nil, offset: 0)
  }

  /// All objects of the model, in the order of their object keys.
  public init() { content = .all }

  /// The objects of this query that also fulfil the condition.
  ///
  /// The condition is applied before ``limit(_:offset:)``, in any order of the calls.
  public consuming func `where`(_ condition: (QueryRoot<M>) -> QueryCondition) -> Self {
    let filter = condition(QueryRoot()).filter
    change { $0.add(filter) }
    return self
  }

  /// Sorts by the fields, the first field first; after any earlier order.
  ///
  /// ```swift
  /// Person.all.order(by: \.name, \.age).order(by: \.id, descending: true)
  /// ```
  ///
  /// Nil sorts first, NaN last; equal objects keep the order of their object keys.
  public consuming func order<each Value: Sortable>(
    by path: repeat KeyPath<M, each Value>, descending isDescending: Bool = false
  ) -> Self {
    for path in repeat each path {
      let term = ExpressionTerm.path(FieldPath(field: FieldStep(M.self, path)))
      self = ordered(by: QueryOrder(value: term, isDescending: isDescending))
    }
    return self
  }

  /// Sorts by a computed value, or a value read through links; after any earlier order.
  ///
  /// ```swift
  /// Dog.all.order { $0.owner.name }
  /// Order.all.order(descending: true) { $0.price * $0.amount }
  /// ```
  public consuming func order<Value: Sortable>(
    descending isDescending: Bool = false, by value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> Self {
    ordered(by: QueryOrder(value: value(QueryRoot()).term, isDescending: isDescending))
  }

  /// At most `count` objects, after skipping the first `offset` of them.
  ///
  /// A negative number counts as 0. If the first field of the order has an index, the index is read in
  /// order until there are enough results: the first few of many cost next to nothing.
  public consuming func limit(_ count: Int, offset: Int = 0) -> Self {
    change {
      $0.countMax = max(0, count)
      $0.offset = max(0, offset)
    }
    return self
  }

  /// Adds a sort key.
  consuming func ordered(by order: QueryOrder) -> Self {
    change { $0.order.append(order) }
    return self
  }

  /// A query whose content does not come from key paths.
  package init(_ origin: any QueryOrigin, limit: Int?, offset: Int) {
    content = QueryContent(.always(true), [], countMax: limit, offset: offset, origin: origin)
  }

  /// The name of the model in a store.
  package static var modelName: String { ModelName(M.self).name }

  /// Changes the content, in place if no other query shares it.
  private mutating func change(_ body: (QueryContent) -> Void) {
    if !isKnownUniquelyReferenced(&content) { content = QueryContent(content) }
    body(content)
  }
}

/// The source of a query that is not made of key paths, such as a text.
package protocol QueryOrigin: Hashable, Sendable {
  /// The models that it uses.
  var binding: StoreBinding { get }
  /// The requested objects and their order, over the fields of a file.
  func query(of model: String, in catalog: Catalog) throws(StoreError) -> ObjectQuery
}

/// A sort key.
package struct QueryOrder: Hashable, Sendable {
  package let value: ExpressionTerm
  let isDescending: Bool
  /// The order of texts; nil for the order of their bytes.
  var collation: TextCollation?
}

/// The content of a query, for any model.
///
/// A single object, so that passing a query passes a reference; not generic, so that making and running a query
/// looks up no metadata of the model's type.
package final class QueryContent: Hashable, @unchecked Sendable {  // changed by its one query
  package fileprivate(set) var filter: Filter
  package fileprivate(set) var order: [QueryOrder]
  /// The maximum number of objects; nil for all.
  fileprivate(set) var countMax: Int?
  fileprivate(set) var offset: Int
  /// The source of the condition and the order's first key; nil if all comes from key paths.
  package let origin: (any QueryOrigin)?

  /// Whether all results are requested, in the order of their keys.
  var isWhole: Bool { order.isEmpty && countMax == nil && offset == 0 && origin == nil }

  /// All objects.
  static let all = QueryContent(.always(true), [], countMax: nil, offset: 0)

  package init(
    _ filter: Filter, _ order: [QueryOrder], countMax: Int?, offset: Int,
    origin: (any QueryOrigin)? = nil
  ) {
    self.filter = filter
    self.order = order
    self.countMax = countMax
    self.offset = offset
    self.origin = origin
  }

  /// A copy.
  fileprivate convenience init(_ other: QueryContent) {
    self.init(
      other.filter, other.order, countMax: other.countMax, offset: other.offset,
      origin: other.origin)
  }

  /// Adds a condition that must hold too.
  fileprivate func add(_ condition: Filter) {
    if case .always(true) = filter { filter = condition } else { filter = .both(filter, condition) }
  }

  package static func == (a: QueryContent, b: QueryContent) -> Bool {
    a === b
      || a.filter == b.filter && a.order == b.order && a.countMax == b.countMax
        && a.offset == b.offset
        && a.origin.map { AnyHashable($0) } == b.origin.map { AnyHashable($0) }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(filter)
    hasher.combine(order)
    hasher.combine(countMax)
    hasher.combine(offset)
    hasher.combine(origin.map { AnyHashable($0) })
  }
}

extension Model {
  /// All objects of the model.
  public static var all: Query<Self> { Query() }

  /// The objects of the model that fulfil the condition.
  ///
  /// ```swift
  /// let adults = Person.where { $0.age >= 18 && ($0.city == "Delft" || $0.name.hasPrefix("An")) }
  /// ```
  ///
  /// The closure is called once, and makes the condition of comparisons joined by `&&`, `||` and `!`: it does not see
  /// objects. Comparisons have a property on their left. To read the results, fetch the query from a transaction or a snapshot.
  public static func `where`(
    _ condition: (QueryRoot<Self>) -> QueryCondition
  ) -> Query<Self> {
    all.where(condition)
  }
}
