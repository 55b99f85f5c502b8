import ArgumentParser
import Foundation

@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Roost beside its peers: the same work, the same answers, round by round.",
    discussion: """
      Each figure is the median of the rounds. A ratio says how much better Roost was; behind it stands how far the \
      ratios of single rounds lie apart. Every commit is durable, so an insert that is not synced waits for a level \
      of durability that Roost does not have yet.
      """)

  @Option(help: "How many people to store.")
  var objects = 1_000_000

  @Option(help: "How many rounds to count.")
  var rounds = 5

  @Option(parsing: .upToNextOption, help: "Run these workloads alone; --list names them.")
  var only: [String] = []

  @Option(parsing: .upToNextOption, help: "Measure these alone: roost, sqlite, lmdb.")
  var subjects: [Subject] = Subject.allCases

  @Option(help: "What the constants of the workloads are drawn from.")
  var seed: UInt64 = 1

  @Option(help: "Where the databases' files go. The default is a temporary folder.")
  var directory: String?

  @Option(help: "Where latest.json goes. By default nothing is written.")
  var results: String?

  @Flag(help: "Name the workloads and end.")
  var list = false

  func validate() throws {
    guard objects >= 2000, rounds > 0 else {
      throw ValidationError("There must be at least 2,000 objects and a round.")
    }
  }

  func run() throws {
    let folder = URL(filePath: directory ?? FileManager.default.temporaryDirectory.path)
      .appending(path: "roost-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let resultFile = results.map { URL(filePath: $0).appending(path: "latest.json") }
    if let resultFile { try? FileManager.default.removeItem(at: resultFile) }

    let progress = Progress()
    if list {
      let suite = PeopleSuite(objects: 2000, rounds: 1, in: folder, progress: progress)
      for workload in suite.workloads { print("\(workload.name): \(workload.title)") }
      return
    }

    let databases = subjects.map { PeopleSuite.type(of: $0).description }
    databases.forEach { print($0) }
    var machine = Machine()
    try machine.measureLimits(in: folder)
    progress.say("Making \(grouped(objects)) people")
    let suite = PeopleSuite(objects: objects, rounds: rounds, in: folder, progress: progress)
    let rows = try run(suite, progress)
    try suite.close()

    print(ResultTable(subjects: subjects, rows: rows).text)
    print("\(machine.processor), \(machine.cores) cores, \(machine.system)")
    for limit in machine.limits {
      print("This machine: \(limit.name), \(ResultTable.figure(limit.value)) \(limit.unit)")
    }
    if let resultFile {
      try ResultFile(
        rows, subjects: subjects, machine: machine, databases: databases, commit: Self.commit()
      ).write(to: resultFile)
    }
  }

  private func run(_ suite: PeopleSuite, _ progress: Progress) throws -> [ResultRow] {
    let harness = Harness(subjects: subjects, rounds: rounds, seed: seed, progress: progress)
    let workloads = suite.workloads.filter { only.isEmpty || only.contains($0.name) }
    guard !workloads.isEmpty else { throw ValidationError("No workload is called that.") }
    progress.total = workloads.count
    return try workloads.map(harness.run)
  }

  /// The commit that the working folder stands at, or what there is to say instead.
  private static func commit() throws -> String {
    let git = Process()
    let output = Pipe()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "rev-parse", "HEAD"]
    git.standardOutput = output
    try git.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    git.waitUntilExit()
    let commit = String(decoding: text, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    return commit.isEmpty ? "unknown" : commit
  }
}

extension Subject: ExpressibleByArgument {
  init?(argument: String) {
    guard let subject = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
    self = subject
  }
}
