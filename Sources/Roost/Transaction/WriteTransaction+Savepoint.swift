internal import RoostEngine

extension WriteTransaction {
  /// Runs a part of the transaction that may fail on its own.
  ///
  /// If `body` throws, all its changes are undone, its error is rethrown, and the transaction may continue
  /// from its state before:
  ///
  /// ```swift
  /// for order in orders {
  ///   do { try transaction.savepoint { try place(order, in: transaction) } } catch { refused.append(order) }
  /// }
  /// ```
  ///
  /// Savepoints may be nested. Links are checked at the end of the transaction, not of a savepoint.
  ///
  /// Cost: gathered changes are written to pages before the savepoint, and changes of the savepoint when the next
  /// one begins: as much as a commit without its sync. Undoing costs less than the undone changes. Use savepoints
  /// for parts of a transaction, not for each of a million objects.
  /// - Throws: What `body` throws. Where the disk is full or the file damaged, the whole transaction has ended.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let context = try open()
    let savepoint = try context.savepoint()
    let result: Result
    do { result = try body() } catch {
      try context.rollback(to: savepoint)
      throw error
    }
    context.transaction.release(savepoint)
    return result
  }
}
