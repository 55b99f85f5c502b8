import Observation
import Roost
import RoostEngine
import RoostTestSupport
import RoostUI
import Testing

/// Results that are observed in a file that is damaged.
@Suite struct DamagedChangesTests {
  private let path = "people.roost"

  private func open(_ disk: SimulatedDisk) throws(StoreError) -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return try Store(
      .file(path), models: Person.self, Group.self, Crew.self, configuration: configuration)
  }

  /// A store in which the leaf of an object is damaged.
  private func makeStore(damagedAt key: Int64, of model: String) throws -> Store {
    let disk = SimulatedDisk()
    let sound = try open(disk)
    try sound.write { tx in
      try tx.insert(contentsOf: (0..<5).map { Group(id: $0, name: "\($0)", size: nil) })
      try tx.insert(contentsOf: (1...5000).map { Person($0, "P\($0)", group: $0 % 5) })
      try tx.insert(Crew(id: ObservedKind.crew, members: [1, 2]))
    }
    sound.close()
    let engine = try Engine.open(path, in: disk)
    let table = try #require(engine.snapshot().catalog.table(named: model))
    let leaf = try #require(try engine.snapshot().view.find(key, in: table.id)?.leaf)
    var bytes = try #require(disk.contents(of: path))
    bytes[Int(leaf.pointer.unit) * Unit.bytes + 50] ^= 1
    let damaged = SimulatedDisk()
    damaged.install(bytes, at: path)
    return try open(damaged)
  }

  private func makeStoreWithDamagedPeople() throws -> Store {
    try makeStore(damagedAt: Int64(ObservedKind.person), of: "Person")
  }

  /// No group has the name yet: the other people are not read, and the damage is not met.
  private let untilAGroupIsX = Person.where { $0.id < 10 || $0.group.name == "x" }

  private static func isDamage(_ error: any Error, of model: String = "Person") -> Bool {
    guard case .corrupt("people.roost", let damage) = error as? StoreError else { return false }
    return damage.reason == "checksum" && damage.model == model
  }

  /// Waits for a change, which must be damage, and then the end.
  private static func expectDamage<Iterator: AsyncIteratorProtocol>(
    _ changes: inout Iterator, of model: String = "Person", in kind: ObservedKind
  ) async throws {
    do {
      let change = try await changes.next()
      Issue.record("There was a change of \(kind): \(String(describing: change))")
    } catch {
      #expect(isDamage(error, of: model), "\(kind): \(error)")
    }
    #expect(try await changes.next() == nil, "\(kind)")
  }

  @Test(arguments: ObservedKind.allCases)
  func damageThatTheFirstLookMeetsEndsTheSequenceWithItsError(
    _ kind: ObservedKind
  ) async throws {
    let model = kind == .list ? "Crew" : "Person"
    let key = kind == .list ? ObservedKind.crew : ObservedKind.person
    let store = try makeStore(damagedAt: Int64(key), of: model)
    func expectDamage(of changes: some AsyncSequence & Sendable) async throws {
      var changes = changes.makeAsyncIterator()
      try await Self.expectDamage(&changes, of: model, in: kind)
    }
    try await expectDamage(of: kind.changes(in: store, of: Person.where { $0.name != "x" }))
  }

  /// Meets damage behind the first change: for one who waits for it, and for one who asks again.
  private func expectDamageOfNextChange(
    _ changes: some AsyncSequence & Sendable, _ kind: ObservedKind, in store: Store
  ) async throws {
    let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
    let end = Task {
      var changes = changes.makeAsyncIterator()
      #expect(try await changes.next() != nil)
      waiting.yield()
      try await Self.expectDamage(&changes, in: kind)
    }
    var idle = changes.makeAsyncIterator()
    #expect(try await idle.next() != nil)
    for await _ in waits { break }
    try await store.write { try $0.update(Group.self, id: 0, set: \.name, to: "x") }
    try await end.value
    try await Self.expectDamage(&idle, in: kind)
  }

  @Test(arguments: ObservedKind.allCases.filter { $0 != .object && $0 != .list })
  func damageThatAChangeMeetsEndsTheSequenceWithItsError(_ kind: ObservedKind) async throws {
    let store = try makeStoreWithDamagedPeople()
    try await expectDamageOfNextChange(
      kind.changes(in: store, of: untilAGroupIsX), kind, in: store)
    // The store goes on.
    var others = store.changes(of: Person.where { $0.id < 10 }).makeAsyncIterator()
    #expect(try await others.next()?.results.count == 9)
  }

  @Test func aCallbackIsToldOfDamage() async throws {
    let store = try makeStoreWithDamagedPeople()
    let (told, telling) = AsyncStream.makeStream(of: Int?.self)
    let token = store.changes(of: untilAGroupIsX).observe { change in
      telling.yield(change.results.count)
    } onError: { error in
      #expect(Self.isDamage(error))
      telling.yield(nil)
    }
    var next = told.makeAsyncIterator()
    #expect(await next.next() == .some(9))
    try await store.write { try $0.update(Group.self, id: 0, set: \.name, to: "x") }
    #expect(await next.next() == .some(nil))
    withExtendedLifetime(token) {}
  }

  @Test @MainActor func aLiveQueryShowsWhatItShowedAndTheDamage() async throws {
    let store = try makeStoreWithDamagedPeople()
    let live = LiveQuery(untilAGroupIsX, in: store)
    var states = Observations { (live.objects.count, live.error) }.makeAsyncIterator()
    while let state = await states.next(), state.0 != 9 {}
    #expect(live.error == nil)
    try await store.write { try $0.update(Group.self, id: 0, set: \.name, to: "x") }
    while let state = await states.next(), state.1 == nil {}
    #expect(Self.isDamage(try #require(live.error)))
    #expect(live.objects.map(\.id) == Array(1..<10))
    // Another query is answered, and there is no error any more.
    live.query = Person.where { $0.id < 3 }
    while let state = await states.next(), state.0 != 2 {}
    #expect(live.error == nil)
  }
}
