import Foundation
import RoostEngine
import RoostTestSupport

/// Processes that write are killed: what they said was done is in the file, and at most one step more.
struct KillClass: FaultClass {
  let name = "kills"
  let unit = "kills"

  private static let kills = 5

  /// 42 times 5 kills.
  func caseCount(isFull: Bool) -> Int { isFull ? 2000 : 42 }

  func run(_ trial: Trial) throws {
    for _ in 0..<Self.kills {
      try withTemporaryDirectory { directory in try kill(trial, directory + "/killed.roost") }
    }
  }

  private func kill(_ trial: Trial, _ path: String) throws {
    let number = Int.random(in: 0..<KilledWriter.workloads, using: &trial.random)
    let seed = trial.random.next()
    let delay = Double(Int.random(in: 0..<40, using: &trial.random)) / 1000
    let acknowledged = try Self.killWriter(of: path, number, seed: seed, after: delay)

    // The same steps in memory: what the file must hold.
    let workload = KilledWriter.workload(number)
    var random = SeededGenerator(seed: seed)
    let session = try Session(workload, on: MemoryFileSystem(), isTimed: true)
    var older: Set<UInt64> = []
    for _ in 0..<acknowledged {
      older.insert(session.model.digest)
      try session.step(&random)
    }
    // A commit that waits for no sync outlasts the process all the same.
    var allowed = session.possibleAfterKill
    try session.step(&random)
    allowed.append(session.model)
    let check = ImageCheck(
      workload: workload, allowed: allowed, older: older,
      place: "\(workload.name), killed after step \(acknowledged)")
    do {
      let engine = try Engine.open(path, options: Session.options(workload))
      _ = try check.check(engine, trial, counting: false)
    } catch { trial.report(.lost, "\(check.place): \(error)") }
    // How far it came depends on the machine, so it is no part of the state.
    trial.count(seed)
  }

  /// Starts a writer, kills it some time after its first step, and returns how many steps it said were done.
  private static func killWriter(
    of path: String, _ workload: Int, seed: UInt64, after delay: Double
  ) throws -> Int {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("simulate")
    process.arguments = ["WRITE=\(path)", "WORKLOAD=\(workload)", "SEED=\(seed)"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var output = pipe.fileHandleForReading.availableData
    Thread.sleep(forTimeInterval: delay)
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    guard process.terminationReason == .uncaughtSignal else {
      throw Wrong("the writer ended by itself: \(String(decoding: output, as: UTF8.self))")
    }
    output += pipe.fileHandleForReading.readDataToEndOfFile()
    // The last piece has no line's end: a number that was cut off, or nothing.
    let lines = output.split(separator: 10, omittingEmptySubsequences: false).dropLast()
    return lines.last.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
  }
}

/// The process that is killed.
public enum KilledWriter {
  /// Does step after step on a file and prints the number of each when it is done.
  public static func run(_ path: String, workload number: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let session = try Session(workload(number), on: PosixFileSystem(), path: path, isTimed: true)
    var step = 1
    while true {
      try session.step(&random)
      FileHandle.standardOutput.write(Data("\(step)\n".utf8))
      step += 1
    }
  }

  /// How many workloads there are: each with each kind of durability.
  static let workloads = Workload.all.count * SyncPolicy.choices.count

  /// A workload by its number, also with what is done between transactions.
  static func workload(_ number: Int) -> Workload {
    var workload = Workload.all[number % Workload.all.count]
    workload.smallCommits = SmallCommits(number)
    workload.durability =
      SyncPolicy.choices[number / Workload.all.count % SyncPolicy.choices.count]
    workload.manyChanges = min(workload.manyChanges, 200)
    return workload
  }
}
