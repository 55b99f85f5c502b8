internal import Dispatch

/// Sorts the entries of an index on another thread.
///
/// Only that thread uses the fields until it signals `hasEnded`; afterwards only the thread that has waited for the signal does.
/// A `Mutex` cannot hold the entries: their buffers are not `Sendable`, and the caller's filler held them before.
final class IndexSort: @unchecked Sendable {  // ordered by `hasEnded`
  private var changes: IndexChanges
  /// The sorted entries, after ``wait()``.
  private(set) var run = IndexRun()
  private var failure: EngineError?
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ changes: consuming IndexChanges, tree: UInt32) {
    self.changes = changes
    DispatchQueue(label: "roost.index", qos: .userInitiated).async {
      do throws(EngineError) {
        self.run = try IndexRun(self.changes, tree: tree)
      } catch { self.failure = error }
      self.changes = IndexChanges()
      self.hasEnded.signal()
    }
  }

  /// Waits for the end; called once.
  ///
  /// - Throws: What ``IndexRun/init(_:tree:)`` throws.
  func wait() throws(EngineError) {
    hasEnded.wait()
    if let failure { throw failure }
  }
}
