import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// What a store says of damage in its file.
@Suite struct VerifyTests {
  private let path = "people.roost"

  private func open(_ disk: SimulatedDisk) throws(StoreError) -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return try Store(
      .file(path), models: Person.self, Group.self, configuration: configuration)
  }

  @Test func aSoundStoreHasNoDamageAndDamageIsNamed() async throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try await store.write { try $0.insert(contentsOf: (1...500).map { Person($0, "P\($0)") }) }
    let shares = Mutex<[Double]>([])
    let damage = try await store.verify { share in shares.withLock { $0.append(share) } }
    #expect(damage == [])
    #expect(shares.withLock { $0 == $0.sorted() && ($0.last ?? 1) <= 1 && !$0.isEmpty })
    store.close()
    await #expect(throws: StoreError.closed) { try await store.verify() }

    var bytes = try #require(disk.contents(of: path))
    let engine = try Engine.open(path, in: disk)
    let people = try #require(engine.snapshot().catalog.table(named: "Person"))
    let leaf = try #require(try engine.snapshot().view.objects(people.id).first()?.leaf)
    bytes[Int(leaf.pointer.unit) * Unit.bytes + 50] ^= 1
    let damaged = SimulatedDisk()
    damaged.install(bytes, at: path)
    let found: [StoreDamage] = try { try open(damaged).verify() }()
    #expect(found.map(\.reason) == ["checksum"])
    #expect(found.first?.model == "Person")
    #expect(found.first?.index == nil)
    #expect(found.first?.unit == leaf.pointer.unit)
    #expect(found.first?.keys?.contains(1) == true)
    #expect("\(found[0])".hasPrefix("checksum, unit \(leaf.pointer.unit), Person, keys "))
  }
}
