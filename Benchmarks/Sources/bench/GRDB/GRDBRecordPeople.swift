#if GRDB
import GRDB

/// People and groups in GRDB, as records and requests.
final class GRDBRecordPeople: PeopleDatabase {
  let pool: DatabasePool

  init(creating path: String) throws { pool = try GRDBFile.create(path) }

  init(opening path: String) throws { pool = try GRDBFile.open(path) }

  func insertion(of groups: [Group], _ people: [Person]) -> () throws -> Void {
    let people = people.map(GRDBPerson.init)
    return { [pool] in
      try pool.write { database in
        for group in groups {
          try GRDBGroup(id: group.id, name: group.name).insert(database)
        }
        for person in people { try person.insert(database) }
      }
    }
  }

  func addIndexes() throws { try GRDBFile.addIndexes(pool) }

  func settle() throws { try GRDBFile.checkpoint(pool) }

  func close() throws { try pool.close() }
}

extension GRDBRecordPeople: Lookups {
  func sumOfIDAndAge(ids: [Int]) throws -> Int {
    try pool.read { try Self.sumOfIDAndAge(ids: ids[...], $0) }
  }

  private static func sumOfIDAndAge(ids: ArraySlice<Int>, _ database: Database) throws -> Int {
    var sum = 0
    for id in ids {
      guard let person = try GRDBPerson.fetchOne(database, key: id)?.person else { continue }
      sum += person.id + person.age
    }
    return sum
  }
}

extension GRDBRecordPeople: Scans {
  func count(age: Int) throws -> Int {
    try pool.read { try GRDBPerson.filter(Column("age") == age).fetchCount($0) }
  }

  func count(nameContaining text: String) throws -> Int {
    try pool.read {
      // LIKE, which GRDB has a method for, does not tell capitals from small letters.
      try GRDBPerson.filter(sql: "instr(name, ?) > 0", arguments: [text]).fetchCount($0)
    }
  }

  func count(olderThan age: Int, scoreBelow score: Double) throws -> Int {
    try pool.read {
      try GRDBPerson.filter(Column("age") > age && Column("score") < score).fetchCount($0)
    }
  }

  func aggregate() throws -> PeopleAggregate {
    try pool.read { database in
      let request = GRDBPerson.select(
        sum(Column("score")), average(Column("age")), max(Column("createdAt")))
      guard let row = try Row.fetchOne(database, request) else {
        return PeopleAggregate(scoreSum: 0, averageAge: 0, latest: 0)
      }
      return PeopleAggregate(scoreSum: row[0], averageAge: row[1], latest: row[2])
    }
  }
}

extension GRDBRecordPeople: IndexedQueries {
  func sumOfIDAndAge(names: [String]) throws -> Int {
    try pool.read { database in
      try names.reduce(0) {
        try $0 + sumOfIDAndAge(GRDBPerson.filter(Column("name") == $1), database)
      }
    }
  }

  func sumOfIDAndAge(groups: Range<Int>) throws -> Int {
    try pool.read { database in
      try groups.reduce(0) {
        try $0 + sumOfIDAndAge(GRDBPerson.filter(Column("grp") == $1), database)
      }
    }
  }

  private func sumOfIDAndAge(
    _ request: QueryInterfaceRequest<GRDBPerson>, _ database: Database
  ) throws -> Int {
    try request.fetchAll(database).reduce(0) { $0 + $1.person.id + $1.person.age }
  }

  func lengthOfGroupNames(ofFirst count: Int) throws -> Int {
    try pool.read { database in
      let people = try GRDBPerson.order(Column("id")).limit(count)
        .including(required: GRDBPerson.group).asRequest(of: GRDBPersonAndGroup.self)
        .fetchAll(database)
      return people.reduce(0) { $0 + $1.group.name.utf8.count }
    }
  }

  func weightedGroupCounts() throws -> Int {
    try pool.read { database in
      try (0..<People.groupCount).reduce(0) {
        try $0 + $1 * GRDBPerson.filter(Column("grp") == $1).fetchCount(database)
      }
    }
  }
}

extension GRDBRecordPeople: Sorts {
  private static let sorted = GRDBPerson.order(Column("age"), Column("name"))

  func firstHundredOfAllSorted() throws -> Checksum { try firstHundred(of: Self.sorted) }

  func firstHundred() throws -> Checksum { try firstHundred(of: Self.sorted.limit(100)) }

  private func firstHundred(of request: QueryInterfaceRequest<GRDBPerson>) throws -> Checksum {
    try pool.read { database in
      var checksum = Checksum()
      let people = try request.fetchCursor(database)
      for _ in 0..<100 {
        guard let person = try people.next()?.person else { break }
        checksum.add(person.age)
        checksum.add(person.name.utf8)
      }
      return checksum
    }
  }
}

extension GRDBRecordPeople: Walks {
  func touchEveryField() throws -> Int {
    try pool.read { database in
      var sum = 0
      let people = try GRDBPerson.order(Column("id")).fetchCursor(database)
      while let person = try people.next()?.person {
        sum &+= personTouch(
          id: person.id, name: (person.name.utf8.first ?? 0, person.name.utf8.count),
          email: (person.email.utf8.first ?? 0, person.email.utf8.count), age: person.age,
          score: person.score, createdAt: person.createdAt, isActive: person.isActive,
          group: person.group.id)
      }
      return sum
    }
  }

  func everyone() throws -> [Person] {
    try pool.read { try GRDBPerson.order(Column("id")).fetchAll($0).map(\.person) }
  }
}

extension GRDBRecordPeople: Reads {
  func beginAndEndReads(_ count: Int) throws {
    // A read begins with its first statement.
    for _ in 0..<count { try pool.read { _ = try GRDBGroup.limit(1).fetchOne($0) } }
  }

  func makeReader() -> any PeopleReader {
    SharedReader { [pool] ids in
      try pool.read { try Self.sumOfIDAndAge(ids: ids, $0) }
    }
  }
}

extension GRDBRecordPeople: Commits, ConcurrentCommits {
  func insertAlone(_ person: Person) throws {
    try pool.write { try GRDBPerson(person).insert($0) }
  }

  func updateAlone(id: Int, age: Int) throws {
    try pool.write { try Self.update(id, age, $0) }
  }

  func withoutSyncs(_ body: () throws -> Void) throws {
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    try body()
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
  }

  func updateConcurrently(id: Int, age: Int) throws { try updateAlone(id: id, age: age) }

  private static func update(_ id: Int, _ age: Int, _ database: Database) throws {
    _ = try GRDBPerson.filter(key: id).updateAll(database, Column("age").set(to: age))
  }
}

extension GRDBRecordPeople: StatementChanges {
  func addToAges(_ years: Int) throws {
    _ = try pool.write { try GRDBPerson.updateAll($0, Column("age") += years) }
  }
}

extension GRDBRecordPeople: Changes {
  func updateAges(ids: [Int], to age: Int) throws {
    try pool.write { database in
      for id in ids { try Self.update(id, age, database) }
    }
  }

  func delete(ids: [Int]) throws {
    try pool.write { database in
      for id in ids { _ = try GRDBPerson.deleteOne(database, key: id) }
    }
  }

  func compactAndClose() throws -> String { try GRDBFile.compactAndClose(pool) }
}
#endif
