internal import RoostEngine

/// Conditions on a list of links.
extension QueryValue where Value: _LinkList {
  /// Whether the list has a link to the object with this id.
  public func contains(_ id: Value._Target.ID) -> QueryCondition {
    let target = ModelName(Value._Target.self)
    let key = FieldPath(field: FieldStep(keyOf: target))
    return QueryCondition(
      filter: .links(path, target, .compare(key, .equal, id._constant.value)))
  }

  /// Whether the list has a link to an object that fulfils a condition.
  ///
  /// ```swift
  /// let old = Playlist.where { $0.songs.contains { $0.year < 1960 } }
  /// ```
  public func contains(
    where condition: (QueryRoot<Value._Target>) -> QueryCondition
  ) -> QueryCondition {
    QueryCondition(
      filter: .links(path, ModelName(Value._Target.self), condition(QueryRoot()).filter))
  }

  /// Whether the list has no link.
  public var isEmpty: QueryCondition {
    QueryCondition(filter: .compare(path, .equal, .bytes([])))
  }
}
