/// The six workloads of the Yahoo! Cloud Serving Benchmark, with all fields of a record and with one.
///
/// Cooper et al., Benchmarking Cloud Serving Systems with YCSB, SoCC 2010. Each operation is a transaction.
final class RecordSuite: Suite {
  private let objects: Int
  private let setting: SuiteSetting
  private let databases: SharedDatabases<any RecordDatabase>
  private lazy var popularity = Zipfian(below: objects)

  private static let operationsPerRound = 4000

  init(objects: Int, _ setting: SuiteSetting) {
    self.objects = objects
    self.setting = setting
    databases = SharedDatabases { subject in
      guard let type = subject.recordDatabase else { return nil }
      setting.progress.say("\(subject.rawValue): loading \(grouped(objects)) records")
      let database = try type.init(creating: setting.path(subject, "records"))
      for first in stride(from: 0, to: objects, by: 10_000) {
        try database.insert((first..<min(first + 10_000, objects)).map(Record.init(id:)))
      }
      return database
    }
  }

  var workloads: [Workload] {
    Mix.allCases.enumerated().flatMap { place, mix in
      [workload(mix, 2 * place, one: false), workload(mix, 2 * place + 1, one: true)]
    }
  }

  /// YCSB's mixes of operations.
  private enum Mix: String, CaseIterable {
    case a = "50 % updates"
    case b = "5 % updates"
    case c = "reads only"
    case d = "reads of the latest, 5 % inserts"
    case e = "scans, 5 % inserts"
    case f = "50 % read and update"

    /// Of a hundred operations, those that are not reads or scans.
    var writes: Int {
      switch self {
      case .a, .f: 50
      case .b, .d, .e: 5
      case .c: 0
      }
    }
  }

  private enum Operation {
    case read(Int)
    case scan(Int, count: Int)
    case update(Int, String)
    case modify(Int, String)
    case insert(Record)
  }

  private func workload(_ mix: Mix, _ place: Int, one: Bool) -> Workload {
    let name = "ycsb-\(mix)" + (one ? "-one" : "")
    let letter = "\(mix)".uppercased()
    let title = "YCSB \(letter): \(mix.rawValue), \(one ? "one field" : "all fields")"
    return Workload(name: name, title: title, unit: .microseconds, objects: objects) {
      [self] subject, round in
      guard let database = try databases.of(subject) else { return nil }
      var random = round.random(for: name)
      let field = FieldChoice.one(random.below(Record.fields.count))
      // No two rounds of any workload insert the same ids.
      let turn = place * (setting.rounds + 1) + round.number
      let operations = operations(
        mix, firstNewID: objects + turn * Self.operationsPerRound, using: &random)
      var sum = 0
      let time = try ContinuousClock().measure {
        for operation in operations {
          sum &+= try run(operation, on: database, one ? field : .all)
        }
      }
      return Sample(
        value: Unit.microseconds.value(time) / Double(operations.count), answer: Answer(sum))
    }
  }

  private func operations(
    _ mix: Mix, firstNewID: Int, using random: inout SplitMix64
  ) -> [Operation] {
    var newCount = 0
    return (0..<Self.operationsPerRound).map { _ in
      let writes = random.below(100) < mix.writes
      switch mix {
      case .d where writes, .e where writes:
        newCount += 1
        return .insert(Record(id: firstNewID + newCount - 1))
      case .d:
        let latest = objects + newCount - 1 - popularity.next(using: &random)
        return .read(latest < objects ? latest : firstNewID + latest - objects)
      case .e:
        return .scan(popularity.nextScattered(using: &random), count: 1 + random.below(100))
      case .a, .b, .c, .f:
        let id = popularity.nextScattered(using: &random)
        guard writes else { return .read(id) }
        let text = Record.text(using: &random)
        return mix == .f ? .modify(id, text) : .update(id, text)
      }
    }
  }

  private func run(
    _ operation: Operation, on database: any RecordDatabase, _ fields: FieldChoice
  ) throws -> Int {
    switch operation {
    case .read(let id): return try database.read(id, fields)
    case .scan(let id, let count): return try database.scan(from: id, count: count, fields)
    case .modify(let id, let text): return try database.modify(id, fields, to: text)
    case .update(let id, let text): try database.update(id, fields, to: text)
    case .insert(let record): try database.insert([record])
    }
    return 0
  }

  func close() throws { try databases.close() }
}
