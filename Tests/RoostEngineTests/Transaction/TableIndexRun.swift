import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// A table with random indexes of several fields and of some objects, in an engine and in an oracle.
final class TableIndexRun {
  private static let types: [FieldType] = [.int, .string, .double, .bool, .float, .uuid, .date]
  private static let names = ["a", "b", "c", "d", "e", "f", "g"]

  private let fileSystem = MemoryFileSystem()
  private var opened: Engine?
  private let table: UInt32
  private var random: SeededGenerator
  private var rows: [Int64: [Value]] = [:]
  private var drafts: [TableIndexDraft]
  /// How many changes were refused because they were not unique.
  private(set) var refusals = 0
  /// How many queries an index of the table answered.
  private(set) var answers = 0

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    drafts = []
    for _ in 0..<Int.random(in: 1...4, using: &random) { drafts.append(Self.draft(&random)) }
    let engine = try Engine.open("store", in: fileSystem, options: EngineOptions())
    opened = engine
    let transaction = try engine.beginWrite()
    let fields = zip(Self.names, Self.types).map {
      FieldDefinition(name: $0, type: $1, isOptional: true, isIndexed: random.chance(1, in: 6))
    }
    try transaction.addTables([
      TableDraft(
        name: "Thing",
        fields: [FieldDefinition(name: "id", type: .int, isIdentifier: true)] + fields,
        indexes: drafts)
    ])
    table = try #require(transaction.catalog.table(named: "Thing")).id
    try transaction.commit()
    self.random = random
  }

  private var engine: Engine { get throws { try #require(opened) } }

  // MARK: Random parts

  private static func draft(_ random: inout SeededGenerator) -> TableIndexDraft {
    let fields = names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
    var conditions: [TableIndexDraft.FieldCondition] = []
    for place in Array(names.indices).shuffled(using: &random)
      .prefix(Int.random(in: 0...2, using: &random))
    {
      let value = value(place, &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: conditions.append(.init(names[place], .isNotNull))
      case 1: conditions.append(.init(names[place], .isNull))
      default:
        guard value != .null, !isNaN(value) else { continue }
        let comparison = Comparison.allCases.randomElement(using: &random) ?? .equal
        conditions.append(.init(names[place], .compare(comparison, value)))
      }
    }
    return TableIndexDraft(
      of: Array(fields), isUnique: random.chance(1, in: 2), where: conditions)
  }

  private static func isNaN(_ value: Value) -> Bool {
    switch value {
    case .double(let number): number.isNaN
    case .float(let number): number.isNaN
    default: false
    }
  }

  /// A value of few.
  private static func value(_ place: Int, _ random: inout SeededGenerator) -> Value {
    if random.chance(1, in: 5) { return .null }
    switch types[place] {
    case .int: return .integer(Int64.random(in: -3...12, using: &random))
    case .string:
      let texts = ["", "a", "a\0", "a\0b", "b", "\0", "\u{1}", "ä", "ab", "abc"]
      return .bytes(Array((texts.randomElement(using: &random) ?? "").utf8))
    case .double, .date:
      let numbers: [Double] = [0, -0.0, 1.5, -2, .infinity, .nan, 7, 8, 9]
      return .double(numbers.randomElement(using: &random) ?? 0)
    case .bool: return .integer(random.chance(1, in: 2) ? 1 : 0)
    case .float: return .float([0, -0.0, 0.5, -.infinity, .nan].randomElement(using: &random) ?? 0)
    default: return .uuid(random.next() % 2, random.next() % 8)
    }
  }

  private func row() -> [Value] {
    Self.types.indices.map { Self.value($0, &random) }
  }

  // MARK: The oracle

  private func field(_ name: String) -> Int { Self.names.firstIndex(of: name) ?? 0 }

  private func predicate(_ conditions: [TableIndexDraft.FieldCondition]) -> Predicate {
    .and(
      conditions.map { condition in
        let field = FieldID(field(condition.field) + 1)
        switch condition.test {
        case .isNull: return .isNull(field)
        case .isNotNull: return .not(.isNull(field))
        case .compare(let comparison, let value): return .compare(field, comparison, value)
        }
      })
  }

  private func oracle(_ rows: [Int64: [Value]]) -> QueryOracle {
    var oracle = QueryOracle()
    let keys = rows.keys.sorted()
    oracle.tables[table] = .init(keys: keys, rows: keys.map { rows[$0] ?? [] })
    return oracle
  }

  /// The values that an object has in an index where it must be alone with them; nil where it need not be.
  private func entry(_ row: [Value], in draft: TableIndexDraft) -> [Value]? {
    let values = draft.fields.map { row[field($0)] }
    guard draft.isUnique, !values.contains(.null),
      !oracle([0: row]).keys(ObjectQuery(table: table, predicate: predicate(draft.condition)))
        .isEmpty
    else { return nil }
    return values.map { value in
      // An index has one NaN and one zero.
      if Self.isNaN(value) { return .bytes(Array("NaN".utf8)) }
      switch value {
      case .double(let number): return .double(number + 0)
      case .float(let number): return .float(number + 0)
      default: return value
      }
    }
  }

  private func isUnique(_ rows: [Int64: [Value]], _ draft: TableIndexDraft) -> Bool {
    var seen: Set<[Value]> = []
    return rows.values.allSatisfy { row in
      entry(row, in: draft).map { seen.insert($0).inserted } ?? true
    }
  }

  private func isUnique(_ rows: [Int64: [Value]]) -> Bool {
    drafts.allSatisfy { isUnique(rows, $0) }
  }

  // MARK: Changes

  func run(transactions: Int) throws {
    for number in 0..<transactions {
      try change()
      if random.chance(1, in: 4) {
        opened = nil
        opened = try Engine.open("store", in: fileSystem, options: EngineOptions())
      }
      if random.chance(1, in: 5) { try changeIndexes() }
      if random.chance(1, in: 3) || number == transactions - 1 {
        let findings = try engine.snapshot().verify()
        try #require(findings == [], "transaction \(number): \(drafts)")
      }
      try check()
    }
  }

  private func change() throws {
    let transaction = try engine.beginWrite()
    var changed = rows
    for _ in 0..<Int.random(in: 1...25, using: &random) {
      if random.chance(1, in: 12) {
        let savepoint = try transaction.savepoint()
        var tried = changed
        for _ in 0..<Int.random(in: 1...5, using: &random) { try change(&tried, in: transaction) }
        if random.chance(1, in: 2) {
          try transaction.rollback(to: savepoint)
        } else {
          transaction.release(savepoint)
          changed = tried
        }
      } else {
        try change(&changed, in: transaction)
      }
    }
    guard random.chance(9, in: 10) else { return transaction.rollback() }
    try transaction.commit()
    rows = changed
  }

  /// Makes one change in both, or finds that neither takes it.
  private func change(
    _ rows: inout [Int64: [Value]], in transaction: EngineTransaction
  ) throws {
    let key = Int64.random(in: 0..<150, using: &random)
    let known = rows.keys.sorted().randomElement(using: &random) ?? key
    var next = rows
    switch Int.random(in: 0..<11, using: &random) {
    case 0, 1, 2:
      guard rows[key] == nil else { return }
      let row = row()
      next[key] = row
      try attempt(next, &rows) { () throws(EngineError) in
        let batch = try transaction.batch(for: table)
        for (column, value) in zip(batch.columns, row) { column.append(value) }
        try transaction.insertRow(into: table, key: key)
      }
    case 3: try insertMany(&rows, transaction)
    case 4, 5:
      let row = row()
      if rows[known] != nil { next[known] = row }
      try attempt(next, &rows) { () throws(EngineError) in
        let batch = try transaction.batch(for: table)
        for (column, value) in zip(batch.columns, row) { column.append(value) }
        let isThere = try transaction.replaceRow(in: table, key: known)
        #expect(isThere == (next[known] != nil))
      }
    case 6, 7:
      let place = Int.random(in: Self.types.indices, using: &random)
      let value = Self.value(place, &random)
      next[known]?[place] = value
      try attempt(next, &rows) { () throws(EngineError) in
        try transaction.update(table, key: known, field: FieldID(place + 1), to: value)
      }
    case 8:
      next[known] = nil
      try attempt(next, &rows) { () throws(EngineError) in
        try transaction.delete(from: table, key: known)
      }
    case 9:
      let keys = ColumnBuffer(type: .integer)
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let key = Int64.random(in: 0..<150, using: &random)
        keys.append(key)
        next[key] = nil
      }
      try attempt(next, &rows) { () throws(EngineError) in
        _ = try transaction.delete(from: table, keys: keys)
      }
    default: try assign(&rows, transaction)
    }
  }

  /// Does what should leave these rows, or be refused.
  private func attempt(
    _ next: [Int64: [Value]], _ rows: inout [Int64: [Value]],
    _ body: () throws(EngineError) -> Void
  ) throws {
    switch Result(catching: body) {
    case .success:
      try #require(isUnique(next), "taken: \(drafts)")
      rows = next
    case .failure(.duplicate(_, let field, let value)):
      refusals += 1
      try #require(!isUnique(next), "\(field) is \(value): \(drafts)")
    case .failure(let error): throw error
    }
  }

  private func insertMany(
    _ rows: inout [Int64: [Value]], _ transaction: EngineTransaction
  ) throws {
    let keys = ColumnBuffer(type: .integer)
    let isAscending = random.chance(1, in: 2)
    var key = (rows.keys.max() ?? 0) + 1
    var new: [(key: Int64, row: [Value])] = []
    for _ in 0..<Int.random(in: 1...10, using: &random) {
      if !isAscending { key = Int64.random(in: 0..<150, using: &random) }
      guard rows[key] == nil, !new.contains(where: { $0.key == key }) else { continue }
      new.append((key, row()))
      keys.append(key)
      key += 1
    }
    let batch = try transaction.batch(for: table)
    for (_, row) in new {
      for (column, value) in zip(batch.columns, row) { column.append(value) }
    }
    var isRefused = false
    do throws(EngineError) {
      try transaction.insertRows(into: table, count: new.count, keys: keys)
    } catch {
      guard case .duplicate = error else { throw error }
      isRefused = true
      refusals += 1
    }
    // Those before the one that is refused are there.
    for (place, object) in new.enumerated() {
      var next = rows
      next[object.key] = object.row
      guard isUnique(next) else {
        try #require(isRefused, "row \(place): \(drafts)")
        return
      }
      rows = next
    }
    try #require(!isRefused)
  }

  private func assign(
    _ rows: inout [Int64: [Value]], _ transaction: EngineTransaction
  ) throws {
    var next = rows
    let bound = Int64.random(in: 0..<150, using: &random)
    let query = ObjectQuery(table: table, predicate: .compare(0, .greater, .integer(bound)))
    var assignments: [FieldAssignment] = []
    if random.chance(2, in: 3) {
      let step = Int64.random(in: -2...2, using: &random)
      assignments.append(
        FieldAssignment(
          1, .arithmetic(.add, .integer(.min ... .max), .field(1), .constant(.integer(step)))))
      for (key, row) in rows where key > bound {
        if case .integer(let number) = row[0] { next[key]?[0] = .integer(number + step) }
      }
    }
    if random.chance(1, in: 2) {
      let value = Self.value(3, &random)
      assignments.append(FieldAssignment(4, .constant(value)))
      for key in rows.keys where key > bound { next[key]?[3] = value }
    }
    guard !assignments.isEmpty else { return }
    try attempt(next, &rows) { () throws(EngineError) in
      _ = try transaction.update(query, assignments)
    }
  }

  // MARK: Other indexes

  private func changeIndexes() throws {
    let transaction = try engine.beginWrite()
    if !drafts.isEmpty, random.chance(1, in: 2) {
      let place = Int.random(in: drafts.indices, using: &random)
      let definition = try #require(transaction.catalog.table(table))
      let index = try #require(
        definition.indexes.first { drafts[place].index(in: definition)?.isLike($0) == true })
      try transaction.removeIndex(index, of: table)
      drafts.remove(at: place)
      try transaction.commit()
      return
    }
    let draft = Self.draft(&random)
    guard !drafts.contains(draft) else { return transaction.rollback() }
    let table = table
    let added = Result { () throws(EngineError) in try transaction.addIndex(draft, to: table) }
    switch added {
    case .success:
      try transaction.commit()
      try #require(isUnique(rows, draft))
      drafts.append(draft)
    case .failure(.duplicate(_, let field, let value)):
      transaction.rollback()
      refusals += 1
      try #require(!isUnique(rows, draft), "\(field) is \(value): \(draft)")
    case .failure(let error): throw error
    }
  }

  // MARK: Queries

  private func check() throws {
    let view = try engine.snapshot().view
    let oracle = oracle(rows)
    for _ in 0..<12 {
      let draft = drafts.randomElement(using: &random)
      let fields = (draft?.fields ?? ["a"]).map { FieldID(field($0) + 1) }
      var parts: [Predicate] = [predicate(draft?.condition ?? [])]
      let equalCount = Int.random(in: 0...fields.count, using: &random)
      for field in fields.prefix(equalCount) {
        parts.append(.compare(field, .equal, Self.value(Int(field) - 1, &random)))
      }
      if equalCount < fields.count {
        let field = fields[equalCount]
        parts.append(
          .compare(
            field, Comparison.allCases.randomElement(using: &random) ?? .less,
            Self.value(Int(field) - 1, &random)))
      }
      var query = ObjectQuery(table: table, predicate: .and(parts))
      if random.chance(1, in: 2) {
        let isDescending = random.chance(1, in: 2)
        query.order = fields.map { SortKey(field: $0, descending: isDescending) }
        query.limit = Int.random(in: 0...9, using: &random)
      }
      var statistics = ScanStatistics()
      let found = try view.matches(query, &statistics).keys()
      try #require(found == oracle.keys(query), "\(query), \(drafts)")
      if statistics.tableIndex != nil { answers += 1 }
    }
    let all = ObjectQuery(table: table)
    try #require(try view.matches(all).keys() == oracle.keys(all))
  }
}

/// Indexes of several fields and of some objects, as objects change.
@Suite struct TableIndexTests {
  @Test(arguments: [UInt64](1...40))
  func theIndexesOfATableFollowItsObjects(_ seed: UInt64) throws {
    let run = try TableIndexRun(seed: seed)
    try run.run(transactions: 25)
    #expect(run.answers > 0, "seed \(seed)")
  }

  @Test func changesThatWouldNotBeUniqueAreRefused() throws {
    var refusals = 0
    for seed in 100..<110 as Range<UInt64> {
      let run = try TableIndexRun(seed: seed)
      try run.run(transactions: 10)
      refusals += run.refusals
    }
    #expect(refusals > 50)
  }

  private func engine(_ indexes: [TableIndexDraft]) throws -> (Engine, UInt32) {
    let engine = try Engine.open("store", in: MemoryFileSystem(), options: EngineOptions())
    let transaction = try engine.beginWrite()
    try transaction.addTables([
      TableDraft(
        name: "Thing",
        fields: [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "a", type: .string), FieldDefinition(name: "b", type: .int),
          FieldDefinition(name: "list", type: .json, isOptional: true),
        ], indexes: indexes)
    ])
    let table = try #require(transaction.catalog.table(named: "Thing")).id
    try transaction.commit()
    return (engine, table)
  }

  private func insert(
    _ key: Int64, _ text: String, _ number: Int64, into table: UInt32,
    _ transaction: EngineTransaction
  ) throws(EngineError) {
    let batch = try transaction.batch(for: table)
    batch.columns[0].append(text)
    batch.columns[1].append(number)
    batch.columns[2].appendNull()
    try transaction.insertRow(into: table, key: key)
  }

  @Test func namesTheFieldsAndTheValuesOfADuplicate() throws {
    let (engine, table) = try engine([TableIndexDraft(of: ["a", "b"], isUnique: true)])
    let transaction = try engine.beginWrite()
    try insert(1, "x", 7, into: table, transaction)
    try insert(2, "x", 8, into: table, transaction)
    #expect(throws: EngineError.duplicate(table: "Thing", field: "a, b", value: "(x, 7)")) {
      try insert(3, "x", 7, into: table, transaction)
    }
    #expect(throws: EngineError.duplicate(table: "Thing", field: "a, b", value: "(x, 7)")) {
      try transaction.update(table, key: 2, field: 2, to: .integer(7))
    }
    // The two exchange their values: what counts is how it is in the end.
    let seven = ColumnExpression.arithmetic(
      .subtract, .integer(.min ... .max), .constant(.integer(15)), .field(2))
    #expect(try transaction.update(ObjectQuery(table: table), [FieldAssignment(2, seven)]) == 2)
    #expect(throws: EngineError.duplicate(table: "Thing", field: "a, b", value: "(x, 1)")) {
      try transaction.update(
        ObjectQuery(table: table), [FieldAssignment(2, .constant(.integer(1)))])
    }
    try transaction.commit()
    #expect(try engine.snapshot().verify() == [])
  }

  @Test func valuesThatAreTooLongToBeToldApartAreRefusedWhereTheyMustBeUnique() throws {
    let (engine, table) = try engine([
      TableIndexDraft(of: ["a", "b"], isUnique: true), TableIndexDraft(of: ["b", "a"]),
    ])
    let transaction = try engine.beginWrite()
    let tooLong = EngineError.tooLong(table: "Thing", field: "a, b", limit: 1024)
    #expect(throws: tooLong) {
      try insert(1, String(repeating: "x", count: 1013), 7, into: table, transaction)
    }
    // A byte for each value that says it is one, two at the end of a text, eight for a number.
    try insert(1, String(repeating: "x", count: 1012), 7, into: table, transaction)
    try transaction.commit()
    #expect(try engine.snapshot().verify() == [])
  }

  @Test func refusesFieldsWithoutAnOrder() throws {
    #expect(throws: EngineError.wrongType(table: "Thing", field: "list")) {
      _ = try engine([TableIndexDraft(of: ["list"])])
    }
    #expect(throws: EngineError.wrongType(table: "Thing", field: "id")) {
      _ = try engine([TableIndexDraft(of: ["id"])])
    }
    #expect(throws: EngineError.wrongType(table: "Thing", field: "b")) {
      _ = try engine([
        TableIndexDraft(of: ["b"], where: [.init("a", .compare(.equal, .integer(1)))])
      ])
    }
  }

  @Test func anIndexGoesWithItsFieldsAndItsTable() throws {
    let (engine, table) = try engine([
      TableIndexDraft(of: ["b"], where: [.init("a", .isNotNull)]), TableIndexDraft(of: ["b", "a"]),
      TableIndexDraft(of: ["b"], where: [.init("b", .compare(.less, .integer(5)))]),
    ])
    try engine.write { (transaction) throws(EngineError) in
      for key in 0..<1000 as Range<Int64> {
        try insert(key, "t\(key)", key % 10, into: table, transaction)
      }
    }
    try engine.write { (transaction) throws(EngineError) in
      try transaction.removeField(1, from: table)
    }
    #expect(engine.snapshot().catalog.table(table)?.indexes.map(\.fields) == [[2]])
    #expect(try engine.statistics().tables[0].indexes.map(\.entries) == [500])
    #expect(try engine.statistics().tables[0].indexes.map(\.field) == ["b where b < 5"])
    #expect(try engine.snapshot().verify() == [])
    try engine.write { (transaction) throws(EngineError) in try transaction.removeTable(table) }
    #expect(try engine.snapshot().verify() == [])
  }
}
