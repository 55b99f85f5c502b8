import RoostEngine
import RoostTestSupport
import Testing

/// What the benchmark's two indexes take in the file.
@Suite struct IndexSizeTests {
  @Test func keepsAMillionNamesAndLinksInEightMegabytes() throws {
    let names = try IndexFixture()
    var changes = IndexChanges()
    PersonNames.gather { name, key in view(name) { changes.add($0, key) } }
    try names.apply(changes)
    let nameBytes = try names.byteCount()

    let links = try IndexFixture()
    changes.removeAll()
    var generator = SeededGenerator(seed: 3)
    var group = IndexKey()
    for person in 0..<1_000_000 {
      group.set(Int64(generator.next() % 1000))
      group.withView { changes.add($0, Int64(person * 2 + 2)) }
    }
    try links.apply(changes)
    let linkBytes = try links.byteCount()
    print("1,000,000 names: \(nameBytes) bytes; 1,000,000 links: \(linkBytes) bytes")
    #expect(nameBytes <= 5_100_000)
    #expect(linkBytes <= 3_100_000)
  }

  @Test func writesOneUnitForEachLeafOfScatteredChanges() throws {
    let fixture = try IndexFixture()
    var generator = SeededGenerator(seed: 11)
    var key = IndexKey()
    func link(_ object: Int64) -> Pair {
      key.set(Int64(generator.next() % 20_000))
      return Pair(key.bytes, object)
    }
    try fixture.apply(add: (0..<60_000).map(link))
    for batch in 1...4 {
      let before = fixture.unitCount
      try fixture.apply(add: (0..<50).map { link(Int64(batch * 100_000 + $0)) })
      let written = fixture.unitCount - before
      print("50 scattered changes: \(written) units")
      #expect(written <= 56)
    }
    fixture.reopen(cacheBytes: 256 << 20)
    try fixture.tree.checkInvariants()
  }
}
