import ArgumentParser
import Foundation

@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Roost beside its peers: the same work, the same answers, round by round.",
    discussion: """
      Each figure is the median of the rounds. A ratio says how much better Roost was; behind it stands how far the \
      ratios of single rounds lie apart. Every commit is durable, but in the rows that say otherwise.
      """,
    subcommands: [Child.self])

  @Option(parsing: .upToNextOption, help: "How many people to store; each number is measured.")
  var objects = [1_000_000]

  @Option(
    parsing: .upToNextOption,
    help: "Numbers of people to run a few of the workloads with, to see how time grows.")
  var growth: [Int] = []

  @Flag(help: "Run the workloads of all suites, not of people alone.")
  var full = false

  @Option(help: "A folder with the files of nycflights13. The default has four days of them.")
  var flights = Repository.root.appending(path: "Examples/Flights/Sample").path

  @Option(help: "How many rounds to count.")
  var rounds = 5

  @Option(
    parsing: .upToNextOption,
    help: "Run these workloads alone; --list names them. The first words of several name them all.")
  var only: [String] = []

  @Option(parsing: .upToNextOption, help: "Measure these alone: \(Self.subjectNames).")
  var subjects: [Subject] = Subject.allCases

  @Option(help: "What the constants of the workloads are drawn from.")
  var seed: UInt64 = 1

  @Option(help: "Where the databases' files go. The default is a temporary folder.")
  var directory: String?

  @Option(help: "Where latest.json and the plots go. By default nothing is written.")
  var results: String?

  @Flag(help: "Name the workloads and end.")
  var list = false

  private static var subjectNames: String {
    Subject.allCases.map { "\($0)" }.joined(separator: ", ")
  }

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
    let setting = SuiteSetting(directory: folder, rounds: rounds, progress: Progress())
    let all = ([PeopleSuite(objects: 1_000_000, isFull: true, setting)] + suites(setting))
      .flatMap(\.workloads)
    if list {
      var named: Set<String> = []
      for workload in all where named.insert(workload.name).inserted {
        print("\(workload.name): \(workload.title)")
      }
      return
    }
    let names = try only.flatMap { try self.names(of: $0, among: all) }

    let resultFile = results.map { URL(filePath: $0).appending(path: "latest.json") }
    if let resultFile { try? FileManager.default.removeItem(at: resultFile) }
    subjects.forEach { print($0.description) }
    var machine = Machine()
    try machine.measureLimits(in: folder)
    let rows = try self.rows(names, setting)
    report(rows, machine)
    if let resultFile { try write(rows, machine, to: resultFile) }
  }

  /// The names of the workloads that a name of `--only` means.
  private func names(of name: String, among workloads: [Workload]) throws -> [String] {
    let names = workloads.map(\.name)
    guard !names.contains(name) else { return [name] }
    let longer = names.filter { $0.hasPrefix(name + "-") }
    guard !longer.isEmpty else {
      throw ValidationError("No workload is called \(name); --list names them.")
    }
    return longer
  }

  /// Runs what was asked for: on each number of people, then what has numbers of its own.
  private func rows(_ only: [String], _ setting: SuiteSetting) throws -> [ResultRow] {
    var rows: [ResultRow] = []
    for count in Set(objects + growth).sorted() {
      // Ten million people take minutes a round.
      let setting = setting.limited(toRounds: count > 1_000_000 ? 3 : rounds)
      let names = objects.contains(count) ? only : PeopleSuite.growing
      let isFull = full || !only.isEmpty
      rows += try run(PeopleSuite(objects: count, isFull: isFull, setting), names, setting)
    }
    guard full || !only.isEmpty else { return rows }
    for suite in suites(setting) { rows += try run(suite, only, setting) }
    return rows
  }

  /// What runs beside the people of `--objects`.
  private func suites(_ setting: SuiteSetting) -> [any Suite] {
    [
      RecordSuite(objects: 100_000, setting),
      CacheSuite(setting),
      PartSuite("small", objects: 20_000, setting),
      PartSuite("large", objects: 200_000, setting),
      EntrySuite(objects: 500_000, setting),
      FlightSuite(folder: flights, setting),
      MenuSuite(setting),
      EverydaySuite(setting),
      OwnerSuite(objects: 1_000_000, setting),
      ListSuite(links: 1_000_000, setting),
      SmallSuite(setting),
      OpeningSuite(setting),
      MigrationSuite(objects: 1_000_000, setting),
      MigrationSuite(objects: 10_000_000, memoryOnly: true, setting),
      ProcessSuite(objects: 100_000, setting),
      ProcessSuite(objects: 1_000_000, setting),
      ProcessSuite(objects: 10_000_000, importsOnly: true, setting),
      ClientSuite(setting),
    ]
  }

  /// Runs the workloads of these names, or all of them; then their databases are gone.
  private func run(
    _ suite: any Suite, _ names: [String], _ setting: SuiteSetting
  ) throws -> [ResultRow] {
    let harness = Harness(
      subjects: subjects.filter(suite.takesPart), rounds: setting.rounds, seed: seed,
      progress: setting.progress)
    let workloads = suite.workloads.filter { names.isEmpty || names.contains($0.name) }
    setting.progress.begin(workloads.count)
    let rows = try workloads.map(harness.run)
    try suite.close()
    for file in try FileManager.default.contentsOfDirectory(atPath: setting.directory.path) {
      try FileManager.default.removeItem(at: setting.directory.appending(path: file))
    }
    // A workload that none of the subjects takes part in says nothing.
    return rows.filter { !$0.measurements.isEmpty }
  }

  private func report(_ rows: [ResultRow], _ machine: Machine) {
    print(ResultTable(subjects: subjects, rows: rows).text)
    let growths = growths(in: rows)
    if !growths.isEmpty { print(Growth.text(of: growths)) }
    print("\(machine.processor), \(machine.cores) cores, \(machine.system)")
    for limit in machine.limits {
      print("This machine: \(limit.name), \(ResultTable.figure(limit.value)) \(limit.unit)")
    }
  }

  private func growths(in rows: [ResultRow]) -> [Growth] {
    Growth.all(in: rows.filter { PeopleSuite.growing.contains($0.workload.name) })
  }

  private func write(_ rows: [ResultRow], _ machine: Machine, to file: URL) throws {
    let result = ResultFile(
      rows, subjects: subjects, machine: machine, commit: Repository.commit())
    try result.write(to: file)

    let folder = file.deletingLastPathComponent()
    func write(_ picture: String, _ name: String) throws {
      try picture.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    let peers = subjects.filter { $0 != .roost }
    func write(ratiosOf rows: [ResultRow], _ name: String) throws {
      let plot = RatioPlot(
        rows: rows, peers: peers,
        caption: "How many times as fast Roost was. Thin lines: single rounds. \(result.origin).")
      try write(plot.svg, name)
    }
    let people = rows.filter { $0.workload.target != nil }
    try write(ratiosOf: people.filter { $0.workload.objects == objects.max() }, "ratios.svg")
    try write(
      ratiosOf: people.filter {
        $0.workload.objects == objects.min() && PeopleSuite.growing.contains($0.workload.name)
      }, "overview.svg")
    if full {
      let others = rows.filter { row in
        row.workload.target == nil && !objects.contains(row.workload.objects)
      }
      try write(ratiosOf: others, "suites.svg")
    }
    let growths = growths(in: rows)
    if !growths.isEmpty {
      try write(
        GrowthPlot(growths: growths, subjects: subjects, caption: "\(result.origin).").svg,
        "growth.svg")
    }
  }
}

extension Subject: ExpressibleByArgument {
  init?(argument: String) {
    guard let subject = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
    self = subject
  }
}
