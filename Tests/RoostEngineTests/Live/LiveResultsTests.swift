import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Results that are kept from version to version, beside those of the query in each of them.
@Suite struct LiveResultsTests {
  /// About a hundred transactions, as many as `ROOST_TRANSACTIONS` says in `Scripts/test-long`.
  private static let transactionCount =
    ProcessInfo.processInfo.environment["ROOST_TRANSACTIONS"].flatMap { Int($0) } ?? 96
  /// So many are done before other queries are observed: few enough for eight tables of different sizes.
  private static let transactionsOfRun = min(25, transactionCount / 8)

  @Test func whatChangedMakesOfTheResultsBeforeThoseOfTheQueryNow() async throws {
    let counts = try await withThrowingTaskGroup(of: LiveCounts.self) { group in
      var whole = LiveCounts()
      for seed in 0..<Self.transactionCount / Self.transactionsOfRun {
        // Two at a time: tables and their oracles take memory.
        if seed >= 2, let part = try await group.next() { whole.add(part) }
        group.addTask {
          let rows = [0, 40, 700, 3000, 1, 200, 2000, 5000][seed % 8]
          var run = try LiveRun(seed: UInt64(seed), rows: rows)
          while run.transactions < Self.transactionsOfRun { try run.step() }
          return run.counts
        }
      }
      for try await part in group { whole.add(part) }
      return whole
    }
    print(
      "\(Self.transactionCount) transactions, \(counts.transactionsOfLeaves) in more than one leaf, "
        + "\(counts.advances) times further, \(counts.changes) times with other results, "
        + "\(counts.reruns) times answered anew; "
        + "\(counts.shortCuts) times the changed keys of a table were known")
    #expect(counts.changes * 5 > counts.advances)
    #expect(counts.reruns * 20 <= counts.advances)
    #expect(counts.shortCuts > Self.transactionCount / 4)
    #expect(counts.transactionsOfLeaves * 5 >= Self.transactionCount)
  }
}

/// What happened in runs.
private struct LiveCounts {
  /// How often results were brought to a later version.
  var advances = 0
  /// How often results became others.
  var changes = 0
  /// How often the keys of the objects of a table that changed were known without comparing versions.
  var shortCuts = 0
  /// How many transactions changed or deleted objects of more than one leaf.
  var transactionsOfLeaves = 0
  /// How often a query was answered anew.
  var reruns = 0

  mutating func add(_ other: LiveCounts) {
    advances += other.advances
    changes += other.changes
    shortCuts += other.shortCuts
    transactionsOfLeaves += other.transactionsOfLeaves
    reruns += other.reruns
  }
}

/// Observers of random queries, while objects come, change and go.
private struct LiveRun {
  private struct Observer {
    let query: ObjectQuery
    var results: LiveResults
    /// What it holds: the objects in their order.
    var keys: [Int64]
    /// What is read of each, and the value that they are ordered by first.
    let read: [ColumnExpression]
    var shown: [[Value]]
  }

  private struct Modification: Equatable {
    var from: Int
    var to: Int
    var key: Int64
    var fields: [FieldID]

    init(from: Int, to: Int, key: Int64, fields: [FieldID]) {
      (self.from, self.to, self.key, self.fields) = (from, to, key, fields)
    }

    init(_ other: ResultsDifference.Modification) {
      self.init(from: other.from, to: other.to, key: other.key, fields: other.fields)
    }
  }

  private var fixture: QueryFixture
  private var random: SeededGenerator
  private var observers: [Observer] = []
  /// The newest version when the observers were last brought up to date.
  private var latest: EngineSnapshot
  private(set) var transactions = 0
  private var happened = LiveCounts()
  /// What happened so far.
  var counts: LiveCounts {
    var counts = happened
    // Queries in the order of a locale are always answered anew.
    counts.reruns = observers.filter { $0.query.order.allSatisfy { $0.collation == nil } }
      .reduce(0) { $0 + $1.results.reruns }
    return counts
  }
  private let place: String

  init(seed: UInt64, rows: Int) throws {
    place = "seed \(seed)"
    random = SeededGenerator(seed: seed)
    fixture = try QueryFixture(seed: seed, rows: rows, isIndexed: seed % 2 == 0)
    latest = fixture.engine.snapshot()
    // Links lead to every third object, which stay.
    try write { transaction, run throws in
      for key in try run.keys() {
        try transaction.update(run.fixture.items, key: key, field: 10, to: try run.parent())
      }
      for key in run.groupKeys {
        try transaction.update(
          run.fixture.groups, key: key, field: 3, to: .bytes(LinkList.bytes(try run.members())))
      }
    }
    let snapshot = fixture.engine.snapshot()
    latest = snapshot
    // Of a generator of their own, so that the changes do not depend on which queries there are.
    var queries = RandomQuery(fixture: fixture, random: SeededGenerator(seed: seed + 1_000_000))
    for _ in 0..<24 {
      let query = queries.next()
      // Some show more than what they ask for.
      let read = observers.count % 4 == 0 ? queries.next().order.map(\.value) : []
      let results = try LiveResults(query, reading: read, in: snapshot)
      let values = query.order.prefix(1).map(\.value) + read
      observers.append(
        Observer(
          query: query, results: results, keys: try results.results.keys(), read: values,
          shown: try Self.values(values, of: query, in: snapshot.view)))
    }
  }

  // MARK: Changes

  private var groupKeys: [Int64] { fixture.oracle.tables[fixture.groups]?.keys ?? [] }

  private func keys() throws -> [Int64] {
    try fixture.view.matches(ObjectQuery(table: fixture.items)).keys()
  }

  private mutating func parent() throws -> Value {
    let parents = try keys().filter { $0 % 3 == 0 }
    guard let parent = parents.randomElement(using: &random), !random.chance(1, in: 4) else {
      return .null
    }
    return .integer(parent)
  }

  private mutating func members() throws -> [Int64] {
    let parents = try keys().filter { $0 % 3 == 0 }
    guard !parents.isEmpty else { return [] }
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in
      parents[Int.random(in: 0..<parents.count, using: &random)]
    }
  }

  private mutating func write(
    _ body: (EngineTransaction, inout LiveRun) throws -> Void
  ) throws {
    let transaction = try fixture.engine.beginWrite()
    try body(transaction, &self)
    try transaction.commit()
  }

  /// Changes some objects in one transaction.
  private mutating func change() throws {
    transactions += 1
    let all = try keys()
    let (before, items) = (try fixture.view, fixture.items)
    var touched: [Int64] = []
    try write { transaction, run throws in
      if run.random.chance(1, in: 8) { try run.changeAndUndo(all, transaction) }
      var gone: Set<Int64> = []
      var last = all.last ?? 0
      for _ in 0..<(run.random.chance(1, in: 3) ? 40 : Int.random(in: 1...3, using: &run.random)) {
        let key = all.randomElement(using: &run.random) ?? 0
        switch Int.random(in: 0..<8, using: &run.random) {
        case 0, 1:
          last += Int64.random(in: 1...3, using: &run.random)
          let values = (0..<QueryFixture.fieldCount).map {
            QueryFixture.value($0, &run.random, groups: run.groupKeys, items: [])
          }
          try QueryFixture.insert(last, values, into: run.fixture.items, transaction)
        case 2 where all.contains(key) && key % 3 != 0 && !gone.contains(key):
          #expect(try transaction.delete(from: run.fixture.items, key: key))
          gone.insert(key)
          touched.append(key)
        case 3:
          guard let group = run.groupKeys.randomElement(using: &run.random) else { continue }
          let value: Value =
            run.random.chance(1, in: 2)
            ? .bytes(LinkList.bytes(try run.members()))
            : .integer(Int64.random(in: 0..<5, using: &run.random))
          let field: FieldID = if case .bytes = value { 3 } else { 1 }
          try transaction.update(run.fixture.groups, key: group, field: field, to: value)
        default:
          guard all.contains(key), !gone.contains(key) else { continue }
          let field = Int.random(in: 0..<QueryFixture.fieldCount, using: &run.random)
          let value =
            field == 9
            ? try run.parent()
            : QueryFixture.value(field, &run.random, groups: run.groupKeys, items: [])
          try transaction.update(
            run.fixture.items, key: key, field: FieldID(field + 1), to: value)
          touched.append(key)
        }
      }
    }
    let leaves = try touched.compactMap { try before.find($0, in: items)?.leaf.pointer.unit }
    if Set(leaves).count > 1 { happened.transactionsOfLeaves += 1 }
  }

  /// Changes objects up to a savepoint, to which it goes back: they are as they were.
  private mutating func changeAndUndo(_ keys: [Int64], _ transaction: EngineTransaction) throws {
    let savepoint = try transaction.savepoint()
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      guard let key = keys.randomElement(using: &random) else { break }
      try transaction.update(fixture.items, key: key, field: 10, to: try parent())
    }
    try transaction.rollback(to: savepoint)
  }

  // MARK: Observers

  mutating func step() throws {
    for _ in 0..<(random.chance(1, in: 20) ? Int.random(in: 0...50, using: &random) : 1) {
      try change()
    }
    let snapshot = fixture.engine.snapshot()
    for table in [fixture.items, fixture.groups] { try compare(table, latest, snapshot) }
    latest = snapshot
    var differences: [UInt64: VersionDifference] = [:]
    for index in observers.indices where random.chance(1, in: 3) {
      let version = observers[index].results.snapshot
      let difference =
        differences[version.version.transaction] ?? VersionDifference(from: version, to: snapshot)
      differences[version.version.transaction] = difference
      try advance(index, difference)
    }
  }

  /// Compares what is found by the keys that the last commit touched with the difference of the versions.
  private mutating func compare(
    _ table: UInt32, _ earlier: EngineSnapshot, _ later: EngineSnapshot
  ) throws {
    guard let keys = later.version.touchedKeys(of: table, since: earlier.version) else { return }
    happened.shortCuts += 1
    let found = try later.changes(of: table, since: earlier, among: keys)
    let expected = try later.changes(of: table, since: earlier, among: nil)
    try #require(ExpectedChanges(found) == ExpectedChanges(expected), "\(place)")
    try #require(keys == keys.sorted() && Set(keys).count == keys.count, "\(place)")
  }

  private mutating func advance(_ index: Int, _ difference: VersionDifference) throws {
    happened.advances += 1
    var observer = observers[index]
    defer { observers[index] = observer }
    let changes = try observer.results.advance(by: difference)
    let expected = try difference.later.view.matches(observer.query).keys()
    if !changes.isEmpty { happened.changes += 1 }
    let context = "\(place): \(observer.query.text(in: difference.later.catalog))"
    let results = try observer.results.results
    try #require(try results.keys() == expected, "\(context)")
    var inLeaves: [Int64] = []
    try results.forEachLeaf { (leaf, rows) in for row in rows { inLeaves.append(leaf.key(row)) } }
    try #require(inLeaves == expected, "\(context)")
    try #require(Self.apply(changes, to: observer.keys) == expected, "\(context)")

    let objects = try difference.changes(of: fixture.items)
    let positions = Dictionary(uniqueKeysWithValues: expected.enumerated().map { ($1, $0) })
    let before = Dictionary(uniqueKeysWithValues: observer.keys.enumerated().map { ($1, $0) })
    var modifications: [Modification] = []
    for (place, key) in objects.modifications.enumerated() {
      guard let from = before[key], let to = positions[key] else { continue }
      modifications.append(
        Modification(
          from: from, to: to, key: key, fields: objects.fields(ofModification: place)))
    }
    let own = changes.modifications.filter { !$0.fields.isEmpty }
    try #require(
      own.map(Modification.init) == modifications.sorted { $0.to < $1.to }, "\(context)")
    for change in changes.modifications {
      try #require(before[change.key] == change.from, "\(context)")
      try #require(positions[change.key] == change.to, "\(context)")
    }
    let told = Set(changes.modifications.map(\.to))
    try #require(told.count == changes.modifications.count, "\(context)")

    // Of which something else is shown was told: cells and sections may be kept without asking for the others'.
    let shown = try Self.values(observer.read, of: observer.query, in: difference.later.view)
    for (position, key) in expected.enumerated() where !shown.isEmpty {
      guard let from = before[key], !told.contains(position) else { continue }
      let isSame = zip(shown[position], observer.shown[from]).allSatisfy { $0.isSame(as: $1) }
      try #require(isSame, "\(context)")
    }
    observer.keys = expected
    observer.shown = shown
  }

  /// Some values of each result; none where none is wanted.
  private static func values(
    _ values: [ColumnExpression], of query: ObjectQuery, in view: ReadView
  ) throws -> [[Value]] {
    guard !values.isEmpty else { return [] }
    let table = try view.values(values, of: query)
    return (0..<table.count).map { row in
      values.indices.map { table.value(row: row, column: $0) }
    }
  }

  /// What a list becomes that shows some objects.
  private static func apply(_ changes: ResultsDifference, to keys: [Int64]) -> [Int64] {
    var list = keys
    let taken =
      (changes.deletions.map { ($0.position, $0.key) }
      + changes.moves.map { ($0.from, $0.key) }).sorted { $0.0 > $1.0 }
    for (position, key) in taken {
      #expect(list[position] == key)
      list.remove(at: position)
    }
    let put =
      (changes.insertions.map { ($0.position, $0.key) }
      + changes.moves.map { ($0.to, $0.key) }).sorted { $0.0 < $1.0 }
    for (position, key) in put { list.insert(key, at: position) }
    return list
  }
}

extension Value {
  /// Whether both are the same, also where they are no numbers.
  fileprivate func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
    case (.float(let a), .float(let b)): a == b || a.isNaN && b.isNaN
    default: self == other
    }
  }
}
