import Foundation

/// Small transactions, durable when they return.
protocol Commits {
  func insertAlone(_ person: Person) throws
  func updateAlone(id: Int, age: Int) throws

  /// Runs something whose commits return without a sync; a crash of the process may take none of them.
  func withoutSyncs(_ body: () throws -> Void) throws
}

extension PeopleSuite {
  var commits: [Workload] {
    let count = Self.commitsPerRound
    var workloads = [
      commit("durable-insert", "durable insert of one object", target: 1.5) {
        [self] database, round, _ in
        let first = round.number * count
        return {
          for person in self.data.newcomers[first..<first + count] {
            try database.insertAlone(person)
          }
        }
      },
      commit("durable-update", "durable update of one field", target: 1.1) {
        [self] database, _, random in
        let updates = Self.updates(count, of: data, using: &random)
        return { for (id, age) in updates { try database.updateAlone(id: id, age: age) } }
      },
      commit("unsynced-insert", "insert of one object, not synced", target: 2.5) {
        [self] database, round, _ in
        let first = data.newcomers.count / 2 + round.number * count
        return {
          for person in self.data.newcomers[first..<first + count] {
            try database.insertAlone(person)
          }
        }
      },
      readBehindCommits,
    ]
    if ProcessIO.bytesWritten != nil { workloads.append(bytesPerUpdate) }
    return workloads
  }

  /// Times so many commits, and compares what the databases hold afterwards.
  private func commit(
    _ name: String, _ title: String, target: Double,
    ready: @escaping (any Commits, Round, inout SplitMix64) -> () throws -> Void
  ) -> Workload {
    Workload(
      name: name, title: title, unit: .microseconds, objects: objects, target: target
    ) { [self] subject, round in
      let database = try main(subject)
      guard let commits = database as? any Commits else { return nil }
      var random = round.random(for: name)
      let run = ready(commits, round, &random)
      var time = Duration.zero
      let timed = { time = try ContinuousClock().measure { try run() } }
      if name.hasPrefix("unsynced") { try commits.withoutSyncs(timed) } else { try timed() }
      return Sample(
        value: Unit.microseconds.value(time) / Double(Self.commitsPerRound),
        answer: try (database as? any Scans)?.aggregate().answer ?? Answer())
    }
  }

  /// A lookup right after commits that nobody has read: what they put off is done then.
  private var readBehindCommits: Workload {
    let name = "read-behind-commits"
    let commitsBefore = 100
    return Workload(
      name: name, title: "first lookup behind \(commitsBefore) updates, not synced",
      unit: .microseconds, objects: objects
    ) { [self] subject, round in
      let database = try main(subject)
      guard let commits = database as? any Commits, let reader = database as? any Lookups else {
        return nil
      }
      var random = round.random(for: name)
      var times: [Duration] = []
      var sum = 0
      for _ in 0..<9 {
        let updates = Self.updates(commitsBefore, of: data, using: &random)
        try commits.withoutSyncs {
          for (id, age) in updates { try commits.updateAlone(id: id, age: age) }
        }
        let ids = updates.suffix(1).map(\.id)
        times.append(try ContinuousClock().measure { sum += try reader.sumOfIDAndAge(ids: ids) })
      }
      return Sample(
        value: Unit.microseconds.value(times.sorted()[times.count / 2]), answer: Answer(sum))
    }
  }

  /// What the process hands to the system, checkpoints included, for each commit that changes one number.
  private var bytesPerUpdate: Workload {
    let name = "bytes-per-update"
    return Workload(
      name: name, title: "written to change one field of one object", unit: .kibibytes,
      objects: objects
    ) { [self] subject, round in
      let database = try main(subject)
      guard let commits = database as? any Commits else { return nil }
      var random = round.random(for: name)
      let updates = Self.updates(Self.commitsPerRound, of: data, using: &random)
      let before = ProcessIO.bytesWritten ?? 0
      for (id, age) in updates { try commits.updateAlone(id: id, age: age) }
      let bytes = (ProcessIO.bytesWritten ?? 0) - before
      return Sample(
        value: Double(bytes) / Double(updates.count) / 1024,
        answer: try (database as? any Scans)?.aggregate().answer ?? Answer())
    }
  }

  private static func updates(
    _ count: Int, of data: People, using random: inout SplitMix64
  ) -> [(id: Int, age: Int)] {
    data.randomIDs(count, using: &random).map { (id: $0, age: random.below(100)) }
  }
}

/// What this process asked the system to write.
private enum ProcessIO {
  /// The bytes handed to write calls so far; nil where the system does not count them.
  static var bytesWritten: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else {
      return nil
    }
    return text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
      .flatMap { Int($0.dropFirst("wchar: ".count)) }
  }
}
