import RoostEngine
import RoostTestSupport
import Testing

/// What trees hold of their nodes and leaves for those who read.
@Suite struct IndexHoldingTests {
  /// An index of about 3 MiB behind a page cache of one.
  private static func largeFixture() throws -> IndexFixture {
    let fixture = try IndexFixture()
    var changes = IndexChanges()
    for number in 0..<60_000 { view(value(number)) { changes.add($0, Int64(number)) } }
    try fixture.apply(changes)
    fixture.reopen(cacheBytes: 1 << 20)
    return fixture
  }

  private static func value(_ number: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(number))
    var key = IndexKey()
    key.set(Int64(number))
    return key.bytes + (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private static func find(_ number: Int, _ tree: IndexTree) throws -> Int64? {
    try view(value(number)) { (view) throws in try tree.first(equal: view) }
  }

  @Test func leavesThatWereReadStayInMemoryAsFarAsThereIsRoom() throws {
    let fixture = try Self.largeFixture()
    #expect(try Self.find(5, fixture.tree) == 5)
    #expect(try fixture.tree.pairs().count == 60_000)
    let loads = fixture.reader.statistics.loads
    #expect(try Self.find(5, fixture.tree) == 5)
    #expect(fixture.reader.statistics.loads == loads)
    // The others found no room, neither there nor in the page cache.
    #expect(try fixture.tree.pairs().count == 60_000)
    #expect(fixture.reader.statistics.loads > loads + 20)
  }

  @Test func whatVersionsHoldGoesWithThem() throws {
    let fixture = try Self.largeFixture()
    for version in 0..<40 {
      #expect(try Self.find(5, fixture.tree) == 5)
      #expect(try fixture.tree.pairs().count == 60_000 + version)
      try fixture.apply(add: [Pair(Self.value(59_999), Int64(70_000 + version))])
    }
    // There is room still: nothing is left of the versions before.
    #expect(try Self.find(5, fixture.tree) == 5)
    _ = try fixture.tree.pairs()
    let loads = fixture.reader.statistics.loads
    #expect(try Self.find(5, fixture.tree) == 5)
    #expect(fixture.reader.statistics.loads == loads)
  }

  @Test func threadsMayReachTheSameLeavesAtOnce() async throws {
    let fixture = try Self.largeFixture()
    for _ in 0..<20 {
      let tree = IndexTree(root: fixture.root, reader: fixture.reader)
      let sums = try await withThrowingTaskGroup(of: Int64.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try stride(from: 0, to: 60_000, by: 97).reduce(0) {
              try $0 + (Self.find($1, tree) ?? 0)
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let sum = stride(from: 0, to: 60_000, by: 97).reduce(0, +)
      #expect(sums == Array(repeating: Int64(sum), count: 8))
    }
  }
}
