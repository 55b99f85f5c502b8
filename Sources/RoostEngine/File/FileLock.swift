internal import Dispatch
import Synchronization

/// A lock that this process has on a file, by one opening of it.
package final class FileLock: Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private let isReleased = Atomic(false)

  /// Waits until the lock is released, for some seconds at most.
  ///
  /// - Returns: Whether it was.
  func waitForEnd() -> Bool {
    guard ended.wait(timeout: .now() + .seconds(5)) == .success else { return false }
    // For others that wait.
    ended.signal()
    return true
  }

  /// Whether it was released.
  var hasEnded: Bool { isReleased.load(ordering: .acquiring) }

  /// Notes that it was released, and lets all go on that wait.
  func end() {
    isReleased.store(true, ordering: .releasing)
    ended.signal()
  }
}
