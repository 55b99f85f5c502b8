import Foundation
import Observation
import Roost
import RoostTestSupport
import RoostUI
import Testing

/// Objects, values and what views show, followed as they change.
@Suite struct ObservedValuesTests {
  private func makeStore(_ count: Int = 20) throws -> Store {
    let store = try Store(.inMemory, models: Person.self, Group.self, Tune.self)
    try store.write { tx in
      try tx.insert(contentsOf: (0..<5).map { Group(id: $0, name: "\($0)", size: nil) })
      try tx.insert(contentsOf: (0..<count).map { Person($0, "\($0 % 7)", age: 20 + $0) })
    }
    return store
  }

  /// Has a text for its id.
  private struct Tune: Model {
    let id: String
    var title: String
    static let schema = Schema(Tune.init, Key("id", \.id), Field("title", \.title))
  }

  // MARK: Objects

  @Test func anObjectIsFollowedFromItsInsertionToItsDeletionAndOn() async throws {
    let store = try makeStore()
    var changes = store.changes(of: Person.self, id: 50).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.isInitial && first.before == nil && first.after == nil)
    #expect(!first.isInsertion && !first.isDeletion && first.fields.isEmpty)

    try await store.write { try $0.insert(Person(50, "Zoe", age: 5)) }
    let second = try #require(try await changes.next())
    #expect(second.isInsertion && !second.isInitial)
    #expect(second.before == nil && second.after == Person(50, "Zoe", age: 5))

    try await store.write { tx in
      try tx.update(Person.self, id: 50, set: \.age, to: 6)
      try tx.update(Person.self, id: 50, set: \.group, to: Link(id: 3))
    }
    let third = try #require(try await changes.next())
    #expect(third.fields == ["age", "group"])
    #expect(try third.hasChanged(\.age) && !third.hasChanged(\.name))
    #expect(third.before?.age == 5 && third.after?.age == 6)
    #expect(try third.snapshot.fetch(Person.self, id: 50) == third.after)

    try await store.write { try $0.delete(Person.self, id: 50) }
    let fourth = try #require(try await changes.next())
    #expect(fourth.isDeletion && fourth.after == nil && fourth.before == third.after)
    #expect(fourth.fields.isEmpty)

    try await store.write { try $0.insert(Person(50)) }
    #expect(try await changes.next()?.isInsertion == true)
  }

  @Test func whatBecomesOfOtherObjectsIsNotTold() async throws {
    let store = try makeStore()
    let link = Link<Person>(id: 7)
    var changes = store.changes(of: link).makeAsyncIterator()
    #expect(try await changes.next()?.after?.age == 27)
    let next = Task { [changes] in
      var changes = changes
      return try await changes.next()
    }
    for age in 0..<20 {
      try await store.write { try $0.update(Person.self, id: 8, set: \.age, to: age) }
      // Written, and as it was.
      try await store.write { try $0.update(Person.self, id: 7, set: \.age, to: 27) }
    }
    try await store.write { try $0.update(Person.self, id: 7, set: \.name, to: "Zoe") }
    let change = try #require(try await next.value)
    #expect(change.fields == ["name"])
    #expect(change.before?.age == 27)
  }

  @Test func anObjectThatWasDeletedAndInsertedAgainUnderItsTextIsModified() async throws {
    let store = try makeStore()
    try await store.write { tx in
      try tx.insert(contentsOf: (0..<100).map { Tune(id: "tune \($0)", title: "\($0)") })
    }
    var changes = store.changes(of: Tune.self, id: "tune 40").makeAsyncIterator()
    #expect(try await changes.next()?.after?.title == "40")
    try await store.write { tx in
      try tx.delete(Tune.self, id: "tune 40")
      try tx.insert(Tune(id: "tune 40", title: "Forty"))
    }
    let change = try #require(try await changes.next())
    #expect(change.fields == ["title"])
    #expect(change.before?.title == "40" && change.after?.title == "Forty")
  }

  // MARK: What concerns an observer

  @Test func onlyPropertiesThatAreWatchedAreTold() async throws {
    let store = try makeStore()
    var changes = store.changes(of: Person.all.order(by: \.age), watching: \.name, \.group)
      .makeAsyncIterator()
    var object = store.changes(of: Person.self, id: 3, watching: \.name).makeAsyncIterator()
    _ = try await (changes.next(), object.next())
    let next = Task { [changes, object] in
      var (changes, object) = (changes, object)
      return try await (changes.next(), object.next())
    }
    for score in 0..<20 {
      try await store.write { tx in
        try tx.update(Person.self, id: 3, set: \.score, to: Double(score))
        try tx.update(Person.self, id: 4, set: \.nickname, to: "\(score)")
      }
    }
    try await store.write { tx in
      try tx.update(Person.self, id: 3, set: \.name, to: "Zoe")
      try tx.update(Person.self, id: 4, set: \.score, to: 100)
      // Moves.
      try tx.update(Person.self, id: 5, set: \.age, to: 100)
    }
    let (list, one) = try await next.value
    #expect(list?.modifications.map(\.id) == [3])
    #expect(list?.moves.map(\.id) == [5])
    // It may have seen none of the versions in between.
    #expect(one?.fields.contains("name") == true)
  }

  @Test func whatIsNoPropertyCannotBeWatched() async throws {
    let store = try makeStore()
    var changes = store.changes(of: Person.all, watching: \.name.unstored).makeAsyncIterator()
    do {
      _ = try await changes.next()
      Issue.record("It was watched.")
    } catch {
      guard case .unknownField(model: "Person", _) = error else { throw error }
    }
    #expect(try await changes.next() == nil)
  }

  @Test func anObserverKnowsItsOwnWrites() async throws {
    let store = try makeStore()
    let (mine, other) = (WriteTag(), WriteTag())
    var changes = store.changes(of: Person.all).makeAsyncIterator()
    var object = store.changes(of: Person.self, id: 1).makeAsyncIterator()
    _ = try await (changes.next(), object.next())
    func write(_ tag: WriteTag?, age: Int) async throws {
      try await store.write(tag: tag) { try $0.update(Person.self, id: 1, set: \.age, to: age) }
    }
    try await write(mine, age: 1)
    #expect(try await changes.next()?.tag == mine)
    #expect(try await object.next()?.tag == mine)
    try await write(mine, age: 2)
    try await write(mine, age: 3)
    #expect(try await changes.next()?.tag == mine)
    // Another between them.
    try await write(mine, age: 4)
    try await write(other, age: 5)
    #expect(try await changes.next()?.tag == nil)
    try await write(mine, age: 6)
    try await write(nil, age: 7)
    #expect(try await changes.next()?.tag == nil)
    try await write(nil, age: 8)
    #expect(try await changes.next()?.tag == nil)
    // Writes that failed, or changed nothing, are nobody's.
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await store.write(tag: mine) { _ in throw Failure() }
    }
    try await write(nil, age: 9)
    #expect(try await changes.next()?.tag == nil)
    await #expect(throws: Failure.self) {
      try await store.write(tag: other) { _ in throw Failure() }
    }
    try await store.write { _ in }
    try await store.write(tag: other) { _ in }
    try await write(mine, age: 10)
    await #expect(throws: Failure.self) { try await store.write { _ in throw Failure() } }
    try await write(mine, age: 11)
    #expect(try await changes.next()?.tag == mine)
    for age in 12..<3000 {
      try await store.write(durability: .relaxed, tag: mine) {
        try $0.update(Person.self, id: 1, set: \.age, to: age)
      }
    }
    // Too many for the tags to be remembered: nobody is told that all were its own.
    #expect(try await changes.next()?.tag == nil)
    try await write(mine, age: 3000)
    #expect(try await changes.next()?.tag == mine)
  }

  @Test func aWriteOfAnotherStoreOfTheFileIsNobodysOwn() async throws {
    try await withTemporaryDirectory { directory in
      let location = Location.file("\(directory)/store.roost")
      let store = try Store(location, models: Person.self, Group.self)
      let other = try Store(location, models: Person.self, Group.self)
      let mine = WriteTag()
      var changes = store.changes(of: Person.all).makeAsyncIterator()
      _ = try await changes.next()
      try await other.write { try $0.insert(Person(1)) }
      try await store.write(tag: mine) { try $0.insert(Person(2)) }
      #expect(try await changes.next()?.tag == nil)
      try await store.write(tag: mine) { try $0.insert(Person(3)) }
      try await other.write(tag: mine) { try $0.insert(Person(4)) }
      #expect(try await changes.next()?.tag == nil)
      try await store.write(tag: mine) { try $0.insert(Person(5)) }
      #expect(try await changes.next()?.tag == mine)
    }
  }

  // MARK: Values

  @Test func aValueOfAQueryComesWhenItIsAnother() async throws {
    let store = try makeStore()
    let old = Person.where { $0.age >= 35 }
    var counts = store.values(of: old) { try $0.count($1) }.makeAsyncIterator()
    var means = store.values(of: old) { try $0.average(\.age, of: $1) }.makeAsyncIterator()
    #expect(try await counts.next() == 5)
    #expect(try await means.next() == 37)
    // One goes and one comes: the count is what it was.
    try await store.write { tx in
      try tx.delete(Person.self, id: 15)
      try tx.insert(Person(50, age: 45))
    }
    #expect(try await means.next() == 39)
    let next = Task { [counts] in
      var counts = counts
      return try await counts.next()
    }
    try await store.write { try $0.update(Person.self, id: 16, set: \.age, to: 46) }
    #expect(try await means.next() == 41)
    try await store.write { try $0.delete(old) }
    #expect(try await means.next() == .some(nil))
    // The task may have been told of any version behind the first, and of none where there were five.
    #expect(try await next.value == 0)
  }

  @Test func whatAValueThrowsEndsIt() async throws {
    struct TooMany: Error {}
    let store = try makeStore()
    var counts = store.values(of: Person.all) { (snapshot, people) throws -> Int in
      let count = try snapshot.count(people)
      if count > 20 { throw TooMany() }
      return count
    }.makeAsyncIterator()
    #expect(try await counts.next() == 20)
    try await store.write { try $0.insert(Person(50)) }
    await #expect(throws: TooMany.self) { _ = try await counts.next() }
    #expect(try await counts.next() == nil)
  }

  // MARK: Callbacks

  @Test @MainActor func aTokenThatIsCancelledOnAnActorTellsItNothingMore() async throws {
    let store = try makeStore()
    let (told, telling) = AsyncStream.makeStream(of: Int.self)
    @MainActor final class Flag { var isUp = false }
    let cancelled = Flag()
    let token = store.changes(of: Person.all).observe { @MainActor change in
      #expect(!cancelled.isUp)
      telling.yield(change.results.count)
    }
    var counts = told.makeAsyncIterator()
    #expect(await counts.next() == 20)
    try await store.write { try $0.insert(Person(50)) }
    #expect(await counts.next() == 21)
    try await store.write { try $0.insert(Person(51)) }
    // The change may be on its way.
    token.cancel()
    cancelled.isUp = true
    for id in 52..<60 { try await store.write { try $0.insert(Person(id)) } }
    // Somebody else is told of all.
    let (others, other) = AsyncStream.makeStream(of: Int.self)
    let second = store.changes(of: Person.all).observe { other.yield($0.results.count) }
    for await count in others where count == 30 { break }
    withExtendedLifetime(second) {}
    await Task.yield()
  }

  @Test func aTokenThatIsDroppedHoldsNoVersion() async throws {
    let store = try makeStore(2000)
    let (told, telling) = AsyncStream.makeStream(of: Void.self)
    var token: ObservationToken? = store.changes(of: Person.all).observe { _ in telling.yield() }
    for await _ in told { break }
    #expect(token != nil)
    token = nil
    // The task ends by itself; then its closure is let go, and the stream with it.
    telling.finish()
    for age in 0..<3 { try await store.write { try $0.update(Person.all) { $0.age = age } } }
    #expect(store.oldestSnapshot == nil)
  }

  @Test func anErrorEndsACallbackAndIsTold() async throws {
    let store = try Store(.inMemory, models: Group.self)
    let (told, telling) = AsyncStream.makeStream(of: StoreError.self)
    let token = store.changes(of: Person.all).observe { _ in
      Issue.record("It was asked.")
    } onError: { error in
      telling.yield(error)
    }
    for await error in told {
      #expect(error == .unknownModel(model: "Person"))
      break
    }
    withExtendedLifetime(token) {}
  }

  // MARK: Views

  @Test @MainActor func aLiveQueryShowsWhatIsInTheStore() async throws {
    let store = try makeStore()
    let live = LiveQuery(Person.where { $0.age >= 35 }.order(by: \.age), in: store)
    #expect(!live.isLoaded && live.objects.isEmpty)
    let lists = Observations { live.objects.map(\.id) }
    var shown = lists.makeAsyncIterator()
    func wait(for ids: [Int]) async {
      while let list = await shown.next(), list != ids {}
      #expect(live.objects.map(\.id) == ids)
    }
    await wait(for: [15, 16, 17, 18, 19])
    #expect(live.isLoaded && live.error == nil)
    try await store.write { tx in
      try tx.delete(Person.self, id: 17)
      try tx.update(Person.self, id: 15, set: \.age, to: 90)
      try tx.insert(Person(50, age: 37))
    }
    await wait(for: [16, 50, 18, 19, 15])
    #expect(try live.objects == store.snapshot().fetch(live.query))

    live.query = Person.where { $0.age < 22 }
    await wait(for: [0, 1])
    try await store.write { try $0.insert(Person(51, age: 1)) }
    await wait(for: [0, 1, 51])
  }

  @Test func explainSaysHowAQueryIsObserved() throws {
    let snapshot = try makeStore().snapshot()
    func last(_ query: Query<Person>) throws -> String? { try snapshot.explain(query).lines.last }
    let words =
      "observed: if it is, updated by what changed; answered anew when more than an eighth did"
    #expect(try last(Person.all) == words)
    #expect(
      try last(Person.all.order(by: \.name).limit(3))
        == words + ", or 256 results are gone")
    #expect(
      try last(Person.all.order(by: \.name, locale: .init(identifier: "de")))
        == "observed: if it is, answered anew when an object changed that it has to do with")
  }
}

extension String {
  fileprivate var unstored: String { self + "!" }
}
