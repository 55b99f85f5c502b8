/// Owners and their items in SQLite.
final class SQLiteOwners: OwnerDatabase {
  private let database: SQLiteDatabase

  init(creating path: String) throws {
    database = try Self.open(path)
    try database.execute(
      """
      CREATE TABLE owner(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE item(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL,
        owner INTEGER NOT NULL REFERENCES owner(id) ON DELETE CASCADE);
      CREATE INDEX item_owner ON item(owner);
      """)
  }

  init(opening path: String) throws { database = try Self.open(path) }

  private static func open(_ path: String) throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    try database.execute("PRAGMA foreign_keys = ON")
    return database
  }

  func close() throws { try database.close() }

  func fill(items count: Int, ofFirst countOfFirst: Int) throws {
    try database.transaction {
      try database.execute("INSERT INTO owner VALUES (1, 'first'), (2, 'second')")
      let insertion = try database.prepare("INSERT INTO item VALUES (?, ?, ?)")
      for number in 0..<count {
        insertion.bind(number, at: 1)
        insertion.bind("item \(number)", at: 2)
        insertion.bind(number < countOfFirst ? 1 : 2, at: 3)
        try insertion.run()
      }
    }
  }

  func deleteFirstOwner() throws {
    try database.transaction { try database.execute("DELETE FROM owner WHERE id = 1") }
  }

  func itemCount() throws -> Int {
    try database.reading {
      let statement = try database.prepare("SELECT count(*) FROM item")
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : 0
    }
  }
}
