import RoostEngine
import RoostTestSupport
import Testing

/// An index that is filled in parts, which are merged.
@Suite struct IndexFillerTests {
  @Test(arguments: IndexOracleTests.Kind.allCases, 0..<4)
  func manyPartsMakeTheTreeOfOne(kind: IndexOracleTests.Kind, seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &* 131 &+ 9)
    let pairs = pairs(kind, generator.chance(1, in: 4) ? 40 : 4000, &generator)
    let partBytes = [0, 700, 5000, 60_000].randomElement(using: &generator) ?? 0
    let partsMerged = Int.random(in: 1...5, using: &generator)
    let what: Comment = "\(kind), seed \(seed): \(partBytes) bytes, \(partsMerged) at once"
    let whole = try fill(pairs, partBytes: .max, partsMerged: 2)
    let merged = try fill(pairs, partBytes: partBytes, partsMerged: partsMerged)
    #expect(try merged.pairs() == pairs.sorted(), what)
    #expect(merged.root.count == UInt64(pairs.count), what)
    #expect(merged.valueCount == whole.valueCount, what)
    try merged.checkInvariants()
    try whole.checkInvariants()
  }

  @Test func nothingOfThePartsIsLeft() throws {
    var generator = SeededGenerator(seed: 4)
    let pairs = pairs(.longValues, 3000, &generator)
    let fixture = try IndexFixture()
    let writer = fixture.writer()
    // The index takes the place of its parts: what it needs more is less than it is itself.
    var filler = IndexFiller(tree: 7, writer: writer, partBytes: 30_000, partsMerged: 4)
    for pair in pairs { try view(pair.value) { try filler.add($0, pair.key) } }
    let tree = IndexTree(root: try filler.finish(), reader: fixture.reader)
    var used: UInt64 = 0
    try tree.walk { used += UInt64($0.units) }
    #expect(writer.highWater - Unit.firstExtent < used * 3 / 2)
    try tree.walk { writer.free($0) }
    #expect(writer.freeUnits == writer.highWater - Unit.firstExtent)
  }

  /// Entries of objects whose keys ascend.
  private func pairs(
    _ kind: IndexOracleTests.Kind, _ count: Int, _ generator: inout SeededGenerator
  ) -> [Pair] {
    var keys: Set<Int64> = []
    for _ in 0..<count { keys.insert(Int64.random(in: kind.keys, using: &generator)) }
    return keys.sorted().flatMap { key in
      // An object may have several, as of a list of links.
      Set((0..<Int.random(in: 1...2, using: &generator)).map { _ in kind.value(&generator) })
        .sorted { $0.lexicographicallyPrecedes($1) }.map { Pair($0, key) }
    }
  }

  private func fill(_ pairs: [Pair], partBytes: Int, partsMerged: Int) throws -> IndexTree {
    let fixture = try IndexFixture(cacheBytes: 1 << 20)
    var filler = IndexFiller(
      tree: 7, writer: fixture.writer(), partBytes: partBytes, partsMerged: partsMerged)
    for pair in pairs { try view(pair.value) { try filler.add($0, pair.key) } }
    return IndexTree(root: try filler.finish(), reader: fixture.reader)
  }
}
