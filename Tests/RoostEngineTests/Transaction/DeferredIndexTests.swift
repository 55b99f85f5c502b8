import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Indexes that are built after many objects were inserted.
@Suite struct DeferredIndexTests {
  /// What a transaction does.
  private enum Step {
    case insert([Int64])
    /// Inserts objects, and undoes that.
    case undo([Int64], withSavepoint: Bool)
    case update(Int64)
    case delete(Int64)
    case read
    case savepoint(isKept: Bool, [Int64])
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func aDeferredIndexIsAsOneThatGrew(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let steps = Self.steps(&random)
    let grown = try Table()
    let built = try Table()
    try grown.run(steps, defers: false)
    // All entries of an index at once are sorted on another thread.
    try built.run(steps, defers: true, inParts: seed.isMultiple(of: 2))
    #expect(try grown.entries() == built.entries(), "seed \(seed): \(steps)")
    for table in [grown, built] { #expect(try table.engine.snapshot().verify() == []) }
    // It goes on in the next transaction.
    let more = [Step.insert([5000, 5001]), .update(5000), .delete(5001)]
    try grown.run(more, defers: false)
    try built.run(more, defers: true)
    #expect(try grown.entries() == built.entries(), "seed \(seed)")
    #expect(try built.engine.snapshot().verify() == [])
  }

  private static func steps(_ random: inout SeededGenerator) -> [Step] {
    var keys = Array(1...900 as ClosedRange<Int64>)
    if random.chance(1, in: 3) { keys.shuffle(using: &random) }
    var used: [Int64] = []
    var steps: [Step] = []
    // Many do nothing but insert.
    let isPlain = random.chance(1, in: 4)
    while let first = keys.first {
      let next = Array(keys.prefix(Int.random(in: 1...200, using: &random)))
      switch isPlain ? 0 : Int.random(in: 0...11, using: &random) {
      case 6: steps.append(.undo(next, withSavepoint: random.chance(1, in: 2)))
      case 7: if let key = used.randomElement(using: &random) { steps.append(.update(key)) }
      case 8:
        guard let key = used.randomElement(using: &random) else { continue }
        steps.append(.delete(key))
        used.removeAll { $0 == key }
      case 9: steps.append(.read)
      case 10:
        steps.append(.savepoint(isKept: false, [first]))
      case 11:
        steps.append(.savepoint(isKept: true, [first]))
        used.append(first)
        keys.removeFirst()
      default:
        steps.append(.insert(next))
        used += next
        keys.removeFirst(next.count)
      }
    }
    return steps
  }

  @Test(arguments: [1, 700, 1000] as [Int64], [false, true])
  func aValueThatIsThereTwiceIsFoundWhenTheIndexIsBuilt(twin: Int64, inParts: Bool) throws {
    let table = try Table()
    let transaction = try table.engine.beginWrite()
    transaction.limits.indexBytesSortedHere = 0
    if inParts { transaction.limits.indexBytes = 10_000 }
    try transaction.deferIndexes()
    for key in 1...1001 as ClosedRange<Int64> {
      try table.insert(key, code: key == 1001 ? twin : key, transaction)
    }
    #expect(
      throws: EngineError.duplicate(table: "Thing", field: "code", value: "code \(twin)")
    ) { try transaction.buildDeferredIndexes() }
    #expect(throws: EngineError.transactionEnded) { try transaction.commit() }
    #expect(try table.engine.snapshot().verify() == [])
  }

  @Test func aValueTooLongToBeUniqueIsRefusedWhenTheIndexIsBuilt() throws {
    let table = try Table()
    let transaction = try table.engine.beginWrite()
    try transaction.deferIndexes()
    try transaction.insert(into: table.id, key: 1) { columns in
      columns[0].append(.bytes(Array(repeating: 120, count: 1024)))
      columns[1].append(.integer(1))
      columns[2].append(.bytes([]))
      columns[3].append(.null)
    }
    #expect(throws: EngineError.tooLong(table: "Thing", field: "code", limit: 1023)) {
      try transaction.buildDeferredIndexes()
    }
  }

  @Test func allGatheredEntriesTakeNoMoreMemoryThanThoseOfOneIndexMay() throws {
    let table = try Table()
    let transaction = try table.engine.beginWrite()
    transaction.limits.indexBytes = 20_000
    // Each object is applied at once, and the bound looked at.
    transaction.limits.ascendingBytes = 0
    try transaction.deferIndexes()
    var most = 0
    for key in 1...900 as ClosedRange<Int64> {
      try table.insert(key, transaction)
      most = max(most, transaction.gatheredBytes)
      #expect(transaction.gatheredBytes <= 20_000, "with \(key) objects")
    }
    #expect(most > 15_000)
    try transaction.buildDeferredIndexes()
    #expect(transaction.gatheredBytes == 0)
    try transaction.commit()
    #expect(try table.engine.snapshot().verify() == [])
  }

  /// A table with an index of each kind.
  private struct Table {
    let engine: Engine
    let id: UInt32

    init() throws {
      engine = try Engine.open("store", in: MemoryFileSystem())
      let transaction = try engine.beginWrite()
      id = try transaction.addTable(
        TableDraft(
          name: "Thing",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "code", type: .string, isOptional: true, isUnique: true),
            FieldDefinition(name: "age", type: .int, isIndexed: true),
            FieldDefinition(name: "city", type: .string, isIndexed: true),
            FieldDefinition(name: "next", type: .link, isOptional: true),
          ], linkTargets: ["next": "Thing"],
          indexes: [
            TableIndexDraft(of: ["city", "age"]),
            TableIndexDraft(of: ["age", "code"], isUnique: true),
            TableIndexDraft(of: ["city"], where: [.init("code", .isNotNull)]),
          ]))
      try transaction.commit()
    }

    /// Inserts an object; some have no code.
    func insert(_ key: Int64, code: Int64? = nil, _ transaction: EngineTransaction) throws {
      try transaction.insert(into: id, key: key) { append(key, code: code ?? key, to: $0) }
    }

    private func append(_ key: Int64, code: Int64, to columns: [ColumnBuffer]) {
      columns[0].append(key % 10 == 3 ? .null : .bytes(Array("code \(code)".utf8)))
      columns[1].append(.integer(key % 7))
      // Long texts lie outside the leaves, but none in the first ones.
      let length = key > 300 && key % 83 == 0 ? 9000 : 0
      let city = "city \(key % 30)" + String(repeating: "y", count: length)
      columns[2].append(.bytes(Array(city.utf8)))
      columns[3].append(.null)
    }

    /// Inserts objects many at a time.
    private func insert(_ keys: [Int64], _ transaction: EngineTransaction) throws {
      guard keys.count > 1 else { return try insert(keys[0], transaction) }
      let columns = try transaction.batch(for: id).columns
      let objectKeys = ColumnBuffer(type: .integer)
      for key in keys {
        append(key, code: key, to: columns)
        objectKeys.append(key)
      }
      try transaction.insertRows(into: id, count: keys.count, keys: objectKeys)
    }

    func run(_ steps: [Step], defers: Bool, inParts: Bool = true) throws {
      let transaction = try engine.beginWrite()
      transaction.limits.ascendingBytes = 20_000
      transaction.limits.scatteredBytes = 20_000
      if inParts { transaction.limits.indexBytes = 10_000 }
      transaction.limits.indexBytesSortedHere = 0
      if defers { try transaction.deferIndexes() }
      for step in steps {
        switch step {
        case .insert(let keys): try insert(keys, transaction)
        case .undo(let keys, let withSavepoint):
          try transaction.beginUndoable(withSavepoint: withSavepoint)
          try insert(keys, transaction)
          transaction.undo()
        case .update(let key):
          _ = try transaction.update(id, key: key, field: 2, to: .integer(100 + key % 3))
        case .delete(let key): _ = try transaction.delete(from: id, key: key)
        case .read: _ = try transaction.view()
        case .savepoint(let isKept, let keys):
          let savepoint = try transaction.savepoint()
          try insert(keys, transaction)
          if isKept {
            transaction.release(savepoint)
          } else {
            try transaction.rollback(to: savepoint)
          }
        }
      }
      try transaction.commit()
    }

    /// The entries of all indexes.
    func entries() throws -> [[Pair]] {
      let view = try engine.snapshot().view
      let table = try #require(view.catalog.table(id))
      let trees = table.fields.map(\.indexTree).filter { $0 != 0 } + table.indexes.map(\.tree)
      return try trees.map { try view.index(tree: $0).pairs() }
    }
  }
}
