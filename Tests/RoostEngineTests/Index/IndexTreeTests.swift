import RoostEngine
import RoostTestSupport
import Testing

@Suite struct IndexTreeTests {
  private func key(_ value: Int64) -> [UInt8] {
    var key = IndexKey()
    key.set(value)
    return key.bytes
  }

  @Test func answersEverythingOnAnEmptyTree() throws {
    let tree = try IndexFixture().tree
    try tree.checkInvariants()
    #expect(try tree.pairs().isEmpty)
    #expect(try tree.pairs(descending: true).isEmpty)
    #expect(try tree.count(in: IndexRange()) == 0)
    #expect(try view([1, 2]) { try tree.count(equal: $0) } == 0)
    #expect(try view([1, 2]) { try tree.first(equal: $0) } == nil)
    #expect(try view([1, 2]) { try tree.contains($0, 3) } == false)
    try tree.walk { _ in Issue.record("An empty tree has no extents.") }
  }

  @Test func keepsAHundredThousandKeysOfOneValueAmongOthers() throws {
    let fixture = try IndexFixture()
    var changes = IndexChanges()
    for value in 0..<3 {
      let keys = value == 1 ? 100_000 : 40
      view(key(Int64(value))) { value in
        for key in 0..<keys { changes.add(value, Int64(key * 3)) }
      }
    }
    try fixture.apply(changes)
    try fixture.tree.checkInvariants()
    let long = key(1)
    #expect(try fixture.tree.keys(equal: long) == (0..<100_000).map { Int64($0 * 3) })
    #expect(try view(long) { try fixture.tree.count(equal: $0) } == 100_000)
    #expect(try view(long) { try fixture.tree.contains($0, 150_000) })
    #expect(try !view(long) { try fixture.tree.contains($0, 150_001) })
    #expect(try view(key(2)) { try fixture.tree.count(equal: $0) } == 40)
    #expect(try fixture.byteCount() < 3 * 100_000 + 40_000)

    // Keys leave and come in the middle of it, and then all but a few go.
    let odd = (0..<5000).map { Pair(long, Int64(120_001 + $0 * 3)) }
    let gone = (0..<5000).map { Pair(long, Int64(120_000 + $0 * 3)) }
    try fixture.apply(add: odd, remove: gone)
    try fixture.tree.checkInvariants()
    #expect(try view(long) { try fixture.tree.count(equal: $0) } == 100_000)
    let kept = try fixture.tree.keys(equal: long)
    try fixture.apply(remove: kept.dropFirst(10).dropLast(10).map { Pair(long, $0) })
    try fixture.tree.checkInvariants()
    #expect(try fixture.tree.keys(equal: long) == Array(kept.prefix(10) + kept.suffix(10)))
    #expect(fixture.tree.count == 100)
    #expect(fixture.root.level == 0)
  }

  @Test func fillsLeavesWhenValuesAscend() throws {
    let fixture = try IndexFixture()
    for batch in 0..<60 {
      let pairs = (0..<500).map { Pair(key(Int64(batch * 500 + $0)), Int64(batch * 500 + $0)) }
      try fixture.apply(add: pairs)
    }
    try fixture.tree.checkInvariants()
    let grown = try fixture.byteCount()
    let built = try IndexFixture()
    try built.apply(add: (0..<30_000).map { Pair(key(Int64($0)), Int64($0)) })
    let packed = try built.byteCount()
    print("30,000 ascending integers: \(grown) bytes in 60 steps, \(packed) at once")
    #expect(grown <= packed + packed / 4)
  }

  @Test func takesOneLeafWhenAlmostEverythingIsRemoved() throws {
    let fixture = try IndexFixture()
    let pairs = (0..<20_000).map { Pair("value \($0 % 5000)", Int64($0)) }
    try fixture.apply(add: pairs)
    #expect(fixture.root.level > 0)
    try fixture.apply(remove: Array(pairs.dropFirst(3)))
    #expect(fixture.root.level == 0)
    #expect(try fixture.tree.pairs() == pairs.prefix(3).sorted())
    try fixture.apply(remove: Array(pairs.prefix(3)))
    #expect(fixture.root == TreeRoot(empty: 7, kind: .index))
  }

  @Test func walksOnlyWhatIsNew() throws {
    let fixture = try IndexFixture()
    try fixture.apply(add: (0..<20_000).map { Pair("value \($0)", Int64($0)) })
    var before: Set<ExtentPointer> = []
    try fixture.tree.walk { before.insert($0) }
    let transaction = fixture.transaction
    try fixture.apply(add: [Pair("value 777", -1)])
    var new: [ExtentPointer] = []
    try fixture.tree.walk(bornAfter: transaction) { new.append($0) }
    #expect(new.count == fixture.root.level + 1 || new.count == fixture.root.level + 2)
    #expect(before.isDisjoint(with: new))
    var after: Set<ExtentPointer> = []
    try fixture.tree.walk { after.insert($0) }
    #expect(after.subtracting(before) == Set(new))
  }

  @Test func stopsAVisitWhenAsked() throws {
    let fixture = try IndexFixture()
    try fixture.apply(add: (0..<5000).map { Pair("value \($0)", Int64($0)) })
    var seen = 0
    try fixture.tree.scan { (_, _) throws(EngineError) in
      seen += 1
      return seen < 10
    }
    #expect(seen == 10)
  }

  @Test func findsValuesThatBeginAlike() throws {
    let fixture = try IndexFixture()
    try fixture.apply(
      add: ["an", "ann", "anna", "annb", "b", "a\u{7f}"].enumerated().map { Pair($1, Int64($0)) })
    let range = IndexRange(prefix: [1] + Array("ann".utf8))
    #expect(try fixture.tree.pairs(range).map(\.key) == [1, 2, 3])
    #expect(try fixture.tree.count(in: range) == 3)
    #expect(try fixture.tree.count(in: IndexRange(prefix: [255, 255])) == 0)
    #expect(try fixture.tree.count(in: IndexRange(prefix: [1])) == 6)
  }
}
