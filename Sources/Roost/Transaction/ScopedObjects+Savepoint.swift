// Compiled into the programs that use it, for most use none and are to be no larger for it.

extension ScopedObjects where Reader == WriteTransaction {
  /// Runs a part of the transaction that may fail by itself; see ``WriteTransaction/savepoint(_:)``.
  ///
  /// Where `body` throws, everything that it did is undone, whichever objects of the scope it did that with.
  @_alwaysEmitIntoClient
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try reader.savepoint(body)
  }
}
