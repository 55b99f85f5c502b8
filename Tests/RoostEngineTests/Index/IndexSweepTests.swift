import RoostEngine
import RoostTestSupport
import Testing

@Suite struct IndexSweepTests {
  @Test(arguments: IndexOracleTests.Kind.allCases, 0..<4)
  func leavesOutTheEntriesOfSomeObjects(kind: IndexOracleTests.Kind, seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &* 77 &+ 1)
    let fixture = try IndexFixture()
    var pairs: [Pair] = []
    var keys: Set<Int64> = []
    for _ in 0..<3000 {
      let key = Int64.random(in: seed == 0 ? Int64.min...Int64.max : 0...9000, using: &generator)
      if keys.insert(key).inserted { pairs.append(Pair(kind.value(&generator), key)) }
    }
    pairs.sort()
    try fixture.apply(add: pairs)
    // Nothing, a few, half, most, and in the end everything that is left.
    for share in [0, 3, 50, 90, 100] {
      let removed = pairs.filter { _ in generator.chance(share, in: 100) }
      let removedKeys = Set(removed.map(\.key))
      try fixture.sweep(removed.map(\.key).sorted())
      pairs.removeAll { removedKeys.contains($0.key) }
      #expect(try fixture.tree.pairs() == pairs, "\(kind), seed \(seed), \(share) %")
      #expect(fixture.root.count == UInt64(pairs.count))
      try fixture.tree.checkInvariants()
    }
  }

  @Test func refusesToLeaveOutAnObjectThatHasNoEntry() throws {
    let fixture = try IndexFixture()
    try fixture.apply(add: [Pair("a", 1), Pair("b", 2)])
    #expect(
      throws: EngineError.corrupt(
        Corruption(.indexEntry, unit: fixture.root.pointer.unit, tree: fixture.root.id))
    ) { try fixture.sweep([2, 3]) }
  }

  @Test(arguments: [
    [], [5], [0, 1, 2, 63, 64, 65, 4000], [.min, 0, .max], [.min, .min + 1], [.max - 1, .max],
    [-70_000, -3, 70_000],
  ])
  func aSetOfObjectKeysHoldsExactlyThose(keys: [Int64]) {
    let set = KeySet(ascending: keys)
    var probes: [Int64] = [.min, .max, 0, -1, 1]
    for key in keys { probes += [key, key &- 1, key &+ 1, key &+ 64, key &- 64] }
    for probe in probes { #expect(set.contains(probe) == keys.contains(probe), "\(probe)") }
  }
}
