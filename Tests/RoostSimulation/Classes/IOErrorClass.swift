import Foundation
import RoostEngine
import RoostTestSupport

/// Every call of a piece of work fails, with each kind of error, once or for good: the transaction is gone or there,
/// reading goes on, and so does writing once the calls succeed again.
struct IOErrorClass: FaultClass {
  let name = "io_errors"
  let unit = "runs"

  /// The kinds of error.
  private enum Kind: CaseIterable {
    case ioError, noSpace, interrupted, quota, tooBig, noAccess, readOnly, noDescriptors
    case shortRead, shortWrite

    var code: Int32 {
      switch self {
      case .ioError, .shortRead: EIO
      case .noSpace, .shortWrite: ENOSPC
      case .interrupted: EINTR
      case .quota: EDQUOT
      case .tooBig: EFBIG
      case .noAccess: EACCES
      case .readOnly: EROFS
      case .noDescriptors: EMFILE
      }
    }

    /// What these errors hit: a full disk can be read.
    var target: SimulatedDisk.Fault.Target {
      switch self {
      case .noSpace, .quota, .tooBig, .readOnly: .changing
      case .ioError, .interrupted, .noAccess, .noDescriptors: .any
      case .shortRead: .only(.read)
      case .shortWrite: .only(.write)
      }
    }

    func effect(forGood: Bool) -> SimulatedDisk.Fault.Effect {
      switch self {
      case .shortRead: .readShort(forGood: forGood)
      default: forGood ? .failForGood(code) : .failOnce(code)
      }
    }
  }

  /// 30 scripts in 4 forms, 10 kinds of error, at every call, once and for good.
  func caseCount(isFull: Bool) -> Int {
    FaultScript.count * Kind.allCases.count * (isFull ? 40 : 4)
  }

  func run(_ trial: Trial) throws {
    let kind = Kind.allCases[trial.number % Kind.allCases.count]
    let number = trial.number / Kind.allCases.count
    let script = try FaultScript(
      number % FaultScript.count, seed: trial.seed &+ UInt64(number / FaultScript.count))
    for forGood in [false, true] {
      var call = 1
      while true {
        let fault = SimulatedDisk.Fault(kind.target, call: call, kind.effect(forGood: forGood))
        let outcome = try script.run([fault])
        guard outcome.disk.counters.failed > 0 else { break }
        let place =
          "\(script.workload.name), \(kind) at call \(call)\(forGood ? " for good" : ""), "
          + (outcome.error.map { "\($0)" } ?? "no error")
        do {
          try check(outcome, script, kind, forGood: forGood, place, trial)
        } catch { trial.report(.wrong, "\(place): \(error)") }
        trial.count(outcome.allowed.reduce(0) { $0 &+ $1.digest })
        guard trial.result.failures.isEmpty else { return }
        call += 1
      }
    }
  }

  private func check(
    _ outcome: FaultScript.Outcome, _ script: FaultScript, _ kind: Kind, forGood: Bool,
    _ place: String, _ trial: Trial
  ) throws {
    if let error = outcome.error, !isClear(error, kind) {
      throw Wrong("that is no clear error")
    }
    if let session = outcome.session, session.isOpen {
      // What cannot be written can still be read.
      if kind.target == .changing { try session.checkContent() }
      outcome.disk.removeFaults()
      try session.checkContent()
      try session.checkPinned()
      try session.checkMemory()
      do {
        let visible = session.failedInCommit ? session.visible : nil
        let left = outcome.disk.crashImage(seed: 0, survival: .everything)
        var random = trial.random
        try session.transact(&random)
        try session.checkContent()
        // Nor does it come back: who was told that it failed does it again.
        if let visible {
          ImageCheck(
            workload: script.workload, allowed: [visible], place: place + ", then nothing"
          ).check(left, trial, counting: false)
        }
        return script.checkReopening(
          FaultScript.Outcome(
            disk: outcome.disk, session: session, error: nil, allowed: session.possible),
          place + ", then a commit", trial)
      } catch EngineError.writesRefused {
        // Only where nobody knows what the disk holds: a sync failed, or taking a commit back.
        guard outcome.disk.counters.failed(.synchronize) > 0 || (forGood && outcome.error != nil)
        else { throw Wrong("writes are refused although no sync failed") }
      }
    }
    outcome.disk.removeFaults()
    script.checkReopening(outcome, place, trial)
  }

  /// Whether an error says what happened.
  private func isClear(_ error: EngineError, _ kind: Kind) -> Bool {
    switch error {
    case .file(let error): error.code == kind.code
    case .writesRefused: true
    // A file that ends before it should is as good as damaged.
    case .corrupt, .truncated, .notARoostFile: kind == .shortRead
    default: false
    }
  }
}
