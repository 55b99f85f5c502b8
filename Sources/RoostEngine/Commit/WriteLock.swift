internal import Dispatch
import Synchronization

/// Lets one thread write at a time.
///
/// A thread that already writes is told so instead of waiting for itself.
final class WriteLock: Sendable {
  private let turn = DispatchSemaphore(value: 1)
  private let owner = Atomic<UInt>(0)

  /// Waits for the turn.
  func lock() throws(EngineError) {
    try checkIsNotMine()
    wait()
    owner.store(ThreadIdentity.current.address, ordering: .relaxed)
  }

  /// Throws where this thread writes: it must not wait for what may wait for the lock.
  func checkIsNotMine() throws(EngineError) {
    guard owner.load(ordering: .relaxed) != ThreadIdentity.current.address else {
      throw .nestedWrite
    }
  }

  /// Whether a thread writes.
  var isHeld: Bool { owner.load(ordering: .relaxed) != 0 }

  /// Waits for the turn of something that calls nobody who might write.
  func wait() { turn.wait() }

  /// Gives the turn to the next.
  func unlock() {
    owner.store(0, ordering: .relaxed)
    turn.signal()
  }
}
