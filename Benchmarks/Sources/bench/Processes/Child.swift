import ArgumentParser
import Foundation

/// Does a task in this process, and prints what it took: what the harness starts for itself.
struct Child: ParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)

  @Argument var task: ChildTask
  @Argument var subject: Subject
  @Argument var path: String
  @Argument var objects: Int
  @Argument var seed: UInt64

  /// What a task took and found.
  struct Report: Codable {
    let milliseconds: Double
    /// The most memory that the process ever had at once, with what it mapped of files.
    let peakBytes: Int
    let answer: [Int]
  }

  func run() throws {
    let start = ContinuousClock.now
    let answer = try task.run(subject, at: path, objects: objects, seed: seed)
    let time = ContinuousClock.now - start
    let report = Report(
      milliseconds: Unit.milliseconds.value(time), peakBytes: Self.peakBytes(),
      answer: answer.integers)
    FileHandle.standardOutput.write(try JSONEncoder().encode(report))
  }

  /// Starts a process for a task, and waits for it.
  static func report(
    of task: ChildTask, _ subject: Subject, at path: String, objects: Int, seed: UInt64
  ) throws -> Report {
    let output = try Shell.output(
      of: CommandLine.arguments[0],
      ["child", task.rawValue, "\(subject)", path, "\(objects)", "\(seed)"])
    return try JSONDecoder().decode(Report.self, from: output)
  }

  private static func peakBytes() -> Int {
    #if os(Linux)
    // Not getrusage: there a child begins with what its parent had.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
    #endif
  }
}

extension ChildTask: ExpressibleByArgument {}
