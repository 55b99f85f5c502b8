internal import Dispatch
internal import RoostEngine
internal import Synchronization

extension Store {
  /// Writes, on the caller's thread: waits for the turn, runs `body` and makes its changes durable.
  ///
  /// All changes are made or none: where `body` throws, it is as if it had not run, and its error comes
  /// out unchanged. After the return the changes outlast a crash of the machine.
  ///
  /// - Throws: ``StoreError/reentrantWrite`` inside of another `write` of this thread;
  ///   ``StoreError/danglingLink(model:field:target:targetID:)`` and
  ///   ``StoreError/linkedTarget(model:id:by:)``; the errors of the file, after which nothing is changed.
  @discardableResult
  public func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    try write(body, unlessCancelled: nil)
  }

  /// Writes, on a queue of the store's: the caller's thread or actor is not blocked.
  ///
  /// As the synchronous form, and where the task is cancelled before the changes are made durable, none
  /// is made.
  /// - Throws: `CancellationError` then.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        writeQueue.async {
          continuation.resume(
            with: Swift.Result { try self.write(body, unlessCancelled: flag) })
        }
      }
    } onCancel: {
      flag.set()
    }
  }

  private func write<Result>(
    _ body: (WriteTransaction) throws -> Result, unlessCancelled flag: CancellationFlag?
  ) throws -> Result {
    let context = try beginWrite()
    let transaction = WriteTransaction(context)
    do {
      defer { transaction.end() }
      if flag?.isSet == true { throw CancellationError() }
      let result = try body(transaction)
      if flag?.isSet == true { throw CancellationError() }
      try context.commit()
      return result
    } catch {
      context.rollback()
      throw error
    }
  }
}

/// Tells a transaction on another thread that the task which waits for it was cancelled.
private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}
