import RoostEngine
import RoostTestSupport

/// Random operations beside an oracle, with readers that hold versions, reopening and compacting.
struct ModelClass: FaultClass {
  let name = "model_ops"
  let unit = "operations"

  func caseCount(isFull: Bool) -> Int { Workload.all.count * (isFull ? 2700 : 27) }

  func run(_ trial: Trial) throws {
    var workload = Workload.all[trial.number % Workload.all.count]
    workload.breaks = Workload.Break.allCases
    workload.breakEvery = 8
    workload.durability = SyncPolicy.allCases
    // An operation on values of a mebibyte costs what two hundred others do.
    let isLong = workload.keys < 10
    let operations = isLong ? 60 : 2000
    let session = try Session(workload, on: MemoryFileSystem())
    var steps = 0
    while session.changesMade < operations {
      try session.step(&trial.random)
      steps += 1
      if steps % 10 == 0 {
        try session.checkContent()
        try session.checkPinned()
      }
    }
    try session.checkContent()
    let snapshot = try session.snapshot()
    if let finding = try snapshot.verify().first {
      trial.report(.wrong, "\(workload.name): verify finds \(finding)")
    }
    try session.close()
    trial.count(session.model.digest, checks: session.changesMade)
  }
}
