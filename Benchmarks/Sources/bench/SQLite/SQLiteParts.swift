/// OO1's parts in SQLite.
final class SQLiteParts: PartDatabase {
  private let database: SQLiteDatabase

  init(creating path: String) throws {
    database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      CREATE TABLE part(
        id INTEGER PRIMARY KEY, type TEXT NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
        built INTEGER NOT NULL);
      CREATE TABLE connection(
        id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES part(id),
        target INTEGER NOT NULL REFERENCES part(id), type TEXT NOT NULL, length INTEGER NOT NULL);
      CREATE INDEX connection_target ON connection(target, source);
      """)
  }

  init(opening path: String) throws { database = try SQLiteDatabase(path: path) }

  func close() throws { try database.close() }

  func insert(_ parts: [Part], _ connections: [Connection]) throws {
    try database.transaction {
      let part = try database.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?)")
      for new in parts {
        part.bind(new.id, at: 1)
        part.bind(new.type, at: 2)
        part.bind(new.x, at: 3)
        part.bind(new.y, at: 4)
        part.bind(new.built, at: 5)
        try part.run()
      }
      let connection = try database.prepare("INSERT INTO connection VALUES (?, ?, ?, ?, ?)")
      for new in connections {
        connection.bind(new.id, at: 1)
        connection.bind(new.source.id, at: 2)
        connection.bind(new.target.id, at: 3)
        connection.bind(new.type, at: 4)
        connection.bind(new.length, at: 5)
        try connection.run()
      }
    }
  }

  func visit(_ ids: [Int]) throws -> PartVisits {
    try database.reading {
      let part = try partLookup()
      var visits = PartVisits()
      for id in ids { try visit(id, &visits, part) }
      return visits
    }
  }

  private func partLookup() throws -> SQLiteStatement {
    try database.prepare("SELECT x, y, type FROM part WHERE id = ?")
  }

  private func visit(_ id: Int, _ visits: inout PartVisits, _ part: SQLiteStatement) throws {
    part.bind(id, at: 1)
    if try part.step() {
      visits.visit(x: part.integer(0), y: part.integer(1), type: part.text(2))
    }
    part.reset()
  }

  func traverse(from id: Int, hops: Int) throws -> PartVisits {
    try walk(
      "SELECT target FROM connection WHERE id BETWEEN ?1 * 4 AND ?1 * 4 + 2", from: id, hops: hops)
  }

  func traverseBackwards(from id: Int, hops: Int) throws -> PartVisits {
    try walk("SELECT source FROM connection WHERE target = ?1", from: id, hops: hops)
  }

  private func walk(_ neighbours: String, from id: Int, hops: Int) throws -> PartVisits {
    try database.reading {
      let part = try partLookup()
      let next = try database.prepare(neighbours)
      var visits = PartVisits()
      func walk(_ id: Int, _ hops: Int) throws {
        try visit(id, &visits, part)
        guard hops > 0 else { return }
        var ids: [Int] = []
        next.bind(id, at: 1)
        while try next.step() { ids.append(next.integer(0)) }
        next.reset()
        for id in ids { try walk(id, hops - 1) }
      }
      try walk(id, hops)
      return visits
    }
  }
}
