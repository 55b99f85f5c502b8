import RoostEngine
import RoostTestSupport
import Testing

/// Changes of one object at a time, which copy its leaf with small differences where they can.
struct SingleUpdateTests {
  private static let shape = TableShape([
    TableField(id: 1, type: .integer), TableField(id: 2, type: .bytes),
    TableField(id: 3, type: .double), TableField(id: 4, type: .double),
    TableField(id: 5, type: .uuid), TableField(id: 6, type: .float),
    TableField(id: 7, type: .bytes), TableField(id: 8, type: .integer),
    TableField(id: 9, type: .float), TableField(id: 10, type: .integer),
  ])

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func holdWhatADictionaryHolds(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let table = try TableUnderTest(Self.shape)
    let hasNulls = seed % 2 == 0
    func value(_ field: TableField) -> Value { Self.value(field, hasNulls, &generator) }
    try table.apply(insert: (0..<700).map { ($0 * 3, Self.shape.fields.map(value)) })
    for step in 0..<900 {
      let key = Int64.random(in: 0..<700, using: &generator) * 3
      // Now and then an object is made like another, so that extremes move and come twice.
      let model = Int64.random(in: 0..<700, using: &generator) * 3
      var updates: [(field: FieldID, key: Int64, value: Value)] = []
      for (place, field) in Self.shape.fields.enumerated() where generator.chance(1, in: 4) {
        let known = try #require(table.rows[model])[place]
        updates.append((field.id, key, generator.chance(1, in: 5) ? known : value(field)))
      }
      try table.apply(update: updates)
      if step % 30 == 0 { try table.check() }
    }
    try table.check()
  }

  @Test func makeRoomForLongerTextsAndGiveItBack() throws {
    var generator = SeededGenerator(seed: 9)
    let table = try TableUnderTest(Self.shape)
    func row() -> [Value] { Self.shape.fields.map { Self.value($0, false, &generator) } }
    try table.apply(insert: (0..<300).map { ($0, row()) })
    for length in [20, 21, 40, 0, 33, 1024, 1025, 7, 900, 3, 3] {
      for field in [2, 7] as [FieldID] {
        try table.apply(update: [(field, 150, .bytes(generator.bytes(length)))])
        try table.check()
      }
    }
  }

  @Test func noticeThatTheOnlyNaNIsGone() throws {
    var generator = SeededGenerator(seed: 11)
    let table = try TableUnderTest(Self.shape)
    func row() -> [Value] { Self.shape.fields.map { Self.value($0, false, &generator) } }
    try table.apply(insert: (0..<50).map { ($0, row()) })
    for (field, value) in [(3, Value.double(.nan)), (9, .float(.nan))] as [(FieldID, Value)] {
      try table.applyOnly(update: [(field, 20, value)])
      try table.tree.checkInvariants()
      try table.applyOnly(update: [(field, 20, field == 3 ? .double(0.25) : .float(0.25))])
      try table.tree.checkInvariants()
    }
  }

  @Test func keepTheGroupsThatTheyDoNotChange() throws {
    var generator = SeededGenerator(seed: 10)
    let table = try TableUnderTest(PersonTable.shape)
    try table.applyOnly(
      TableChanges(inserts: PersonTable.batch(keys: 0..<900, using: &generator)))
    let before = try #require(try table.tree.leaf(holding: 450))
    try table.applyOnly(update: [(PersonTable.age, 450, .integer(50))])
    let after = try #require(try table.tree.leaf(holding: 450))
    for field in PersonTable.shape.fields {
      let isMoved = after.extent(of: field.id) != before.extent(of: field.id)
      #expect(isMoved == (before.extent(of: field.id) == before.pointer))
    }
    try table.tree.checkInvariants()
  }

  private static func value(
    _ field: TableField, _ hasNulls: Bool, _ generator: inout SeededGenerator
  ) -> Value {
    switch field.id {
    case 4: .double(Double(Int.random(in: -300...300, using: &generator)) / 100)
    case 8: .integer(Int64.random(in: 0...1, using: &generator))
    case 9: .float(Float.random(in: -2...2, using: &generator))
    case 10: .integer(Int64.random(in: 0...50_000_000, using: &generator))
    default:
      if hasNulls {
        .random(field.type, longest: 1500, using: &generator)
      } else {
        value(of: field.type, &generator)
      }
    }
  }

  private static func value(
    of type: PhysicalType, _ generator: inout SeededGenerator
  ) -> Value {
    switch type {
    case .integer: .integer(Int64.random(in: 0...99, using: &generator))
    case .double:
      .double(
        generator.chance(1, in: 40)
          ? [0.0, -0.0, .infinity, -.infinity][Int(generator.next() % 4)]
          : Double.random(in: -1...1, using: &generator))
    case .float: .float(Float(Int.random(in: 0...50, using: &generator)))
    case .bytes: .bytes(generator.bytes(Int.random(in: 0...30, using: &generator)))
    case .uuid: .uuid(generator.next(), generator.next())
    }
  }
}

extension ObjectTree {
  /// The leaf that holds a key.
  fileprivate func leaf(holding key: Int64) throws -> LeafReference? {
    var cursor = try leaves()
    while let leaf = try cursor.next() {
      if leaf.row(of: key) != nil { return leaf }
    }
    return nil
  }
}
