internal import RoostEngine

/// The objects that one has to do with, in a query: those of a list of links, or of an ``Inverse``.
///
/// ```swift
/// Owner.where { $0[Owner.dogs].contains { $0.age > 10 } }
/// Owner.where { $0[Owner.dogs].where { $0.isOld == true }.count >= 2 }
/// Order.where { $0.items.targets.sum { $0.price * $0.amount } > 100 }
/// ```
///
/// A condition on some or all of them is answered once for all objects; a number is calculated for each object, of the
/// columns of those that it has to do with.
public struct RelatedObjects<Target: Model>: Sendable {
  private let path: RelationPath
  private let filter: Filter

  init(_ path: RelationPath, _ filter: Filter = .always(true)) {
    self.path = path
    self.filter = filter
  }

  /// Those of them that fulfil the condition.
  public func `where`(_ condition: (QueryRoot<Target>) -> QueryCondition) -> RelatedObjects {
    let added = condition(QueryRoot()).filter
    if case .always(true) = filter { return RelatedObjects(path, added) }
    return RelatedObjects(path, .both(filter, added))
  }

  /// Whether one of them has this id.
  public func contains(_ id: Target.ID) -> QueryCondition {
    let key = FieldPath(field: FieldStep(keyOf: ModelName(Target.self)))
    return contains { _ in
      QueryCondition(filter: .compare(.path(key), .equal, id._constant.value))
    }
  }

  /// Whether one of them fulfils the condition.
  public func contains(
    where condition: (QueryRoot<Target>) -> QueryCondition
  ) -> QueryCondition {
    QueryCondition(filter: .related(path, ModelName(Target.self), self.where(condition).filter))
  }

  /// Whether all of them fulfil the condition; also where there is none.
  public func allSatisfy(_ condition: (QueryRoot<Target>) -> QueryCondition) -> QueryCondition {
    !contains { !condition($0) }
  }

  /// Whether there is none.
  public var isEmpty: QueryCondition {
    !QueryCondition(filter: .related(path, ModelName(Target.self), filter))
  }

  /// How many there are.
  public var count: QueryValue<Int> {
    let key = ExpressionTerm.path(FieldPath(field: FieldStep(keyOf: ModelName(Target.self))))
    return gathered(.count, key)
  }

  /// The sum of a number of each; 0 where there is none, nil where it does not fit an `Int`.
  public func sum<Value: _Multipliable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Int> where Value._Operand: _StoredInteger {
    gathered(.sum, value(QueryRoot()).term)
  }

  /// The sum of a number of each; 0 where there is none, nil where it does not fit a `UInt`.
  public func sum<Value: _Multipliable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<UInt> where Value._Operand: _StoredUnsigned {
    gathered(.sum, value(QueryRoot()).term)
  }

  /// The sum of a number of each; 0 where there is none.
  public func sum<Value: _Divisible>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Double> where Value._Operand: BinaryFloatingPoint {
    gathered(.sum, value(QueryRoot()).term)
  }

  /// The mean of a number of each that has one; nil where there is none.
  public func average<Value: _Multipliable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Double> {
    gathered(.average, value(QueryRoot()).term)
  }

  /// The lowest value of all; nil where there is none.
  public func min<Value: Sortable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Value> {
    gathered(.minimum, value(QueryRoot()).term)
  }

  /// The highest value of all; nil where there is none.
  public func max<Value: Sortable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Value> {
    gathered(.maximum, value(QueryRoot()).term)
  }

  private func gathered<Value>(
    _ function: AggregateFunction, _ value: ExpressionTerm
  ) -> QueryValue<Value> {
    QueryValue<Value>(.related(path, ModelName(Target.self), function, value, filter))
  }
}

extension QueryRoot {
  /// The objects of another model that link to the object.
  public subscript<Source: Model>(inverse: Inverse<M, Source>) -> RelatedObjects<Source> {
    RelatedObjects(RelationPath(links: [], end: .inverse(inverse.link)))
  }
}

extension QueryValue {
  /// The objects of another model that link to the object that a link leads to.
  public subscript<Target: Model, Source: Model>(
    inverse: Inverse<Target, Source>
  ) -> RelatedObjects<Source> where Value == Link<Target> {
    related(inverse)
  }

  /// The objects of another model that link to the object that a link leads to.
  public subscript<Target: Model, Source: Model>(
    inverse: Inverse<Target, Source>
  ) -> RelatedObjects<Source> where Value == Link<Target>? {
    related(inverse)
  }

  private func related<Target: Model, Source: Model>(
    _ inverse: Inverse<Target, Source>
  ) -> RelatedObjects<Source> {
    let path = term.path
    return RelatedObjects(
      RelationPath(
        links: path.map { $0.links + [$0.field] } ?? [inverse.link.notThere],
        end: .inverse(inverse.link)))
  }
}
