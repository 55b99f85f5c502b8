import Roost

/// People and groups in Roost as an app uses it, with its defaults: each commit is durable.
final class RoostPeople: PeopleDatabase {
  private let path: String
  private(set) var store: Store
  private var durability = Durability.full

  init(creating path: String) throws {
    self.path = path
    store = try Store(.file(path), models: Unindexed.Person.self, Group.self)
  }

  init(opening path: String) throws {
    self.path = path
    var configuration = Configuration()
    configuration.compaction = .never
    store = try Store(
      .file(path), models: Person.self, Group.self, configuration: configuration)
  }

  func insertion(of groups: [Group], _ people: [Person]) -> () throws -> Void {
    let people = people.map(Unindexed.Person.init)
    return { [self] in
      try store.write { transaction in
        try transaction.insert(contentsOf: groups)
        try transaction.insert(contentsOf: people)
      }
    }
  }

  func addIndexes() throws {
    store.close()
    store = try Store(.file(path), models: Person.self, Group.self)
  }

  func close() { store.close() }
}

/// The same people in the same table, without its indexes.
private enum Unindexed {
  struct Person: Model {
    let person: bench.Person
    var id: Int { person.id }

    static let schema = Schema(
      { id, name, email, age, score, createdAt, isActive, group in
        Person(
          person: bench.Person(
            id: id, name: name, email: email, age: age, score: score, createdAt: createdAt,
            isActive: isActive, group: group))
      },
      Key("id", \.person.id), Field("name", \.person.name), Field("email", \.person.email),
      Field("age", \.person.age), Field("score", \.person.score),
      Field("createdAt", \.person.createdAt), Field("isActive", \.person.isActive),
      Field("group", \.person.group))
  }
}

extension RoostPeople: Lookups {
  func sumOfIDAndAge(ids: [Int]) throws -> Int {
    try store.read { snapshot in
      var sum = 0
      for id in ids {
        guard let person = try snapshot.row(Person.self, id: id) else { continue }
        sum += try person.id + person.age
      }
      return sum
    }
  }
}

extension RoostPeople: Scans {
  func count(age: Int) throws -> Int {
    try store.read { try $0.count(Person.where { $0.age == age }) }
  }

  func count(nameContaining text: String) throws -> Int {
    try store.read { try $0.count(Person.where { $0.name.contains(text) }) }
  }

  func count(olderThan age: Int, scoreBelow score: Double) throws -> Int {
    try store.read { try $0.count(Person.where { $0.age > age && $0.score < score }) }
  }

  func aggregate() throws -> PeopleAggregate {
    try store.read { snapshot in
      PeopleAggregate(
        scoreSum: try snapshot.sum(\.score, of: Person.all),
        averageAge: try snapshot.average(\.age, of: Person.all) ?? 0,
        latest: try snapshot.max(\.createdAt, of: Person.all) ?? 0)
    }
  }
}

extension RoostPeople: IndexedQueries {
  func sumOfIDAndAge(names: [String]) throws -> Int {
    try store.read { snapshot in
      var sum = 0
      for name in names {
        sum += try sumOfIDAndAge(snapshot.rows(Person.where { $0.name == name }))
      }
      return sum
    }
  }

  func sumOfIDAndAge(groups: Range<Int>) throws -> Int {
    try store.read { snapshot in
      var sum = 0
      for group in groups {
        sum += try sumOfIDAndAge(snapshot.rows(Person.where { $0.group == Link(id: group) }))
      }
      return sum
    }
  }

  private func sumOfIDAndAge(_ rows: Rows<Person>) throws -> Int {
    var sum = 0
    for row in rows { sum += try row.id + row.age }
    return sum
  }

  func lengthOfGroupNames(ofFirst count: Int) throws -> Int {
    try store.read { snapshot in
      var length = 0
      for row in try snapshot.rows(Person.all.limit(count)) {
        length += try snapshot.row(row.group)?.withBytes(\.name) { $0.count } ?? 0
      }
      return length
    }
  }

  func weightedGroupCounts() throws -> Int {
    try store.read { snapshot in
      var sum = 0
      for group in 0..<People.groupCount {
        sum += group * (try snapshot.count(Group.people, of: group))
      }
      return sum
    }
  }
}

extension RoostPeople: Sorts {
  private static let sorted = Person.all.order(by: \.age, \.name)

  func firstHundredOfAllSorted() throws -> Checksum {
    try firstHundred(of: Self.sorted)
  }

  func firstHundred() throws -> Checksum {
    try firstHundred(of: Self.sorted.limit(100))
  }

  private func firstHundred(of query: Query<Person>) throws -> Checksum {
    try store.read { snapshot in
      var checksum = Checksum()
      for row in try snapshot.rows(query).prefix(100) {
        checksum.add(try row.age)
        try row.withBytes(\.name) { checksum.add($0) }
      }
      return checksum
    }
  }
}

extension RoostPeople: Walks {
  func touchEveryField() throws -> Int {
    try store.read { snapshot in
      var sum = 0
      for row in try snapshot.rows(Person.all) {
        sum &+= personTouch(
          id: try row.id, name: try row.withBytes(\.name) { ($0[0], $0.count) },
          email: try row.withBytes(\.email) { ($0[0], $0.count) }, age: try row.age,
          score: try row.score, createdAt: try row.createdAt, isActive: try row.isActive,
          group: try row.group.id)
      }
      return sum
    }
  }

  func touchEveryFieldByBatch() throws -> Int {
    try store.read { snapshot in
      var sum = 0
      try snapshot.rows(Person.all).forEachBatch { batch in
        let ids = try batch.column(\.id)
        let names = try batch.column(\.name)
        let emails = try batch.column(\.email)
        let ages = try batch.column(\.age)
        let scores = try batch.column(\.score)
        let dates = try batch.column(\.createdAt)
        let flags = try batch.column(\.isActive)
        let groups = try batch.column(\.group)
        for place in ids.indices {
          sum &+= personTouch(
            id: try ids[place], name: try names.withBytes(place) { ($0[0], $0.count) },
            email: try emails.withBytes(place) { ($0[0], $0.count) }, age: try ages[place],
            score: try scores[place], createdAt: try dates[place],
            isActive: try flags[place], group: try groups[place].id)
        }
      }
      return sum
    }
  }

  func everyone() throws -> [Person] {
    try store.read { try $0.fetch(Person.all) }
  }
}

extension RoostPeople: Reads {
  func beginAndEndReads(_ count: Int) {
    for _ in 0..<count {
      withExtendedLifetime(store.snapshot()) {}
    }
  }

  func makeReader() -> any PeopleReader {
    SharedReader { [store] ids in
      let snapshot = store.snapshot()
      var sum = 0
      for id in ids {
        guard let person = try snapshot.row(Person.self, id: id) else { continue }
        sum += try person.id + person.age
      }
      return sum
    }
  }
}

extension RoostPeople: Commits {
  func insertAlone(_ person: Person) throws {
    try store.write(durability: durability) { try $0.insert(person) }
  }

  func updateAlone(id: Int, age: Int) throws {
    _ = try store.write(durability: durability) {
      try $0.update(Person.self, id: id, set: \.age, to: age)
    }
  }

  func withoutSyncs(_ body: () throws -> Void) throws {
    durability = .relaxed
    try body()
    durability = .full
    try store.synchronize()
  }
}

extension RoostPeople: Differences {
  func peopleThatChange(withAgeOf id: Int) throws -> [(ids: [Int], time: Duration)] {
    var before = store.snapshot()
    return try [1, -1].map { years in
      try store.write(durability: .relaxed) {
        _ = try $0.update(Person.self, id: id) { $0.age += years }
      }
      let after = store.snapshot()
      var ids: [Int] = []
      let time = try ContinuousClock().measure {
        ids = try after.changes(since: before).of(Person.self).modifications.map(\.id)
      }
      before = after
      return (ids, time)
    }
  }
}

extension RoostPeople: ConcurrentCommits {
  func updateConcurrently(id: Int, age: Int) throws { try updateAlone(id: id, age: age) }
}

extension RoostPeople: StatementChanges {
  func addToAges(_ years: Int) throws {
    _ = try store.write { try $0.update(Person.all, set: \.age, to: { $0.age + years }) }
  }
}

extension RoostPeople: Changes {
  func updateAges(ids: [Int], to age: Int) throws {
    try store.write { transaction in
      for id in ids { try transaction.update(Person.self, id: id, set: \.age, to: age) }
    }
  }

  func delete(ids: [Int]) throws {
    _ = try store.write { try $0.delete(Person.self, ids: ids) }
  }

  func compactAndClose() throws -> String {
    store.close()
    var configuration = Configuration()
    configuration.compaction = .custom { _, _ in true }
    store = try Store(
      .file(path), models: Person.self, Group.self, configuration: configuration)
    store.close()
    return path
  }
}
