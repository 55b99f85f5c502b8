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
      let halves = found.map { $0.age * 2 - 7 }
      #expect(try snapshot.sum(of: query) { $0.age * 2 - 7 } == halves.reduce(0, +))
      #expect(try snapshot.min(of: query) { $0.age * 2 - 7 } == halves.min())
      #expect(try snapshot.max(of: query, \.name) == found.map(\.name).max())
      #expect(
        try snapshot.average(of: query) { $0.age * 2 }
          == (found.isEmpty
            ? nil : Double(found.map { $0.age * 2 }.reduce(0, +)) / Double(found.count)))
      #expect(Set(try snapshot.values(of: query) { $0.name }) == Set(found.map(\.name)))
      let few = query.order(by: \.id).limit(7, offset: 2)
      #expect(
        try snapshot.sum(of: few) { $0.age * $0.age }
          == found.dropFirst(2).prefix(7).map { $0.age * $0.age }.reduce(0, +))
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
    #expect(throws: StoreError.self) { _ = try store.snapshot().sum(of: Group.all) { $0.size } }
    #expect(try store.snapshot().sum(\.size, of: Group.where { $0.id == 2 }) == 1)
    #expect(try store.snapshot().sum(of: Group.where { $0.id == 2 }) { $0.size * 3 } == 3)
  }

  private struct Disk: Model, Hashable {
    let id: UInt64
    var bytes: UInt64
    var spare: UInt?
    static let schema = Schema(
      Disk.init, Key("id", \.id), Field("bytes", \.bytes), Field("spare", \.spare))
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func unsignedNumbersOf64BitsAreAddedAsTheyAre(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, models: Disk.self)
    let disks = (0..<3000 as Range<UInt64>).map { id in
      Disk(
        id: id << 40, bytes: UInt64.random(in: 0...UInt64.max / 4000, using: &random),
        spare: random.chance(1, in: 3) ? nil : UInt.random(in: 0...99, using: &random))
    }
    try store.write { try $0.insert(contentsOf: disks) }
    let snapshot = store.snapshot()
    for limit in [0, 1 << 40, UInt64.max / 8000, .max] {
      let query = Disk.where { $0.bytes < limit }
      let found = disks.filter { $0.bytes < limit }
      let sum = found.reduce(0) { $0 + $1.bytes }
      #expect(try snapshot.sum(\.bytes, of: query) == sum)
      #expect(try snapshot.sum(\.id, of: query) == found.reduce(0) { $0 + $1.id })
      #expect(
        try snapshot.sum(\.spare, of: query) == found.reduce(0) { $0 + ($1.spare ?? 0) })
      #expect(
        try snapshot.average(\.bytes, of: query)
          == (found.isEmpty ? nil : Double(sum) / Double(found.count)))
    }
    try store.write { try $0.insert(Disk(id: 1, bytes: .max, spare: nil)) }
    #expect(try store.snapshot().sum(\.bytes, of: Disk.where { $0.id == 1 }) == .max)
    #expect(throws: StoreError.overflow(model: "Disk", field: "bytes")) {
      _ = try store.snapshot().sum(\.bytes, of: Disk.all)
    }
  }
}
