import RoostEngine
import RoostTestSupport

/// Real runs, on files of the operating system, done again to a disk whose power fails before each call that they
/// made.
struct RecordedClass: FaultClass {
  let name = "recorded"
  let unit = "images"

  private static let imports = 5
  private static let batches = 40

  /// 5 imports, and 20 kinds of workload.
  func caseCount(isFull: Bool) -> Int { Self.imports + Workload.all.count * (isFull ? 20 : 1) }

  func run(_ trial: Trial) throws {
    try withTemporaryDirectory { path in
      let directory = RecordedDirectory(path)
      if trial.number < Self.imports {
        try runImport(in: directory, trial)
      } else {
        try runWorkload(trial.number - Self.imports, in: directory, trial)
      }
    }
  }

  /// Batch after batch is imported; a crash leaves those that were acknowledged and at most the next, each whole.
  private func runImport(in directory: RecordedDirectory, _ trial: Trial) throws {
    var acknowledged: [Int] = []
    let first = Int.random(in: 1...20, using: &trial.random)
    for end in [first, Self.batches] {
      // Another process goes on with it.
      let work = try ImportWorkload(path: Session.path, in: directory)
      for batch in try work.nextBatch()..<end {
        try work.importBatch(batch)
        acknowledged.append(directory.recording.count)
      }
    }
    let disk = SimulatedDisk(seed: trial.random.next())
    try directory.recording.replay(on: disk) { place in
      let image = disk.crashImage(seed: trial.random.next())
      let least = acknowledged.count { $0 <= place }
      do {
        let found = try ImportWorkload(path: Session.path, in: image).verifiedBatches()
        trial.count(UInt64(found))
        if found < least || found > least + 1 {
          trial.report(
            found < least ? .lost : .wrong,
            "import, crash before call \(place): \(found) batches, \(least) were acknowledged")
        }
      } catch { trial.report(.lost, "import, crash before call \(place): \(error)") }
    }
  }

  /// A workload does some steps; a crash leaves what a crash may leave then.
  private func runWorkload(
    _ number: Int, in directory: RecordedDirectory, _ trial: Trial
  ) throws {
    var workload = Workload.all[number % Workload.all.count]
    workload.durability = SyncPolicy.choices[number % SyncPolicy.choices.count]
    workload.manyChanges = min(workload.manyChanges, 60)
    /// How many calls there were by the end of each step; what a crash may leave before that, and then.
    var steps: [(end: Int, before: [Model], then: [Model])] = []
    let session = try Session(workload, on: directory)
    steps.append((directory.recording.count, [Model()], session.possible))
    while steps.count < 20 {
      let before = session.possible
      try session.step(&trial.random)
      steps.append((directory.recording.count, before + [session.model], session.possible))
    }
    let before = session.possible
    try session.close()
    steps.append((directory.recording.count, before, session.possible))
    let disk = SimulatedDisk(seed: trial.random.next())
    try directory.recording.replay(on: disk) { place in
      let ended = steps.last { $0.end == place }?.then
      let allowed = ended ?? steps.first { place < $0.end }?.before ?? session.possible
      ImageCheck(
        workload: workload, allowed: allowed,
        place: "\(workload.name), recorded, crash before call \(place)"
      ).check(disk.crashImage(seed: trial.random.next()), trial)
    }
  }
}
