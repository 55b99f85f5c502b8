import RoostEngine
import RoostTestSupport

/// A short piece of work on a store that exists already, in which some call will fail.
struct FaultScript {
  /// How many scripts there are.
  static let count = 30

  let workload: Workload
  private let start: SimulatedDisk
  private let model: Model
  private var seed: UInt64
  private let steps: Int

  /// Makes the store that the script with this number begins from.
  init(_ number: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
    // Five scripts more are kinds of workload that do most, and five small ones.
    var workload = Workload.all[
      number < 20 ? number : [6, 10, 16, 17, 19, 0, 1, 4, 6, 15][number - 20]]
    workload.manyChanges = min(workload.manyChanges, 60)
    workload.smallCommits = SmallCommits(seed)
    // Not the one whose syncs come when they please.
    workload.durability = [[.full], [.grouped], [.paranoid]][number % 3]
    let isGroups = number >= 25
    if isGroups {
      // A group of commits that are in records, and of one that the ring has no room for.
      workload.durability = [.grouped]
      workload.ringUnits = 4
    }
    let disk = SimulatedDisk(seed: random.next())
    let session = try Session(workload, on: disk)
    for _ in 0..<Int.random(in: 3...8, using: &random) { try session.step(&random) }
    try session.close()
    self.workload = workload
    start = disk.crashImage(seed: 0, survival: .everything)
    model = session.model
    self.seed = random.next()
    steps = Int.random(in: isGroups ? 4...6 : 1...3, using: &random)
    // Work that changes nothing would say nothing of failing calls.
    while try run([]).disk.counters.synchronizations == 0 { self.seed = random.next() }
  }

  /// What the work came to.
  struct Outcome {
    let disk: SimulatedDisk
    /// Nil where the store could not be opened.
    let session: Session?
    /// Why it ended early.
    let error: EngineError?
    /// What must be there: one of these.
    let allowed: [Model]

    /// Whether a commit failed.
    var failedInCommit: Bool { session?.failedInCommit ?? false }
  }

  /// Does the work on a copy of the store, on a disk on which a call will fail.
  func run(_ faults: [SimulatedDisk.Fault]) throws -> Outcome {
    let disk = start.crashImage(seed: seed, survival: .everything)
    var random = SeededGenerator(seed: seed)
    for fault in faults { disk.inject(fault) }
    var session: Session?
    do {
      let opened = try Session(workload, on: disk, holding: model)
      session = opened
      for _ in 0..<steps { try opened.step(&random) }
      try opened.waitForStaged()
    } catch let error as EngineError {
      return Outcome(
        disk: disk, session: session, error: error, allowed: session?.possible ?? [model])
    }
    return Outcome(
      disk: disk, session: session, error: nil, allowed: session?.possible ?? [model])
  }

  /// Opens what is on the disk, and what a crash leaves of it, and compares both with what may be there.
  func checkReopening(_ outcome: Outcome, _ place: String, _ trial: Trial) {
    let check = ImageCheck(workload: workload, allowed: outcome.allowed, place: place)
    let left = outcome.disk.crashImage(seed: seed, survival: .everything)
    check.check(left, trial, counting: false)
    check.check(outcome.disk.crashImage(seed: trial.random.next()), trial, counting: false)
  }
}
