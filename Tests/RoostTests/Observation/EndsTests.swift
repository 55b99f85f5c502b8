import Observation
import Roost
import RoostTestSupport
import RoostUI
import Testing

/// How observation ends when the store does.
@Suite struct EndsTests {
  private func makeStore(_ location: Location = .inMemory) throws -> Store {
    let store = try Store(location, models: Person.self, Group.self, Crew.self)
    try store.write { tx in
      try tx.insert(contentsOf: (0..<5).map { Group(id: $0, name: "\($0)", size: nil) })
      try tx.insert(contentsOf: (2990..<3010).map { Person($0, "\($0 % 7)", age: $0) })
      try tx.insert(Crew(id: ObservedKind.crew, members: [2991, 3000]))
    }
    return store
  }

  /// Closes or drops a store while one waits for the next change, one is between two, and one has not begun.
  private func expectEnds(
    of changes: some AsyncSequence & Sendable, by end: () -> Void
  ) async throws {
    let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
    let observer = Task {
      var count = 0
      for try await _ in changes {
        count += 1
        waiting.yield()
      }
      return count
    }
    for await _ in waits { break }
    var idle = changes.makeAsyncIterator()
    #expect(try await idle.next() != nil)
    var late = changes.makeAsyncIterator()
    end()
    #expect(try await observer.value == 1)
    #expect(try await idle.next() == nil)
    #expect(try await idle.next() == nil)
    #expect(try await late.next() == nil)
  }

  @Test(arguments: ObservedKind.allCases, [false, true])
  func whateverIsObservedEndsWithoutAnErrorWhenTheStoreDoes(
    _ kind: ObservedKind, isDropped: Bool
  ) async throws {
    var store: Store? = try makeStore()
    let changes = kind.changes(in: try #require(store), of: Person.all.order(by: \.name))
    try await expectEnds(of: changes) {
      if isDropped { store = nil } else { store?.close() }
    }
  }

  @Test func whatWasToldCanBeReadBehindTheEnd() async throws {
    try await withTemporaryDirectory { directory in
      let location = Location.file("\(directory)/store.roost")
      let store = try makeStore(location)
      let other = try Store(location, models: Person.self, Group.self, Crew.self)
      var changes = store.changes(of: Person.all.order(by: \.age)).makeAsyncIterator()
      let first = try #require(try await changes.next())
      try await store.write { try $0.delete(Person.self, id: 2995) }
      let second = try #require(try await changes.next())
      store.close()
      for age in 0..<10 { try await other.write { try $0.update(Person.all) { $0.age = age } } }
      var ages: [Int] = []
      try first.apply(to: &ages) { try $0.age }
      #expect(ages == Array(2990..<3010))
      try second.apply(to: &ages) { try $0.age }
      #expect(ages == (2990..<3010).filter { $0 != 2995 })
      #expect(try second.snapshot.count(Person.where { $0.age > 100 }) == 19)
    }
  }

  @Test func aCallbackIsToldOfNoErrorAndLetGoWhenTheStoreIsClosed() async throws {
    final class Held: Sendable {
      let letGo: AsyncStream<Void>.Continuation
      init(_ letGo: AsyncStream<Void>.Continuation) { self.letGo = letGo }
      deinit { letGo.finish() }
    }
    let store = try makeStore()
    let (ends, ending) = AsyncStream.makeStream(of: Void.self)
    let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
    func observe(_ held: Held) -> ObservationToken {
      store.changes(of: Person.all).observe { _ in
        _ = withExtendedLifetime(held) { waiting.yield() }
      } onError: { error in
        Issue.record("There was an error: \(error)")
      }
    }
    let token = observe(Held(ending))
    for await _ in waits { break }
    store.close()
    // Ends when the closures were let go, though somebody has the token.
    for await _ in ends {}
    withExtendedLifetime(token) {}
  }

  @Test func aLiveQueryShowsWhatItShowedWhenTheStoreIsClosed() async throws {
    try await withTemporaryDirectory { directory in
      try await showListsOfClosedStore(.file("\(directory)/store.roost"))
    }
  }

  @MainActor private func showListsOfClosedStore(_ location: Location) async throws {
    let store = try makeStore(location)
    let other = try Store(location, models: Person.self, Group.self, Crew.self)
    let closed = LiveQuery(Person.where { $0.age < 2993 }, in: store)
    let open = LiveQuery(Person.where { $0.age < 2993 }, in: other)
    var closedLists = Observations { closed.objects.map(\.id) }.makeAsyncIterator()
    while let list = await closedLists.next(), list != [2990, 2991, 2992] {}
    store.close()
    var openLists = Observations { open.objects.map(\.id) }.makeAsyncIterator()
    try await other.write { try $0.delete(Person.self, id: 2991) }
    while let list = await openLists.next(), list != [2990, 2992] {}
    #expect(closed.objects.map(\.id) == [2990, 2991, 2992])
    #expect(closed.isLoaded && closed.error == nil)
    // It begins anew where it is asked something else, which a closed store refuses.
    closed.query = Person.all
    var errors = Observations { closed.error }.makeAsyncIterator()
    while let error = await errors.next(), error == nil {}
    #expect(closed.objects.map(\.id) == [2990, 2991, 2992] && closed.error == .closed)
  }
}
