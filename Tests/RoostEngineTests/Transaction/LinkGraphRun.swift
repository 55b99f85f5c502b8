import RoostEngine
import RoostTestSupport
import Testing

/// Random operations on objects with links, made to a store and to its oracle.
struct LinkGraphRun {
  private(set) var graph: LinkGraph
  private(set) var operationCount = 0
  private var random: SeededGenerator
  private let engine: Engine
  private let tables: [UInt32]
  /// Whether the objects of a table have keys of their own rather than surrogates.
  private let hasIntegerKey: [Bool]
  private var namesMade: Int64 = 0
  /// Keys are drawn from this range, so that they come again.
  private let keys: Range<Int64>

  init(seed: UInt64, keys: Range<Int64>) throws {
    random = SeededGenerator(seed: seed)
    self.keys = keys
    graph = LinkGraph.random(using: &random)
    engine = try Engine.open("graph.roost", in: MemoryFileSystem())
    var hasIntegerKey: [Bool] = []
    for _ in graph.links { hasIntegerKey.append(random.chance(2, in: 3)) }
    self.hasIntegerKey = hasIntegerKey
    let drafts = graph.links.enumerated().map { table, links in
      let identifier = FieldDefinition(
        name: "id", type: hasIntegerKey[table] ? .int : .string, isIdentifier: true)
      var targets: [String: String] = [:]
      for (place, link) in links.enumerated() { targets["link\(place)"] = "T\(link.target)" }
      let fields = links.enumerated().map { place, link in
        FieldDefinition(
          name: "link\(place)", type: .link, isOptional: link.isOptional, deleteRule: link.rule)
      }
      return TableDraft(name: "T\(table)", fields: [identifier] + fields, linkTargets: targets)
    }
    try engine.write { (transaction) throws(EngineError) in try transaction.addTables(drafts) }
    let catalog = engine.snapshot().catalog
    tables = graph.links.indices.compactMap { catalog.table(named: "T\($0)")?.id }
  }

  // MARK: Transactions

  /// One transaction of so many operations, which may be rolled back or fail for a link without target.
  mutating func transact(operations: Int) throws {
    let before = graph
    let transaction = try engine.beginWrite()
    try operate(operations, transaction, depth: 0)
    if random.chance(1, in: 12) {
      transaction.rollback()
      graph = before
      return
    }
    if random.chance(5, in: 6) { try mend(transaction) }
    guard graph.danglingLink != nil else { return try transaction.commit() }
    graph = before
    do throws(EngineError) {
      try transaction.commit()
      Issue.record("A link without target was committed.")
    } catch {
      switch error {
      case .linkedTarget, .danglingLink: break
      default: throw error
      }
    }
  }

  /// So many operations, some in savepoints.
  private mutating func operate(
    _ count: Int, _ transaction: EngineTransaction, depth: Int
  ) throws {
    var left = count
    while left > 0 {
      guard depth < 3, random.chance(1, in: 20) else {
        try operate(transaction)
        left -= 1
        continue
      }
      let before = graph
      let savepoint = try transaction.savepoint()
      let inside = Int.random(in: 1...left, using: &random)
      try operate(inside, transaction, depth: depth + 1)
      left -= inside
      if random.chance(1, in: 2) {
        try transaction.rollback(to: savepoint)
        graph = before
      } else {
        transaction.release(savepoint)
      }
    }
  }

  /// Sets links without target to null, or deletes their objects where they may not be null.
  private mutating func mend(_ transaction: EngineTransaction) throws {
    while let (object, place) = graph.danglingLink {
      if graph.links[object.table][place].isOptional {
        try set(object, place, to: nil, transaction)
      } else {
        try delete([object.key], from: object.table, transaction)
      }
    }
  }

  private mutating func operate(_ transaction: EngineTransaction) throws {
    operationCount += 1
    let table = Int.random(in: tables.indices, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<5: try insert(into: table, transaction)
    case 5..<8:
      guard let key = someKey(of: table) else { return }
      let place = Int.random(in: graph.links[table].indices, using: &random)
      let target = someTarget(of: table, key, place)
      guard target != nil || graph.links[table][place].isOptional else { return }
      try set(LinkGraph.Object(table: table, key: key), place, to: target, transaction)
    case 8..<11:
      guard let key = random.chance(1, in: 8) ? freshKey() : someKey(of: table) else { return }
      try delete([key], from: table, transaction)
    case 11:
      let share = Int.random(in: 2...20, using: &random)
      let chosen = graph.objects[table].keys.sorted().filter { _ in random.chance(1, in: share) }
      try delete(chosen.shuffled(using: &random), from: table, transaction)
    case 12: try compareView(table, transaction)
    default:
      let key = random.chance(1, in: 2) ? freshKey() : someKey(of: table) ?? freshKey()
      try compareRow(table, key, transaction)
    }
  }

  // MARK: Operations

  private mutating func insert(into table: Int, _ transaction: EngineTransaction) throws {
    let key = freshKey()
    guard !hasIntegerKey[table] || graph.objects[table][key] == nil else { return }
    var targets: [Int64?] = []
    for (place, link) in graph.links[table].enumerated() {
      let target = someTarget(of: table, hasIntegerKey[table] ? key : nil, place)
      guard target != nil || link.isOptional else { return }
      targets.append(target)
    }
    var columns = try transaction.batch(for: tables[table]).columns[...]
    if !hasIntegerKey[table] {
      namesMade += 1
      columns.removeFirst().append(.bytes(Array("name \(namesMade)".utf8)))
    }
    for (column, target) in zip(columns, targets) { column.append(Value(link: target)) }
    let made = try transaction.insertRow(
      into: tables[table], key: hasIntegerKey[table] ? key : nil)
    graph.objects[table][made] = targets
  }

  private mutating func set(
    _ object: LinkGraph.Object, _ place: Int, to target: Int64?, _ transaction: EngineTransaction
  ) throws {
    let wasThere = try transaction.update(
      tables[object.table], key: object.key, field: field(object.table, place),
      to: Value(link: target))
    #expect(wasThere)
    graph.objects[object.table][object.key]?[place] = target
  }

  private mutating func delete(
    _ keys: [Int64], from table: Int, _ transaction: EngineTransaction
  ) throws {
    let expected = graph.delete(keys, from: table)
    if keys.count == 1, random.chance(3, in: 4) {
      #expect(try transaction.delete(from: tables[table], key: keys[0]) == (expected == 1))
    } else {
      let column = ColumnBuffer(type: .integer)
      for key in keys { column.append(key) }
      #expect(try transaction.delete(from: tables[table], keys: column) == expected)
    }
  }

  /// A key of an object of the table.
  private mutating func someKey(of table: Int) -> Int64? {
    let objects = graph.objects[table]
    guard !objects.isEmpty else { return nil }
    // The order of a dictionary's keys is another in each process.
    return objects.keys.sorted().randomElement(using: &random)
  }

  private mutating func freshKey() -> Int64 { Int64.random(in: keys, using: &random) }

  /// Where a link may lead to: mostly an object, now and then itself or one that is not there.
  private mutating func someTarget(of table: Int, _ key: Int64?, _ place: Int) -> Int64? {
    let link = graph.links[table][place]
    if link.isOptional, random.chance(1, in: 5) { return nil }
    if link.target == table, let key, random.chance(1, in: 10) { return key }
    if random.chance(1, in: 40), hasIntegerKey[link.target] { return freshKey() }
    return someKey(of: link.target)
  }

  private func field(_ table: Int, _ place: Int) -> FieldID {
    FieldID(place + (hasIntegerKey[table] ? 1 : 2))
  }

  // MARK: Comparing

  private func compareRow(_ table: Int, _ key: Int64, _ transaction: EngineTransaction) throws {
    let row = try transaction.row(in: tables[table], key: key)
    let targets = try row.map { row in
      try graph.links[table].indices.map { try row.value(of: field(table, $0)).link }
    }
    #expect(targets == graph.objects[table][key])
  }

  private mutating func compareView(_ table: Int, _ transaction: EngineTransaction) throws {
    let view = try transaction.view()
    for (place, link) in graph.links[table].enumerated() {
      guard let target = someKey(of: link.target) else { continue }
      let query = ObjectQuery(
        table: tables[table],
        predicate: .compare(field(table, place), .equal, .integer(target)))
      let expected = graph.objects[table].values.count { $0[place] == target }
      #expect(try view.count(query) == expected)
    }
    #expect(try objects(of: table, in: view) == graph.objects[table])
  }

  /// Checks that the newest version holds what the oracle does.
  func compare(verifying: Bool) throws {
    let snapshot = engine.snapshot()
    for table in tables.indices {
      #expect(try objects(of: table, in: snapshot.view) == graph.objects[table])
    }
    if verifying { #expect(try snapshot.verify() == []) }
  }

  private func objects(of table: Int, in view: ReadView) throws -> [Int64: [Int64?]] {
    var objects: [Int64: [Int64?]] = [:]
    var leaves = try view.objects(tables[table]).leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        let place = RowPlace.leaf(leaf, row)
        objects[leaf.key(row)] = try graph.links[table].indices.map {
          try place.value(of: field(table, $0)).link
        }
      }
    }
    return objects
  }
}

extension Value {
  fileprivate init(link: Int64?) { self = link.map { .integer($0) } ?? .null }

  fileprivate var link: Int64? {
    if case .integer(let key) = self { key } else { nil }
  }
}
