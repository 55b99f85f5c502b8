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
}
