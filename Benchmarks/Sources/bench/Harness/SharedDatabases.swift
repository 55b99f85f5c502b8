/// The databases of a suite: each is made when a workload first asks for it.
final class SharedDatabases<Database> {
  private let make: (Subject) throws -> Database?
  private var made: [Subject: Database] = [:]

  /// `make` gives nil for a subject that does not take part.
  init(_ make: @escaping (Subject) throws -> Database?) {
    self.make = make
  }

  func of(_ subject: Subject) throws -> Database? {
    if let database = made[subject] { return database }
    made[subject] = try make(subject)
    return made[subject]
  }

  /// Puts another database in the place of a subject's.
  func replace(_ subject: Subject, by database: Database) {
    made[subject] = database
  }

  func close() throws {
    for database in made.values { try (database as? any FileDatabase)?.close() }
    made = [:]
  }
}
