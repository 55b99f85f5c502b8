import Foundation

/// What a run found, as JSON: a ratio above 1 always means that Roost is better.
struct ResultFile: Encodable {
  let commit: String
  let date: String
  let machine: MachineDescription
  /// Each database's version and settings.
  let databases: [String]
  let results: [Comparison]

  struct MachineDescription: Encodable {
    let processor: String
    let cores: Int
    let memoryBytes: UInt64
    let system: String
    /// What it can do at most, by name and unit.
    let limits: [String: Double]

    init(_ machine: Machine) {
      processor = machine.processor
      cores = machine.cores
      memoryBytes = machine.memory
      system = machine.system
      limits = Dictionary(
        machine.limits.map { ("\($0.name), \($0.unit)", $0.value) }, uniquingKeysWith: { $1 })
    }
  }

  /// Roost and one peer in one workload.
  struct Comparison: Encodable {
    let workload: String
    let objects: Int
    let subject: String
    let peer: String
    let unit: String
    let subject_value: Double
    let peer_value: Double
    let ratio: Double
    /// How far the ratios of single rounds lie apart, by the ratio.
    let spread: Double
    /// The ratio to reach; only beside SQLite.
    let target: Double?
  }

  init(
    _ rows: [ResultRow], subjects: [Subject], machine: Machine, commit: String
  ) {
    self.commit = commit
    date = Date.now.ISO8601Format()
    self.machine = MachineDescription(machine)
    databases = subjects.map(\.description)
    results = rows.flatMap { row in
      subjects.filter { $0 != .roost }.compactMap { peer in Comparison(row, peer: peer) }
    }
  }

  /// What was measured, when and where, in a line.
  var origin: String {
    "Roost \(commit.prefix(8)), \(date.prefix(10)); \(machine.processor), \(machine.cores) cores"
  }

  /// Writes the file, and makes its folder.
  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try encoder.encode(self).write(to: file)
  }
}

extension ResultFile.Comparison {
  /// Nil where one of them did not take part.
  init?(_ row: ResultRow, peer: Subject) {
    guard let own = row.measurements[.roost], let other = row.measurements[peer],
      let ratio = row.ratio(of: .roost, to: peer), let spread = row.spread(of: .roost, to: peer)
    else { return nil }
    self.init(
      workload: row.workload.name, objects: row.workload.objects, subject: Subject.roost.rawValue,
      peer: peer.rawValue, unit: row.workload.unit.rawValue, subject_value: own.median,
      peer_value: other.median, ratio: ratio, spread: spread,
      target: peer == .sqlite ? row.workload.target : nil)
  }
}
