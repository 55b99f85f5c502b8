import RoostEngine
import Synchronization

/// Keeps the syncs that nobody waits for until the simulator says that their time has come.
final class SimulatedTimer: SyncTimer {
  private let due = Mutex<[@Sendable () -> Void]>([])

  func schedule(afterMilliseconds delay: Int, _ sync: @escaping @Sendable () -> Void) {
    due.withLock { $0.append(sync) }
  }

  /// Runs the syncs that are due, by this thread.
  ///
  /// - Returns: Whether there were any.
  func run() -> Bool {
    let syncs = due.withLock { due in
      defer { due = [] }
      return due
    }
    for sync in syncs { sync() }
    return !syncs.isEmpty
  }
}
