import RoostEngine
import RoostTestSupport

/// Power failures of a disk that says it has synced and has not: no promise holds, but what is read was
/// committed, or reading throws.
struct LyingClass: FaultClass {
  let name = "lying"
  let unit = "images"

  private static let images = 50

  /// 20 kinds of workload, 5 of durability, 50 images each: 5,000.
  func caseCount(isFull: Bool) -> Int {
    Workload.all.count * SyncPolicy.choices.count * (isFull ? 100 : 1)
  }

  func run(_ trial: Trial) throws {
    var workload = Workload.all[trial.number % Workload.all.count]
    workload.smallCommits = SmallCommits(trial.random.next())
    workload.durability =
      SyncPolicy.choices[trial.number / Workload.all.count % SyncPolicy.choices.count]
    let disk = SimulatedDisk(seed: trial.random.next())
    let session = try Session(workload, on: disk)
    var committed = Set(session.possible.map(\.digest))
    // It begins to lie some time, and what it was told before is safe.
    for _ in 0..<Int.random(in: 0...4, using: &trial.random) {
      try session.step(&trial.random)
      for model in session.possible { committed.insert(model.digest) }
    }
    disk.isLying = true
    while trial.result.checks < Self.images, trial.result.failures.isEmpty {
      try session.step(&trial.random)
      for model in session.possible { committed.insert(model.digest) }
      let newest = try session.visible.map { (try session.snapshot().version.transaction, $0) }
      for _ in 0..<5 {
        let image = disk.crashImage(seed: trial.random.next())
        check(image, workload, committed, newest, trial)
      }
    }
    disk.isLying = false
    try session.close()
  }

  /// Reads a whole image, and writes to it where it seems to be whole, and has the newest version: of an older one that has the
  /// same content, it is not known which keys were assigned.
  private func check(
    _ image: SimulatedDisk, _ workload: Workload, _ committed: Set<UInt64>,
    _ newest: (version: UInt64, model: Model)?, _ trial: Trial
  ) {
    let found: UInt64
    let version: UInt64
    let isWhole: Bool
    do {
      let engine = try Engine.open(Session.path, in: image, options: Session.options(workload))
      let snapshot = engine.snapshot()
      isWhole = try snapshot.verify().isEmpty
      found = try snapshot.modelDigest()
      version = snapshot.version.transaction
    } catch {
      trial.count(1)
      trial.add(1, to: "lying_refused")
      if !isDamage(error) { trial.report(.wrong, "\(workload.name): \(error)") }
      return
    }
    trial.count(found)
    guard committed.contains(found) else {
      return trial.report(.wrong, "\(workload.name): what is there was never committed")
    }
    guard isWhole, let newest, newest.version == version else { return }
    guard newest.model.digest == found else {
      return trial.report(.wrong, "\(workload.name): version \(version) has become another one")
    }
    do {
      let session = try Session(workload, on: image, holding: newest.model)
      try session.transact(&trial.random)
      try session.waitForStaged()
      try session.checkContent()
    } catch { trial.report(.wrong, "\(workload.name), then a commit: \(error)") }
  }

  /// Whether an error says that the file is damaged.
  private func isDamage(_ error: any Error) -> Bool {
    switch error as? EngineError {
    case .corrupt, .truncated, .notARoostFile: true
    default: false
    }
  }
}
