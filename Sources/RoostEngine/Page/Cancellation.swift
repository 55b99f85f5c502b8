/// Throws when the task that runs was cancelled.
@inline(__always)
func checkCancellation() throws(EngineError) {
  if Task.isCancelled { throw .cancelled }
}

/// Ends a sort soon when its task was cancelled: the closure that compares cannot throw.
///
/// What was sorted so is in no order; ``checkCancellation()`` throws behind it.
struct SortCancellation {
  private var comparisons = 0
  private var isCancelled = false

  /// Whether no more is to be compared: all that is left may be taken as alike. The task is asked every 1,024 times.
  @inline(__always)
  mutating func isDue() -> Bool {
    comparisons &+= 1
    if comparisons & 1023 == 0 { isCancelled = Task.isCancelled }
    return isCancelled
  }
}
