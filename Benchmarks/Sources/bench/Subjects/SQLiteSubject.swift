import CSQLite
import Foundation

/// SQLite through its C API, as an expert uses it: write-ahead log, prepared statements, memory map, a large cache.
///
/// `synchronous = FULL` makes each commit durable, as Roost's default does.
final class SQLiteSubject: Subject {
  static let name = "SQLite \(String(cString: sqlite3_libversion()))"

  private let path: String
  private let database: SQLiteDatabase

  /// Counting its allocations slows SQLite down; it must be told before the first connection.
  private static let memoryStatusIsOff = roost_sqlite_disable_memory_status() == SQLITE_OK

  init(path: String) throws {
    precondition(Self.memoryStatusIsOff, "SQLite was in use before it was configured.")
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    self.path = path
    database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA mmap_size = 2147418112;
      PRAGMA cache_size = -1048576;
      PRAGMA temp_store = MEMORY;
      PRAGMA secure_delete = OFF;
      CREATE TABLE grp(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE person(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, age INTEGER NOT NULL,
        score REAL NOT NULL, createdAt INTEGER NOT NULL, isActive INTEGER NOT NULL,
        grp INTEGER NOT NULL REFERENCES grp(id));
      """)
  }

  func insert(_ groups: [Group], _ people: [Person]) throws {
    try transaction {
      let statement = try database.prepare("INSERT INTO grp VALUES (?, ?)")
      for group in groups {
        var name = group.name
        statement.bind(group.id, at: 1)
        try name.withUTF8 { name in
          statement.bind(name, at: 2)
          try statement.run()
        }
      }
      let insertion = try personInsertion()
      for person in people { try insert(person, with: insertion) }
    }
  }

  func settle() throws {
    try database.checkpoint()
  }

  func fileBytes() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  func close() throws {
    try database.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  func sumOfIDAndAge(ids: [Int]) throws -> Int {
    var sum = 0
    try database.prepare("BEGIN").run()
    let statement = try database.prepare("SELECT id, age FROM person WHERE id = ?")
    for id in ids {
      statement.bind(id, at: 1)
      if try statement.step() { sum += statement.integer(0) + statement.integer(1) }
      statement.reset()
    }
    try database.prepare("COMMIT").run()
    return sum
  }

  func count(age: Int) throws -> Int {
    let statement = try database.prepare("SELECT count(*) FROM person WHERE age = ?")
    statement.bind(age, at: 1)
    defer { statement.reset() }
    _ = try statement.step()
    return statement.integer(0)
  }

  func aggregate() throws -> (scoreSum: Double, averageAge: Double, latest: Int) {
    let statement = try database.prepare(
      "SELECT sum(score), avg(age), max(createdAt) FROM person")
    defer { statement.reset() }
    _ = try statement.step()
    return (statement.number(0), statement.number(1), statement.integer(2))
  }

  func insertDurably(_ person: Person) throws {
    try transaction { try insert(person, with: personInsertion()) }
  }

  func updateDurably(id: Int, age: Int) throws {
    try transaction {
      let statement = try database.prepare("UPDATE person SET age = ? WHERE id = ?")
      statement.bind(age, at: 1)
      statement.bind(id, at: 2)
      try statement.run()
    }
  }

  private func personInsertion() throws -> SQLiteStatement {
    try database.prepare("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
  }

  private func insert(_ person: Person, with statement: SQLiteStatement) throws {
    statement.bind(person.id, at: 1)
    statement.bind(person.age, at: 4)
    statement.bind(person.score, at: 5)
    statement.bind(person.createdAt, at: 6)
    statement.bind(person.isActive ? 1 : 0, at: 7)
    statement.bind(person.group.id, at: 8)
    var name = person.name
    var email = person.email
    try name.withUTF8 { name in
      statement.bind(name, at: 2)
      try email.withUTF8 { email in
        statement.bind(email, at: 3)
        try statement.run()
      }
    }
  }

  /// A write transaction; where the body throws, the harness ends, so nothing rolls back here.
  private func transaction(_ body: () throws -> Void) throws {
    try database.prepare("BEGIN IMMEDIATE").run()
    try body()
    try database.prepare("COMMIT").run()
  }
}
