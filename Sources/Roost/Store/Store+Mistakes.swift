// Unavailable declarations: the compiler says what to write instead of what other libraries call it. Editors do not offer
// them.

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Store {
  /// Models as an array, as in Realm.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "list the models without brackets: 'models: Person.self, Dog.self'"
  )
  public convenience init(
    _ location: Location, models: [any Model.Type], configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: () -> [MigrationStep] = { [] }
  ) throws(StoreError) {
    noProgramCalls()
  }

  /// A URL, which is no place by itself.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write '.file(url)'")
  public convenience init<each M: Model>(
    _ url: URL, models: repeat (each M).Type, configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: () -> [MigrationStep] = { [] }
  ) throws(StoreError) {
    noProgramCalls()
  }

  /// A plan that is at hand, without braces.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "write the plan in braces: 'migrations: { App.migrations }'"
  )
  public convenience init<each M: Model>(
    _ location: Location, models: repeat (each M).Type,
    configuration: Configuration = Configuration(), migrations: MigrationPlan
  ) throws(StoreError) {
    noProgramCalls()
  }

  /// A plan that is at hand, without braces, beside a path that is no literal.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "write the plan in braces: 'migrations: { App.migrations }'"
  )
  public convenience init<each M: Model>(
    _ path: String, models: repeat (each M).Type,
    configuration: Configuration = Configuration(), migrations: MigrationPlan
  ) throws(StoreError) {
    noProgramCalls()
  }

  /// Steps in brackets.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "list the steps in braces: 'migrations: { MigrationStep(…) { … } }'"
  )
  public convenience init<each M: Model>(
    _ location: Location, models: repeat (each M).Type,
    configuration: Configuration = Configuration(), migrations: [MigrationStep]
  ) throws(StoreError) {
    noProgramCalls()
  }

  /// As in Realm and GRDB, whose configurations say it.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "say it in a configuration: 'configuration.isReadOnly = true'"
  )
  public convenience init<each M: Model>(
    _ location: Location, models: repeat (each M).Type, readOnly: Bool
  ) throws(StoreError) {
    noProgramCalls()
  }

  /// As in Realm, whose files are compacted when they are opened, too.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a file is compacted when it is opened: as 'Configuration.compaction' says, or by 'roost compact'"
  )
  public func compact() throws(StoreError) { noProgramCalls() }

  /// As in SwiftData.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "write in a transaction: 'try store.write { try $0.insert(object) }'"
  )
  public func insert<M: Model>(_ object: M) throws(StoreError) { noProgramCalls() }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "write in a transaction: 'try store.write { try $0.insert(object) }'"
  )
  public func add<M: Model>(_ object: M) throws(StoreError) { noProgramCalls() }

  /// As in Realm and SwiftData.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "write in a transaction: 'try store.write { try $0.delete(…) }'"
  )
  public func delete<Other>(_ other: Other) throws(StoreError) { noProgramCalls() }

  /// As in SwiftData.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "read from a version: 'try store.read { try $0.fetch(query) }'"
  )
  public func fetch<M: Model>(_ query: Query<M>) throws(StoreError) -> [M] { noProgramCalls() }

  /// As in a snapshot.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "read from a version: 'try store.read { try $0.count(query) }'"
  )
  public func count<M: Model>(_ query: Query<M>) throws(StoreError) -> Int { noProgramCalls() }

  /// As in Core Data, by an id.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "read from a version: 'try store.read { try $0.fetch(Person.self, id: id) }'"
  )
  public func fetch<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> M? {
    noProgramCalls()
  }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "read from a version: 'try store.read { try $0.fetch(Person.all) }'"
  )
  public func objects<M: Model>(_ type: M.Type) throws(StoreError) -> [M] { noProgramCalls() }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "follow a query with 'for try await change in store.changes(of: query)', or in a callback: 'store.changes(of: query).observe { … }'"
  )
  public func observe<M: Model, Result>(
    _ query: Query<M>, _ body: (ResultsChange<M>) -> Result
  ) throws(StoreError) -> ObservationToken {
    noProgramCalls()
  }

  /// As in Core Data and SwiftData.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "what is written is saved when the closure of 'write' returns"
  )
  public func save() throws(StoreError) { noProgramCalls() }

  /// As in many libraries.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "write(_:)")
  @discardableResult
  public func transaction<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    noProgramCalls()
  }

  /// As in many libraries.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "write(_:)")
  @discardableResult
  public func update<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    noProgramCalls()
  }

  /// A type, of which a query is meant.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "observe a query: 'changes(of: Person.all)'")
  public func changes<M: Model>(of type: M.Type) -> Changes<ResultsChange<M>> { noProgramCalls() }

  /// Objects with what they link to.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "name what is read behind links: 'changes(of: Dog.all, reading: { $0.owner.name })', or observe with 'values(of:)'"
  )
  public func changes<Including: _IncludingQuery>(of query: Including) -> Changes<Including> {
    noProgramCalls()
  }

  /// Groups.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "observe the query, and ask for its groups: 'values(of: Dog.all) { try $0.groups($1.grouped(by: …)) { $0.count } }'"
  )
  public func changes<M: Model, each Key: Storable>(
    of query: GroupedQuery<M, repeat each Key>
  ) -> Changes<ResultsChange<M>> { noProgramCalls() }
}
