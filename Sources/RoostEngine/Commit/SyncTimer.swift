internal import Dispatch

/// Begins the syncs that nobody waits for (``SyncPolicy/relaxed``) when they are due.
///
/// The engine's own follows the clock, on a thread of its own. A test that must come to the same result each
/// time has one that it sets off itself.
package protocol SyncTimer: Sendable {
  /// Runs a sync after some time, on another thread or at least not before this call returns.
  func schedule(afterMilliseconds delay: Int, _ sync: @escaping @Sendable () -> Void)
}

/// The timer of a store that is used.
struct ClockTimer: SyncTimer {
  private let queue = DispatchQueue(label: "roost.sync")

  func schedule(afterMilliseconds delay: Int, _ sync: @escaping @Sendable () -> Void) {
    guard delay > 0 else { return queue.async(execute: sync) }
    queue.asyncAfter(deadline: .now() + .milliseconds(delay), execute: sync)
  }
}
