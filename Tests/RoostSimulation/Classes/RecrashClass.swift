import RoostEngine
import RoostTestSupport
import Synchronization

/// Power failures while a store recovers from one, and while it is compacted: nothing more is lost.
struct RecrashClass: FaultClass {
  let name = "recrash"
  let unit = "images"

  /// 20 kinds of workload, 5 of durability, 100 images each: 10,000.
  func caseCount(isFull: Bool) -> Int { Workload.all.count * (isFull ? 100 : 5) }

  func run(_ trial: Trial) throws {
    var workload = Workload.all[trial.number % Workload.all.count]
    workload.smallCommits = SmallCommits(trial.random.next())
    workload.durability =
      SyncPolicy.choices[trial.number / Workload.all.count % SyncPolicy.choices.count]
    let disk = SimulatedDisk(seed: trial.random.next())
    let session = try Session(workload, on: disk)
    while trial.result.checks < 100, trial.result.failures.isEmpty {
      let before = session.possible
      // One crash in the middle of a step, at a call that nobody knows before.
      let call = Int.random(in: 1...30, using: &trial.random)
      let seed = trial.random.next()
      let crashed = Mutex<(calls: Int, image: SimulatedDisk?)>((0, nil))
      disk.observeCalls { [unowned disk] _ in
        let isNow = crashed.withLock { crashed in
          crashed.calls += 1
          return crashed.calls == call
        }
        guard isNow else { return }
        let image = disk.crashImage(seed: seed)
        crashed.withLock { $0.image = image }
      }
      try session.step(&trial.random)
      disk.observeCalls(nil)
      guard var image = crashed.withLock({ $0.image }) else { continue }
      // What a recovery finds that nothing disturbs, every other one must find as well.
      let whole = image.crashImage(seed: 1, survival: .everything)
      let check = ImageCheck(
        workload: workload, allowed: before + [session.model], place: "\(workload.name), crash")
      guard let found = check.check(whole, trial) else { return }
      for depth in 1...4 {
        let compacts = trial.random.chance(1, in: 4)
        let place =
          "\(workload.name), crash \(depth) in \(compacts ? "a compaction" : "a recovery")"
        let images = Self.images(of: image, workload, compacts: compacts, &trial.random)
        let again = ImageCheck(workload: workload, allowed: [found], place: place)
        for image in images {
          // What was checked is recovered already: the next crash needs it as it was.
          again.check(image.crashImage(seed: 1, survival: .everything), trial)
        }
        guard let next = images.randomElement(using: &trial.random) else { break }
        image = next
      }
    }
  }

  /// Crash images of opening a store, or of opening and compacting it.
  private static func images(
    of disk: SimulatedDisk, _ workload: Workload, compacts: Bool,
    _ random: inout SeededGenerator
  ) -> [SimulatedDisk] {
    let taken = Mutex<[SimulatedDisk]>([])
    let salt = random.next()
    disk.observeCalls { [unowned disk] call in
      guard call.isChanging else { return }
      let number = UInt64(disk.counters.total)
      let image = disk.crashImage(seed: ContentHash.mix(salt, number))
      taken.withLock { $0.append(image) }
    }
    var options = Session.options(workload)
    if compacts { options.compactsOnOpen = { _, _ in true } }
    _ = try? Engine.open(Session.path, in: disk, options: options)
    disk.observeCalls(nil)
    var images = taken.withLock { $0 }
    images.append(disk.crashImage(seed: salt))
    guard images.count > 8 else { return images }
    images.shuffle(using: &random)
    return Array(images[..<8])
  }
}
