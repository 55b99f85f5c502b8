import Foundation

/// redb's published benchmark on objects: its steps, in its order, on fewer entries.
final class EntrySuite: Suite {
  private let objects: Int
  private let setting: SuiteSetting
  private let databases: SharedDatabases<any EntryDatabase>

  private static let readsPerRound = 100_000
  private static let rangesPerRound = 20_000
  private static let writesPerRound = 1000
  /// A round may write a hundred transactions of a thousand entries.
  private static let newPerRound = 100_000

  init(objects: Int, _ setting: SuiteSetting) {
    self.objects = objects
    self.setting = setting
    databases = SharedDatabases { subject in
      let database = try Self.empty(subject, "entries", setting)
      try database?.insert((0..<objects).map(Entry.init(number:)))
      return database
    }
  }

  var workloads: [Workload] {
    [
      load,
      write("redb-writes", "1,000 durable inserts of one", batches: Self.writesPerRound, of: 1),
      write("redb-batches", "100 durable inserts of 1,000", batches: 100, of: 1000),
      read("redb-count", "count all", unit: .microseconds, of: 1) { database, _ in
        try database.count()
      },
      read("redb-reads", "100,000 random reads", of: Self.readsPerRound) { try $0.touch($1) },
      read("redb-ranges", "20,000 ranges of 10", of: Self.rangesPerRound) {
        try $0.touchTen(from: $1)
      },
      readOnThreads(4), readOnThreads(8), remove,
      compacted("redb-compact", "compact", .milliseconds) { time, _ in
        Unit.milliseconds.value(time)
      },
      compacted("redb-file", "file after that", .mebibytes) { _, bytes in
        Double(bytes) / 1_048_576
      },
    ]
  }

  private static func empty(
    _ subject: Subject, _ name: String, _ setting: SuiteSetting
  ) throws -> (any EntryDatabase)? {
    let path = setting.path(subject, name)
    try DatabaseFiles.remove(subject.files(at: path))
    return try subject.entryDatabase?.init(creating: path)
  }

  private func workload(
    _ name: String, _ title: String, _ unit: Unit, warmsUp: Bool = true,
    measure: @escaping (Subject, Round) throws -> Sample?
  ) -> Workload {
    Workload(
      name: name, title: "redb: \(title)", unit: unit, objects: objects,
      isDeterministic: unit == .mebibytes, warmsUp: warmsUp, measure: measure)
  }

  /// The keys are random, so ascending numbers come in a random order of keys.
  private var load: Workload {
    workload("redb-load", "bulk load in random order", .milliseconds, warmsUp: false) {
      [self] subject, _ in
      try databases.of(subject)?.close()
      guard let database = try Self.empty(subject, "entries", setting) else { return nil }
      let entries = (0..<objects).map(Entry.init(number:))
      let time = try ContinuousClock().measure { try database.insert(entries) }
      databases.replace(subject, by: database)
      return Sample(value: Unit.milliseconds.value(time), answer: Answer(try database.count()))
    }
  }

  private func write(_ name: String, _ title: String, batches: Int, of count: Int) -> Workload {
    workload(name, title, .milliseconds) { [self] subject, round in
      guard let database = try databases.of(subject) else { return nil }
      // Each workload and round has numbers of its own.
      let turn = round.number + (count == 1 ? 0 : setting.rounds + 1)
      let first = objects + turn * Self.newPerRound
      let entries = (0..<batches).map { batch in
        (0..<count).map { Entry(number: first + batch * count + $0) }
      }
      let time = try ContinuousClock().measure {
        for batch in entries { try database.insert(batch) }
      }
      return Sample(value: Unit.milliseconds.value(time), answer: Answer(try database.count()))
    }
  }

  private func read(
    _ name: String, _ title: String, unit: Unit = .milliseconds, of count: Int,
    _ body: @escaping (any EntryDatabase, [String]) throws -> Int
  ) -> Workload {
    workload(name, title, unit) { [self] subject, round in
      guard let database = try databases.of(subject) else { return nil }
      var random = round.random(for: name)
      let keys = keys(count, using: &random)
      let start = ContinuousClock.now
      let sum = try body(database, keys)
      let time = ContinuousClock.now - start
      return Sample(value: unit.value(time), answer: Answer(sum))
    }
  }

  private func keys(_ count: Int, using random: inout SplitMix64) -> [String] {
    (0..<count).map { _ in Entry.key(random.below(objects)) }
  }

  /// All threads together read as much as one does in `redb-reads`.
  private func readOnThreads(_ count: Int) -> Workload {
    let name = "redb-reads-\(count)"
    return workload(name, "100,000 random reads on \(count) threads", .milliseconds) {
      [self] subject, round in
      guard let database = try databases.of(subject) else { return nil }
      var random = round.random(for: name)
      let shares = (0..<count).map { _ in keys(Self.readsPerRound / count, using: &random) }
      let readers = try shares.map { _ in try database.reader() }
      let start = ContinuousClock.now
      let workers = zip(readers, shares).map { reader, keys in Worker { try reader.touch(keys) } }
      let sums = try workers.map { try $0.result() }
      let time = ContinuousClock.now - start
      for reader in readers where reader !== database { try reader.close() }
      return Sample(
        value: Unit.milliseconds.value(time), answer: Answer(sums.reduce(0, +)))
    }
  }

  private var remove: Workload {
    workload("redb-remove", "remove half in one transaction", .milliseconds, warmsUp: false) {
      [self] subject, round in
      guard let database = try full(subject) else { return nil }
      var random = round.random(for: "redb-remove")
      let keys = (0..<objects).filter { _ in random.below(2) == 0 }.map(Entry.key)
      let time = try ContinuousClock().measure { try database.delete(keys) }
      defer { try? database.close() }
      return Sample(value: Unit.milliseconds.value(time), answer: Answer(try database.count()))
    }
  }

  private func compacted(
    _ name: String, _ title: String, _ unit: Unit, value: @escaping (Duration, Int) -> Double
  ) -> Workload {
    workload(name, title, unit, warmsUp: false) { [self] subject, _ in
      guard let type = subject.entryDatabase, let database = try full(subject) else { return nil }
      try database.delete((0..<objects / 2).map(Entry.key))
      let start = ContinuousClock.now
      let path = try database.compactAndClose()
      let time = ContinuousClock.now - start
      let bytes = try DatabaseFiles.size(subject.files(at: path))
      let compacted = try type.init(opening: path)
      let answer = Answer(try compacted.count())
      try compacted.close()
      return Sample(value: value(time, bytes), answer: answer)
    }
  }

  /// A database of its own with all entries, beside the shared one.
  private func full(_ subject: Subject) throws -> (any EntryDatabase)? {
    let database = try Self.empty(subject, "entries-full", setting)
    try database?.insert((0..<objects).map(Entry.init(number:)))
    return database
  }

  func close() throws { try databases.close() }
}
