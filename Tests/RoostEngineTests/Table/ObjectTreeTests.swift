import RoostEngine
import RoostTestSupport
import Testing

/// Reading a tree by key, by position and in order; versions beside each other.
struct ObjectTreeTests {
  @Test func anOldRootKeepsItsContent() throws {
    var generator = SeededGenerator(seed: 41)
    let table = try TableUnderTest(ObjectTreeOracleTests.shape)
    var versions: [(root: TreeRoot, rows: [Int64: [Value]])] = []
    for round in 0..<25 {
      let keys = table.sortedKeys
      let deletes = keys.filter { _ in generator.chance(1, in: 9) }
      let gone = Set(deletes)
      let updates = keys.filter { !gone.contains($0) && generator.chance(1, in: 9) }
        .map { (2 as FieldID, $0, Value.random(.bytes, longest: 4000, using: &generator)) }
      let inserts = (0..<400).map {
        (Int64(round * 1000 + $0), ObjectTreeOracleTests.row(&generator))
      }
      try table.apply(insert: inserts, delete: deletes, update: updates)
      versions.append((table.root, table.rows))
      table.protected.append(table.pager.transaction)
    }
    for version in versions {
      let tree = ObjectTree(
        root: version.root, shape: table.shape, reader: table.pager.reader)
      try tree.checkInvariants()
      try TableUnderTest.expect(tree, toHold: version.rows)
    }
  }

  @Test func aSmallCacheReadsTheSame() throws {
    var generator = SeededGenerator(seed: 42)
    let table = try TableUnderTest(ObjectTreeOracleTests.shape, cacheBytes: 1)
    try table.apply(insert: (0..<20_000).map { ($0, ObjectTreeOracleTests.row(&generator)) })
    try table.check()
    let tree = table.tree
    for _ in 0..<3000 {
      let key = Int64.random(in: -10...20_010, using: &generator)
      let row = try tree.find(key)
      #expect(try row.map { try $0.leaf.values($0.row) } == table.rows[key])
    }
  }

  @Test func findsKeysWhateverTheirDistances() throws {
    var generator = SeededGenerator(seed: 46)
    var keys: Set<Int64> = [.min, .max, 0, -1]
    for bit in 0..<63 {
      for near in 0..<40 { keys.formUnion([1 << bit + Int64(near), -(1 << bit) - Int64(near)]) }
    }
    for _ in 0..<300 { keys.insert(.random(in: .min ... .max, using: &generator)) }
    for key in 0..<3000 { keys.formUnion([Int64(key) * 3, 1 << 40 + Int64(key)]) }
    let table = try TableUnderTest(TableShape([TableField(id: 1, type: .bytes)]))
    try table.apply(insert: keys.sorted().map { ($0, [.bytes(generator.bytes(900))]) })
    let tree = table.tree
    // The first look at a leaf reads it, the second finds it in memory.
    for _ in 0..<2 {
      for key in keys {
        #expect(try tree.find(key)?.key == key)
        let absent = key &+ 1
        #expect(try tree.contains(absent) == keys.contains(absent))
      }
    }
    var leaves = try tree.leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        let key = leaf.key(row)
        #expect(leaf.lowerBound(key) == row)
        guard key < .max else { continue }
        #expect(leaf.lowerBound(key + 1) == row + 1)
      }
    }
  }

  @Test func countsAndFindsByPosition() throws {
    var generator = SeededGenerator(seed: 43)
    let table = try TableUnderTest(TableShape([TableField(id: 1, type: .bytes)]))
    let keys = Set(
      (0..<30_000).map { _ in Int64.random(in: -200_000...200_000, using: &generator) })
    try table.apply(insert: keys.sorted().map { ($0, [.bytes(generator.bytes(20))]) })
    let sorted = table.sortedKeys
    let tree = table.tree
    #expect(try tree.first()?.key == sorted.first)
    #expect(try tree.last()?.key == sorted.last)
    #expect(try tree.object(at: UInt64(sorted.count)) == nil)
    for place in stride(from: 0, to: sorted.count, by: 37) {
      #expect(try tree.object(at: UInt64(place))?.key == sorted[place])
      #expect(try tree.position(of: sorted[place]) == UInt64(place))
      #expect(try tree.contains(sorted[place]))
      let absent = sorted[place] + 1
      #expect(try tree.contains(absent) == keys.contains(absent))
    }
    #expect(try tree.position(of: .min) == 0)
    #expect(try tree.position(of: .max) == UInt64(sorted.count))
  }

  @Test func stepsThroughARangeOfKeys() throws {
    var generator = SeededGenerator(seed: 44)
    let table = try TableUnderTest(PersonTable.shape)
    try table.applyOnly(
      TableChanges(
        inserts: PersonTable.batch(keys: (0..<9000).map { $0 * 3 }, using: &generator)))
    let tree = table.tree
    for _ in 0..<100 {
      let low = Int64.random(in: -50...27_100, using: &generator)
      let high = low + Int64.random(in: 0...9000, using: &generator)
      var cursor = try tree.leaves(in: low...high)
      var found: [Int64] = []
      while let leaf = try cursor.next() {
        for row in leaf.lowerBound(low)..<leaf.rowCount where leaf.key(row) <= high {
          found.append(leaf.key(row))
        }
      }
      #expect(found == (0..<9000).map { $0 * 3 }.filter { (low...high).contains($0) })
      let position = UInt64.random(in: 0...9000, using: &generator)
      cursor = try tree.leaves(from: position)
      let start = cursor.position
      let leaf = try cursor.next()
      if position < 9000 {
        let row = Int(position - start)
        #expect(leaf?.key(row) == Int64(position) * 3)
      } else {
        #expect(leaf == nil)
      }
    }
  }

  @Test func anEmptyTreeHasNothing() throws {
    let table = try TableUnderTest(PersonTable.shape)
    let tree = table.tree
    #expect(try tree.find(1) == nil)
    #expect(try tree.first() == nil)
    #expect(try tree.position(of: 5) == 0)
    var cursor = try tree.leaves()
    #expect(try cursor.next() == nil)
    try tree.checkInvariants()
  }

  @Test func fieldsOfOldLeavesHaveTheirDefault() throws {
    let one = TableShape([TableField(id: 1, type: .integer)])
    let table = try TableUnderTest(one)
    try table.apply(insert: (0..<5000).map { ($0, [.integer($0)]) })
    let defaults: [(PhysicalType, Value)] = [
      (.integer, .integer(-5)), (.bytes, .bytes([1, 2, 3])), (.double, .double(0.25)),
      (.float, .float(1.5)), (.uuid, .uuid(1, 2)), (.bytes, .null),
    ]
    let shape = TableShape(
      one.fields
        + defaults.enumerated().map {
          TableField(id: FieldID($0 + 2), type: $1.0, defaultValue: $1.1)
        })
    let grown = try TableUnderTest(shape, sharing: table)
    grown.rows = table.rows.mapValues { $0 + defaults.map(\.1) }
    try grown.check()
    // Setting new fields adds their columns and leaves the rest alone.
    try grown.apply(update: (0..<900).map { (3, $0 * 5, .bytes(Array("\($0)".utf8))) })
    try grown.check()
    try grown.apply(
      insert: (6000..<6100).map { ($0, [.integer($0)] + defaults.map(\.1)) }, delete: [7, 8, 9])
    try grown.check()
  }

  @Test func walksWhatIsYoungerThanATransactionAndNothingElse() throws {
    let table = try LeafLayoutTests.persons(30_000)
    let birth = table.pager.transaction
    var all = 0
    try table.tree.walk { _ in all += 1 }
    try table.applyOnly(update: [(PersonTable.age, 30_000, .integer(1))])
    var kinds: [ExtentKind?] = []
    try table.tree.walk(bornAfter: birth) { kinds.append($0.kind) }
    #expect(kinds == [.objectInner, .leafHead])
    var after = 0
    try table.tree.walk { _ in after += 1 }
    #expect(after == all)
  }
}
