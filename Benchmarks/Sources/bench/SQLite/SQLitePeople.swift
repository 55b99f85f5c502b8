import Foundation
import Roost

/// People and groups in SQLite.
final class SQLitePeople: PeopleDatabase {
  private let path: String
  private let database: SQLiteDatabase
  private let lock = NSLock()

  init(opening path: String) throws {
    self.path = path
    database = try SQLiteDatabase(path: path)
  }

  init(creating path: String) throws {
    self.path = path
    database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      CREATE TABLE grp(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE person(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, age INTEGER NOT NULL,
        score REAL NOT NULL, createdAt INTEGER NOT NULL, isActive INTEGER NOT NULL,
        grp INTEGER NOT NULL REFERENCES grp(id));
      """)
  }

  func insertion(of groups: [Group], _ people: [Person]) -> () throws -> Void {
    return { [self] in
      try database.transaction {
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
  }

  func addIndexes() throws {
    try database.execute("CREATE INDEX person_name ON person(name)")
    try database.execute("CREATE INDEX person_group ON person(grp)")
  }

  func settle() throws { try database.checkpoint() }

  func close() throws { try database.close() }

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
}

extension SQLitePeople: Lookups {
  func sumOfIDAndAge(ids: [Int]) throws -> Int {
    try database.reading {
      let statement = try database.prepare("SELECT id, age FROM person WHERE id = ?")
      var sum = 0
      for id in ids {
        statement.bind(id, at: 1)
        if try statement.step() { sum += statement.integer(0) + statement.integer(1) }
        statement.reset()
      }
      return sum
    }
  }
}

extension SQLitePeople: Scans {
  func count(age: Int) throws -> Int {
    let statement = try database.prepare("SELECT count(*) FROM person WHERE age = ?")
    statement.bind(age, at: 1)
    return try statement.scalar()
  }

  func count(nameContaining text: String) throws -> Int {
    // Through the index on names it would be a third faster, and no longer a scan of the people.
    let statement = try database.prepare(
      "SELECT count(*) FROM person NOT INDEXED WHERE instr(name, ?) > 0")
    var text = text
    return try text.withUTF8 { text in
      statement.bind(text, at: 1)
      return try statement.scalar()
    }
  }

  func count(olderThan age: Int, scoreBelow score: Double) throws -> Int {
    let statement = try database.prepare(
      "SELECT count(*) FROM person WHERE age > ? AND score < ?")
    statement.bind(age, at: 1)
    statement.bind(score, at: 2)
    return try statement.scalar()
  }

  func aggregate() throws -> PeopleAggregate {
    let statement = try database.prepare("SELECT sum(score), avg(age), max(createdAt) FROM person")
    defer { statement.reset() }
    _ = try statement.step()
    return PeopleAggregate(
      scoreSum: statement.number(0), averageAge: statement.number(1), latest: statement.integer(2))
  }
}

extension SQLitePeople: IndexedQueries {
  func sumOfIDAndAge(names: [String]) throws -> Int {
    try database.reading {
      let statement = try database.prepare("SELECT id, age FROM person WHERE name = ?")
      var sum = 0
      for var name in names {
        try name.withUTF8 { name in
          statement.bind(name, at: 1)
          sum += try sumOfRows(statement)
        }
      }
      return sum
    }
  }

  func sumOfIDAndAge(groups: Range<Int>) throws -> Int {
    try database.reading {
      let statement = try database.prepare("SELECT id, age FROM person WHERE grp = ?")
      var sum = 0
      for group in groups {
        statement.bind(group, at: 1)
        sum += try sumOfRows(statement)
      }
      return sum
    }
  }

  private func sumOfRows(_ statement: SQLiteStatement) throws -> Int {
    var sum = 0
    while try statement.step() { sum += statement.integer(0) + statement.integer(1) }
    statement.reset()
    return sum
  }

  func lengthOfGroupNames(ofFirst count: Int) throws -> Int {
    let statement = try database.prepare(
      "SELECT g.name FROM person p JOIN grp g ON g.id = p.grp ORDER BY p.id LIMIT ?")
    statement.bind(count, at: 1)
    defer { statement.reset() }
    var length = 0
    while try statement.step() { length += statement.text(0).count }
    return length
  }

  func weightedGroupCounts() throws -> Int {
    try database.reading {
      let statement = try database.prepare("SELECT count(*) FROM person WHERE grp = ?")
      var sum = 0
      for group in 0..<People.groupCount {
        statement.bind(group, at: 1)
        sum += group * (try statement.scalar())
      }
      return sum
    }
  }
}

extension SQLitePeople: Sorts {
  func firstHundredOfAllSorted() throws -> Checksum {
    try firstHundred(of: "SELECT age, name FROM person ORDER BY age, name")
  }

  func firstHundred() throws -> Checksum {
    try firstHundred(of: "SELECT age, name FROM person ORDER BY age, name LIMIT 100")
  }

  private func firstHundred(of query: String) throws -> Checksum {
    let statement = try database.prepare(query)
    defer { statement.reset() }
    var checksum = Checksum()
    for _ in 0..<100 {
      guard try statement.step() else { break }
      checksum.add(statement.integer(0))
      checksum.add(statement.text(1))
    }
    return checksum
  }
}

extension SQLitePeople: Walks {
  private static let everyField =
    "SELECT id, name, email, age, score, createdAt, isActive, grp FROM person ORDER BY id"

  func touchEveryField() throws -> Int {
    let row = try database.prepare(Self.everyField)
    defer { row.reset() }
    var sum = 0
    while try row.step() {
      let name = row.text(1)
      let email = row.text(2)
      sum &+= personTouch(
        id: row.integer(0), name: (name[0], name.count), email: (email[0], email.count),
        age: row.integer(3), score: row.number(4), createdAt: row.integer(5),
        isActive: row.integer(6) != 0, group: row.integer(7))
    }
    return sum
  }

  func everyone() throws -> [Person] {
    let row = try database.prepare(Self.everyField)
    defer { row.reset() }
    var people: [Person] = []
    while try row.step() {
      people.append(
        Person(
          id: row.integer(0), name: row.string(1),
          email: row.string(2), age: row.integer(3),
          score: row.number(4), createdAt: row.integer(5), isActive: row.integer(6) != 0,
          group: Link(id: row.integer(7))))
    }
    return people
  }
}

extension SQLitePeople: Reads {
  func beginAndEndReads(_ count: Int) throws {
    // BEGIN alone reads nothing yet: the first statement takes the version.
    let begin = try database.prepare("BEGIN")
    let read = try database.prepare("SELECT 1 FROM grp LIMIT 1")
    let end = try database.prepare("COMMIT")
    for _ in 0..<count {
      try begin.run()
      try read.run()
      try end.run()
    }
  }

  func makeReader() throws -> any PeopleReader { try Reader(SQLiteDatabase(path: path)) }

  private final class Reader: PeopleReader {
    private let database: SQLiteDatabase
    private let begin: SQLiteStatement
    private let lookup: SQLiteStatement
    private let end: SQLiteStatement

    init(_ database: SQLiteDatabase) throws {
      self.database = database
      begin = try database.prepare("BEGIN")
      lookup = try database.prepare("SELECT id, age FROM person WHERE id = ?")
      end = try database.prepare("COMMIT")
    }

    func sumOfIDAndAge(ids: ArraySlice<Int>) throws -> Int {
      var sum = 0
      try begin.run()
      for id in ids {
        lookup.bind(id, at: 1)
        if try lookup.step() { sum += lookup.integer(0) + lookup.integer(1) }
        lookup.reset()
      }
      try end.run()
      return sum
    }

    func close() throws { try database.close() }
  }
}

extension SQLitePeople: Commits {
  func insertAlone(_ person: Person) throws {
    try database.transaction { try insert(person, with: personInsertion()) }
  }

  func updateAlone(id: Int, age: Int) throws {
    try updateAges(ids: CollectionOfOne(id), to: age)
  }

  func withoutSyncs(_ body: () throws -> Void) throws {
    try database.execute("PRAGMA synchronous = NORMAL")
    try body()
    try database.execute("PRAGMA synchronous = FULL")
  }
}

extension SQLitePeople: ConcurrentCommits {
  /// One connection behind a lock: threads with connections of their own would wait for each other by sleeping.
  func updateConcurrently(id: Int, age: Int) throws {
    try lock.withLock { try updateAlone(id: id, age: age) }
  }
}

extension SQLitePeople: StatementChanges {
  func addToAges(_ years: Int) throws {
    try database.transaction {
      let statement = try database.prepare("UPDATE person SET age = age + ?")
      statement.bind(years, at: 1)
      try statement.run()
    }
  }
}

extension SQLitePeople: Changes {
  func updateAges(ids: [Int], to age: Int) throws {
    try updateAges(ids: ids[...], to: age)
  }

  private func updateAges(ids: some Sequence<Int>, to age: Int) throws {
    try database.transaction {
      let statement = try database.prepare("UPDATE person SET age = ? WHERE id = ?")
      statement.bind(age, at: 1)
      for id in ids {
        statement.bind(id, at: 2)
        try statement.run()
      }
    }
  }

  func delete(ids: [Int]) throws {
    try database.transaction {
      let statement = try database.prepare("DELETE FROM person WHERE id = ?")
      for id in ids {
        statement.bind(id, at: 1)
        try statement.run()
      }
    }
  }

  func compactAndClose() throws -> String { try database.compactAndClose() }
}
