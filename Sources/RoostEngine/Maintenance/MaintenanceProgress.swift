/// How far a long piece of work on a whole store is.
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
  /// How much of it is done.
  package var done: UInt64
  /// How much there is to do.
  package var total: UInt64
}

/// Adds up what was done and reports it, a few hundred times in all.
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

  /// Notes that so much more is done.
  package func advance(_ amount: UInt64) {
    guard let body else { return }
    progress.done = min(progress.done &+ amount, progress.total)
    guard progress.done - reported > progress.total / 256 else { return }
    reported = progress.done
    body(progress)
  }
}
