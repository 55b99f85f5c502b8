import RoostEngine
import RoostTestSupport
import Testing

/// Values that lie outside their leaf.
struct ExternalValueTests {
  static let shape = TableShape([
    TableField(id: 1, type: .bytes), TableField(id: 2, type: .integer),
  ])

  @Test(arguments: [
    1024, 1025, 4096, 4097, 100_000, 1 << 20, (1 << 20) + 1, 3 << 20, 10_000_000,
  ])
  func keepsAValueOfAnyLength(length: Int) throws {
    var generator = SeededGenerator(seed: UInt64(length))
    let table = try TableUnderTest(Self.shape)
    let random = Value.bytes(generator.bytes(length))
    let even = Value.bytes((0..<length).map { UInt8(truncatingIfNeeded: $0 / 64) })
    try table.apply(insert: [(1, [random, .integer(1)]), (2, [even, .null])])
    try table.check()
    try table.apply(insert: [(0, [even, .integer(1)])])
    try table.check()
  }

  @Test func packsWhatShrinks() throws {
    let table = try TableUnderTest(Self.shape)
    try table.apply(insert: [(1, [.bytes([UInt8](repeating: 65, count: 10_000_000)), .null])])
    #expect(table.pager.highWater * 4096 < 500_000)
    try table.check()
  }

  @Test func freesAValueWithItsCell() throws {
    var generator = SeededGenerator(seed: 31)
    let table = try TableUnderTest(Self.shape)
    let values = (0..<20).map { _ in Value.bytes(generator.bytes(50_000)) }
    for round in 0..<30 {
      switch round % 3 {
      case 0:
        try table.apply(insert: (0..<20).map { (Int64($0), [values[$0], .integer(1)]) })
      case 1:
        try table.apply(update: (0..<20).map { (1, Int64($0), values[19 - $0]) })
      default:
        try table.apply(delete: (0..<20).map(Int64.init))
      }
      try table.check()
      // Two generations lie beside each other while one replaces the other, and no more.
      #expect(table.pager.highWater <= 700)
    }
  }

  @Test func freesTheValuesOfADroppedField() throws {
    var generator = SeededGenerator(seed: 32)
    let table = try TableUnderTest(Self.shape)
    try table.apply(
      insert: (0..<20).map { ($0, [.bytes(generator.bytes(50_000)), .integer($0)]) })
    let smaller = TableShape([TableField(id: 2, type: .integer)])
    let changes = TableChanges(inserts: RecordBatch(shape: smaller), deletes: [3])
    let tree = ObjectTree(root: table.root, shape: smaller, reader: table.pager.reader)
    let root = try table.pager.write(protected: []) { writer throws(EngineError) in
      try tree.apply(changes, writer: writer)
    }
    let after = ObjectTree(root: root, shape: smaller, reader: table.pager.reader)
    var units = 0
    try after.walk { units += $0.units }
    #expect(units == 1)
    // The next 20 values find room where the old ones were.
    let highWater = table.pager.highWater
    table.root = TreeRoot(empty: 8, kind: .objects)
    table.rows = [:]
    try table.apply(insert: (0..<20).map { ($0, [.bytes(generator.bytes(50_000)), .null]) })
    #expect(table.pager.highWater <= highWater + 2)
  }

  @Test func keepsLongDefaultsOutOfTheLeaf() throws {
    var generator = SeededGenerator(seed: 33)
    let table = try TableUnderTest(Self.shape)
    try table.apply(insert: (0..<5).map { ($0, [.bytes([1, 2]), .integer($0)]) })
    let long = Value.bytes(generator.bytes(3000))
    let wider = TableShape(
      Self.shape.fields + [TableField(id: 3, type: .bytes, defaultValue: long)])
    let grown = try TableUnderTest(wider, sharing: table)
    grown.rows = table.rows.mapValues { $0 + [long] }
    try grown.check()
    try grown.apply(delete: [2])
    try grown.check()
    let leaf = try #require(try grown.tree.first()?.leaf)
    #expect(try leaf.column(3).hasExternals)
  }
}
