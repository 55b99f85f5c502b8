/// The progress of a long operation on a whole store.
package struct MaintenanceProgress: Equatable, Sendable {
  /// The phase.
  package enum Phase: String, Hashable, Sendable {
    /// Objects and index entries are written to the new file.
    case copying
    /// The file's units are read and checked.
    case verifying
  }

  /// The phase.
  package var phase: Phase
  /// The amount done.
  package var done: UInt64
  /// The total amount.
  package var total: UInt64
}

/// Adds up the amount done and reports it, a few hundred times in all.
package final class ProgressMeter {
  private var progress: MaintenanceProgress
  private var reported: UInt64 = 0
  private let body: ((MaintenanceProgress) -> Void)?

  package init(
    _ phase: MaintenanceProgress.Phase, total: UInt64, _ body: ((MaintenanceProgress) -> Void)?
  ) {
    progress = MaintenanceProgress(phase: phase, done: 0, total: total)
    self.body = body
  }

  /// Adds to the amount done.
  package func advance(_ amount: UInt64) {
    guard let body else { return }
    progress.done = min(progress.done &+ amount, progress.total)
    guard progress.done - reported > progress.total / 256 else { return }
    reported = progress.done
    body(progress)
  }
}
