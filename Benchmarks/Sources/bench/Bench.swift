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

  @Option(parsing: .upToNextOption, help: "How many people to store; each number is measured.")
  var objects = [1_000_000]

  @Option(
    parsing: .upToNextOption,
    help: "Numbers of people to run a few of the workloads with, to see how time grows.")
  var growth: [Int] = []

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

  @Option(help: "Where latest.json and the plots go. By default nothing is written.")
  var results: String?

  @Flag(help: "Name the workloads and end.")
  var list = false

  func validate() throws {
    guard (objects + growth).allSatisfy({ $0 >= 2000 }), rounds > 0 else {
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
    var rows: [ResultRow] = []
    for count in (objects + growth).sorted() {
      let names = objects.contains(count) ? only : PeopleSuite.growing
      rows += try run(names, on: count, in: folder, progress)
    }
    guard !rows.isEmpty else { throw ValidationError("No workload is called that.") }

    let growths = Growth.all(in: rows)
    print(ResultTable(subjects: subjects, rows: rows).text)
    if !growths.isEmpty { print(Growth.text(of: growths)) }
    print("\(machine.processor), \(machine.cores) cores, \(machine.system)")
    for limit in machine.limits {
      print("This machine: \(limit.name), \(ResultTable.figure(limit.value)) \(limit.unit)")
    }
    if let resultFile {
      try ResultFile(
        rows, subjects: subjects, machine: machine, databases: databases, commit: Self.commit()
      ).write(to: resultFile)
      try draw(rows, growths, in: resultFile.deletingLastPathComponent())
    }
  }

  /// Runs the workloads of these names, or all of them, on so many people; then their databases are gone.
  private func run(
    _ names: [String], on objects: Int, in folder: URL, _ progress: Progress
  ) throws -> [ResultRow] {
    progress.say("Making \(grouped(objects)) people")
    let suite = PeopleSuite(objects: objects, rounds: rounds, in: folder, progress: progress)
    let harness = Harness(subjects: subjects, rounds: rounds, seed: seed, progress: progress)
    let workloads = suite.workloads.filter { names.isEmpty || names.contains($0.name) }
    progress.begin(workloads.count)
    let rows = try workloads.map(harness.run)
    try suite.closeAndRemove()
    return rows
  }

  private func draw(_ rows: [ResultRow], _ growths: [Growth], in folder: URL) throws {
    let largest = rows.filter { objects.contains($0.workload.objects) }
    let ratios = RatioPlot(rows: largest, peers: subjects.filter { $0 != .roost })
    try ratios.svg.write(
      to: folder.appending(path: "ratios.svg"), atomically: true, encoding: .utf8)
    guard !growths.isEmpty else { return }
    let plot = GrowthPlot(growths: growths, subjects: subjects)
    try plot.svg.write(to: folder.appending(path: "growth.svg"), atomically: true, encoding: .utf8)
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
