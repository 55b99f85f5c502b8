internal import RoostEngine

/// Related objects in a query: the targets of a list of links, or of an ``Inverse``.
///
/// ```swift
/// Owner.where { $0.dogs.contains { $0.age > 10 } }
/// Owner.where { $0.dogs.where { $0.isOld }.count >= 2 }
/// Order.where { $0.items.targets.sum { $0.price * $0.amount } > 100 }
/// ```
///
/// A condition on some or all of them is evaluated once for all objects; a number is computed for each object, from the
/// columns of its related objects. A condition that compares them with the object itself is evaluated for each pair:
///
/// ```swift
/// Owner.where { owner in owner.dogs.contains { $0.age > owner.age } }
/// ```
public struct RelatedObjects<Target: Model>: Sendable {
  private var path: RelationPath
  private var filter: Filter

  init(_ path: RelationPath, _ filter: Filter = .always(true)) {
    self.path = path
    self.filter = filter
  }

  /// The related objects that fulfil the condition.
  public func `where`(_ condition: (QueryRoot<Target>) -> QueryCondition) -> RelatedObjects {
    var chosen = self
    let added = chosen.asking(condition).filter
    if case .always(true) = filter {
      chosen.filter = added
    } else {
      chosen.filter = .both(filter, added)
    }
    return chosen
  }

  /// The result of a closure for one related object.
  private mutating func asking<Answer>(_ question: (QueryRoot<Target>) -> Answer) -> Answer {
    let number = QueryNesting.depth + 1
    // An earlier condition already refers to them by their number.
    if case .always(true) = filter { path.number = number }
    // In a condition on other objects with this number, none of them is accessible: running the query throws.
    let root = QueryRoot<Target>(number: path.number >= number ? path.number : .min)
    return QueryNesting.$depth.withValue(Swift.max(number, path.number)) { question(root) }
  }

  /// Whether a related object has this id.
  public func contains(_ id: Target.ID) -> QueryCondition {
    contains {
      let key = FieldPath(field: FieldStep(keyOf: ModelName(Target.self)), root: $0.number)
      return QueryCondition(filter: .compare(.path(key), .equal, id._constant.value))
    }
  }

  /// Whether a related object fulfils the condition.
  public func contains(
    where condition: (QueryRoot<Target>) -> QueryCondition
  ) -> QueryCondition {
    self.where(condition).isAny
  }

  /// Whether all related objects fulfil the condition; true if there are none.
  public func allSatisfy(_ condition: (QueryRoot<Target>) -> QueryCondition) -> QueryCondition {
    !contains { !condition($0) }
  }

  /// Whether there are no related objects.
  public var isEmpty: QueryCondition {
    !isAny
  }

  private var isAny: QueryCondition {
    QueryCondition(filter: .related(path, ModelName(Target.self), filter.asPart))
  }

  /// The number of related objects.
  public var count: QueryValue<Int> {
    let key = ExpressionTerm.path(FieldPath(field: FieldStep(keyOf: ModelName(Target.self))))
    return gathered(.count) { _ in QueryValue<Target.ID>(key) }
  }

  /// The sum of a number over the related objects; 0 if there are none, nil if it does not fit: an `Int`, `UInt`,
  /// `Decimal`, or for floating-point numbers a `Double`.
  public func sum<Value: _Multipliable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Value._Sum> {
    gathered(.sum, value)
  }

  /// The mean of a number over the related objects that have a value: a `Double`, or a `Decimal` of decimal numbers; nil
  /// if there are none.
  public func average<Value: _Multipliable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Value._Mean> {
    gathered(.average, value)
  }

  /// The lowest value over the related objects; nil if there are none.
  public func min<Value: Sortable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Value> {
    gathered(.minimum, value)
  }

  /// The highest value over the related objects; nil if there are none.
  public func max<Value: Sortable>(
    _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Value> {
    gathered(.maximum, value)
  }

  private func gathered<Value, Result>(
    _ function: AggregateFunction, _ value: (QueryRoot<Target>) -> QueryValue<Value>
  ) -> QueryValue<Result> {
    var objects = self
    let term = objects.asking(value).term
    return QueryValue<Result>(
      .related(objects.path, ModelName(Target.self), function, term.asPart, filter.asPart))
  }
}

/// The nesting depth of conditions on related objects, while their closures run.
private enum QueryNesting {
  @TaskLocal static var depth = 0
}

extension QueryRoot {
  /// The objects of another model that link to the object.
  public subscript<Source: Model>(inverse: Inverse<M, Source>) -> RelatedObjects<Source> {
    RelatedObjects(RelationPath(links: [], end: .inverse(inverse.link), root: number))
  }
}

extension QueryValue where Value: _LinkToOne {
  /// The objects of another model that link to the target of a link.
  public subscript<Source: Model>(
    inverse: Inverse<Value._LinkedModel, Source>
  ) -> RelatedObjects<Source> {
    let path = term.path
    return RelatedObjects(
      RelationPath(
        links: path.map { $0.links + [$0.field] } ?? [inverse.link.notThere],
        end: .inverse(inverse.link), root: path?.root ?? 0))
  }
}
