import RoostEngine
import RoostTestSupport

/// Disks that fill up: what has no room is rolled back, reading and deleting go on, and so does writing when
/// there is room.
struct FullDiskClass: FaultClass {
  let name = "full_disk"
  let unit = "transactions without room"

  private static let rounds = 5

  /// 20 kinds of workload, 5 of durability, at least 5 times without room each.
  func caseCount(isFull: Bool) -> Int {
    Workload.all.count * SyncPolicy.choices.count * (isFull ? 100 : 1)
  }

  func run(_ trial: Trial) throws {
    var workload = Workload.all[trial.number % Workload.all.count]
    workload.smallCommits = SmallCommits(trial.random.next())
    workload.durability =
      SyncPolicy.choices[trial.number / Workload.all.count % SyncPolicy.choices.count]
    workload.keys *= 20
    let disk = SimulatedDisk(seed: trial.random.next())
    let session = try Session(workload, on: disk)
    for _ in 0..<3 { try session.transact(&trial.random) }
    for round in 0..<Self.rounds {
      let place = "\(workload.name), full for the \(round + 1)th time"
      do { try fill(disk, session, workload, trial) } catch {
        return trial.report(.wrong, "\(place): \(error)")
      }
      let image = disk.crashImage(seed: trial.random.next())
      ImageCheck(workload: workload, allowed: session.possible, place: place)
        .check(image, trial, counting: false)
      guard trial.result.failures.isEmpty else { return }
    }
    try session.close()
  }

  /// Writes until there is no room, deletes, and writes again when there is some.
  private func fill(
    _ disk: SimulatedDisk, _ session: Session, _ workload: Workload, _ trial: Trial
  ) throws {
    let isPinned = trial.random.chance(1, in: 3)
    if isPinned { try session.perform(.pin) }
    let bytes = UInt64(disk.contents(of: Session.path)?.count ?? 0)
    disk.capacity = bytes + UInt64.random(in: 0...300_000, using: &trial.random)
    var filling = workload
    filling.changes = [(.insertMany, 1), (.insert, 3), (.update, 1)]
    filling.rollbacks = 0
    for number in 0..<100 {
      // Some workloads stop growing before.
      if number == 60 { disk.capacity = 0 }
      guard try hasRoom(session, filling, trial) else { break }
    }
    var deleting = workload
    deleting.changes = [(.delete, 1)]
    deleting.changeCount = 1...3
    deleting.manyChanges = 5
    for _ in 0..<5 {
      // A reader keeps the room of what it sees, and the links to what is deleted are changed.
      let hasLinks = session.model.tables.contains { $0.fields.contains { $0.target != nil } }
      guard try hasRoom(session, deleting, trial) || hasLinks || isPinned else {
        throw Wrong("there is no room to delete")
      }
    }
    _ = try hasRoom(session, filling, trial)
    disk.capacity = nil
    try session.perform(.unpin)
    // The deletes have used the room that was kept for them: it is kept anew when the file grows.
    let size = disk.contents(of: Session.path)?.count
    for _ in 0..<40 where disk.contents(of: Session.path)?.count == size {
      try session.transact(&trial.random, as: filling)
    }
    try session.waitForStaged()
    try session.checkContent()
  }

  /// Runs a transaction; where there is no room for it, all is as it was before.
  private func hasRoom(
    _ session: Session, _ workload: Workload, _ trial: Trial
  ) throws -> Bool {
    do {
      try session.transact(&trial.random, as: workload)
      try session.waitForStaged()
      return true
    } catch EngineError.file(let error) where error.meaning == .outOfSpace {
      trial.count(session.model.digest)
      try session.checkContent()
      try session.checkPinned()
      return false
    }
  }
}
