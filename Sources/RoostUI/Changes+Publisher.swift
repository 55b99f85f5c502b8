#if canImport(Combine)
public import Combine
public import Roost
internal import Synchronization

extension Changes {
  /// The changes as a publisher. Each subscriber observes independently, and receives a change when it has demand:
  /// changes since its last one are merged, and none is lost.
  ///
  /// Delivers on any thread; use `receive(on:)` for another scheduler. The publisher finishes when the store is closed or
  /// dropped. If the file is damaged, it fails when the next change is requested.
  public var publisher: some Publisher<Element, StoreError> { ChangesPublisher(changes: self) }
}

private struct ChangesPublisher<Output: Sendable>: Publisher {
  typealias Failure = StoreError

  let changes: Changes<Output>

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == StoreError {
    let subscription = ChangesSubscription(
      changes, give: { subscriber.receive($0) }, end: { subscriber.receive(completion: $0) })
    subscriber.receive(subscription: subscription)
  }
}

/// A subscription that delivers changes on demand.
///
/// Sendable: the lock protects the mutable state, and only its one task calls the subscriber.
private final class ChangesSubscription<Change: Sendable>: Subscription, @unchecked Sendable {
  private struct State {
    var wanted = Subscribers.Demand.none
    var task: Task<Void, Never>?
    /// The task, while there is no demand.
    var waiter: CheckedContinuation<Void, Never>?
    var isCancelled = false
  }

  private let changes: Changes<Change>
  private let give: (Change) -> Subscribers.Demand
  private let end: (Subscribers.Completion<StoreError>) -> Void
  private let state = Mutex(State())

  init(
    _ changes: Changes<Change>, give: @escaping (Change) -> Subscribers.Demand,
    end: @escaping (Subscribers.Completion<StoreError>) -> Void
  ) {
    self.changes = changes
    self.give = give
    self.end = end
  }

  func request(_ demand: Subscribers.Demand) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.wanted += demand
      if state.task == nil, !state.isCancelled { state.task = Task { await self.run() } }
      guard state.wanted != .none else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func cancel() {
    let (task, waiter) = state.withLock { state in
      state.isCancelled = true
      defer { (state.task, state.waiter) = (nil, nil) }
      return (state.task, state.waiter)
    }
    task?.cancel()
    waiter?.resume()
  }

  private var isCancelled: Bool { state.withLock(\.isCancelled) }

  private func run() async {
    var changes = changes.makeAsyncIterator()
    do throws(StoreError) {
      while true {
        while !takesChange() { await waitForDemand() }
        guard !isCancelled else { return }
        guard let change = try await changes.next(isolation: nil) else { break }
        guard !isCancelled else { return }
        request(give(change))
      }
      if !isCancelled { end(.finished) }
    } catch {
      if !isCancelled { end(.failure(error)) }
    }
    cancel()
  }

  /// Uses up demand for one change; false without demand, true also after cancellation.
  private func takesChange() -> Bool {
    state.withLock { state in
      if state.isCancelled { return true }
      guard state.wanted != .none else { return false }
      state.wanted -= 1
      return true
    }
  }

  /// Waits for demand or cancellation.
  private func waitForDemand() async {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        guard state.wanted == .none, !state.isCancelled else { return false }
        state.waiter = continuation
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }
}
#endif
