// As in Schema+Mistakes.swift.

extension Migration {
  /// A step of a plan.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "a step is a 'MigrationStep(name) { migration in … }'")
  public convenience init(_ name: String, body: @escaping @Sendable (Migration) throws -> Void) {
    noProgramCalls()
  }
}
