/// OO1, the engineering database benchmark: lookup, traversal and insertion of parts, each cold and warm.
///
/// Cattell and Skeen, Object Operations Benchmark, TODS 1992. Cold is a database that was just opened and, on Linux, whose
/// file is not in the system's cache.
final class PartSuite: Suite {
  private let size: String
  private let objects: Int
  private let setting: SuiteSetting
  private let databases: SharedDatabases<any PartDatabase>

  private static let lookups = 1000
  private static let hops = 7
  private static let insertions = 100

  /// `size` is what the benchmark calls this number of parts.
  init(_ size: String, objects: Int, _ setting: SuiteSetting) {
    self.size = size
    self.objects = objects
    self.setting = setting
    databases = SharedDatabases { subject in
      guard let type = subject.partDatabase else { return nil }
      setting.progress.say("\(subject.rawValue): loading \(grouped(objects)) parts")
      let database = try type.init(creating: setting.path(subject, "parts-\(objects)"))
      var random = SplitMix64(seed: 7)
      let parts = (0..<objects).map { Part(id: $0, using: &random) }
      try database.insert(
        parts, parts.flatMap { $0.connections(among: objects, using: &random) })
      return database
    }
  }

  var workloads: [Workload] {
    [false, true].flatMap { isCold in
      [
        workload("lookup", "1,000 lookups", isCold) { [self] database, _, random in
          let ids = (0..<Self.lookups).map { _ in random.below(objects) }
          return { try database.visit(ids) }
        },
        workload("traversal", "traversal of 7 hops", isCold) { [self] database, _, random in
          let start = random.below(objects)
          return { try database.traverse(from: start, hops: Self.hops) }
        },
        workload("reverse", "reverse traversal of 7 hops", isCold) { [self] database, _, random in
          let start = random.below(objects)
          return { try database.traverseBackwards(from: start, hops: Self.hops) }
        },
        workload("insert", "insert 100 parts", isCold) { [self] database, round, random in
          let turn = (isCold ? setting.rounds + 1 : 0) + round.number
          let first = objects + turn * Self.insertions
          let parts = (first..<first + Self.insertions).map { Part(id: $0, using: &random) }
          let connections = parts.flatMap { $0.connections(among: objects, using: &random) }
          return {
            try database.insert(parts, connections)
            return PartVisits()
          }
        },
      ]
    }
  }

  private func workload(
    _ name: String, _ title: String, _ isCold: Bool,
    ready: @escaping (any PartDatabase, Round, inout SplitMix64) -> () throws -> PartVisits
  ) -> Workload {
    let name = "oo1-\(size)-\(name)" + (isCold ? "-cold" : "")
    return Workload(
      name: name, title: "OO1 \(size), \(title), \(isCold ? "cold" : "warm")",
      unit: .milliseconds, objects: objects, warmsUp: !isCold
    ) { [self] subject, round in
      if isCold { try reopen(subject) }
      guard let database = try databases.of(subject) else { return nil }
      var random = round.random(for: name)
      let run = ready(database, round, &random)
      var visits = PartVisits()
      let time = try ContinuousClock().measure { visits = try run() }
      return Sample(value: Unit.milliseconds.value(time), answer: visits.answer)
    }
  }

  private func reopen(_ subject: Subject) throws {
    guard let database = try databases.of(subject), let type = subject.partDatabase else { return }
    try database.close()
    let path = setting.path(subject, "parts-\(objects)")
    #if os(Linux)
    try DatabaseFiles.evict(subject.files(at: path))
    #endif
    databases.replace(subject, by: try type.init(opening: path))
  }

  func close() throws { try databases.close() }
}
