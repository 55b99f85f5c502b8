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
}

extension WriteTransaction {
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
