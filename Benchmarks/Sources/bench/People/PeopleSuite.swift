import Foundation

/// The databases of one number of people, made when a workload first asks for them.
final class PeopleSuite: Suite {
  let objects: Int
  private let isFull: Bool
  private(set) lazy var data = makePeople()
  private let setting: SuiteSetting
  private var opened: [Subject: any PeopleDatabase] = [:]
  private var prepared: Set<String> = []

  /// So many one-object commits make a round.
  static let commitsPerRound = 500

  /// With `isFull`, what goes beyond the figures that Roost has set itself is measured, too.
  init(objects: Int, isFull: Bool, _ setting: SuiteSetting) {
    self.objects = objects
    self.isFull = isFull
    self.setting = setting
  }

  private func makePeople() -> People {
    setting.progress.say("Making \(grouped(objects)) people")
    return People(count: objects, newcomerCount: 2 * Self.commitsPerRound * (setting.rounds + 1))
  }

  func takesPart(_ subject: Subject) -> Bool { objects <= subject.peopleMax }

  /// All workloads, in the order they must run: the later ones change the databases that the earlier ones read.
  var workloads: [Workload] {
    inserts + lookups + scans + queries + sorts + walks + reads
      + (isFull ? allocations + threads : []) + commits + differences + observing + changes
  }

  func path(_ subject: Subject, _ name: String) -> String {
    setting.path(subject, "\(objects)-\(name)")
  }

  /// A database without people or indexes, in place of what was there.
  func empty(_ subject: Subject, _ name: String) throws -> any PeopleDatabase {
    let path = path(subject, name)
    try DatabaseFiles.remove(subject.files(at: path))
    return try subject.peopleDatabase.init(creating: path)
  }

  /// The database that all workloads share, with all people and indexes.
  func main(_ subject: Subject) throws -> any PeopleDatabase {
    if let database = opened[subject] { return database }
    let database = try full(subject, "main")
    opened[subject] = database
    return database
  }

  /// A new database with all people and indexes.
  func full(_ subject: Subject, _ name: String) throws -> any PeopleDatabase {
    setting.progress.say("\(subject.rawValue): loading \(grouped(objects)) people")
    let database = try empty(subject, name)
    try database.insertion(of: data.groups, data.people)()
    try database.settle()
    try database.addIndexes()
    try database.settle()
    return database
  }

  /// Opens a copy of a database that is made once by `make`, and closed.
  func copy<Database>(
    _ subject: Subject, of name: String, as database: Database.Type,
    make: () throws -> any PeopleDatabase
  ) throws -> (database: Database, path: String)? {
    let original = path(subject, name)
    if prepared.insert(original).inserted { try make().close() }
    let copy = path(subject, name + "-copy")
    try DatabaseFiles.remove(subject.files(at: copy))
    for (from, to) in zip(subject.files(at: original), subject.files(at: copy))
    where FileManager.default.fileExists(atPath: from) {
      try FileManager.default.copyItem(atPath: from, toPath: to)
    }
    let opened = try subject.peopleDatabase.init(opening: copy)
    guard let database = opened as? Database else {
      try opened.close()
      return nil
    }
    return (database, copy)
  }

  /// A workload on the shared databases: `draw` makes the constants of a question, `body` is timed.
  ///
  /// With `questions`, a turn asks so many, each with constants of its own, and the figure is for one.
  func timed<Database, Input, Result>(
    _ name: String, _ title: String, target: Double?, unit: Unit = .milliseconds,
    per divisor: Int = 1, operations: Int = 1, questions: Int = 1,
    draw: @escaping (inout SplitMix64) -> Input, answer: @escaping (Result) -> Answer,
    _ body: @escaping (Database, Input) throws -> Result
  ) -> Workload {
    Workload(
      name: name, title: title, unit: unit, objects: objects, operations: operations, target: target
    ) {
      [self] subject, round in
      guard let database = try main(subject) as? Database else { return nil }
      var random = round.random(for: name)
      let inputs = (0..<questions).map { _ in draw(&random) }
      let (value, results) = try round.meter.measure(in: unit) {
        try inputs.map { try body(database, $0) }
      }
      return Sample(
        value: value / Double(divisor * questions), answer: Answer(all: results.map(answer)))
    }
  }

  /// How many questions a turn asks of what takes a few milliseconds: the first finds the processor's caches full of the
  /// other databases' pages.
  static let questionsPerTurn = 8

  func close() throws {
    for database in opened.values { try database.close() }
    opened = [:]
  }

  /// The names of the workloads that show how time grows with the number of objects.
  static let growing = [
    "insert", "lookup", "missing-random", "count-age", "count-two", "aggregate", "name-queries",
    "link-queries", "sort", "sort-100", "structs", "durable-insert", "durable-update",
  ]
}
