import Foundation
import Synchronization

/// A thread of its own that does one thing.
final class Worker<Outcome>: @unchecked Sendable {
  // The thread alone touches body and outcome until `ended` is signalled; `result` waits for that.
  private let body: () throws -> Outcome
  private let ended = DispatchSemaphore(value: 0)
  private var outcome: Result<Outcome, any Error>?

  /// Begins at once.
  init(_ body: @escaping () throws -> Outcome) {
    self.body = body
    Thread.detachNewThread { [self] in
      outcome = Result { try self.body() }
      ended.signal()
    }
  }

  /// Waits for the end.
  func result() throws -> Outcome {
    ended.wait()
    guard let outcome else { preconditionFailure("A worker ends with an outcome.") }
    return try outcome.get()
  }
}

/// Tells workers to end.
final class StopSign: Sendable {
  private let stops = Atomic(false)

  var isUp: Bool { stops.load(ordering: .relaxed) }

  func raise() { stops.store(true, ordering: .relaxed) }
}
