internal import RoostEngine

/// Conditions on a list of links.
extension QueryValue where Value: _LinkList {
  /// Whether the list has a link to the object with this id.
  public func contains(_ id: Value._Target.ID) -> QueryCondition { targets.contains(id) }

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

  /// Whether all objects that the list links to fulfil a condition; also where there is none.
  public func allSatisfy(
    _ condition: (QueryRoot<Value._Target>) -> QueryCondition
  ) -> QueryCondition {
    targets.allSatisfy(condition)
  }

  /// Whether the list has no link.
  public var isEmpty: QueryCondition {
    QueryCondition(filter: .compare(term, .equal, .bytes([])))
  }

  /// How many links the list has.
  public var count: QueryValue<Int> { targets.count }

  /// The objects that the list links to, each as often as it does, and of them those that fulfil a condition.
  public func `where`(
    _ condition: (QueryRoot<Value._Target>) -> QueryCondition
  ) -> RelatedObjects<Value._Target> {
    targets.where(condition)
  }

  /// The objects that the list links to, each as often as it does: to count them, or to calculate with their fields.
  public var targets: RelatedObjects<Value._Target> {
    guard let path = term.path else {
      preconditionFailure("Nothing but a field is a list of links.")
    }
    return RelatedObjects(
      RelationPath(links: path.links, end: .links(path.field), root: path.root))
  }
}
