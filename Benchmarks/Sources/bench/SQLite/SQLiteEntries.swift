import Foundation

/// redb's entries in SQLite, in the tree of their keys.
final class SQLiteEntries: EntryDatabase {
  private let path: String
  private let database: SQLiteDatabase

  init(creating path: String) throws {
    self.path = path
    database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS entry(id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID
      """)
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() throws { try database.close() }

  func insert(_ entries: [Entry]) throws {
    try database.transaction {
      let statement = try database.prepare("INSERT INTO entry VALUES (?, ?)")
      for entry in entries {
        var id = entry.id
        try id.withUTF8 { id in
          statement.bind(id, at: 1)
          try entry.value.withUnsafeBytes { value in
            statement.bind(value, at: 2)
            try statement.run()
          }
        }
      }
    }
  }

  func count() throws -> Int { try database.prepare("SELECT count(*) FROM entry").scalar() }

  func touch(_ keys: [String]) throws -> Int {
    try touch(keys, "SELECT value FROM entry WHERE id = ?")
  }

  func touchTen(from keys: [String]) throws -> Int {
    try touch(keys, "SELECT value FROM entry WHERE id >= ? ORDER BY id LIMIT 10")
  }

  private func touch(_ keys: [String], _ query: String) throws -> Int {
    try database.reading {
      let statement = try database.prepare(query)
      var sum = 0
      for var key in keys {
        try key.withUTF8 { key in
          statement.bind(key, at: 1)
          while try statement.step() { sum += textTouch(statement.bytes(0)) }
          statement.reset()
        }
      }
      return sum
    }
  }

  func delete(_ keys: [String]) throws {
    try database.transaction {
      let statement = try database.prepare("DELETE FROM entry WHERE id = ?")
      for var key in keys {
        try key.withUTF8 { key in
          statement.bind(key, at: 1)
          try statement.run()
        }
      }
    }
  }

  func reader() throws -> any EntryDatabase { try SQLiteEntries(opening: path) }

  func compactAndClose() throws -> String { try database.compactAndClose() }
}
