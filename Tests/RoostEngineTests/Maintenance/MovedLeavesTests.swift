import RoostEngine
import RoostTestSupport
import Testing

/// Compaction of leaves that are full already: they are moved as they are.
@Suite struct MovedLeavesTests {
  private static let path = "person.roost"

  private func open(_ disk: SimulatedDisk) throws -> Engine {
    try Engine.open(Self.path, in: disk, options: EngineOptions(cacheBytes: 4 << 20))
  }

  /// The leaves of the people, from left to right.
  private func leaves(_ engine: Engine) throws -> [LeafReference] {
    let snapshot = engine.snapshot()
    let table = try #require(snapshot.catalog.table(named: "Person"))
    var cursor = try snapshot.view.objects(table.id).leaves()
    var leaves: [LeafReference] = []
    while let leaf = try cursor.next() { leaves.append(leaf) }
    return leaves
  }

  private func names(_ leaves: [LeafReference]) -> Set<UInt64> {
    Set(leaves.compactMap { $0.extent(of: PersonStore.Field.name)?.checksum })
  }

  @Test(arguments: 0..<4)
  func fullLeavesAreMovedAndTheOthersPackedAnew(seed: Int) throws {
    let disk = SimulatedDisk()
    var random = SeededGenerator(seed: UInt64(seed) &+ 7)
    let digest: UInt64
    let before: (leaves: Int, names: Set<UInt64>)
    do {
      let store = try PersonStore(disk, path: Self.path, count: 60_000, cacheBytes: 4 << 20)
      // A few leaves become small, in one place or in several.
      for _ in 0..<seed {
        let start = Int64.random(in: 0..<100_000, using: &random)
        try store.engine.write { (transaction) throws(EngineError) in
          for key in start..<start + 5000 where key % 4 == 0 {
            try transaction.delete(from: store.table, key: key)
          }
          for _ in 0..<20 {
            try transaction.update(
              store.table, key: store.randomKey(&random), field: PersonStore.Field.age,
              to: .integer(3))
          }
        }
      }
      let old = try leaves(store.engine)
      before = (old.count, names(old))
      digest = try store.engine.snapshot().contentDigest()
    }
    _ = try #require(try Engine.compact(Self.path, in: disk))
    let engine = try open(disk)
    #expect(try engine.snapshot().contentDigest() == digest, "seed \(seed)")
    #expect(try engine.snapshot().verify() == [])
    let after = try leaves(engine)
    let moved = names(after).intersection(before.names)
    #expect(after.count <= before.leaves)
    // Before the end most leaves were full.
    #expect(moved.count > before.leaves / 3, "\(moved.count) of \(before.leaves)")
    // After each leaf that is not full there are many that are.
    let small = after.dropLast().filter { $0.rowCount * 4 < after[0].rowCount * 3 }
    #expect(small.count <= after.count / 16)
  }

  @Test func aZoneMapThatLiesIsFoundInLeavesThatAreMovedAndInOthers() throws {
    let disk = SimulatedDisk()
    let table: UInt32
    do {
      let store = try PersonStore(disk, path: Self.path, count: 5000, cacheBytes: 4 << 20)
      table = try #require(store.engine.snapshot().catalog.table(store.table)?.tree)
    }
    let sound = StoreImage(try #require(disk.contents(of: Self.path)))
    let heads = sound.extents.indices.filter {
      sound.extents[$0].kind == .leafHead
        && sound.number(at: sound.extents[$0].range.lowerBound + 4, as: UInt32.self) == table
    }
    #expect(heads.count > 2)
    var lies = 0
    for head in [heads[0], heads[heads.count - 1]] {
      let start = sound.extents[head].range.lowerBound
      for column in 1..<Int(sound.number(at: start + 12, as: UInt16.self)) {
        let entry = start + 64 + 40 * column
        guard sound.bytes[entry + 7] & 2 != 0 else { continue }
        for place in [24, 32] {
          var image = sound
          image.add(1 as UInt64, at: entry + place)
          image.seal([head])
          disk.install(image.bytes, at: Self.path)
          var found: Corruption?
          do { _ = try Engine.compact(Self.path, in: disk) } catch {
            if case .corrupt(let corruption) = error { found = corruption }
          }
          #expect(found?.tree == table && found?.keys != nil, "column \(column), \(place)")
          #expect(disk.contents(of: Self.path) == image.bytes)
          lies += 1
        }
      }
    }
    #expect(lies >= 8)
  }

  @Test func damageOfALeafThatWouldBeMovedIsFound() throws {
    let disk = SimulatedDisk()
    let group: ExtentPointer
    do {
      let store = try PersonStore(disk, path: Self.path, count: 5000, cacheBytes: 4 << 20)
      group = try #require(try leaves(store.engine)[1].extent(of: PersonStore.Field.email))
    }
    var bytes = try #require(disk.contents(of: Self.path))
    bytes[Int(group.unit) * Unit.bytes + 99] ^= 1
    disk.install(bytes, at: Self.path)
    var found: Corruption?
    do { _ = try Engine.compact(Self.path, in: disk) } catch {
      if case .corrupt(let corruption) = error { found = corruption }
    }
    #expect(found?.reason == .checksum)
    #expect(found?.unit == group.unit)
    #expect(disk.contents(of: Self.path) == bytes)
  }
}
