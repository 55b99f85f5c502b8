/// Throws when the task that runs was cancelled.
@inline(__always)
func checkCancellation() throws(EngineError) {
  if Task.isCancelled { throw .cancelled }
}
