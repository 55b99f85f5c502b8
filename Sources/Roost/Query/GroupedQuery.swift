internal import RoostEngine

/// The objects of a query, taken together where a value of theirs is the same.
///
/// ```swift
/// let totals = Order.where { $0.isPaid == true }.grouped { $0.customer.name }
///   .having { $0.count > 3 }.order(descending: true) { $0.sum { $0.price } }.limit(10)
/// for (name, (count, total)) in try snapshot.groups(totals, { $0.count }, { $0.sum { $0.price } }) { … }
/// ```
///
/// Nil is the same as nil, and NaN as NaN. Groups come in the order of their keys unless told.
public struct GroupedQuery<M: Model, Key: Storable>: Equatable, Sendable {
  let objects: QueryContent
  let key: ExpressionTerm
  private(set) var condition = Filter.always(true)
  private(set) var order: [QueryOrder] = []
  private(set) var countMax: Int?
  private(set) var offset = 0

  init(_ objects: QueryContent, by key: ExpressionTerm) {
    self.objects = objects
    self.key = key
  }

  /// The groups that also fulfil a condition on their key and on what their objects give together.
  public func having(_ condition: (ObjectGroup<M, Key>) -> QueryCondition) -> Self {
    let added = condition(ObjectGroup(key: key)).filter
    var query = self
    query.condition = self.condition == .always(true) ? added : .both(self.condition, added)
    return query
  }

  /// Sorts the groups; after what was ordered by before.
  public func order<Value: Sortable>(
    descending isDescending: Bool = false, by value: (ObjectGroup<M, Key>) -> GroupValue<Value>
  ) -> Self {
    ordered(by: QueryOrder(value: value(ObjectGroup(key: key)).term, isDescending: isDescending))
  }

  func ordered(by order: QueryOrder) -> Self {
    var query = self
    query.order.append(order)
    return query
  }

  /// At most `count` groups, after leaving out the first `offset` of them. A negative number counts as 0.
  public func limit(_ count: Int, offset: Int = 0) -> Self {
    var query = self
    query.countMax = max(0, count)
    query.offset = max(0, offset)
    return query
  }
}

extension Query {
  /// The objects of this query, taken together where a value is the same: a field, or what is calculated.
  public func grouped<Key: Storable>(
    by key: (QueryRoot<M>) -> QueryValue<Key>
  ) -> GroupedQuery<M, Key> {
    GroupedQuery(content, by: key(QueryRoot()).term)
  }
}

/// The objects of a group, in a query: what they give together.
public struct ObjectGroup<M: Model, Key: Storable>: Sendable {
  fileprivate let keyTerm: ExpressionTerm

  fileprivate init(key: ExpressionTerm) { keyTerm = key }

  init(of query: GroupedQuery<M, Key>) { keyTerm = query.key }

  /// What is the same in all of them.
  public var key: GroupValue<Key> { GroupValue(keyTerm) }

  /// How many there are.
  public var count: GroupValue<Int> {
    let key = ExpressionTerm.path(FieldPath(field: FieldStep(keyOf: ModelName(M.self))))
    return GroupValue(.grouped(.count, key))
  }

  /// How many values there are that are not nil.
  public func count<Value: Storable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Int> {
    GroupValue(.grouped(.count, value(QueryRoot()).term))
  }

  /// The sum of a number of each; 0 of none. One that does not fit an `Int` is ``StoreError/overflow(field:)``.
  public func sum<Value: _Multipliable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Int> where Value._Operand: _StoredInteger {
    GroupValue(.grouped(.sum, value(QueryRoot()).term))
  }

  /// The sum of a number of each; 0 of none. One that does not fit a `UInt` is ``StoreError/overflow(field:)``.
  public func sum<Value: _Multipliable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<UInt> where Value._Operand: _StoredUnsigned {
    GroupValue(.grouped(.sum, value(QueryRoot()).term))
  }

  /// The sum of a number of each; 0 of none.
  public func sum<Value: _Divisible>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Double> where Value._Operand: BinaryFloatingPoint {
    GroupValue(.grouped(.sum, value(QueryRoot()).term))
  }

  /// The mean of a number of each that has one; nil of none.
  public func average<Value: _Multipliable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Double?> {
    GroupValue(.grouped(.average, value(QueryRoot()).term))
  }

  /// The lowest value of all; nil of none.
  public func min<Value: Sortable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Value._Unwrapped?> {
    GroupValue(.grouped(.minimum, value(QueryRoot()).term))
  }

  /// The highest value of all; nil of none.
  public func max<Value: Sortable>(
    _ value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> GroupValue<Value._Unwrapped?> {
    GroupValue(.grouped(.maximum, value(QueryRoot()).term))
  }
}

/// What the objects of a group give together, in a query: to be asked for, compared and ordered by.
public struct GroupValue<Value: Storable>: Sendable {
  let term: ExpressionTerm

  init(_ term: ExpressionTerm) { self.term = term }
}

/// Whether the value is this one.
public func == <Value: Storable>(group: GroupValue<Value>, value: Value) -> QueryCondition {
  .equal(QueryTerm(group.term), value._constant, Value.self)
}

/// Whether the value is another than this one.
public func != <Value: Storable>(group: GroupValue<Value>, value: Value) -> QueryCondition {
  !(group == value)
}

/// Whether the value is below this one; nil is not.
public func < <Value: Sortable>(
  group: GroupValue<Value>, value: Value._Unwrapped
) -> QueryCondition {
  .compare(group.term, .less, value._constant)
}

/// Whether the value is at most this one; nil is not.
public func <= <Value: Sortable>(
  group: GroupValue<Value>, value: Value._Unwrapped
) -> QueryCondition {
  .compare(group.term, .lessOrEqual, value._constant)
}

/// Whether the value is above this one; nil is not.
public func > <Value: Sortable>(
  group: GroupValue<Value>, value: Value._Unwrapped
) -> QueryCondition {
  .compare(group.term, .greater, value._constant)
}

/// Whether the value is at least this one; nil is not.
public func >= <Value: Sortable>(
  group: GroupValue<Value>, value: Value._Unwrapped
) -> QueryCondition {
  .compare(group.term, .greaterOrEqual, value._constant)
}
