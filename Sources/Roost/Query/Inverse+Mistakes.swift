// As in Schema+Mistakes.swift.

extension Inverse {
  /// The reverse of a list of links with a name for nested texts.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      the inverse of a list of links has no name, for it can be no branch of nested texts: its objects belong to no single \
      owner; name the list itself in a branch of the other model
      """
  )
  public init(_ links: KeyPath<Source, Links<Target>>, _ member: String) { noProgramCalls() }
}

extension RelatedObjects {
  /// As in Swift and Realm.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "where(_:)")
  public func filter(_ condition: (QueryRoot<Target>) -> QueryCondition) -> Self {
    noProgramCalls()
  }

  /// As in SQL and Core Data.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "average(_:)")
  public func avg<Value>(_ value: (QueryRoot<Target>) -> Value) -> QueryValue<Double?> {
    noProgramCalls()
  }
}
