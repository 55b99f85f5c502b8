internal import Dispatch

/// Starts the syncs that no caller waits for (``SyncPolicy/relaxed``) when they are due.
///
/// The engine's own timer follows the clock, on its own thread. A test that must be deterministic
/// has a timer that it triggers itself.
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
