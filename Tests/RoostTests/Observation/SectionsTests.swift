import Foundation
import Roost
import RoostTestSupport
import RoostUI
import Testing

/// Results in sections that are observed.
@Suite struct SectionsTests {
  private func makeStore(_ count: Int = 20) throws -> Store {
    let store = try Store(.inMemory, models: Person.self, Group.self)
    try store.write { tx in
      try tx.insert(contentsOf: (0..<5).map { Group(id: $0, name: "\($0)", size: nil) })
      try tx.insert(contentsOf: (0..<count).map { Person($0, "\($0 % 7)", age: 20 + $0) })
    }
    return store
  }

  @Test func sectionsComeAndGoWithTheirRows() async throws {
    let store = try makeStore(12)
    let people = Person.all.order(by: \.age)
    var changes = store.changes(of: people, sectionedBy: { try $0.age / 10 }).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.isInitial)
    #expect(first.sections.map(\.key) == [2, 3])
    #expect(first.sections.map(\.range) == [0..<10, 10..<12])

    try await store.write { tx in
      try tx.update(Person.self, id: 3, set: \.age, to: 31)
      try tx.update(Person.self, id: 4, set: \.age, to: 55)
      try tx.update(Person.self, id: 5, set: \.name, to: "Zoe")
      try tx.delete(Person.self, id: 0)
      try tx.insert(Person(50, age: 39))
    }
    let second = try #require(try await changes.next())
    #expect(second.sections.map(\.key) == [2, 3, 5])
    #expect(second.sections.map(\.range) == [0..<7, 7..<11, 11..<12])
    #expect(second.sectionDeletions.isEmpty && second.sectionInsertions == [2])
    // The one that went into the new section came with it.
    #expect(second.rowDeletions == [.init(section: 0, row: 0), .init(section: 0, row: 4)])
    #expect(second.rowInsertions == [.init(section: 1, row: 3)])
    #expect(second.rowMoves.map(\.from) == [.init(section: 0, row: 3)])
    #expect(second.rowMoves.map(\.to) == [.init(section: 1, row: 1)])
    #expect(second.rowModifications.map(\.from.row) == [5, 3])

    try await store.write { tx in try tx.delete(Person.where { $0.age < 30 }) }
    let third = try #require(try await changes.next())
    #expect(third.sectionDeletions == [0] && third.rowDeletions.isEmpty)
    #expect(third.change.deletions.count == 7)
  }

  @Test func sectionsMayHaveAPropertyAsTheirKey() async throws {
    let store = try makeStore(9)
    let people = Person.all.order(by: \.name)
    var changes = store.changes(of: people, sectionedBy: \.name).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.sections.map(\.key) == ["0", "1", "2", "3", "4", "5", "6"])
    #expect(first.sections.map(\.range.count) == [2, 2, 1, 1, 1, 1, 1])
    try await store.write { try $0.update(Person.self, id: 8, set: \.name, to: "9") }
    let second = try #require(try await changes.next())
    #expect(second.sectionInsertions == [7] && second.sections.last?.key == "9")
  }

  @Test func aRowMayComeIntoAnotherSectionWithoutMoving() async throws {
    let store = try makeStore(12)
    let people = Person.all.order(by: \.age)
    var changes = store.changes(of: people, sectionedBy: { try $0.age / 10 }).makeAsyncIterator()
    _ = try await changes.next()
    // The last of those in their twenties becomes the first of those in their thirties.
    try await store.write { try $0.update(Person.self, id: 9, set: \.age, to: 30) }
    let change = try #require(try await changes.next())
    #expect(change.change.moves.isEmpty)
    #expect(change.rowMoves.map(\.from) == [.init(section: 0, row: 9)])
    #expect(change.rowMoves.map(\.to) == [.init(section: 1, row: 0)])
    #expect(change.rowModifications == change.rowMoves)
  }

  @Test func aSectionHasAnotherKeyWhereALinkedObjectHas() async throws {
    let store = try makeStore(0)
    try await store.write { tx in
      for id in 0..<9 { try tx.insert(Person(id, group: id % 3)) }
    }
    let people = Person.all.order { $0.group.name }
    var changes = store.changes(
      of: people,
      sectionedBy: { (row, snapshot) -> String? in
        guard let group = try row.group else { return nil }
        return try snapshot.row(group)?.name
      }
    ).makeAsyncIterator()
    #expect(try await changes.next()?.sections.map(\.key) == ["0", "1", "2"])
    // No row moves, and none has another value of its own.
    try await store.write { try $0.update(Group.self, id: 1, set: \.name, to: "1.5") }
    let change = try #require(try await changes.next())
    #expect(change.sections.map(\.key) == ["0", "1.5", "2"])
    #expect(change.sectionDeletions == [1] && change.sectionInsertions == [1])
    #expect(change.rowMoves.isEmpty && change.rowDeletions.isEmpty && change.rowInsertions.isEmpty)
    // What is no key's business is not told.
    let next = Task { [changes] in
      var changes = changes
      return try await changes.next()
    }
    try await store.write { try $0.update(Group.self, id: 1, set: \.size, to: 7) }
    try await store.write { try $0.update(Group.self, id: 0, set: \.name, to: "3") }
    #expect(try await next.value?.sections.map(\.key) == ["1.5", "2", "3"])
  }

  @Test func aRowIsModifiedWhereWhatIsReadBehindItsLinksIs() async throws {
    let store = try makeStore(0)
    try await store.write { tx in
      for id in 0..<6 { try tx.insert(Person(id, age: 20 + id % 2, group: id % 3)) }
    }
    let people = Person.all.order(by: \.age, \.id)
    var changes = store.changes(
      of: people, sectionedBy: \.age, reading: { $0.group.name }
    ).makeAsyncIterator()
    #expect(try await changes.next()?.sections.map(\.range) == [0..<3, 3..<6])
    try await store.write { try $0.update(Group.self, id: 1, set: \.size, to: 7) }  // Not read.
    try await store.write { try $0.update(Group.self, id: 2, set: \.name, to: "new") }
    let change = try #require(try await changes.next())
    // The rows 0, 2, 4 and 1, 3, 5: those of persons 2 and 5 have the group.
    #expect(
      change.rowModifications.map(\.to) == [.init(section: 0, row: 1), .init(section: 1, row: 2)])
    #expect(change.sectionInsertions.isEmpty && change.rowMoves.isEmpty)
    #expect(try change.results.map { try $0.group?.name } == ["0", "new", "1", "1", "0", "new"])
  }

  @Test func aKeyMayBeReadThroughWhatIsRead() async throws {
    let store = try makeStore(0)
    try await store.write { tx in
      for id in 0..<6 { try tx.insert(Person(id, group: id / 2)) }
    }
    var changes = store.changes(
      of: Person.all.order(by: \.id), sectionedBy: { try $0.group?.name },
      reading: { $0.group.name }
    ).makeAsyncIterator()
    #expect(try await changes.next()?.sections.map(\.key) == ["0", "1", "2"])
    try await store.write { try $0.update(Group.self, id: 1, set: \.name, to: "2") }
    let change = try #require(try await changes.next())
    #expect(change.sections.map(\.key) == ["0", "2"])
    #expect(change.sections.map(\.range) == [0..<2, 2..<6])
  }

  @Test func whatAKeyThrowsEndsTheSequence() async throws {
    struct NoKey: Error {}
    let store = try makeStore()
    var changes = store.changes(
      of: Person.all,
      sectionedBy: { row throws -> Int in
        if try row.age > 100 { throw NoKey() }
        return 0
      }
    ).makeAsyncIterator()
    #expect(try await changes.next()?.sections.map(\.range) == [0..<20])
    try await store.write { try $0.update(Person.self, id: 1, set: \.age, to: 101) }
    await #expect(throws: NoKey.self) { _ = try await changes.next() }
    #expect(try await changes.next() == nil)
  }

  // MARK: Lists on screens

  private struct Shown: Equatable {
    var id: Int
    var name: String
    var age: Int

    init(_ row: Row<Person>) throws {
      (id, name, age) = (try row.id, try row.name, try row.age)
    }
  }

  /// A list in sections, which makes elements of those rows alone that a change names.
  private struct Screen {
    var sections: [[Shown]] = []

    mutating func show(_ change: SectionsChange<Person, Int>, _ context: String) throws {
      let expected = try change.sections.map { section in
        try change.results[section.range].map { try Shown($0) }
      }
      for (section, rows) in zip(change.sections, expected) {
        try #require(rows.allSatisfy { SectionsTests.key($0.name, $0.age) == section.key })
      }
      if change.isInitial {
        sections = expected
      } else {
        try apply(change, expected)
      }
      // Not printed: they are long.
      let isSame = sections == expected
      try #require(isSame, "\(context)")
    }

    private mutating func apply(
      _ change: SectionsChange<Person, Int>, _ expected: [[Shown]]
    ) throws {
      var moving: [SectionPlace: Shown] = [:]
      for move in change.rowMoves { moving[move.to] = sections[move.from.section][move.from.row] }
      for place in (change.rowDeletions + change.rowMoves.map(\.from)).sorted(by: >) {
        sections[place.section].remove(at: place.row)
      }
      for section in change.sectionDeletions.reversed() { sections.remove(at: section) }
      for section in change.sectionInsertions { sections.insert(expected[section], at: section) }
      for place in (change.rowInsertions + change.rowMoves.map(\.to)).sorted() {
        let row = try moving[place] ?? Shown(self.row(place, change))
        sections[place.section].insert(row, at: place.row)
      }
      for row in change.rowModifications {
        sections[row.to.section][row.to.row] = try Shown(self.row(row.to, change))
      }
    }

    private func row(
      _ place: SectionPlace, _ change: SectionsChange<Person, Int>
    ) throws -> Row<Person> {
      change.results[change.sections[place.section].range.lowerBound + place.row]
    }
  }

  /// The key of a section, for lists by names and for lists by ages.
  private static func key(_ name: String, _ age: Int) -> Int {
    (Int(name) ?? 0) * 1000 + age / 10
  }

  private static let queries: [Query<Person>] = [
    Person.all.order(by: \.name, \.age),
    Person.all.order(by: \.name, \.age, descending: true),
    Person.where { $0.age >= 30 }.order(by: \.name, \.age).limit(40, offset: 3),
    Person.where { $0.name != "3" }.order(by: \.age),
    // Keys come again behind others.
    Person.all,
    Person.all.order { $0.group.name }.order(by: \.name),
  ]

  /// Some hundred transactions, as many as `ROOST_TRANSACTIONS` says in `Scripts/test-long`.
  private static let transactionCount =
    ProcessInfo.processInfo.environment["ROOST_TRANSACTIONS"].flatMap { Int($0) } ?? 600

  @Test(arguments: 0..<4)
  func eachChangeMakesOfAListInSectionsWhatTheQueryFinds(seed: Int) async throws {
    let store = try makeStore(200)
    var observers = Self.queries.map { query in
      store.changes(of: query, sectionedBy: { Self.key(try $0.name, try $0.age) })
        .makeAsyncIterator()
    }
    var screens = Self.queries.map { _ in Screen() }
    var random = SeededGenerator(seed: UInt64(seed))
    for step in 0..<Self.transactionCount / 4 {
      for place in observers.indices where step == 0 || Bool.random(using: &random) {
        // One that has nothing to say would be waited for: this is told in any case.
        let query = Self.queries[place]
        try await store.write { tx in
          let first = try #require(try tx.first(query))
          try tx.update(Person.self, id: first.id, set: \.nickname, to: "\(step)")
        }
        guard let change = try await observers[place].next() else { continue }
        try screens[place].show(change, "seed \(seed), step \(step), \(query)")
      }
      try await store.write { [random] tx in
        var random = random
        for _ in 0..<Int.random(in: 1...3, using: &random) { try Self.change(tx, step, &random) }
      }
      _ = random.next()
    }
  }

  private static func change(
    _ tx: WriteTransaction, _ step: Int, _ random: inout SeededGenerator
  ) throws {
    let id = Int.random(in: 0..<240, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      let group = Int.random(in: 0..<5, using: &random)
      try tx.upsert(Person(id, "\(step % 6)", age: 20 + step % 60, group: group))
    case 1: try tx.delete(Person.where { $0.id == id })
    case 2:
      let group = Int.random(in: 0..<5, using: &random)
      try tx.update(Group.self, id: group, set: \.name, to: "\(step % 4)")
    case 3:
      // A whole section at once.
      let name = "\(Int.random(in: 0..<7, using: &random))"
      try tx.update(Person.where { $0.name == name && $0.age > 50 }) { $0.name = "\(step % 7)" }
    case 4, 5: try tx.update(Person.where { $0.id == id }) { $0.age = 20 + step % 70 }
    default: try tx.update(Person.where { $0.id == id }) { $0.name = "\(step % 7)" }
    }
  }
}
