import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Transactions whose rows, and whose indexes' entries, are applied at different times.
@Suite struct GatheringTests {
  /// Rows get other values and are deleted, where the rows are applied long before the entries, or long after them.
  @Test(arguments: [(10, Int.max), (Int.max, 300), (40, 300)], 1...6 as ClosedRange<UInt64>)
  func anIndexFollowsItsRowsWhicheverAreAppliedFirst(
    limits: (changes: Int, indexBytes: Int), seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let engine = try Engine.open("things.roost", in: MemoryFileSystem())
    var rows: [Int64: Int64] = [:]
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: "Thing",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "a", type: .int, isIndexed: true),
          ], indexes: [TableIndexDraft(of: ["a"], where: [.init("a", .isNotNull)])])
      ])
    }
    let thing = try engine.snapshot().view.table(named: "Thing").id
    for round in 0..<4 {
      let transaction = try engine.beginWrite()
      transaction.limits.changes = limits.changes
      transaction.limits.scatteredBytes = limits.changes
      transaction.limits.indexBytes = limits.indexBytes
      for key in 0..<400 as Range<Int64> where random.chance(1, in: 2) {
        let value = Int64.random(in: 0..<20, using: &random)
        if rows[key] == nil {
          try transaction.batch(for: thing).columns[0].append(.integer(value))
          try transaction.insertRow(into: thing, key: key)
        } else {
          try transaction.update(thing, key: key, field: 1, to: .integer(value))
        }
        rows[key] = value
      }
      // Few are looked up one by one, for many the index is gone through.
      let share = [1, 30, 70, 100][(round + Int(seed)) % 4]
      let deleted = ColumnBuffer(type: .integer)
      for key in rows.keys.sorted() where random.chance(share, in: 100) {
        deleted.append(key)
        rows[key] = nil
      }
      #expect(try transaction.delete(from: thing, keys: deleted) == deleted.count)
      try transaction.commit()
      let view = try engine.snapshot().view
      let table = try view.table(named: "Thing")
      var expected: [Pair] = []
      for (key, value) in rows {
        var bytes = IndexKey()
        bytes.set(value)
        expected.append(Pair(bytes.bytes, key))
      }
      let trees = [table.field(named: "a")?.indexTree ?? 0, table.indexes.first?.tree ?? 0]
      #expect(try view.index(tree: trees[0]).pairs() == expected.sorted(), "seed \(seed)")
      #expect(try view.index(tree: trees[1]).count == UInt64(rows.count), "seed \(seed)")
      #expect(try engine.snapshot().verify() == [], "seed \(seed)")
    }
  }
}
