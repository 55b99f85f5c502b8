import RoostEngine
import RoostTestSupport
import Testing

/// How many bytes rows take, and how many a change writes.
struct LeafLayoutTests {
  @Test func aHundredThousandPersonsTakeSeventyFourBytesEach() throws {
    let table = try Self.persons(100_000)
    let bytes = (table.pager.highWater - 16) * 4096
    #expect(bytes <= 7_400_000)
    let leaf = try #require(try table.tree.first()?.leaf)
    #expect(leaf.pointer.units == 1)
    for narrow in [3, 6, 7] as [FieldID] { #expect(leaf.extent(of: narrow) == leaf.pointer) }
    for wide in [1, 2, 4, 5] as [FieldID] { #expect(leaf.extent(of: wide) != leaf.pointer) }
    #expect(leaf.extent(of: 4) == leaf.extent(of: 5))
  }

  @Test func anUpdateOfAgeWritesOneHeadAndThePathToIt() throws {
    let table = try Self.persons(90_000)
    let before = try #require(try table.tree.find(100_000)?.leaf)
    try table.applyOnly(update: [(PersonTable.age, 100_000, .integer(7))])
    #expect(table.root.level == 1)
    #expect(table.pager.writtenBytes == 4096 * 2)
    let row = try #require(try table.tree.find(100_000))
    #expect(try row.leaf.column(PersonTable.age).integer(row.row) == 7)
    #expect(row.leaf.pointer != before.pointer)
    for kept in [1, 2, 4, 5] as [FieldID] {
      #expect(row.leaf.extent(of: kept) == before.extent(of: kept))
    }
  }

  @Test func anUpdateOfAWideFieldWritesItsGroupAndTheHead() throws {
    let table = try Self.persons(20_000)
    let before = try #require(try table.tree.find(20_000)?.leaf)
    try table.applyOnly(update: [(1, 20_000, .bytes(Array("Ann".utf8)))])
    let group = try #require(before.extent(of: 1))
    #expect(table.pager.writtenBytes <= group.byteCount + 4096 * 2)
    let row = try #require(try table.tree.find(20_000))
    #expect(try row.leaf.column(1).bytes(row.row).array == Array("Ann".utf8))
    #expect(row.leaf.extent(of: 1) != before.extent(of: 1))
    #expect(row.leaf.extent(of: 2) == before.extent(of: 2))
    #expect(row.leaf.extent(of: 4) == before.extent(of: 4))
  }

  @Test func aNarrowTableIsHeadsWithoutGroups() throws {
    let shape = TableShape([TableField(id: 1, type: .integer), TableField(id: 2, type: .integer)])
    let table = try TableUnderTest(shape)
    try table.apply(insert: (0..<20_000).map { ($0, [.integer($0 % 7), .integer($0 % 200)]) })
    try table.check()
    var cursor = try table.tree.leaves()
    while let leaf = try cursor.next() {
      #expect(leaf.pointer.units <= 4)
      #expect(leaf.extent(of: 2) == leaf.pointer)
    }
    #expect((table.pager.highWater - 16) * 4096 < 50_000)
  }

  @Test func aTableOfAThousandFieldsIsReadBack() throws {
    let shape = TableShape((1...1024).map { TableField(id: $0, type: .integer) })
    let table = try TableUnderTest(shape)
    try table.apply(
      insert: (0..<100).map { key in
        (key, (0..<1024).map { .integer(key &* 7_919_000_001 &* $0) })
      })
    try table.check()
    try table.apply(update: [(700, 50, .integer(-1)), (1, 50, .null)])
    try table.check()
  }

  @Test func longTextsAndSparseKeysAreSplitUntilTheyFit() throws {
    var generator = SeededGenerator(seed: 21)
    let shape = TableShape([TableField(id: 1, type: .integer), TableField(id: 2, type: .bytes)])
    let table = try TableUnderTest(shape)
    // Rows that begin short, so that the first guess of a leaf's row count is far off.
    try table.apply(
      insert: (0..<9000).map { place in
        let length = place < 4000 ? 1 : 1024
        return (Int64(place) << 48 | 1, [.null, .bytes(generator.bytes(length))])
      })
    try table.check()
  }

  @Test func leavesStayFullWhenRowsBecomeShorter() throws {
    var generator = SeededGenerator(seed: 23)
    let table = try TableUnderTest(TableShape([TableField(id: 1, type: .bytes)]))
    try table.apply(
      insert: (0..<20_000).map { ($0, [.bytes(generator.bytes($0 < 2000 ? 400 : 30))]) })
    try table.check()
    var cursor = try table.tree.leaves(in: 2200...19_000)
    while let leaf = try cursor.next() { #expect(leaf.rowCount > 1000 || leaf.firstKey < 2000) }
  }

  @Test func appendingRowByRowLeavesFullLeaves() throws {
    var generator = SeededGenerator(seed: 22)
    let table = try TableUnderTest(PersonTable.shape)
    for start in stride(from: 0, to: 20_000, by: 40) {
      let batch = PersonTable.batch(
        keys: (start..<start + 40).map(Int64.init), using: &generator)
      try table.applyOnly(TableChanges(inserts: batch))
    }
    try table.tree.checkInvariants()
    var cursor = try table.tree.leaves()
    var leaves = 0
    while try cursor.next() != nil { leaves += 1 }
    #expect(leaves <= 20_000 / 800)
  }

  /// A table of persons whose keys are 0, 2, 4 …
  static func persons(_ count: Int) throws -> TableUnderTest {
    var generator = SeededGenerator(seed: 20)
    let table = try TableUnderTest(PersonTable.shape)
    try table.applyOnly(
      TableChanges(
        inserts: PersonTable.batch(
          keys: (0..<Int64(count)).lazy.map { $0 * 2 }, using: &generator)))
    return table
  }
}
