/// An observation that lasts until it is cancelled or dropped.
public final class ObservationToken: Sendable {
  private let task: Task<Void, Never>

  fileprivate init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }

  /// Ends the observation: no more changes are reported.
  ///
  /// On the actor of the closure, no call follows; on another actor, a call may be in progress.
  public func cancel() { task.cancel() }
}

extension Changes {
  /// Calls a closure with each change, on the closure's actor, until the token is cancelled or dropped.
  ///
  /// ```swift
  /// token = store.changes(of: query).observe { @MainActor change in
  ///   show(change)
  /// }
  /// ```
  /// - Parameters:
  ///   - body: Called with one change after the other.
  ///   - onError: Called with the error, where one ends the changes.
  public func observe(
    _ body: @escaping @Sendable @isolated(any) (Element) -> Void,
    onError: @escaping @Sendable @isolated(any) (StoreError) -> Void = { _ in }
  ) -> ObservationToken {
    ObservationToken(
      Task { [self] in
        do throws(StoreError) {
          try await tell(body, isolation: body.isolation)
        } catch {
          await tell(error, onError, isolation: onError.isolation)
        }
      })
  }

  private func tell(
    _ error: StoreError, _ onError: @Sendable @isolated(any) (StoreError) -> Void,
    isolation: isolated (any Actor)?
  ) async {
    if !Task.isCancelled { await onError(error) }
  }

  /// Runs on the closure's actor, so that nobody can cancel between the check and the call.
  private func tell(
    _ body: @Sendable @isolated(any) (Element) -> Void, isolation: isolated (any Actor)?
  ) async throws(StoreError) {
    var changes = makeAsyncIterator()
    while let change = try await changes.next(isolation: isolation), !Task.isCancelled {
      await body(change)
    }
  }
}
