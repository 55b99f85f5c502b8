// As in Schema+Mistakes.swift.

extension Migration {
  /// A step of a plan.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "a step is a 'MigrationStep(name) { migration in … }'")
  public convenience init(_ name: String, body: @escaping @Sendable (Migration) throws -> Void) {
    noProgramCalls()
  }
}

extension MigrationEditor {
  /// As in a dictionary, and in Realm.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "set a field by 'try new.set(\"name\", to: name)'"
  )
  public subscript(field: String) -> Any {
    get { noProgramCalls() }
    nonmutating set { noProgramCalls() }
  }
}

extension MigrationObject {
  /// As in a dictionary, and in Realm.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "read a field by 'try old.value(\"name\", as: String.self)'"
  )
  public subscript(field: String) -> Any { noProgramCalls() }
}
