import Roost
import RoostTestSupport
import Testing

/// Random queries over random tables find what a plain loop finds.
@Suite struct QueryOracleTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func findWhatAPlainLoopFinds(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, models: Person.self, Group.self)
    let groups = People.groups(using: &random)
    let byID = Dictionary(uniqueKeysWithValues: groups.map { ($0.id, $0) })
    let people = (0..<Int.random(in: 0...300, using: &random)).map {
      People.person($0, using: &random)
    }
    try store.write { tx in
      try tx.insert(contentsOf: groups)
      try tx.insert(contentsOf: people.shuffled(using: &random))
    }
    let snapshot = store.snapshot()
    for round in 0..<400 {
      let condition = RandomCondition.random(depth: 3, using: &random)
      let expected = people.filter { condition.plain($0, byID) }
      let query = Person.where(condition.query)
      let found = try snapshot.fetch(query)
      // NaN equals nothing, so people are compared by what they print.
      #expect(
        found.map(\.id) == expected.map(\.id), "seed \(seed), round \(round): \(query)")
      #expect(try snapshot.count(query) == expected.count, "seed \(seed): \(query)")
      #expect(try snapshot.first(query)?.id == expected.first?.id)
      let readBack = try query.readBack(in: store)
      #expect(try snapshot.fetch(readBack).map(\.id) == expected.map(\.id), "\(query), read back")
      let part = query.limit(5, offset: 3)
      #expect(try snapshot.fetch(part).map(\.id) == expected.dropFirst(3).prefix(5).map(\.id))
      #expect(try snapshot.count(part) == expected.dropFirst(3).prefix(5).count)
      #expect(try snapshot.rows(query).map { try $0.id } == expected.map(\.id))
      if found.map(\.id) != expected.map(\.id) { return }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func orderAsAPlainSortDoes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, models: Person.self, Group.self)
    let groups = People.groups(using: &random)
    let people = (0..<200).map { People.person($0, using: &random) }
    try store.write { tx in
      try tx.insert(contentsOf: groups)
      try tx.insert(contentsOf: people)
    }
    let snapshot = store.snapshot()
    func sorted(_ areInOrder: (Person, Person) -> Bool?) -> [Int] {
      people.sorted { areInOrder($0, $1) ?? ($0.id < $1.id) }.map(\.id)
    }
    func below(_ a: String, _ b: String) -> Bool? {
      let (x, y) = (Array(a.utf8), Array(b.utf8))
      return x == y ? nil : x.lexicographicallyPrecedes(y)
    }
    let byName = sorted { below($0.name, $1.name) }
    let byAgeDownThenName = sorted {
      $0.age != $1.age ? $0.age > $1.age : below($0.name, $1.name)
    }
    let byNickname = sorted { a, b in
      switch (a.nickname, b.nickname) {
      case (nil, nil): nil
      case (nil, _): true
      case (_, nil): false
      case (let x?, let y?): below(x, y)
      }
    }
    let byScore = sorted { a, b in
      switch (a.score.isNaN, b.score.isNaN) {
      case (true, true): nil
      case (true, false): false
      case (false, true): true
      case (false, false): a.score == b.score ? nil : a.score < b.score
      }
    }
    let cases: [(Query<Person>, [Int])] = [
      (Person.all.order(by: \.name), byName),
      (Person.all.order(by: \.age, descending: true).order(by: \.name), byAgeDownThenName),
      (Person.all.order(by: \.nickname), byNickname),
      (Person.all.order(by: \.score), byScore),
      (Person.all.order(by: \.id, descending: true), people.map(\.id).reversed()),
    ]
    for (query, expected) in cases {
      #expect(try snapshot.fetch(query).map(\.id) == expected, "seed \(seed): \(query)")
      for _ in 0..<10 {
        let limit = Int.random(in: 0...40, using: &random)
        let offset = Int.random(in: 0...220, using: &random)
        #expect(
          try snapshot.fetch(query.limit(limit, offset: offset)).map(\.id)
            == Array(expected.dropFirst(offset).prefix(limit)),
          "seed \(seed): \(query) limit \(limit) offset \(offset)")
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func readTheirOwnWrites(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, models: Person.self, Group.self)
    let groups = People.groups(using: &random)
    let byID = Dictionary(uniqueKeysWithValues: groups.map { ($0.id, $0) })
    var model: [Int: Person] = [:]
    try store.write { try $0.insert(contentsOf: groups) }
    for round in 0..<12 {
      let before = model
      let isKept = random.chance(3, in: 4)
      struct Abandoned: Error {}
      do {
        try store.write { tx in
          for _ in 0..<40 {
            try change(tx, &model, byID, &random)
          }
          if !isKept { throw Abandoned() }
        }
      } catch is Abandoned { model = before }
      let all = try store.snapshot().fetch(Person.all)
      #expect(
        all.map { "\($0)" } == model.values.sorted { $0.id < $1.id }.map { "\($0)" },
        "seed \(seed), round \(round)")
    }
  }

  private func change(
    _ tx: WriteTransaction, _ model: inout [Int: Person], _ groups: [Int: Group],
    _ random: inout SeededGenerator
  ) throws {
    let id = Int.random(in: 0...60, using: &random)
    let person = People.person(id, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      if model[id] == nil {
        try tx.insert(person)
        model[id] = person
      } else {
        #expect(throws: StoreError.duplicateKey(model: "Person", field: "id", value: "\(id)")) {
          try tx.insert(person)
        }
      }
    case 2:
      try tx.upsert(person)
      model[id] = person
    case 3:
      do {
        try tx.update(Person.self, id: id) {
          $0.name = person.name
          $0.group = person.group
        }
        #expect(model[id] != nil)
      } catch StoreError.notFound { #expect(model[id] == nil) }
      model[id]?.name = person.name
      model[id]?.group = person.group
    case 4:
      #expect(try tx.delete(Person.self, id: id) == (model.removeValue(forKey: id) != nil))
    case 5:
      let condition = RandomCondition.random(depth: 2, using: &random)
      let ids = model.values.filter { condition.plain($0, groups) }.map(\.id)
      #expect(
        try tx.update(Person.where(condition.query)) {
          $0.age += 1
          $0.nickname = person.nickname
        } == ids.count)
      for id in ids {
        model[id]?.age += 1
        model[id]?.nickname = person.nickname
      }
    case 6 where random.chance(1, in: 4):
      let condition = RandomCondition.random(depth: 2, using: &random)
      let ids = model.values.filter { condition.plain($0, groups) }.map(\.id)
      #expect(try tx.delete(Person.where(condition.query)) == ids.count)
      for id in ids { model[id] = nil }
    case 7:
      let condition = RandomCondition.random(depth: 2, using: &random)
      let expected = model.values.filter { condition.plain($0, groups) }.map(\.id).sorted()
      #expect(try tx.fetch(Person.where(condition.query)).map(\.id) == expected)
    default:
      #expect(try tx.fetch(Person.self, id: id).map { "\($0)" } == model[id].map { "\($0)" })
    }
  }
}
