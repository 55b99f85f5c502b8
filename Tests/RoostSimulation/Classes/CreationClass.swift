import RoostEngine
import RoostTestSupport
import Synchronization

/// Processes that make, seed, open, compact and salvage one path at once, and are killed at any call: each has a whole store, or
/// is told that another one has it, and nothing that one of them was told is committed is lost.
struct CreationClass: FaultClass {
  let name = "creation"
  let unit = "rounds"

  private static let rounds = 10

  /// 500 times 10 rounds.
  func caseCount(isFull: Bool) -> Int { isFull ? 5000 : 500 }

  func run(_ trial: Trial) throws {
    for round in 0..<Self.rounds where trial.result.failures.isEmpty {
      let outcome = try Round(seed: trial.random.next(), "round \(round)", trial).run()
      trial.count(outcome)
      try displace(trial, "round \(round)")
      try killCompaction(trial, "round \(round)")
    }
  }
}

extension CreationClass {
  /// Takes an open store's file from its place: what is written then would be lost with it.
  private func displace(_ trial: Trial, _ place: String) throws {
    let disk = SimulatedDisk(seed: trial.random.next())
    let path = "displaced.roost"
    let engine = try Engine.open(path, in: disk, options: SharedPath.options)
    try SharedNotes.add(1, to: engine)
    let image = disk.contents(of: path) ?? []
    let displacement: FileDisplacement
    switch Int.random(in: 0..<4, using: &trial.random) {
    case 0:
      try disk.remove(path)
      displacement = .removed
    case 1:
      try disk.rename(path, to: path + "-aside")
      displacement = .moved
    case 2:
      try disk.rename(path, to: path + "-aside")
      disk.install(image, at: path)
      displacement = .replaced
    default:
      let cut = Int.random(in: 0..<image.count, using: &trial.random)
      try disk.open(path, .readWrite).truncate(to: UInt64(cut))
      displacement = .shortened
    }
    do throws(EngineError) {
      try SharedNotes.add(2, to: engine)
      trial.report(.lost, "\(place): what was written to a file that was \(displacement)")
    } catch {
      guard error != .displaced(path: path, displacement) else { return }
      trial.report(.wrong, "\(place): \(error) where the file was \(displacement)")
    }
  }
}

extension CreationClass {
  /// Kills a process while it compacts, lets another one commit to what it left, and then takes the power.
  private func killCompaction(_ trial: Trial, _ place: String) throws {
    let disk = SimulatedDisk(seed: trial.random.next())
    let path = "killed.roost"
    do { try SharedNotes.add(1, to: try Engine.open(path, in: disk, options: SharedPath.options)) }
    let killedAt = Int.random(in: 0..<80, using: &trial.random)
    let left = Mutex((calls: 0, disk: disk))
    disk.observeCalls { [unowned disk] _ in
      left.withLock { left in
        if left.calls == killedAt { left.disk = disk.killImage() }
        left.calls += 1
      }
    }
    _ = try Engine.compact(path, in: disk, options: SharedPath.options)
    disk.observeCalls(nil)
    let next = left.withLock { $0.disk }
    let engine = try Engine.open(path, in: next, options: SharedPath.options)
    try SharedNotes.add(2, to: engine)
    let image = next.crashImage(seed: trial.random.next())
    _ = SharedPath(fileSystem: image, path: path).check(acknowledged: [1, 2], attempted: [1, 2]) {
      trial.report($0, "\(place), after a compaction that was killed at call \(killedAt): \($1)")
    }
  }
}

/// One round: some processes at one path.
private struct Round {
  private static let path = "shared.roost"

  /// What the processes were told, and tried.
  private struct Known {
    var acknowledged: Set<Int64> = []
    var attempted: Set<Int64> = []
    var failures: [String] = []
    /// What the power left in the middle, with what was acknowledged then.
    var image: (disk: SimulatedDisk, acknowledged: Set<Int64>)?
    var calls = 0

    mutating func note(_ event: SharedPath.Event) {
      switch event {
      case .attempts(let notes): attempted.formUnion(notes)
      case .acknowledged(let notes): acknowledged.formUnion(notes)
      }
    }
  }

  private let seed: UInt64
  private let name: String
  private let trial: Trial
  private let disk: SimulatedDisk

  init(seed: UInt64, _ name: String, _ trial: Trial) {
    self.seed = seed
    self.name = name
    self.trial = trial
    disk = SimulatedDisk(seed: seed)
  }

  func run() throws -> UInt64 {
    var random = SeededGenerator(seed: seed)
    try SharedPath(fileSystem: disk, path: Self.path).makeSource()
    let count = Int.random(in: 2...4, using: &random)
    let interleaving = Interleaving(count, seed: random.next())
    let known = Mutex(Known())
    let powerFailsAfter = Int.random(in: 0..<600, using: &random)
    let imageSeed = random.next()
    disk.observeCalls { [unowned disk] _ in
      let isNow = known.withLock { known in
        known.calls += 1
        return known.calls == powerFailsAfter
      }
      guard isNow else { return }
      let image = disk.crashImage(seed: imageSeed)
      known.withLock { $0.image = (image, $0.acknowledged) }
    }
    let processes = (0..<count).map { process in
      let isKilled = random.chance(2, in: 3)
      let calls = isKilled ? Int.random(in: 0..<200, using: &random) : .max
      return (
        disk: ProcessDisk(disk, process, interleaving, killedAfter: calls), seed: random.next()
      )
    }
    interleaving.run { process in
      let own = processes[process]
      let shared = SharedPath(fileSystem: own.disk, path: Self.path)
      var random = SeededGenerator(seed: own.seed)
      for step in 0..<Int.random(in: 1...4, using: &random) where !own.disk.isKilled {
        do {
          try shared.step(Int64(process * 100 + step * 10), &random) { event in
            // The death of its process does not take back what was done.
            known.withLock { $0.note(event) }
          }
        } catch {
          guard !own.disk.isKilled, !SharedPath.isExpected(error) else { continue }
          known.withLock { $0.failures.append("process \(process): \(error)") }
        }
      }
    }
    disk.observeCalls(nil)
    return check(known.withLock { $0 })
  }

  /// Looks at what is there at the end, and at what a power failure left.
  private func check(_ known: Known) -> UInt64 {
    // Before anybody looks, who would repair.
    let last = (disk: disk.crashImage(seed: seed), acknowledged: known.acknowledged)
    for failure in known.failures { trial.report(.wrong, "\(name): \(failure)") }
    var outcome = SharedPath(fileSystem: disk, path: Self.path).check(
      acknowledged: known.acknowledged, attempted: known.attempted
    ) { trial.report($0, "\(name), at the end: \($1)") }
    for image in [known.image, last].compactMap(\.self) {
      let left = SharedPath(fileSystem: image.disk, path: Self.path).check(
        acknowledged: image.acknowledged, attempted: known.attempted
      ) { trial.report($0, "\(name), without power: \($1)") }
      outcome = ContentHash.mix(outcome, left)
    }
    return outcome
  }
}
