// Unavailable declarations: the compiler says what to write instead of what other libraries call it. Editors do not offer
// them.

extension ObjectReader {
  /// A type, an inverse, or anything else that is no query.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "fetch a query, such as 'Person.all', a link, or an object by its type and id"
  )
  @_disfavoredOverload
  public func fetch<Other>(_ other: Other) throws(StoreError) -> [Other] { noProgramCalls() }

  /// A type, of which a query is meant.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "count a query: 'count(Person.all)'")
  public func count<M: Model>(_ type: M.Type) throws(StoreError) -> Int { noProgramCalls() }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "fetch a query: 'fetch(Person.all)', or 'fetch(Person.where { … })'"
  )
  public func objects<M: Model>(_ type: M.Type) -> [M] { noProgramCalls() }

  /// As in dictionaries and key-value stores.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "fetch(_:id:)")
  public func get<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> M? { noProgramCalls() }

  /// As in GRDB.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "fetch(_:)")
  public func fetchAll<M: Model>(_ query: Query<M>) throws(StoreError) -> [M] { noProgramCalls() }

  /// As in GRDB.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "first(_:)")
  public func fetchOne<M: Model>(_ query: Query<M>) throws(StoreError) -> M? { noProgramCalls() }

  /// As in GRDB and SwiftData.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "count(_:)")
  public func fetchCount<M: Model>(_ query: Query<M>) throws(StoreError) -> Int { noProgramCalls() }

  /// As in GRDB.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "count instead: 'try count(query.limit(1)) > 0'")
  public func exists<M: Model>(_ query: Query<M>) throws(StoreError) -> Bool { noProgramCalls() }

  /// By another property than the key.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "ask by a query: 'first(Person.where { $0.email == email })'"
  )
  public func find<M: Model, Value>(
    _ type: M.Type, _ path: KeyPath<M, Value>, _ value: Value
  ) throws(StoreError) -> M? { noProgramCalls() }
}

// Aggregates whose arguments come in another order.
extension ObjectReader {
  /// The query before the property.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write 'sum(\\.price, of: query)'")
  public func sum<M: Model, Value>(
    _ query: Query<M>, of path: KeyPath<M, Value>
  ) throws(StoreError) -> Value { noProgramCalls() }

  /// The query before the property.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write 'average(\\.price, of: query)'")
  public func average<M: Model, Value>(
    _ query: Query<M>, of path: KeyPath<M, Value>
  ) throws(StoreError) -> Value { noProgramCalls() }

  /// The query before the property.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write 'min(\\.price, of: query)'")
  public func min<M: Model, Value>(
    _ query: Query<M>, of path: KeyPath<M, Value>
  ) throws(StoreError) -> Value { noProgramCalls() }

  /// The query before the property.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write 'max(\\.price, of: query)'")
  public func max<M: Model, Value>(
    _ query: Query<M>, of path: KeyPath<M, Value>
  ) throws(StoreError) -> Value { noProgramCalls() }
}

extension WriteTransaction {
  /// Objects without their label.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "upsert(contentsOf:)")
  public func upsert<M: Model>(_ objects: [M]) throws(StoreError) { noProgramCalls() }

  /// With a condition of its own.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "delete what a query finds: 'delete(Person.where { … })'"
  )
  public func delete<M: Model>(
    _ type: M.Type, where condition: (QueryRoot<M>) -> QueryCondition
  ) throws(StoreError) -> Int { noProgramCalls() }

  /// A link, instead of what it leads to.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "delete its target: 'delete(Person.self, id: link.id)'")
  public func delete<M: Model>(_ link: Link<M>) throws(StoreError) -> Bool { noProgramCalls() }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "upsert(_:)")
  public func add<M: Model>(_ object: M, update: _UpdatePolicy) throws(StoreError) -> M {
    noProgramCalls()
  }

  /// With a policy, which only `upsert` has.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "upsert(contentsOf:onConflict:)")
  public func insert<M: Model>(
    contentsOf objects: some Sequence<M>, onConflict policy: ConflictPolicy<M>
  ) throws(StoreError) { noProgramCalls() }

  /// With a policy, which only `upsert` has.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "upsert(_:onConflict:)")
  public func insert<M: Model>(
    _ object: M, onConflict policy: ConflictPolicy<M>
  ) throws(StoreError) -> M { noProgramCalls() }

  /// By an object instead of its id.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "write 'update(Person.self, id: person.id, set: \\.name, to: name)'"
  )
  public func update<M: Model, Value>(
    _ object: M, set property: KeyPath<M, Value>, to value: Value
  ) throws(StoreError) { noProgramCalls() }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "insert(_:)")
  public func add<M: Model>(_ object: M) throws(StoreError) -> M { noProgramCalls() }

  /// As in GRDB.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "upsert(_:)")
  public func save<M: Model>(_ object: M) throws(StoreError) -> M { noProgramCalls() }

  /// As in Realm and GRDB.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "delete what a query finds: 'delete(Person.all)'")
  public func deleteAll<M: Model>(_ type: M.Type) throws(StoreError) -> Int { noProgramCalls() }

  /// As of a snapshot.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "rows are of snapshots: 'fetch' objects, or 'values(of:)'")
  public func rows<M: Model>(_ query: Query<M>) throws(StoreError) -> [M] { noProgramCalls() }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "delete what queries find, each: 'delete(Person.all)'")
  public func deleteAll() throws(StoreError) { noProgramCalls() }

  /// As in SwiftData.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "delete what a query finds: 'delete(Person.all)'")
  public func delete<M: Model>(_ type: M.Type) throws(StoreError) -> Int { noProgramCalls() }

  /// As in Core Data and SwiftData.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "what is written is saved when the closure of 'write' returns"
  )
  public func save() throws(StoreError) { noProgramCalls() }
}

/// What Realm calls a conflict's policy.
public enum _UpdatePolicy { case all, modified, error }
