// As in Schema+Mistakes.swift.

extension Snapshot {
  /// As in a transaction.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a snapshot is only read; write in a transaction: 'try store.write { try $0.insert(object) }'"
  )
  public func insert<M: Model>(_ object: M) throws(StoreError) { noProgramCalls() }

  /// As in a transaction.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a snapshot is only read; write in a transaction: 'try store.write { try $0.delete(…) }'"
  )
  public func delete<Other>(_ other: Other) throws(StoreError) { noProgramCalls() }
}
