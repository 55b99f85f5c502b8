import Foundation
import RoostEngine
import RoostTestSupport

/// Each sync of a piece of work fails: the store refuses to write from then on and goes on reading, and whatever
/// the disk holds afterwards is a version that was there or was being committed.
struct SyncClass: FaultClass {
  let name = "syncs"
  let unit = "failed syncs"

  func caseCount(isFull: Bool) -> Int { FaultScript.count * (isFull ? 20 : 2) }

  func run(_ trial: Trial) throws {
    let number = trial.number
    let script = try FaultScript(
      number % FaultScript.count, seed: trial.seed &+ UInt64(number / FaultScript.count))
    for call in [SimulatedDisk.Call.synchronize, .synchronizeDirectory] {
      var k = 1
      while true {
        let outcome = try script.run([.init(.only(call), call: k, .failOnce(EIO))])
        guard outcome.disk.counters.failed > 0 else { break }
        let place = "\(script.workload.name), \(call) \(k) failed"
        do { try check(outcome, script, call, place, trial) } catch {
          trial.report(.wrong, "\(place): \(error)")
        }
        trial.count(outcome.allowed.reduce(0) { $0 &+ $1.digest })
        guard trial.result.failures.isEmpty else { return }
        k += 1
      }
    }
  }

  private func check(
    _ outcome: FaultScript.Outcome, _ script: FaultScript, _ call: SimulatedDisk.Call,
    _ place: String, _ trial: Trial
  ) throws {
    outcome.disk.removeFaults()
    if let session = outcome.session, session.isOpen {
      try session.checkContent()
      try session.checkPinned()
      if call == .synchronize, outcome.failedInCommit {
        // A sync is never tried again, and nothing is written that would need one.
        let before = outcome.disk.counters
        do {
          var random = trial.random
          try session.transact(&random)
          throw Wrong("writing went on after a failed sync")
        } catch EngineError.writesRefused {}
        let after = outcome.disk.counters
        guard after.changing == before.changing else {
          throw Wrong("something was written after a failed sync")
        }
        try session.checkContent()
        // Whoever committed was told that nothing is left of it: so it must be as long as the power stays.
        ImageCheck(
          workload: script.workload, allowed: [session.model], place: "\(place), then reopened"
        ).check(outcome.disk.killImage(), trial, counting: false)
      }
    }
    for _ in 0..<4 { script.checkReopening(outcome, place, trial) }
  }
}
