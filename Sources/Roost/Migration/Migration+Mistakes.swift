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

  /// A value without its type, as an argument of `set`: not the target of a link.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "say the value's type: 'try old.value(\"name\", as: String.self)'"
  )
  public func value(_ field: String) throws(StoreError) -> MigrationObject? { noProgramCalls() }
}

extension MigrationPlanBuilder {
  /// Every program has all steps.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a plan has all of its steps in every program: write an 'if' within the step's own braces"
  )
  public static func buildOptional(_ steps: [MigrationStep]?) -> [MigrationStep] {
    noProgramCalls()
  }
}
