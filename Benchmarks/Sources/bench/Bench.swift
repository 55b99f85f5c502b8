import ArgumentParser
import Foundation

@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Roost beside SQLite's C API: the same people, the same answers, round by round.",
    discussion: """
      Each figure is the median of the rounds, with the fastest and the slowest. A ratio is the peer's figure by \
      Roost's: above 1 Roost is better. Every commit is durable.
      """)

  @Option(help: "How many people to store.")
  var people = 1_000_000

  @Option(help: "How many rounds to count.")
  var rounds = 5

  @Option(help: "How many durable inserts and updates make a round.")
  var operations = 500

  @Option(
    parsing: .upToNextOption,
    help: "Run these alone: insert, lookup, count, aggregate, durable-insert, durable-update.")
  var only: [String] = []

  @Option(help: "Where the databases' files go. The default is a temporary folder.")
  var directory: String?

  @Flag(help: "Print JSON in place of the table.")
  var json = false

  func validate() throws {
    guard people > 0, rounds > 0, operations > 0 else {
      throw ValidationError("People, rounds and operations must be at least 1.")
    }
  }

  func run() throws {
    let folder = URL(filePath: directory ?? FileManager.default.temporaryDirectory.path)
      .appending(path: "roost-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let subjects: [any Subject.Type] = [SQLiteSubject.self, RoostSubject.self]
    let data = People(count: people, newcomerCount: operations * (rounds + 1))
    let harness = Harness(
      data: data, subjects: subjects, rounds: rounds, directory: folder, only: Set(only))
    let rows = try harness.run(Workload.all(on: data, operationsPerRound: operations))
    let table = ResultTable(subjects: subjects.map { $0.name }, rows: rows, roost: 1)
    if json {
      print(table.json)
    } else {
      print(table.text)
      for bytes in [4096, 16_384] {
        let sync = try SyncProbe.measure(bytes: bytes, count: 500, directory: folder)
        print("This machine writes \(bytes) bytes durably in \(Int(sync.median)) µs.")
      }
    }
  }
}
