import Foundation
import Roost
import RoostTestSupport
import Testing

/// Results of a query that are observed.
@Suite struct ChangesTests {
  private func makeStore(_ count: Int = 20) throws -> Store {
    let store = try Store(.inMemory, models: Person.self, Group.self)
    try store.write { tx in
      try tx.insert(contentsOf: (0..<5).map { Group(id: $0, name: "\($0)", size: nil) })
      try tx.insert(contentsOf: (0..<count).map { Person($0, "\($0 % 7)", age: 20 + $0) })
    }
    return store
  }

  @Test func anObserverFirstSeesWhatThereIsAndThenWhatBecomesOfIt() async throws {
    let store = try makeStore()
    let old = Person.where { $0.age >= 35 }.order(by: \.age, descending: true)
    var changes = store.changes(of: old).makeAsyncIterator()

    let first = try #require(try await changes.next())
    #expect(first.isInitial)
    #expect(try first.results.map { try $0.id } == [19, 18, 17, 16, 15])
    #expect(first.insertions.isEmpty && first.modifications.isEmpty)

    try await store.write { tx in
      try tx.delete(Person.self, id: 18)
      try tx.update(Person.self, id: 15, set: \.age, to: 100)
      try tx.update(Person.self, id: 16, set: \.name, to: "Zoe")
      try tx.update(Person.self, id: 3, set: \.age, to: 36)
      try tx.update(Person.self, id: 4, set: \.name, to: "Of no concern")
    }
    let second = try #require(try await changes.next())
    #expect(!second.isInitial)
    #expect(try second.results.map { try $0.id } == [15, 19, 17, 3, 16])
    #expect(second.deletions.map { [$0.index, $0.id] } == [[1, 18]])
    #expect(second.insertions.map { [$0.index, $0.id] } == [[3, 3]])
    #expect(second.moves.map { [$0.from, $0.to, $0.id] } == [[4, 0, 15]])
    #expect(second.modifications.map(\.id) == [15, 16])
    #expect(second.modifications.map(\.fields) == [["age"], ["name"]])
    #expect("\(second.modifications)".contains("changed: [\"age\"]"))
    #expect(second.modifications.map(\.from) == [4, 3])
    #expect(second.modifications.map(\.to) == [0, 4])
  }

  @Test func whoIsSlowGetsOneChangeFromWhatItHasSeen() async throws {
    let store = try makeStore()
    var changes = store.changes(of: Person.where { $0.age < 25 }).makeAsyncIterator()
    #expect(try await changes.next()?.results.count == 5)
    for id in 100..<150 { try await store.write { try $0.insert(Person(id, age: 20)) } }
    try await store.write { try $0.delete(Person.self, id: 0) }
    // What came and went meanwhile was never there.
    try await store.write { tx in for id in 110..<150 { try tx.delete(Person.self, id: id) } }
    let change = try #require(try await changes.next())
    #expect(change.insertions.map(\.id) == Array(100..<110))
    #expect(change.deletions.map(\.id) == [0])
    #expect(change.modifications.isEmpty && change.moves.isEmpty)
  }

  /// What a list on a screen does: it holds elements of its own, and brings them up to date.
  private struct Screen {
    var names: [String] = []
    var ids: [Int] = []
    var seen: Snapshot?

    /// Applies a change, and compares with what a query finds in the version.
    mutating func show(_ change: ResultsChange<Person>, of query: Query<Person>) throws {
      let before = ids
      try change.apply(to: &names, \.name)
      try change.apply(to: &ids) { try $0.id }
      let expected = try change.snapshot.fetch(query)
      try #require(ids == expected.map(\.id), "\(query)")
      try #require(names == expected.map(\.name), "\(query)")
      defer { seen = change.snapshot }
      guard let seen else {
        try #require(change.isInitial)
        return
      }
      // A field list for each that is there before and now, and has changed; an empty one for what lies behind links.
      let all = try change.snapshot.changes(since: seen).of(Person.self).modifications
      let here = Set(before).intersection(ids)
      let changed = all.filter { here.contains($0.id) }
      let fields = Dictionary(uniqueKeysWithValues: changed.map { ($0.id, $0.fields) })
      let own = change.modifications.filter { !$0.fields.isEmpty }
      let said = Dictionary(uniqueKeysWithValues: own.map { ($0.id, $0.fields) })
      try #require(said == fields, "\(query)")
      try #require(
        change.modifications.allSatisfy { before[$0.from] == $0.id && ids[$0.to] == $0.id })
      try #require(Set(change.deletions.map(\.id)) == Set(before).subtracting(ids))
      try #require(Set(change.insertions.map(\.id)) == Set(ids).subtracting(before))
    }
  }

  private static let queries: [Query<Person>] = [
    Person.all,
    Person.where { $0.age >= 40 },
    Person.all.order(by: \.name),
    Person.where { $0.name >= "3" }.order(by: \.age, descending: true).limit(7),
    Person.all.order(by: \.name, \.age).limit(5, offset: 3),
    Person.where { $0.group.name == "2" },
    Person.where { $0.group.name >= "1" }.order { $0.group.name },
    Person.where { $0.age > 1000 },
  ]

  @Test(arguments: 0..<4)
  func eachChangeMakesOfAListOnScreenWhatTheQueryFinds(seed: Int) async throws {
    let store = try makeStore(200)
    // The last object that is written belongs to all queries' results.
    let last = Person(-1, "!", age: 2000, group: 2)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for (place, query) in Self.queries.enumerated() {
        group.addTask {
          var screen = Screen()
          var count = 0
          for try await change in store.changes(of: query) {
            try screen.show(change, of: query)
            count += 1
            if try change.snapshot.row(Person.self, id: -1) != nil { break }
            // Some are slow.
            if place % 2 == 1 { for _ in 0..<place * 10 { await Task.yield() } }
          }
          return count
        }
      }
      var random = SeededGenerator(seed: UInt64(seed))
      for step in 0..<300 {
        try await store.write { [random] tx in
          var random = random
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            try Self.change(tx, step, &random)
          }
        }
        _ = random.next()
      }
      try await store.write { tx in
        try tx.update(Group.self, id: 2, set: \.name, to: "2")
        try tx.insert(last)
        // Those in front of it in some order would keep it from others.
        try tx.delete(Person.where { $0.id >= 10 })
      }
      for try await count in group { #expect(count >= 2) }
    }
  }

  private static func change(
    _ tx: WriteTransaction, _ step: Int, _ random: inout SeededGenerator
  ) throws {
    let id = Int.random(in: 0..<300, using: &random)
    let group = Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : nil
    switch Int.random(in: 0..<7, using: &random) {
    case 0: try tx.upsert(Person(id, "\(step % 10)", age: step, group: group))
    case 1: try tx.delete(Person.where { $0.id == id })
    case 2:
      let group = Int.random(in: 0..<5, using: &random)
      try tx.update(Group.self, id: group, set: \.name, to: "\(step % 4)")
    case 3, 4:
      try tx.update(Person.where { $0.id == id }) { $0.age = step % 90 }
    default: try tx.update(Person.where { $0.id == id }) { $0.name = "\(step % 13)" }
    }
  }

  @Test func aCancelledTaskEndsItsLoopAndHoldsNoVersion() async throws {
    let store = try makeStore(2000)
    let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
    let observer = Task {
      var count = 0
      for try await _ in store.changes(of: Person.all) {
        count += 1
        waiting.yield()
      }
      return count
    }
    for await _ in waits { break }
    observer.cancel()
    #expect(try await observer.value == 1)
    for age in 0..<3 { try await store.write { try $0.update(Person.all) { $0.age = age } } }
    #expect(store.oldestSnapshot == nil)
  }

  @Test func whoNeverAsksAgainHoldsOneVersionOnly() async throws {
    let store = try makeStore(2000)
    var changes = store.changes(of: Person.all).makeAsyncIterator()
    _ = try await changes.next()
    var costs: [Int64] = []
    for age in 0..<10 {
      try await store.write { try $0.update(Person.all) { $0.age = age } }
      costs.append(try #require(store.oldestSnapshot).bytes)
    }
    #expect(costs[9] == costs[1])
    #expect(try await changes.next()?.modifications.count == 2000)
    try await store.write { try $0.update(Person.all) { $0.age = 1 } }
    #expect(try await changes.next()?.modifications.count == 2000)
    try await store.write { try $0.insert(Person(5000)) }
    try await store.write { try $0.insert(Person(5001)) }
    #expect(try await changes.next()?.insertions.map(\.id) == [5000, 5001])
  }

  /// The bytes of a file behind many commits, and those that only an observer which never asks again holds.
  private func sizeOfFile(
    withIdleObserver isObserved: Bool
  ) async throws -> (file: Int, held: Int) {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/store.roost"
      let store = try Store(.file(path), models: Person.self, Group.self)
      try await store.write { try $0.insert(contentsOf: (0..<5000).map { Person($0, age: $0) }) }
      var changes = store.changes(of: Person.all.order(by: \.age)).makeAsyncIterator()
      if isObserved { _ = try await changes.next() }
      for age in 0..<60 { try await store.write { try $0.update(Person.all) { $0.age = age } } }
      let held = store.oldestSnapshot?.bytes ?? 0
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      // The iterator is there up to here.
      if isObserved { #expect(try await changes.next()?.modifications.isEmpty == false) }
      store.close()
      return (try #require(size), Int(held))
    }
  }

  @Test func anObserverThatNeverAsksAgainMakesAFileLargerByOneVersionAtMost() async throws {
    let free = try await sizeOfFile(withIdleObserver: false)
    let observed = try await sizeOfFile(withIdleObserver: true)
    #expect(free.held == 0 && observed.held > 0)
    // A file grows by a part of its size at a time, and what is held lies between what is not.
    #expect(observed.file <= (free.file + observed.held) * 3 / 2)
  }

  @Test func whoWaitsFollowsTheNewestVersionAlsoWhereNothingConcernsIt() async throws {
    let store = try makeStore(2000)
    let (waits, waiting) = AsyncStream.makeStream(of: Int.self)
    let none = Task {
      for try await change in store.changes(of: Person.where { $0.age > 5000 }) {
        waiting.yield(change.results.count)
      }
    }
    var seen = waits.makeAsyncIterator()
    #expect(await seen.next() == 0)
    // One who is told of each version, behind the other.
    let (versions, telling) = AsyncStream.makeStream(of: UInt64.self)
    let all = Task {
      for try await change in store.changes(of: Person.all) {
        telling.yield(try change.snapshot.version)
      }
    }
    var told = versions.makeAsyncIterator()
    var latest = try #require(await told.next())
    for age in 0..<10 {
      try await store.write { try $0.update(Person.all) { $0.age = age } }
      let before = latest
      latest = try #require(await told.next())
      // At the commit behind this one nobody held what was there two versions ago.
      if age > 1, let oldest = store.oldestSnapshot { #expect(oldest.version >= before - 1) }
    }
    try await store.write { try $0.update(Person.self, id: 7, set: \.age, to: 6000) }
    #expect(await seen.next() == 1)
    none.cancel()
    all.cancel()
    try await none.value
    try await all.value
  }

  @Test func aCommitWhileAnotherIsLookedAtIsSeen() async throws {
    let store = try makeStore(500)
    let (sums, summing) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      // They have something to look at in each commit, and nothing to say.
      for age in 0..<40 {
        group.addTask {
          let query = Person.where { $0.age > 10_000 + age && $0.group.name == "2" }
          for try await _ in store.changes(of: query) {}
        }
      }
      group.addTask {
        for try await change in store.changes(of: Person.where { $0.name == "seen" }) {
          summing.yield(try change.results.reduce(0) { try $0 + $1.age })
        }
      }
      var seen = sums.makeAsyncIterator()
      #expect(await seen.next() == 0)
      try await store.write { try $0.update(Person.self, id: 1, set: \.name, to: "seen") }
      _ = await seen.next()
      for age in 1000..<1500 {
        try await store.write { try $0.update(Person.self, id: 2, set: \.age, to: age) }
        try await store.write { try $0.update(Person.self, id: 1, set: \.age, to: age) }
        #expect(await seen.next() == age)
      }
      group.cancelAll()
    }
  }

  @Test func aListIsAsItWasWhereAnElementCannotBeMade() async throws {
    struct Unmade: Error {}
    let store = try makeStore()
    var changes = store.changes(of: Person.all.order(by: \.age)).makeAsyncIterator()
    var ages: [Int] = []
    try await changes.next()?.apply(to: &ages) { try $0.age }
    try await store.write { tx in
      try tx.delete(Person.self, id: 3)
      try tx.insert(Person(100, age: 5))
      try tx.update(Person.self, id: 7, set: \.age, to: 90)
    }
    let change = try #require(try await changes.next())
    let before = ages
    #expect(throws: Unmade.self) {
      try change.apply(to: &ages) { row in
        if try row.age == 90 { throw Unmade() }
        return try row.age
      }
    }
    #expect(ages == before)
    try change.apply(to: &ages) { try $0.age }
    #expect(try ages == change.results.map { try $0.age })
  }

  @Test func writesOfAnotherStoreOfTheSameFileAreSeen() async throws {
    try await withTemporaryDirectory { directory in
      let location = Location.file("\(directory)/store.roost")
      let store = try Store(location, models: Person.self, Group.self)
      let other = try Store(location, models: Person.self, Group.self)
      var changes = store.changes(of: Person.all).makeAsyncIterator()
      #expect(try await changes.next()?.results.isEmpty == true)
      try await other.write { try $0.insert(Person(1)) }
      #expect(try await changes.next()?.insertions.map(\.id) == [1])
    }
  }

  @Test func anObserverFollowsThroughVersionsInWhichAModelWasAdded() async throws {
    try await withTemporaryDirectory { directory in
      let location = Location.file("\(directory)/store.roost")
      let store = try Store(location, models: Person.self, Group.self)
      try await store.write { tx in
        try tx.insert(contentsOf: (0..<5).map { Group(id: $0, name: "\($0)", size: nil) })
        try tx.insert(contentsOf: (0..<20).map { Person($0, age: 20 + $0, group: $0 % 5) })
      }
      let people = Person.where { $0.age > 25 && $0.group.name != "3" }.order(by: \.age)
      var waiting = store.changes(of: people, reading: { $0.group.size }).makeAsyncIterator()
      var other = store.changes(of: people, reading: { $0.group.size }).makeAsyncIterator()
      #expect(try await waiting.next()?.results.count == 11)
      #expect(try await other.next()?.results.count == 11)
      let next = Task { [waiting] in
        var waiting = waiting
        return try await waiting.next()
      }
      // Has one model more: there is another catalog then, and nothing else.
      let larger = try Store(location, models: Person.self, Group.self, Crew.self)
      try await larger.write { tx in
        try tx.update(Group.self, id: 2, set: \.size, to: 8)
        try tx.update(Group.self, id: 4, set: \.name, to: "3")
        try tx.update(Person.self, id: 11, set: \.age, to: 90)
        try tx.insert(Crew(id: 1, members: [11]))
      }
      for change in [try await next.value, try await other.next()] {
        let change = try #require(change)
        #expect(try change.results.map { try $0.id } == [6, 7, 10, 12, 15, 16, 17, 11])
        #expect(change.deletions.map(\.id) == [9, 14, 19])
        #expect(change.moves.map(\.id) == [11])
        #expect(change.modifications.map(\.id) == [7, 12, 17, 11])
        #expect(change.modifications.map(\.fields) == [[], [], [], ["age"]])
      }
    }
  }

  @Test func aQueryThatCannotBeAskedEndsTheSequenceWithItsError() async throws {
    let store = try Store(.inMemory, models: Group.self)
    var changes = store.changes(of: Person.all).makeAsyncIterator()
    do {
      _ = try await changes.next()
      Issue.record("It was asked.")
    } catch { #expect(error == .unknownModel(model: "Person")) }
    #expect(try await changes.next() == nil)
  }
}
