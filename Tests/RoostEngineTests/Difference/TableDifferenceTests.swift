import RoostEngine
import RoostTestSupport
import Testing

/// What changed between two versions of a table.
@Suite struct TableDifferenceTests {
  static let shape = TableShape([
    TableField(id: 1, type: .integer), TableField(id: 2, type: .bytes),
    TableField(id: 3, type: .double), TableField(id: 5, type: .uuid),
    TableField(id: 6, type: .float), TableField(id: 7, type: .bytes),
    TableField(id: 9, type: .integer),
  ])

  private struct State {
    var root: TreeRoot
    var rows: [Int64: [Value]]
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func anyTwoVersionsDifferAsTheirObjectsDo(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = try TableUnderTest(Self.shape)
    let keyMax: Int64 = seed.isMultiple(of: 2) ? 20_000 : 1 << 40
    var states = [State(root: table.root, rows: [:])]
    for step in 0..<scaled(15) {
      try Self.change(table, step, keyMax, &random)
      states.append(State(root: table.root, rows: table.rows))
      table.protected.append(table.pager.transaction)
      // The version before, and one that lies any number of versions back; there and back again.
      for other in [states[step], states[Int.random(in: 0...step, using: &random)]] {
        let (old, new) = (Self.tree(other, of: table), table.tree)
        #expect(
          ExpectedChanges(try new.changes(since: old))
            == ExpectedChanges(from: other.rows, to: table.rows, Self.shape))
        #expect(
          ExpectedChanges(try old.changes(since: new))
            == ExpectedChanges(from: table.rows, to: other.rows, Self.shape))
      }
    }
  }

  private static func tree(_ state: State, of table: TableUnderTest) -> ObjectTree {
    ObjectTree(root: state.root, shape: table.shape, reader: table.pager.reader)
  }

  /// Changes a table in one transaction: many objects or few, scattered or one after the other.
  private static func change(
    _ table: TableUnderTest, _ step: Int, _ keyMax: Int64, _ random: inout SeededGenerator
  ) throws {
    let keys = table.sortedKeys
    var inserts: [(Int64, [Value])] = []
    var taken = Set<Int64>()
    let appends = random.chance(1, in: 3)
    for _ in 0..<(step == 0 ? 9000 : random.chance(1, in: 5) ? 2000 : 5) {
      let key =
        appends
        ? (keys.last ?? 0) + 1 + Int64(taken.count)
        : Int64.random(in: -keyMax...keyMax, using: &random)
      guard table.rows[key] == nil, taken.insert(key).inserted else { continue }
      inserts.append((key, row(&random)))
    }
    var deletes: [Int64] = []
    var updates: [(field: FieldID, key: Int64, value: Value)] = []
    let share = [3, 100, 4000][Int.random(in: 0..<3, using: &random)]
    for key in keys where random.chance(1, in: share) {
      if step % 3 == 0 {
        deletes.append(key)
        // Another object of the key, or the very same one.
        if random.chance(1, in: 4) { inserts.append((key, row(&random))) }
        if random.chance(1, in: 4), let row = table.rows[key], inserts.last?.0 != key {
          inserts.append((key, row))
        }
      } else {
        for field in shape.fields where random.chance(1, in: 3) {
          updates.append((field.id, key, .random(field.type, longest: 9000, using: &random)))
        }
      }
    }
    try table.apply(insert: inserts, delete: deletes, update: updates)
  }

  private static func row(_ random: inout SeededGenerator) -> [Value] {
    shape.fields.map { field in
      // Some columns have few texts, and so a dictionary.
      field.id == 7
        ? .bytes(Array("text \(Int.random(in: 0..<20, using: &random))".utf8))
        : .random(field.type, longest: 5000, using: &random)
    }
  }

  @Test func aChangedObjectAmongManyCostsTheLeavesOnTheWayToIt() throws {
    var random = SeededGenerator(seed: 31)
    let table = try TableUnderTest(PersonTable.shape)
    try table.applyOnly(
      TableChanges(inserts: PersonTable.batch(keys: 0..<200_000, using: &random)))
    let before = table.root
    table.protected = [table.pager.transaction]
    try table.apply(update: [(PersonTable.age, 77_777, .integer(1000))])
    let reader = StandalonePager(file: table.file, cacheBytes: 64 << 20).reader
    let (old, new) = (
      ObjectTree(root: before, shape: table.shape, reader: reader),
      ObjectTree(root: table.root, shape: table.shape, reader: reader)
    )
    let changes = try new.changes(since: old)
    #expect(changes.modifications == [77_777])
    #expect(changes.fields(ofModification: 0) == [PersonTable.age])
    #expect(changes.insertions.isEmpty && changes.deletions.isEmpty)
    // Of each version the root, the leaf and the group of the column.
    #expect(reader.statistics.loads <= 6)
  }

  @Test func aVersionDoesNotDifferFromItself() throws {
    var random = SeededGenerator(seed: 32)
    let table = try TableUnderTest(Self.shape)
    #expect(try table.tree.changes(since: table.tree).isEmpty)
    try table.apply(insert: (0..<5000).map { ($0, Self.row(&random)) })
    let reader = StandalonePager(file: table.file, cacheBytes: 1 << 20).reader
    let tree = ObjectTree(root: table.root, shape: table.shape, reader: reader)
    #expect(try tree.changes(since: tree).isEmpty)
    #expect(reader.statistics.loads == 0)
  }

  @Test func valuesAreComparedBitForBit() throws {
    let shape = TableShape([
      TableField(id: 1, type: .double), TableField(id: 2, type: .float),
      TableField(id: 3, type: .integer), TableField(id: 4, type: .bytes),
    ])
    let table = try TableUnderTest(shape)
    let rest: [Value] = [.integer(0), .bytes([])]
    let nan: [Value] = [.double(.nan), .float(.nan)]
    try table.applyOnly(
      changes(shape, [1: [.double(0), .float(0)] + rest, 2: nan + rest, 3: nan + rest]))
    let before = table.tree
    table.protected = [table.pager.transaction]
    try table.applyOnly(update: [
      (1, 1, .double(-0.0)), (2, 1, .float(-0.0)),
      (1, 2, .double(.nan)), (2, 2, .float(.nan)),
      (3, 3, .null), (4, 3, .null),
    ])
    let difference = try table.tree.changes(since: before)
    #expect(difference.modifications == [1, 3])
    #expect(difference.fields(ofModification: 0) == [1, 2])
    #expect(difference.fields(ofModification: 1) == [3, 4])
  }

  private func changes(_ shape: TableShape, _ rows: [Int64: [Value]]) -> TableChanges {
    let batch = RecordBatch(shape: shape)
    for (key, values) in rows.sorted(by: { $0.key < $1.key }) { batch.append(key: key, values) }
    return TableChanges(inserts: batch)
  }

  @Test func aFieldThatOneVersionDoesNotHaveIsItsDefaultThere() throws {
    let small = TableShape([TableField(id: 1, type: .integer)])
    let large = TableShape([
      TableField(id: 1, type: .integer),
      TableField(id: 2, type: .integer, defaultValue: .integer(7)),
    ])
    let old = try TableUnderTest(small)
    try old.apply(insert: (0..<100).map { ($0, [.integer($0)]) })
    old.protected = [old.pager.transaction]
    let new = try TableUnderTest(large, sharing: old)
    new.protected = old.protected
    #expect(try new.tree.changes(since: old.tree).isEmpty)
    try new.applyOnly(update: [(2, 5, .integer(7)), (2, 6, .integer(8)), (1, 7, .integer(0))])
    let changes = try new.tree.changes(since: old.tree)
    #expect(changes.modifications == [6, 7])
    #expect(changes.fields(ofModification: 0) == [2])
    #expect(changes.fields(ofModification: 1) == [1])
    // The other way round the field is not there, and counts for nothing.
    #expect(try old.tree.changes(since: new.tree).modifications == [7])
  }

  @Test func damageIsReportedWithTheKeysThatItTakesAlong() throws {
    var random = SeededGenerator(seed: 33)
    let table = try TableUnderTest(PersonTable.shape)
    try table.applyOnly(
      TableChanges(inserts: PersonTable.batch(keys: 0..<20_000, using: &random)))
    let before = table.root
    table.protected = [table.pager.transaction]
    try table.apply(update: [(PersonTable.age, 9_999, .integer(1000))])
    var leaves = try table.tree.leaves(in: 9_999...9_999)
    let leaf = try #require(try leaves.next())
    try table.file.write([1, 2, 3, 4], at: leaf.pointer.unit * 4096 + 100)
    let reader = StandalonePager(file: table.file, cacheBytes: 64 << 20).reader
    let old = ObjectTree(root: before, shape: table.shape, reader: reader)
    let new = ObjectTree(root: table.root, shape: table.shape, reader: reader)
    do {
      _ = try new.changes(since: old)
      Issue.record("The damage was not noticed.")
    } catch .corrupt(let corruption) {
      #expect(corruption.keys?.contains(9_999) == true)
    }
  }

  @Test func ofALongValueThatWasEditedOnlyWhatChangedIsRead() throws {
    let engine = try Engine.open(
      "films.roost", in: MemoryFileSystem(), options: EngineOptions(cacheBytes: 1 << 20))
    try engine.write { transaction throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: "Film",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "content", type: .blob),
          ])
      ])
    }
    let table = try #require(engine.snapshot().catalog.table(named: "Film"))
    let content = try #require(table.field(named: "content")).id
    var random = SeededGenerator(seed: 34)
    try engine.write { transaction throws(EngineError) in
      for key in 1...3 {
        try transaction.batch(for: table.id).columns[0].append(.bytes([]))
        try transaction.insertRow(into: table.id, key: Int64(key))
        for part in 0..<16 {
          try transaction.insertBlobBytes(
            random.bytes(1 << 20), at: UInt64(part) << 20, table.id, key: Int64(key), field: content
          )
        }
      }
    }
    let before = engine.snapshot()
    func change(
      _ body: (EngineTransaction) throws(EngineError) -> Void
    ) throws -> (changes: TableDifference, bytes: Int) {
      try engine.write { transaction throws(EngineError) in try body(transaction) }
      let after = engine.snapshot()
      let read = try after.view.reader.statistics.bytes
      let changes = try after.changes(of: table.id, since: before)
      return (changes, try after.view.reader.statistics.bytes - read)
    }
    // The very same bytes again, in one that lies in the middle of the value.
    let same = try before.view.blob(content, of: 1, in: table.id)
    let piece = try #require(try same?.piece(at: 7 << 20))
    let bytes = piece.withBytes(in: 7 << 20..<7 << 20 + 100) { $0.array }
    let rewritten = try change { transaction throws(EngineError) in
      try transaction.replaceBlobBytes(bytes, at: 7 << 20, table.id, key: 1, field: content)
    }
    #expect(rewritten.changes.isEmpty)
    #expect(rewritten.bytes < 2 << 20)
    // One byte inserted shifts all that comes behind it, of which nothing is read: the length tells.
    let edited = try change { transaction throws(EngineError) in
      try transaction.insertBlobBytes([1], at: 3 << 20, table.id, key: 2, field: content)
      try transaction.replaceBlobBytes([0, 1, 2, 3], at: 9 << 20, table.id, key: 3, field: content)
    }
    #expect(edited.changes.modifications == [2, 3])
    #expect(edited.bytes < 3 << 20)
  }
}
