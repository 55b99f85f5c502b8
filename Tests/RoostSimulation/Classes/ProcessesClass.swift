import Foundation
import RoostEngine
import RoostTestSupport

/// As ``CreationClass``, with processes and files of the operating system. Some of the processes fork, and some paths have
/// a link to somebody else's file where an unfinished store goes.
struct ProcessesClass: FaultClass {
  let name = "processes"
  let unit = "rounds_of_processes"

  private static let rounds = 5

  /// 40 times 5 rounds.
  func caseCount(isFull: Bool) -> Int { isFull ? 400 : 40 }

  func run(_ trial: Trial) throws {
    for round in 0..<Self.rounds where trial.result.failures.isEmpty {
      try withTemporaryDirectory { try run(round, trial, in: $0) }
    }
  }

  private func run(_ round: Int, _ trial: Trial, in directory: String) throws {
    let shared = SharedPath(fileSystem: PosixFileSystem(), path: directory + "/shared.roost")
    try shared.makeSource()
    let victim = directory + "/victim"
    try Data("somebody's".utf8).write(to: URL(fileURLWithPath: victim))
    for (suffix, chances) in [(".new", 6), (".compacting", 3)] {
      guard trial.random.chance(1, in: chances) else { continue }
      try FileManager.default.createSymbolicLink(
        atPath: shared.path + suffix, withDestinationPath: victim)
    }
    let count = Int.random(in: 2...4, using: &trial.random)
    let seeds = (0..<count).map { _ in trial.random.next() }
    let delays = (0..<count).map { _ -> Double? in
      guard trial.random.chance(1, in: 2) else { return nil }
      return Double(Int.random(in: 5..<60, using: &trial.random)) / 1000
    }
    let processes = try seeds.enumerated().map { try SharingProcess(shared.path, $0, seed: $1) }
    for (process, delay) in zip(processes, delays).sorted(by: { $0.1 ?? 1 < $1.1 ?? 1 }) {
      if let delay { process.kill(after: delay) }
    }
    var attempted: Set<Int64> = []
    var acknowledged: Set<Int64> = []
    for process in processes {
      for line in process.lines() {
        let words = line.split(separator: " ")
        let notes = Set(words.dropFirst().compactMap { Int64($0) })
        switch words.first {
        case "attempts": attempted.formUnion(notes)
        case "acknowledged": acknowledged.formUnion(notes)
        default: trial.report(.wrong, "round \(round): \(line)")
        }
      }
    }
    let place = "round \(round)"
    _ = shared.check(acknowledged: acknowledged, attempted: attempted) {
      trial.report($0, "\(place): \($1)")
    }
    if try Data(contentsOf: URL(fileURLWithPath: victim)) != Data("somebody's".utf8) {
      trial.report(.lost, "\(place): a file that a link led to was changed")
    }
    if let mode = try? FileManager.default.attributesOfItem(atPath: shared.path)[.posixPermissions],
      (mode as? NSNumber)?.uint16Value != 0o600
    {
      trial.report(.wrong, "\(place): others may use the store")
    }
    // Who came first depends on the machine, so it is no part of the state.
    trial.count(UInt64(count))
  }
}

/// A process that shares a path, as its starter sees it.
private final class SharingProcess {
  private let process = Process()
  private let output = Pipe()
  private let began = ContinuousClock.now

  init(_ path: String, _ number: Int, seed: UInt64) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("simulate")
    process.arguments = ["SHARE=\(path)", "WORKLOAD=\(number)", "SEED=\(seed)"]
    process.standardOutput = output
    try process.run()
  }

  /// Kills it so many seconds after its start, unless it has ended.
  func kill(after delay: Double) {
    let rest = ContinuousClock.now.duration(to: began + .seconds(delay))
    if rest > .zero { Thread.sleep(forTimeInterval: Double(rest.components.attoseconds) / 1e18) }
    Foundation.kill(process.processIdentifier, SIGKILL)
  }

  /// What it printed, in whole lines, when it has ended; and how, where that is not as it must be.
  func lines() -> [String] {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    var lines = data.split(separator: 10, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    let isKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    if !isKilled, process.terminationReason != .exit || process.terminationStatus != 0 {
      lines.append("ended with \(process.terminationStatus)")
    }
    return lines
  }
}

/// A process that shares a path with others.
public enum SharingProgram {
  /// Does some steps at the path, and prints what it tries and what it was told is done.
  public static func run(_ path: String, number: Int, seed: UInt64) {
    let shared = SharedPath(fileSystem: PosixFileSystem(), path: path)
    var random = SeededGenerator(seed: seed)
    for step in 0..<6 {
      let forks = random.chance(1, in: 4)
      do {
        try shared.step(Int64(number * 100 + step * 10), &random) { event in
          switch event {
          case .attempts(let notes): say("attempts", notes)
          case .acknowledged(let notes): say("acknowledged", notes)
          }
        } whileOpen: { engine in
          if forks { try writeInChild(of: engine) }
        }
      } catch {
        if !SharedPath.isExpected(error) { print("\(error)") }
      }
    }
  }

  private static func say(_ word: String, _ notes: Set<Int64>) {
    let line = word + notes.sorted().map { " \($0)" }.joined() + "\n"
    FileHandle.standardOutput.write(Data(line.utf8))
  }

  /// Lets a forked child try to write notes that nobody has announced.
  private static func writeInChild(of engine: Engine) throws {
    let process = try forkProcess()
    guard process == 0 else {
      for note in 2000..<2003 { try SharedNotes.addAnnounced(Int64(note), to: engine, say) }
      waitpid(process, nil, 0)
      return
    }
    for note in 1000..<1003 { try? SharedNotes.add(Int64(note), to: engine) }
    _exit(0)
  }
}

extension SharedNotes {
  /// Adds a note that is not there yet, and says so before and after.
  fileprivate static func addAnnounced(
    _ number: Int64, to engine: Engine, _ say: (String, Set<Int64>) -> Void
  ) throws {
    guard try !numbers(in: engine).contains(number) else { return }
    say("attempts", [number])
    try add(number, to: engine)
    say("acknowledged", [number])
  }
}
