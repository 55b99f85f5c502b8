import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// Results that are observed in a file that is damaged.
@Suite struct DamagedChangesTests {
  private let path = "people.roost"

  private func open(_ disk: SimulatedDisk) throws(StoreError) -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return try Store(
      .file(path), models: Person.self, Group.self, configuration: configuration)
  }

  /// A store in which the leaf of the person 3000 is damaged.
  private func makeDamagedStore() throws -> Store {
    let disk = SimulatedDisk()
    let sound = try open(disk)
    try sound.write { tx in
      try tx.insert(contentsOf: (0..<5).map { Group(id: $0, name: "\($0)", size: nil) })
      try tx.insert(contentsOf: (1...5000).map { Person($0, "P\($0)", group: $0 % 5) })
    }
    sound.close()
    let engine = try Engine.open(path, in: disk)
    let people = try #require(engine.snapshot().catalog.table(named: "Person"))
    let leaf = try #require(try engine.snapshot().view.find(3000, in: people.id)?.leaf)
    var bytes = try #require(disk.contents(of: path))
    bytes[Int(leaf.pointer.unit) * Unit.bytes + 50] ^= 1
    let damaged = SimulatedDisk()
    damaged.install(bytes, at: path)
    return try open(damaged)
  }

  /// Waits for a change, which must be damage, and then the end.
  private static func expectDamage(
    _ changes: Changes<ResultsChange<Person>>.Iterator
  ) async throws {
    var changes = changes
    do {
      let change = try await changes.next()
      Issue.record("There was a change: \(String(describing: change?.insertions.count))")
    } catch {
      guard case .corrupt("people.roost", let damage) = error else { throw error }
      #expect(damage.reason == "checksum" && damage.model == "Person")
    }
    #expect(try await changes.next() == nil)
  }

  @Test func damageThatAChangeMeetsEndsTheSequenceWithItsError() async throws {
    let store = try makeDamagedStore()
    // No group has the name yet: the other people are not read.
    let people = Person.where { $0.id < 10 || $0.group.name == "x" }
    var idle = store.changes(of: people).makeAsyncIterator()
    var waiting = store.changes(of: people).makeAsyncIterator()
    #expect(try await idle.next()?.results.count == 9)
    #expect(try await waiting.next()?.results.count == 9)
    let end = Task { [waiting] in try await Self.expectDamage(waiting) }
    try await store.write { try $0.update(Group.self, id: 0, set: \.name, to: "x") }
    try await end.value
    try await Self.expectDamage(idle)
    // The store goes on.
    var others = store.changes(of: Person.where { $0.id < 10 }).makeAsyncIterator()
    #expect(try await others.next()?.results.count == 9)
  }
}
