#if Tool
import ArgumentParser
import RoostDynamic
import RoostTool

/// How commands that may take long tell of their progress.
struct ProgressOptions: ParsableArguments {
  enum Form: String, ExpressibleByArgument, CaseIterable {
    /// A line on a terminal, and nothing elsewhere.
    case auto
    /// Objects of JSON, a line each.
    case json
    case none
  }

  @Option(
    help: ArgumentHelp(
      "How progress is shown on the standard error: auto, json or none.",
      discussion: """
        By itself it is a line on a terminal, and nothing elsewhere. json prints an object a line, ten times a second at most: the \
        members are work, unit, done, and, where they are known, total, percent, perSecond and secondsLeft.
        """, valueName: "form"))
  var progress = Form.auto

  /// The progress of a command.
  ///
  /// - Parameter output: Where the command prints meanwhile; a terminal is left to it.
  func start(beside output: Output? = nil) -> ProgressLine {
    switch progress {
    case .json: ProgressLine(.json)
    case .auto where isWatched && output?.isTerminal != true: ProgressLine(.line)
    case .auto, .none: ProgressLine(.none)
    }
  }
}

/// Tells of the progress of a command on the standard error.
final class ProgressLine {
  enum Form {
    case line, json, none
  }

  private let form: Form
  private let clock = ContinuousClock()
  /// When what is counted began.
  private var start: ContinuousClock.Instant
  private var lastTelling: ContinuousClock.Instant?
  private var last: WorkProgress?
  /// Whether the last state was told.
  private var isTold = true

  init(_ form: Form) {
    self.form = form
    start = clock.now
  }

  /// The callback for a long operation of the store; nil where nobody listens.
  var report: ((DynamicStore.Progress) -> Void)? {
    guard form != .none else { return nil }
    return { progress in
      let unit = progress.phase == .verifying ? "units" : "entries"
      self.show(progress.phase.rawValue, unit, progress.done, of: progress.total)
    }
  }

  /// Tells how far a work is, at most ten times a second.
  func show(_ work: String, _ unit: String, _ done: UInt64, of total: UInt64?) {
    guard form != .none else { return }
    let now = clock.now
    let progress = WorkProgress(work, unit, done: done, of: total)
    if let last, !progress.continues(last) {
      if !isTold { tell(last, at: now) }
      start = now
      lastTelling = nil
    }
    last = progress
    isTold = false
    if let lastTelling, now - lastTelling < .milliseconds(100) { return }
    tell(progress, at: now)
  }

  private func tell(_ progress: WorkProgress, at now: ContinuousClock.Instant) {
    lastTelling = now
    isTold = true
    let seconds = (now - start) / .seconds(1)
    switch form {
    case .line: Output.replaceLine(progress.line(after: seconds))
    case .json: complain(progress.json(after: seconds))
    case .none: break
    }
  }

  /// Runs a work, and ends with it; what was counted is done then, also where the last of it was not told.
  func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    defer { end() }
    let result = try body()
    if let last, let total = last.total, last.done < total {
      self.last?.done = total
      isTold = false
    }
    return result
  }

  /// Removes the line, or tells the last state.
  func end() {
    guard let last else { return }
    if form == .line {
      Output.replaceLine("")
    } else if !isTold {
      tell(last, at: clock.now)
    }
    self.last = nil
    isTold = true
  }
}
#endif
