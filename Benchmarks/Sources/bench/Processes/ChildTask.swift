import Foundation

/// What a process can do only once: begin with nothing in memory, and have a greatest size.
enum ChildTask: String {
  /// Makes a database of so many people, ten thousand in a transaction.
  case importBatches = "import"
  /// Adds both indexes to it.
  case index
  /// Opens it and looks one person up.
  case openAndRead = "open"
  /// Opens it, looks a hundred thousand people up, and reads a field of all.
  case read
  /// Opens it as a second release that makes a number a text.
  case migrateConvert = "migrate-convert"
  /// Opens it as a second release that splits a text in two.
  case migrateSplit = "migrate-split"

  static let batchSize = 10_000

  func run(_ subject: Subject, at path: String, objects: Int, seed: UInt64) throws -> Answer {
    let type = subject.peopleDatabase
    var random = SplitMix64(seed: seed)
    func randomID() -> Int { random.below(objects) * 2 + 2 }

    switch self {
    case .importBatches:
      let database = try type.init(creating: path)
      try importPeople(objects, into: database)
      try database.close()
      return Answer(objects)
    case .index:
      let database = try type.init(opening: path)
      try database.addIndexes()
      try database.close()
      return Answer(objects)
    case .openAndRead:
      let database = try type.init(opening: path)
      defer { try? database.close() }
      return Answer(try (database as? any Lookups)?.sumOfIDAndAge(ids: [randomID()]) ?? 0)
    case .read:
      let database = try type.init(opening: path)
      defer { try? database.close() }
      guard let database = database as? any Lookups & Scans else { return Answer() }
      let ids = (0..<100_000).map { _ in randomID() }
      return Answer(try database.sumOfIDAndAge(ids: ids), try database.count(age: 42))
    case .migrateConvert:
      return try migrate(subject, at: path, by: .convert)
    case .migrateSplit:
      return try migrate(subject, at: path, by: .split)
    }
  }

  private func migrate(
    _ subject: Subject, at path: String, by change: PeopleMigration
  ) throws -> Answer {
    guard let database = try subject.migratingPeople?.init(migrating: path, by: change) else {
      return Answer()
    }
    let answer = try database.answer(after: change)
    try database.close()
    return answer
  }

  private func importPeople(_ count: Int, into database: any PeopleDatabase) throws {
    var people = PersonSequence()
    var groups = People.allGroups
    for first in stride(from: 0, to: count, by: Self.batchSize) {
      let batch = (first..<min(first + Self.batchSize, count)).compactMap { _ in people.next() }
      try database.insertion(of: groups, batch)()
      groups = []
    }
  }
}
