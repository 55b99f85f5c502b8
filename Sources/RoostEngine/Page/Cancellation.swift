/// Throws if the current task was cancelled.
@inline(__always)
func checkCancellation() throws(EngineError) {
  if Task.isCancelled { throw .cancelled }
}

/// Ends a sort soon after its task was cancelled: the comparison closure cannot throw.
///
/// A cancelled sort leaves no defined order; ``checkCancellation()`` throws after it.
struct SortCancellation {
  private var comparisons = 0
  private var isCancelled = false

  /// Whether to stop comparing: the remaining elements may be treated as equal. Checks the task on every 1,024th call.
  @inline(__always)
  mutating func isDue() -> Bool {
    comparisons &+= 1
    if comparisons & 1023 == 0 { isCancelled = Task.isCancelled }
    return isCancelled
  }
}
