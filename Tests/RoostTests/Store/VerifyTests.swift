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
    #expect("\(found[0])".hasPrefix("checksum, unit \(leaf.pointer.unit), Person, "))
  }

  @Test func anErrorOfDamageNamesTheModelOrItsIndexAndTheKeys() throws {
    let disk = SimulatedDisk()
    let places: [(unit: UInt64, index: String?)] = try {
      let store = try open(disk)
      try store.write {
        try $0.insert(contentsOf: (1...5000).map { Person($0, "P\($0)", age: $0 % 90) })
      }
      store.close()
      let engine = try Engine.open(path, in: disk)
      let people = try #require(engine.snapshot().catalog.table(named: "Person"))
      let age = try #require(people.field(named: "age"))
      let leaf = try #require(try engine.snapshot().view.find(3000, in: people.id)?.leaf)
      var index: UInt64 = 0
      try engine.snapshot().view.index(age).walk { index = $0.unit }
      return [(leaf.pointer.unit, nil), (index, "age")]
    }()
    for (unit, index) in places {
      var bytes = try #require(disk.contents(of: path))
      bytes[Int(unit) * Unit.bytes + 20] ^= 1
      let damaged = SimulatedDisk()
      damaged.install(bytes, at: path)
      let store = try open(damaged)
      let error = #expect(throws: StoreError.self) {
        if index == nil {
          _ = try store.snapshot().fetch(Person.self, id: 3000)
        } else {
          for age in 0..<90 { _ = try store.snapshot().fetch(Person.where { $0.age == age }) }
        }
      }
      guard case .corrupt(let file, let damage) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(file == path)
      #expect(damage.reason == "checksum")
      #expect(damage.unit == unit)
      #expect(damage.model == "Person")
      #expect(damage.index == index)
      #expect(damage.keys?.contains(3000) == (index == nil ? true : nil))
      #expect(error?.message.contains(index.map { "index of Person.\($0)" } ?? "Person") == true)
    }
  }
}
