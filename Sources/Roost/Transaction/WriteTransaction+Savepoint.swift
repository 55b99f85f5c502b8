internal import RoostEngine

extension WriteTransaction {
  /// Runs a part of the transaction that may fail by itself.
  ///
  /// Where `body` throws, everything that it did is undone, its error comes out, and the transaction may go on
  /// as it was before:
  ///
  /// ```swift
  /// for order in orders {
  ///   do { try transaction.savepoint { try place(order, in: transaction) } } catch { refused.append(order) }
  /// }
  /// ```
  ///
  /// Savepoints may lie within each other. Links are checked at the end of the transaction, not of a savepoint.
  ///
  /// Cost: what the transaction has gathered goes to pages before the savepoint, and what the savepoint changed
  /// when the next one begins: as much as a commit, but for its sync. To undo costs less than what is undone. So it
  /// is for the parts of a transaction, not for each of a million objects.
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
