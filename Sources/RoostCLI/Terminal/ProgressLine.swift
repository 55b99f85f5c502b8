import RoostDynamic

/// Shows the progress of an operation on one line, on terminals only.
final class ProgressLine {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var isShown = false

  init() {
    start = clock.now
    last = start
  }

  /// The callback for a long operation of the store; nil without a terminal.
  var report: ((DynamicStore.Progress) -> Void)? {
    guard isWatched else { return nil }
    return { self.show($0.phase.rawValue, $0.done, of: $0.total) }
  }

  /// Updates the line, at most ten times a second.
  func show(_ work: String, _ done: UInt64, of total: UInt64) {
    let now = clock.now
    guard isWatched, now - last > .milliseconds(100), total > 0 else { return }
    last = now
    isShown = true
    let share = Double(done) / Double(total)
    let filled = Int(share * 30)
    let bar =
      String(repeating: "█", count: min(filled, 30))
      + String(repeating: "░", count: max(30 - filled, 0))
    let seconds = (now - start) / .seconds(1)
    let rest = share > 0.02 ? ", \(Int((seconds / share - seconds).rounded(.up))) s left" : ""
    Output.replaceLine("\(work) \(bar) \(Int(share * 100)) %\(rest)")
  }

  /// Removes the line.
  func end() {
    if isShown { Output.replaceLine("") }
    isShown = false
  }
}
