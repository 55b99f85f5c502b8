#if canImport(Combine)
public import Combine
public import Roost
internal import Synchronization

extension Changes {
  /// The changes as a publisher. Each subscriber observes on its own, and is given a change when it has asked for one:
  /// latest wins, and none is lost.
  ///
  /// They come on any thread; `receive(on:)` brings them elsewhere. The publisher finishes when the store is closed or
  /// dropped, and fails where the file is damaged: when the next change is asked for.
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

/// Somebody who gets changes when they are asked for.
///
/// Sendable: what changes is under the lock, and the subscriber is called by the one task alone.
private final class ChangesSubscription<Change: Sendable>: Subscription, @unchecked Sendable {
  private struct State {
    var wanted = Subscribers.Demand.none
    var task: Task<Void, Never>?
    /// The task, while nothing is wanted.
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

  /// Whether a change is wanted, which is then taken for given; or none will be.
  private func takesChange() -> Bool {
    state.withLock { state in
      if state.isCancelled { return true }
      guard state.wanted != .none else { return false }
      state.wanted -= 1
      return true
    }
  }

  /// Waits until a change is wanted, or none will be.
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
