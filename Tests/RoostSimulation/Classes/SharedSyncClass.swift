import RoostEngine
import RoostTestSupport

/// Writers that share syncs, and that write while one is under way; processes that die; and the power fails at any
/// call: whoever was told that a commit is durable finds it, and what a recovery found stays.
struct SharedSyncClass: FaultClass {
  let name = "shared_syncs"
  let unit = "images"

  /// How many images a case makes.
  private static let images = 100

  /// 60 times 100 images.
  func caseCount(isFull: Bool) -> Int { isFull ? 3000 : 60 }

  func run(_ trial: Trial) throws {
    let writers = try Writers(trial)
    while trial.result.checks < Self.images, trial.result.failures.isEmpty {
      try writers.step()
    }
    writers.end()
  }
}

/// Several writers of one store, whose steps come one after another; some of them come while a sync is under way.
///
/// The disk calls back on the thread that called it, which is the only one.
private final class Writers: @unchecked Sendable {
  private let trial: Trial
  private let workload: Workload
  private var random: SeededGenerator
  private var disk: SimulatedDisk
  private var timer = SimulatedTimer()
  private var engine: Engine?
  /// What the store held and holds, from what is durable for sure to what was attempted last.
  private var versions = [Model()]
  /// The last of them that its writer need not wait for any more, which the death of the process leaves.
  private var returned = 0
  /// Commits that were not waited for yet, each with its place in ``versions``.
  private var staged: [(commit: PendingCommit, place: Int)] = []
  /// Whether a sync that begins is that of a commit, beside which others may write.
  private var isWaiting = false

  init(_ trial: Trial) throws {
    self.trial = trial
    // Short transactions of few kinds of change: what matters here is what their syncs cover.
    var workload = Workload.all[[0, 1, 2, 4][trial.number % 4]]
    // Without a ring, slots are written while a sync is under way, and those that it covers must be left alone.
    if trial.number % 3 == 2 { workload.ringUnits = 0 }
    workload.smallCommits = SmallCommits(trial.random.next())
    self.workload = workload
    random = SeededGenerator(seed: trial.random.next())
    disk = SimulatedDisk(seed: trial.random.next())
    try open()
  }

  private func open() throws {
    timer = SimulatedTimer()
    var options = Session.options(workload)
    options.syncTimer = timer
    disk.observeCalls { [unowned self] call in observe(call) }
    engine = try Engine.open(Session.path, in: disk, options: options)
  }

  /// Lets the engine go, whose last sync is not looked at.
  func end() {
    disk.observeCalls(nil)
    staged = []
    engine = nil
  }

  /// Does what one of the writers does next.
  func step() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<10: try stage()
    case 10..<16: try wait()
    case 16..<18: try synchronize()
    default: try die()
    }
    checkImage("after a step")
  }

  /// Begins a transaction and ends it, but for the waiting.
  private func stage() throws {
    guard let engine, let model = versions.last else { throw Wrong("no engine is open") }
    // Of its own, as a call to the disk in the middle of the changes draws too.
    var changes = SeededGenerator(seed: random.next())
    let transaction = try engine.beginWrite()
    var staging = Staging(transaction, model, workload)
    do {
      if model.tables.isEmpty {
        try staging.makeTables()
      } else {
        try staging.change(Int.random(in: 1...4, using: &changes), &changes)
      }
    } catch {
      transaction.rollback()
      throw error
    }
    versions.append(staging.model)
    let place = versions.count - 1
    let durability = SyncPolicy.allCases.randomElement(using: &random) ?? .full
    if let commit = try transaction.stage(durability) {
      staged.append((commit, place))
    } else if staging.model.digest != model.digest {
      // One that changed nothing returns as well, although what it saw may be in no file yet.
      returned = max(returned, place)
    }
  }

  /// Waits for one of the commits, whichever it is.
  private func wait() throws {
    guard !staged.isEmpty else { return }
    let (commit, place) = staged.remove(at: Int.random(in: staged.indices, using: &random))
    isWaiting = true
    defer { isWaiting = false }
    try commit.makeDurable()
    isDurable(place)
  }

  /// Makes everything durable that was staged before.
  private func synchronize() throws {
    let place = versions.count - 1
    isWaiting = true
    defer { isWaiting = false }
    if random.chance(1, in: 2) {
      try engine?.synchronize()
      isDurable(place)
    } else {
      // Nobody is told.
      _ = timer.run()
    }
  }

  private func isDurable(_ place: Int) {
    // Another one that waited may have been told of a newer one.
    let removed = max(place, 0)
    versions.removeFirst(removed)
    returned = max(returned - removed, 0)
    staged = staged.map { ($0.commit, $0.place - removed) }
  }

  /// Ends the process, and begins another one that finds what is in the system's memory.
  private func die() throws {
    let left = disk.killImage()
    end()
    disk = left
    try open()
    guard let engine else { return }
    let found = try engine.snapshot().modelDigest()
    guard let place = versions.indices.last(where: { versions[$0].digest == found }),
      place >= returned
    else { throw Wrong("the death of the process lost what was written") }
    versions.removeSubrange((place + 1)...)
    isDurable(place)
  }

  // MARK: While a call is made

  private func observe(_ call: SimulatedDisk.Call) {
    if random.chance(1, in: 3) { checkImage("before \(call)") }
    guard call == .synchronize, isWaiting else { return }
    isWaiting = false
    defer { isWaiting = true }
    do {
      for _ in 0..<Int.random(in: 0...3, using: &random) { try stage() }
    } catch { trial.report(.wrong, "writing beside a sync: \(error)") }
  }

  /// Checks what a power failure leaves now.
  private func checkImage(_ moment: String) {
    ImageCheck(
      workload: workload, allowed: versions, place: "\(workload.name), crash \(moment)"
    ).check(disk.crashImage(seed: random.next()), trial)
  }
}
