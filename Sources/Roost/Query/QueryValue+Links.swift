internal import RoostEngine

/// Conditions on a list of links.
extension QueryValue where Value: _LinkList {
  /// Whether the list has a link to the object with this id; if that is not there, it is in no list.
  public func contains(_ id: Value._Target.ID) -> QueryCondition { targets.contains(id) }

  /// Whether the list has this link.
  public func contains(_ link: Link<Value._Target>) -> QueryCondition { contains(link.id) }

  /// Whether the list has a link to an object that fulfils a condition.
  ///
  /// ```swift
  /// let old = Playlist.where { $0.songs.contains { $0.year < 1960 } }
  /// ```
  public func contains(
    where condition: (QueryRoot<Value._Target>) -> QueryCondition
  ) -> QueryCondition {
    targets.contains(where: condition)
  }

  /// Whether all targets of the list fulfil a condition; true if there are none.
  public func allSatisfy(
    _ condition: (QueryRoot<Value._Target>) -> QueryCondition
  ) -> QueryCondition {
    targets.allSatisfy(condition)
  }

  /// Whether the list is empty.
  public var isEmpty: QueryCondition {
    QueryCondition(filter: .compare(term, .equal, .bytes([])))
  }

  /// The number of links in the list.
  public var count: QueryValue<Int> { targets.count }

  /// The targets of the list that fulfil a condition, each as often as the list links to it.
  public func `where`(
    _ condition: (QueryRoot<Value._Target>) -> QueryCondition
  ) -> RelatedObjects<Value._Target> {
    targets.where(condition)
  }

  /// The sum of a number over the targets: see ``RelatedObjects/sum(_:)``.
  public func sum<Number: _Multipliable>(
    _ value: (QueryRoot<Value._Target>) -> QueryValue<Number>
  ) -> QueryValue<Number._Sum> {
    targets.sum(value)
  }

  /// The mean of a number over the targets: see ``RelatedObjects/average(_:)``.
  public func average<Number: _Multipliable>(
    _ value: (QueryRoot<Value._Target>) -> QueryValue<Number>
  ) -> QueryValue<Number._Mean> {
    targets.average(value)
  }

  /// The lowest value over the targets: see ``RelatedObjects/min(_:)``.
  public func min<Field: Sortable>(
    _ value: (QueryRoot<Value._Target>) -> QueryValue<Field>
  ) -> QueryValue<Field> {
    targets.min(value)
  }

  /// The highest value over the targets: see ``RelatedObjects/max(_:)``.
  public func max<Field: Sortable>(
    _ value: (QueryRoot<Value._Target>) -> QueryValue<Field>
  ) -> QueryValue<Field> {
    targets.max(value)
  }

  /// The targets of the list, each as often as the list links to it.
  public var targets: RelatedObjects<Value._Target> {
    guard let path = term.path else {
      preconditionFailure("Nothing but a field is a list of links.")
    }
    return RelatedObjects(
      RelationPath(links: path.links, end: .links(path.field), root: path.root))
  }
}
