import RoostEngine
import RoostTestSupport
import Testing

/// Random changes against a dictionary.
struct ObjectTreeOracleTests {
  static let shape = TableShape([
    TableField(id: 1, type: .integer), TableField(id: 2, type: .bytes),
    TableField(id: 3, type: .double), TableField(id: 5, type: .uuid),
    TableField(id: 6, type: .float), TableField(id: 7, type: .bytes),
  ])

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func holdsWhatADictionaryHolds(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let table = try TableUnderTest(Self.shape)
    let keyLimit: Int64 = seed % 2 == 0 ? 20_000 : 1 << 40
    for step in 0..<60 {
      let keys = table.sortedKeys
      var inserts: [(Int64, [Value])] = []
      var taken = Set<Int64>()
      let insertCount =
        generator.chance(1, in: 6)
        ? Int.random(in: 0...3000, using: &generator) : Int.random(in: 0...20, using: &generator)
      let appends = generator.chance(1, in: 3)
      for _ in 0..<insertCount {
        let key =
          appends
          ? (keys.last ?? 0) + 1 + Int64(taken.count)
          : Int64.random(in: -keyLimit...keyLimit, using: &generator)
        guard table.rows[key] == nil, taken.insert(key).inserted else { continue }
        inserts.append((key, Self.row(&generator)))
      }
      var deletes: [Int64] = []
      var updates: [(field: FieldID, key: Int64, value: Value)] = []
      let share = generator.chance(1, in: 5) ? 2 : 40
      for key in keys where generator.chance(1, in: share) {
        if step % 3 == 0 {
          deletes.append(key)
          if generator.chance(1, in: 10) { inserts.append((key, Self.row(&generator))) }
        } else if step % 3 == 1 || generator.chance(1, in: 4) {
          for field in Self.shape.fields where generator.chance(1, in: 3) {
            updates.append(
              (field.id, key, .random(field.type, longest: 9000, using: &generator)))
          }
        }
      }
      try table.apply(insert: inserts, delete: deletes, update: updates)
      try table.check()
    }
  }

  @Test func shrinksToNothing() throws {
    var generator = SeededGenerator(seed: 11)
    let table = try TableUnderTest(Self.shape)
    try table.apply(insert: (0..<30_000).map { ($0 * 3, Self.row(&generator)) })
    try table.check()
    #expect(table.root.level >= 1)
    var keys = table.sortedKeys
    while !keys.isEmpty {
      keys.shuffle(using: &generator)
      let gone = keys.prefix(max(1, keys.count / 3))
      keys.removeFirst(gone.count)
      try table.apply(delete: Array(gone))
      try table.check()
    }
    #expect(table.root.pointer.isNull)
    #expect(table.root.level == 0)
  }

  @Test func growsFromSingleRowsInAnyOrder() throws {
    var generator = SeededGenerator(seed: 12)
    let table = try TableUnderTest(Self.shape)
    for key in Array(0..<1500).shuffled(using: &generator) {
      try table.apply(insert: [(Int64(key), Self.row(&generator))])
    }
    try table.check()
    for key in 1500..<3000 {
      try table.apply(insert: [(Int64(key), Self.row(&generator))])
    }
    try table.check()
  }

  @Test func refusesToInsertWhatIsThere() throws {
    var generator = SeededGenerator(seed: 13)
    let table = try TableUnderTest(Self.shape)
    let row = Self.row(&generator)
    try table.apply(insert: (0..<100).map { ($0, row) })
    #expect(throws: EngineError.duplicate(table: "", field: "", value: "50")) {
      try table.apply(insert: [(50, row)])
    }
    #expect(throws: EngineError.duplicate(table: "", field: "", value: "200")) {
      try table.apply(insert: [(200, row), (200, row)])
    }
    #expect(throws: EngineError.missing(table: "", key: "200")) {
      try table.apply(delete: [200])
    }
    #expect(throws: EngineError.missing(table: "", key: "-1")) {
      try table.apply(update: [(1, -1, .integer(3))])
    }
    try table.check()
  }

  static func row(_ generator: inout SeededGenerator) -> [Value] {
    shape.fields.map { .random($0.type, longest: 5000, using: &generator) }
  }
}
