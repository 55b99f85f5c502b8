// Compiled into the programs that use it: most programs do not and should not grow for it.

extension ScopedObjects where Reader == WriteTransaction {
  /// Runs a part of the transaction that may fail by itself; see ``WriteTransaction/savepoint(_:)``.
  ///
  /// If `body` throws, all its changes are undone, whichever objects of the scope made them.
  @_alwaysEmitIntoClient
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try reader.savepoint(body)
  }
}
