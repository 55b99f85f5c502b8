internal import RoostEngine

/// The results of a query, grouped by values that are equal.
///
/// ```swift
/// let totals = Order.where { $0.isPaid }.grouped { $0.customer.name }
///   .having { $0.count > 3 }.order(descending: true) { $0.sum { $0.price } }.limit(10)
/// for (name, (count, total)) in try snapshot.groups(totals, { $0.count }, { $0.sum { $0.price } }) { … }
/// ```
///
/// Nil equals nil, and NaN equals NaN. Groups are ordered by their keys unless another order is given.
public struct GroupedQuery<M: Model, each Key: Storable>: Hashable, Sendable {
  package private(set) var content: GroupContent

  init(_ content: GroupContent) { self.content = content }

  /// The groups that also fulfil a condition on their keys and on aggregates of their objects.
  public func having(
    _ condition: (ObjectGroup<M, repeat each Key>) -> QueryCondition
  ) -> Self {
    var query = self
    query.content.add(condition(ObjectGroup(of: self)).filter)
    return query
  }

  /// Sorts the groups; after any earlier order.
  public func order<Value: Sortable>(
    descending isDescending: Bool = false,
    by value: (ObjectGroup<M, repeat each Key>) -> GroupValue<Value>
  ) -> Self {
    ordered(by: QueryOrder(value: value(ObjectGroup(of: self)).term, isDescending: isDescending))
  }

  func ordered(by order: QueryOrder) -> Self {
    var query = self
    query.content.order.append(order)
    return query
  }

  /// At most `count` groups, after skipping the first `offset` of them. A negative number counts as 0.
  public func limit(_ count: Int, offset: Int = 0) -> Self {
    var query = self
    query.content.countMax = max(0, count)
    query.content.offset = max(0, offset)
    return query
  }
}

/// The content of a grouped query, for any types of keys: not generic, so that it is compiled once.
package struct GroupContent: Hashable, Sendable {
  package let objects: QueryContent
  package let keys: [ExpressionTerm]
  package private(set) var condition = Filter.always(true)
  package fileprivate(set) var order: [QueryOrder] = []
  fileprivate(set) var countMax: Int?
  fileprivate(set) var offset = 0

  init(_ objects: QueryContent, by keys: [ExpressionTerm]) {
    self.objects = objects
    self.keys = keys
  }

  /// Adds a condition that must hold too.
  fileprivate mutating func add(_ added: Filter) {
    condition = condition == .always(true) ? added : .both(condition, added)
  }
}

extension Query {
  // Not over a pack: in the same expression the compiler finds no element of a one-element tuple whose length it infers.

  /// The results of this query, grouped by a value: a field, or a computed value.
  public func grouped<Key: Storable>(
    by key: (QueryRoot<M>) -> QueryValue<Key>
  ) -> GroupedQuery<M, Key> {
    GroupedQuery(GroupContent(content, by: [key(QueryRoot()).term]))
  }

  /// The results of this query, grouped by two values.
  ///
  /// ```swift
  /// Order.all.grouped(by: \.customer.city, \.amount).having { $0.key.1 > 3 }
  /// ```
  public func grouped<First: Storable, Second: Storable>(
    by first: (QueryRoot<M>) -> QueryValue<First>,
    _ second: (QueryRoot<M>) -> QueryValue<Second>
  ) -> GroupedQuery<M, First, Second> {
    let root = QueryRoot<M>()
    return GroupedQuery(GroupContent(content, by: [first(root).term, second(root).term]))
  }

  /// The results of this query, grouped by three values.
  public func grouped<First: Storable, Second: Storable, Third: Storable>(
    by first: (QueryRoot<M>) -> QueryValue<First>,
    _ second: (QueryRoot<M>) -> QueryValue<Second>,
    _ third: (QueryRoot<M>) -> QueryValue<Third>
  ) -> GroupedQuery<M, First, Second, Third> {
    let root = QueryRoot<M>()
    return GroupedQuery(
      GroupContent(content, by: [first(root).term, second(root).term, third(root).term]))
  }

  /// The results of this query, grouped by four values.
  public func grouped<First: Storable, Second: Storable, Third: Storable, Fourth: Storable>(
    by first: (QueryRoot<M>) -> QueryValue<First>,
    _ second: (QueryRoot<M>) -> QueryValue<Second>,
    _ third: (QueryRoot<M>) -> QueryValue<Third>,
    _ fourth: (QueryRoot<M>) -> QueryValue<Fourth>
  ) -> GroupedQuery<M, First, Second, Third, Fourth> {
    let root = QueryRoot<M>()
    return GroupedQuery(
      GroupContent(
        content,
        by: [first(root).term, second(root).term, third(root).term, fourth(root).term]))
  }
}

/// The objects of a group in a query, for aggregates over them.
public struct ObjectGroup<M: Model, each Key: Storable>: Sendable {
  private let keys: [ExpressionTerm]

  init(of query: GroupedQuery<M, repeat each Key>) { keys = query.content.keys }

  /// The group's key: a value, or a tuple if the objects are grouped by several.
  public var key: (repeat GroupValue<each Key>) {
    var place = 0
    return (repeat next(&place, as: (each Key).self))
  }

  private func next<Value: Storable>(
    _ place: inout Int, as type: Value.Type
  ) -> GroupValue<Value> {
    defer { place += 1 }
    return GroupValue(keys[place])
  }

  /// The number of objects.
  public var count: GroupValue<Int> {
    let key = ExpressionTerm.path(FieldPath(field: FieldStep(keyOf: ModelName(M.self))))
    return GroupValue(.grouped(.count, key))
  }

  /// The number of values that are not nil.
  public func count<Value: Storable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Int> {
    GroupValue(.grouped(.count, value(QueryRoot()).term.asPart))
  }

  /// The sum of a number of each object; 0 for none: an `Int`, `UInt`, `Decimal`, or for floating-point numbers a `Double`.
  ///
  /// A sum of integers or decimal numbers is exact. If one does not fit: ``StoreError/overflow(model:field:)``.
  public func sum<Value: _Multipliable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Value._Sum> {
    GroupValue(.grouped(.sum, value(QueryRoot()).term.asPart))
  }

  /// The mean of a number of the objects that have one: a `Double`, or a `Decimal` of decimal numbers; nil for none.
  public func average<Value: _Multipliable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Value._Mean?> {
    GroupValue(.grouped(.average, value(QueryRoot()).term.asPart))
  }

  /// The lowest value of all objects; nil for none.
  public func min<Value: Sortable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Value._Unwrapped?> {
    GroupValue(.grouped(.minimum, value(QueryRoot()).term.asPart))
  }

  /// The highest value of all objects; nil for none.
  public func max<Value: Sortable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Value._Unwrapped?> {
    GroupValue(.grouped(.maximum, value(QueryRoot()).term.asPart))
  }
}

/// An aggregate over the objects of a group in a query: to select, compare and order by.
public struct GroupValue<Value: Storable>: Sendable {
  let term: ExpressionTerm

  init(_ term: ExpressionTerm) { self.term = term }
}

/// Whether the value equals this one.
public func == <Value: Storable>(group: GroupValue<Value>, value: Value) -> QueryCondition {
  .equal(QueryTerm(group.term), value._constant, Value.self)
}

/// Whether the value differs from this one.
public func != <Value: Storable>(group: GroupValue<Value>, value: Value) -> QueryCondition {
  !(group == value)
}

/// Whether the value equals this one; false for nil.
public func == <Value: Storable>(group: GroupValue<Value?>, value: Value) -> QueryCondition {
  .equal(QueryTerm(group.term), value._constant, Value.self)
}

/// Whether the value differs from this one; true for nil.
public func != <Value: Storable>(group: GroupValue<Value?>, value: Value) -> QueryCondition {
  !(group == value)
}

/// Whether the value is below this one; false for nil.
public func < <Value: Sortable>(
  group: GroupValue<Value>, value: Value._Unwrapped
) -> QueryCondition {
  .compare(group.term, .less, value._constant)
}

/// Whether the value is at most this one; false for nil.
public func <= <Value: Sortable>(
  group: GroupValue<Value>, value: Value._Unwrapped
) -> QueryCondition {
  .compare(group.term, .lessOrEqual, value._constant)
}

/// Whether the value is above this one; false for nil.
public func > <Value: Sortable>(
  group: GroupValue<Value>, value: Value._Unwrapped
) -> QueryCondition {
  .compare(group.term, .greater, value._constant)
}

/// Whether the value is at least this one; false for nil.
public func >= <Value: Sortable>(
  group: GroupValue<Value>, value: Value._Unwrapped
) -> QueryCondition {
  .compare(group.term, .greaterOrEqual, value._constant)
}

// MARK: Two values of a group

/// Whether both are equal; nil equals nil, and NaN nothing.
public func == <First: Storable, Second: Storable>(
  a: GroupValue<First>, b: GroupValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .equal, b.term))
}

/// Whether the two are different.
public func != <First: Storable, Second: Storable>(
  a: GroupValue<First>, b: GroupValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .notEqual, b.term))
}

/// Whether the first is below the second; false if either is nil.
public func < <First: Sortable, Second: Sortable>(
  a: GroupValue<First>, b: GroupValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .less, b.term))
}

/// Whether the first is at most the second; false if either is nil.
public func <= <First: Sortable, Second: Sortable>(
  a: GroupValue<First>, b: GroupValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .lessOrEqual, b.term))
}

/// Whether the first is above the second; false if either is nil.
public func > <First: Sortable, Second: Sortable>(
  a: GroupValue<First>, b: GroupValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .greater, b.term))
}

/// Whether the first is at least the second; false if either is nil.
public func >= <First: Sortable, Second: Sortable>(
  a: GroupValue<First>, b: GroupValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .greaterOrEqual, b.term))
}
