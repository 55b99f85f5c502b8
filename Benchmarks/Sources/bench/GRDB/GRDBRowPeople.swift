#if GRDB
import GRDB

/// People and groups in GRDB, as raw rows of cached statements.
final class GRDBRowPeople: PeopleDatabase {
  private let pool: DatabasePool

  init(creating path: String) throws { pool = try GRDBFile.create(path) }

  init(opening path: String) throws { pool = try GRDBFile.open(path) }

  func insertion(of groups: [Group], _ people: [Person]) -> () throws -> Void {
    { [pool] in
      try pool.write { database in
        let group = try database.cachedStatement(sql: "INSERT INTO grp VALUES (?, ?)")
        for new in groups { try group.execute(arguments: [new.id, new.name]) }
        let person = try Self.personInsertion(database)
        for new in people { try Self.insert(new, person) }
      }
    }
  }

  private static func personInsertion(_ database: Database) throws -> Statement {
    try database.cachedStatement(sql: "INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
  }

  private static func insert(_ person: Person, _ statement: Statement) throws {
    statement.setUncheckedArguments([
      person.id, person.name, person.email, person.age, person.score, person.createdAt,
      person.isActive, person.group.id,
    ])
    try statement.execute()
  }

  func addIndexes() throws { try GRDBFile.addIndexes(pool) }

  func settle() throws { try GRDBFile.checkpoint(pool) }

  func close() throws { try pool.close() }
}

extension GRDBRowPeople: Lookups {
  func sumOfIDAndAge(ids: [Int]) throws -> Int {
    try pool.read { try Self.sumOfIDAndAge(ids: ids[...], $0) }
  }

  private static func sumOfIDAndAge(ids: ArraySlice<Int>, _ database: Database) throws -> Int {
    let statement = try database.cachedStatement(sql: "SELECT id, age FROM person WHERE id = ?")
    return try ids.reduce(0) { try $0 + sumOfIDAndAge(statement, [$1]) }
  }

  /// Over the rows of a statement, whose first columns are id and age.
  private static func sumOfIDAndAge(
    _ statement: Statement, _ arguments: StatementArguments
  ) throws -> Int {
    var sum = 0
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    while let row = try rows.next() { sum += row[0] as Int + row[1] as Int }
    return sum
  }
}

extension GRDBRowPeople: Scans {
  func count(age: Int) throws -> Int {
    try count("age = ?", [age])
  }

  func count(nameContaining text: String) throws -> Int {
    try count("instr(name, ?) > 0", [text])
  }

  func count(olderThan age: Int, scoreBelow score: Double) throws -> Int {
    try count("age > ? AND score < ?", [age, score])
  }

  private func count(_ condition: String, _ arguments: StatementArguments) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT count(*) FROM person NOT INDEXED WHERE \(condition)")
      return try Int.fetchOne(statement, arguments: arguments) ?? 0
    }
  }

  func aggregate() throws -> PeopleAggregate {
    try pool.read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT sum(score), avg(age), max(createdAt) FROM person")
      return PeopleAggregate(
        scoreSum: row?[0] ?? 0, averageAge: row?[1] ?? 0, latest: row?[2] ?? 0)
    }
  }
}

extension GRDBRowPeople: IndexedQueries {
  func sumOfIDAndAge(names: [String]) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT id, age FROM person WHERE name = ?")
      return try names.reduce(0) { try $0 + Self.sumOfIDAndAge(statement, [$1]) }
    }
  }

  func sumOfIDAndAge(groups: Range<Int>) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: "SELECT id, age FROM person WHERE grp = ?")
      return try groups.reduce(0) { try $0 + Self.sumOfIDAndAge(statement, [$1]) }
    }
  }

  func lengthOfGroupNames(ofFirst count: Int) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT g.name FROM person p JOIN grp g ON g.id = p.grp ORDER BY p.id LIMIT ?")
      let names = try String.fetchCursor(statement, arguments: [count])
      var length = 0
      while let name = try names.next() { length += name.utf8.count }
      return length
    }
  }

  func weightedGroupCounts() throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT count(*) FROM person WHERE grp = ?")
      return try (0..<People.groupCount).reduce(0) {
        try $0 + $1 * (Int.fetchOne(statement, arguments: [$1]) ?? 0)
      }
    }
  }
}

extension GRDBRowPeople: Sorts {
  func firstHundredOfAllSorted() throws -> Checksum {
    try firstHundred(of: "SELECT age, name FROM person ORDER BY age, name")
  }

  func firstHundred() throws -> Checksum {
    try firstHundred(of: "SELECT age, name FROM person ORDER BY age, name LIMIT 100")
  }

  private func firstHundred(of query: String) throws -> Checksum {
    try pool.read { database in
      var checksum = Checksum()
      let rows = try Row.fetchCursor(database, sql: query)
      for _ in 0..<100 {
        guard let row = try rows.next() else { break }
        checksum.add(row[0] as Int)
        checksum.add((row[1] as String).utf8)
      }
      return checksum
    }
  }
}

extension GRDBRowPeople: Walks {
  private static let everyField =
    "SELECT id, name, email, age, score, createdAt, isActive, grp FROM person ORDER BY id"

  func touchEveryField() throws -> Int {
    try pool.read { database in
      var sum = 0
      let rows = try Row.fetchCursor(database, sql: Self.everyField)
      while let row = try rows.next() {
        let name: String = row[1]
        let email: String = row[2]
        sum &+= personTouch(
          id: row[0], name: (name.utf8.first ?? 0, name.utf8.count),
          email: (email.utf8.first ?? 0, email.utf8.count), age: row[3], score: row[4],
          createdAt: row[5], isActive: row[6], group: row[7])
      }
      return sum
    }
  }

  func everyone() throws -> [Person] {
    try pool.read { database in
      var people: [Person] = []
      let rows = try Row.fetchCursor(database, sql: Self.everyField)
      while let row = try rows.next() { people.append(GRDBPerson(row: row).person) }
      return people
    }
  }
}

extension GRDBRowPeople: Reads {
  func beginAndEndReads(_ count: Int) throws {
    // A read begins with its first statement.
    for _ in 0..<count {
      try pool.read { database in
        _ = try Int.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM grp LIMIT 1"))
      }
    }
  }

  func makeReader() -> any PeopleReader {
    SharedReader { [pool] ids in
      try pool.read { try Self.sumOfIDAndAge(ids: ids, $0) }
    }
  }
}

extension GRDBRowPeople: Commits, ConcurrentCommits {
  func insertAlone(_ person: Person) throws {
    try pool.write { try Self.insert(person, Self.personInsertion($0)) }
  }

  func updateAlone(id: Int, age: Int) throws {
    try updateAges(ids: [id], to: age)
  }

  func withoutSyncs(_ body: () throws -> Void) throws {
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    try body()
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
  }

  func updateConcurrently(id: Int, age: Int) throws { try updateAlone(id: id, age: age) }
}

extension GRDBRowPeople: StatementChanges {
  func addToAges(_ years: Int) throws {
    try pool.write { try $0.execute(sql: "UPDATE person SET age = age + ?", arguments: [years]) }
  }
}

extension GRDBRowPeople: Changes {
  func updateAges(ids: [Int], to age: Int) throws {
    try pool.write { database in
      let statement = try database.cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?")
      for id in ids { try statement.execute(arguments: [age, id]) }
    }
  }

  func delete(ids: [Int]) throws {
    try pool.write { database in
      let statement = try database.cachedStatement(sql: "DELETE FROM person WHERE id = ?")
      for id in ids { try statement.execute(arguments: [id]) }
    }
  }

  func compactAndClose() throws -> String { try GRDBFile.compactAndClose(pool) }
}
#endif
