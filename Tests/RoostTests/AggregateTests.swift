import Roost
import RoostTestSupport
import Testing

/// Sums, means and extremes.
@Suite struct AggregateTests {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func agreeWithAPlainLoop(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, models: Person.self, Group.self)
    let groups = People.groups(using: &random)
    let byID = Dictionary(uniqueKeysWithValues: groups.map { ($0.id, $0) })
    let people = (0..<150).map { People.person($0, using: &random) }
    try store.write { tx in
      try tx.insert(contentsOf: groups)
      try tx.insert(contentsOf: people)
    }
    let snapshot = store.snapshot()
    for _ in 0..<60 {
      let condition = RandomCondition.random(depth: 2, using: &random)
      let query = Person.where(condition.query)
      let found = people.filter { condition.plain($0, byID) }
      let scores = found.map(\.score).filter { !$0.isNaN }
      #expect(try snapshot.sum(\.age, of: query) == found.map(\.age).reduce(0, +))
      #expect(try snapshot.min(\.age, of: query) == found.map(\.age).min())
      #expect(try snapshot.max(\.age, of: query) == found.map(\.age).max())
      #expect(try snapshot.min(\.score, of: query) == scores.min())
      #expect(try snapshot.max(\.score, of: query) == scores.max())
      let mean = try snapshot.average(\.age, of: query)
      #expect(
        mean == (found.isEmpty ? nil : Double(found.map(\.age).reduce(0, +)) / Double(found.count)))
      let few = query.order(by: \.id).limit(7, offset: 2)
      #expect(
        try snapshot.sum(\.age, of: few) == found.dropFirst(2).prefix(7).map(\.age).reduce(0, +))
    }
    let sizes = groups.compactMap(\.size)
    #expect(try snapshot.sum(\.size, of: Group.all) == sizes.reduce(0, +))
    #expect(try snapshot.max(\.size, of: Group.all) == sizes.max())
    #expect(
      try snapshot.min(\.nickname, of: Person.where { $0.nickname >= "b" })
        == people
        .compactMap(\.nickname).filter { $0 >= "b" }.min())
  }

  @Test func sayWhenASumDoesNotFit() throws {
    let store = try Store(.inMemory, models: Group.self)
    try store.write { tx in
      try tx.insert(Group(id: 1, name: "a", size: .max))
      try tx.insert(Group(id: 2, name: "b", size: 1))
    }
    #expect(throws: StoreError.self) { _ = try store.snapshot().sum(\.size, of: Group.all) }
    #expect(try store.snapshot().sum(\.size, of: Group.where { $0.id == 2 }) == 1)
  }
}
