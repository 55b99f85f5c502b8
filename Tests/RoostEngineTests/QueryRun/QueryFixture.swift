import RoostEngine
import RoostTestSupport
import Testing

/// Two tables with every type, links, nulls, NaN, long texts; in a store and in an oracle.
struct QueryFixture: Sendable {
  let engine: Engine
  var oracle = QueryOracle()
  let items: UInt32
  let groups: UInt32

  /// The fields of an item, by number.
  static let types: [FieldType] = [
    .int, .int, .double, .float, .string, .string, .uuid, .bool, .link, .link, .double, .data,
  ]

  /// All fields of an item, with its marks, a collection that no index has, and those of more kinds.
  static let fieldCount = Int(Kind.titles)

  /// The number of the marks.
  static let marks = FieldID(types.count + 1)

  /// What a mark is made of.
  static let markColumns = [
    ElementColumn(name: "element.size", type: .int, isOptional: true),
    ElementColumn(name: "element.word", type: .string, isOptional: false),
  ]

  var view: ReadView { get throws(EngineError) { try engine.snapshot().view } }

  /// - Parameter isIndexed: Whether every field has an index.
  init(
    seed: UInt64, rows: Int, isIndexed: Bool, tableIndexes: [TableIndexDraft] = [],
    cacheBytes: Int = 256 << 20
  ) throws {
    var random = SeededGenerator(seed: seed)
    engine = try Engine.open(
      "store", in: MemoryFileSystem(), options: EngineOptions(cacheBytes: cacheBytes))
    let names = [
      "age", "wide", "score", "ratio", "name", "note", "token", "flag", "group", "parent", "price",
      "data",
    ]
    let key = FieldDefinition(name: "id", type: .int, isIdentifier: true)
    let transaction = try engine.beginWrite()
    try transaction.addTables([
      TableDraft(
        name: "Item",
        fields: [key]
          + zip(names, Self.types).map {
            FieldDefinition(name: $0, type: $1, isOptional: true, isIndexed: isIndexed)
          } + [
            FieldDefinition(
              name: "marks", type: .list, isOptional: true, parts: Self.markColumns)
          ] + Self.kindFields(isIndexed: isIndexed),
        linkTargets: ["group": "Group", "parent": "Item"], indexes: tableIndexes),
      TableDraft(
        name: "Group",
        fields: [
          key, FieldDefinition(name: "rank", type: .int),
          FieldDefinition(name: "title", type: .string, isOptional: true, isIndexed: isIndexed),
          FieldDefinition(name: "members", type: .links),
        ], linkTargets: ["members": "Item"]),
    ])
    items = try #require(transaction.catalog.table(named: "Item")).id
    groups = try #require(transaction.catalog.table(named: "Group")).id
    let definitions = transaction.catalog
    let groupKeys = (0..<20).map { Int64($0 * 3 - 10) }
    let itemKeys = Self.keys(rows, &random)
    oracle.tables[groups] = .init(keys: groupKeys, targets: [3: items])
    oracle.tables[items] = .init(keys: itemKeys, targets: [9: groups, 10: items])
    for (table, keys) in [(groups, groupKeys), (items, itemKeys)] {
      oracle.tables[table]?.places = Dictionary(
        uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
      oracle.tables[table]?.types = Dictionary(
        uniqueKeysWithValues: try #require(definitions.table(table)).fields.map { ($0.id, $0.type) }
      )
    }
    for key in groupKeys {
      let row: [Value] = [
        .integer(Int64.random(in: 0..<5, using: &random)), Self.text(&random, long: false),
        .bytes(LinkList.bytes(Self.members(&random, itemKeys))),
      ]
      oracle.tables[groups]?.rows.append(row)
      try Self.insert(key, row, into: groups, transaction)
    }
    for key in itemKeys {
      let row = (0..<Self.fieldCount).map { field in
        Self.value(field, &random, groups: groupKeys, items: itemKeys)
      }
      oracle.tables[items]?.rows.append(row)
      try Self.insert(key, row, into: items, transaction)
    }
    try transaction.commit()
    noteSources()
  }

  /// Tells the oracle who links to whom.
  mutating func noteSources() {
    for (field, table) in [(3, groups), (9, items), (10, items)] as [(FieldID, UInt32)] {
      oracle.noteSources(of: field, in: table)
    }
  }

  static func insert(
    _ key: Int64, _ row: [Value], into table: UInt32, _ transaction: EngineTransaction
  ) throws {
    let batch = try transaction.batch(for: table)
    for (column, value) in zip(batch.columns, row) { column.append(value) }
    try transaction.insertRow(into: table, key: key)
  }

  /// Links to items, some to one of them twice.
  private static func members(_ random: inout SeededGenerator, _ items: [Int64]) -> [Int64] {
    guard !items.isEmpty else { return [] }
    return (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in
      let key = items[Int.random(in: 0..<items.count, using: &random)]
      return random.chance(1, in: 5) ? [key, key] : [key]
    }
  }

  /// Keys with gaps, some runs without.
  private static func keys(_ count: Int, _ random: inout SeededGenerator) -> [Int64] {
    var keys: [Int64] = []
    var key: Int64 = -50
    for _ in 0..<count {
      keys.append(key)
      key += random.chance(9, in: 10) ? 1 : Int64.random(in: 1...40, using: &random)
    }
    return keys
  }

  /// A value of an item's field, counted from 0; from few values, so that queries hit.
  static func value(
    _ field: Int, _ random: inout SeededGenerator, groups: [Int64], items: [Int64]
  ) -> Value {
    if random.chance(1, in: 8) { return .null }
    if field >= marks { return kindValue(FieldID(field + 1), &random) }
    switch field {
    case 0: return .integer(Int64.random(in: 0..<40, using: &random))
    case 1:
      let wide: [Int64] = [.min, .max, 0, -1, 1 << 40, 1 << 20]
      return .integer(
        random.chance(1, in: 4)
          ? Int64(bitPattern: random.next()) : wide[Int.random(in: 0..<6, using: &random)])
    case 2:
      let special: [Double] = [.nan, .infinity, -.infinity, 0, -0.0, 0.5]
      return .double(
        random.chance(1, in: 4)
          ? special[Int.random(in: 0..<6, using: &random)]
          : Double.random(in: -1...1, using: &random))
    case 3:
      let special: [Float] = [.nan, .infinity, -.infinity, 0, -0.0, 0.25]
      return .float(special[Int.random(in: 0..<6, using: &random)])
    case 4: return text(&random, long: false)
    case 5: return text(&random, long: true)
    case 6: return .uuid(random.next() % 3, random.next() % 30)
    case 7: return .integer(random.chance(1, in: 3) ? 1 : 0)
    case 8: return .integer(groups[Int.random(in: 0..<groups.count, using: &random)])
    case 9:
      guard !items.isEmpty else { return .null }
      return .integer(items[Int.random(in: 0..<items.count, using: &random)])
    case 10: return .double((Double.random(in: 0...20, using: &random) * 4).rounded() / 4)
    case 12: return marks(&random)
    default: return .bytes(random.bytes(Int.random(in: 0...2, using: &random)))
    }
  }

  private static func marks(_ random: inout SeededGenerator) -> Value {
    let sizes = ColumnBuffer(type: .integer)
    let words = ColumnBuffer(type: .bytes)
    let count = Int.random(in: 0...4, using: &random)
    for _ in 0..<count {
      sizes.append(
        random.chance(1, in: 5) ? .null : .integer(Int64.random(in: -3...9, using: &random)))
      words.append(text(&random, long: false))
    }
    return .bytes(PackedColumns.bytes([sizes, words], as: markColumns.map(\.shape)))
  }

  /// A text of syllables; a long one is sometimes longer than a leaf or an index takes.
  static func text(_ random: inout SeededGenerator, long: Bool) -> Value {
    let syllables = ["an", "na", "to", "x", "é", "Ann", "\0", "zz"]
    func word(_ count: Int) -> String {
      (0..<count).map { _ in syllables[Int.random(in: 0..<syllables.count, using: &random)] }
        .joined()
    }
    guard long else { return .bytes(Array(word(Int.random(in: 0...3, using: &random)).utf8)) }
    if random.chance(1, in: 40) {
      let length = [1022, 1023, 1024, 1025, 3000][Int.random(in: 0..<5, using: &random)]
      return .bytes([UInt8](repeating: 97, count: length) + Array(word(1).utf8))
    }
    return .bytes(Array(word(Int.random(in: 10...60, using: &random)).utf8))
  }
}
