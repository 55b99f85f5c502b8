import Foundation
import RoostEngine
import RoostMaintenance
import RoostQueryText
import RoostTestSupport
import Testing

/// Random queries over random tables that were changed at random, all of them compared with a naive evaluation.
@Suite struct RandomQueryRunTests {
  /// Some hundred queries, as many as `ROOST_QUERIES` says in `Scripts/test-long`.
  private static let count =
    ProcessInfo.processInfo.environment["ROOST_QUERIES"].flatMap { Int($0) } ?? 500

  /// Queries asked of one table: few enough for four tables with different indexes.
  private static let countPerTable = min(250, max(1, count / 4))

  @Test func queriesOfEachPlanFindWhatANaiveEvaluationFinds() async throws {
    let tables = max(1, Self.count / Self.countPerTable)
    let histogram = try await withThrowingTaskGroup(of: QueryHistogram.self) { group in
      var whole = QueryHistogram()
      for seed in 1...tables {
        // Two at a time: tables and their oracles take memory.
        if seed > 2, let part = try await group.next() { whole.add(part) }
        group.addTask { try Self.run(seed: UInt64(seed)) }
      }
      for try await part in group { whole.add(part) }
      return whole
    }
    print(histogram)
    #expect(histogram.queries == tables * Self.countPerTable)
    #expect(histogram.someFound * 100 >= histogram.queries * 30)
    for kind in QueryHistogram.kinds {
      #expect(histogram.counts[kind, default: 0] * 100 >= histogram.queries * 2, "\(kind)")
    }
  }

  private static func run(seed: UInt64) throws -> QueryHistogram {
    var random = SeededGenerator(seed: seed)
    // Mostly small tables: a naive evaluation looks at each object.
    let rows = seed % 16 == 0 ? 20_000 : Int.random(in: 2_000...4_000, using: &random)
    var fixture = try QueryFixture(
      seed: seed, rows: rows, isIndexed: seed % 3 != 0,
      tableIndexes: seed % 4 < 2 ? [] : RandomTableIndex.drafts(&random))
    try fixture.change(rows / 4, &random)
    let statistics = try fixture.engine.statistics()
    let leaves = statistics.tables.first { $0.name == "Item" }?.leaves ?? 0
    try #require(leaves >= 5)
    let view = try fixture.view
    let indexes = try #require(view.catalog.table(fixture.items)).indexes
    let objectCount = fixture.oracle.tables[fixture.items]?.keys.count ?? 0

    var histogram = QueryHistogram()
    var queries = RandomQuery(fixture: fixture, random: random)
    for number in 0..<countPerTable {
      let query: ObjectQuery
      switch number % 5 {
      case 0, 1: query = queries.next()
      case 2 where !indexes.isEmpty:
        let index = indexes[Int.random(in: 0..<indexes.count, using: &queries.random)]
        query = RandomTableIndex.query(index, fixture, &queries.random)
      default: query = queries.nextForAPlan()
      }
      let place = "seed \(seed), query \(number)"
      if number % 5 == 4 {
        try compareGroups(query, of: view, queries: &queries, place)
        histogram.groups += 1
      }
      let expected = fixture.oracle.keys(query)
      var statistics = ScanStatistics()
      let found = try view.matches(query, &statistics).keys()
      try #require(found == expected, "\(place): \(query)")
      try #require(try view.count(query) == expected.count, "\(place): \(query)")
      let text = query.text(in: view.catalog)
      do {
        var readBack = try ObjectQuery(text, in: view.catalog)
        #expect(readBack.text(in: view.catalog) == text, "\(place): \(query)")
        readBack.order = readBack.order.map(\.inTestedOrder)
        #expect(try view.matches(readBack).keys() == expected, "\(place): \(text)")
      } catch {
        Issue.record(error, "\(place): \(text)")
      }
      histogram.add(statistics.steps, found: found.count, of: objectCount)
    }
    return histogram
  }

  private static func compareGroups(
    _ objects: ObjectQuery, of view: ReadView, queries: inout RandomQuery, _ place: String
  ) throws {
    let query = queries.groups(of: objects)
    guard let expected = queries.fixture.oracle.groups(query) else {
      // Some sum does not fit, and nothing else is wrong.
      let error = #expect(throws: EngineError.self, "\(place): \(query)") {
        try view.groups(query)
      }
      guard case .overflow = error else {
        Issue.record("\(place): \(String(describing: error)) of \(query)")
        return
      }
      return
    }
    let oracle = queries.fixture.oracle
    func expectEqual(
      _ value: (_ row: Int, _ column: Int) -> Value, _ expected: [[Value]]
    ) throws {
      for (row, values) in expected.enumerated() {
        for (column, wanted) in values.enumerated() {
          let given = value(row, column)
          try #require(
            oracle.compare(given, wanted) == 0 && given.type == wanted.type,
            "\(place), row \(row), column \(column), \(given), not \(wanted): \(query)")
        }
      }
    }
    func expectGroups(_ query: GroupQuery) throws {
      let found = try view.groups(query)
      try #require(found.count == expected.count, "\(place): \(query)")
      try expectEqual({ found.value(row: $0, column: $1) }, expected)
    }
    let text = query.text(in: view.catalog)
    do {
      try expectGroups(query)
      var readBack = try GroupQuery(text, in: view.catalog)
      #expect(readBack.text(in: view.catalog) == text, "\(place): \(query)")
      readBack.order = readBack.order.map(\.inTestedOrder)
      readBack.objects.order = readBack.objects.order.map(\.inTestedOrder)
      try expectGroups(readBack)
      // All objects together, without groups.
      let whole = GroupQuery(objects, by: [], query.aggregates)
      if let expected = oracle.groups(whole) {
        let found = try view.aggregate(query.aggregates, over: objects)
        try expectEqual({ found[$1] }, expected)
      }
    } catch {
      Issue.record(error, "\(place): \(text), \(query)")
    }
  }
}

extension SortKey {
  /// The same with the order of texts that the naive evaluation knows: a text has the name of the system's.
  fileprivate var inTestedOrder: SortKey {
    guard collation == NaiveCollation.swedish else { return self }
    return SortKey(value, descending: isDescending, collation: NaiveCollation.swedish)
  }
}

/// How queries were answered, and how much they found.
private struct QueryHistogram: CustomStringConvertible {
  static let kinds = [
    "nothing", "positions", "keys", "scan", "index", "table index", "union", "intersection",
    "in order", "top", "sort",
  ]

  var queries = 0
  /// Those that found some objects, not all.
  var someFound = 0
  /// Groups that were compared, too.
  var groups = 0
  /// The queries with a step of a kind.
  var counts: [String: Int] = [:]

  mutating func add(_ steps: [PlanStep], found: Int, of objectCount: Int) {
    queries += 1
    if found > 0, found < objectCount { someFound += 1 }
    for kind in Set(steps.map(Self.kind)) { counts[kind, default: 0] += 1 }
  }

  mutating func add(_ other: QueryHistogram) {
    queries += other.queries
    someFound += other.someFound
    groups += other.groups
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  private static func kind(_ step: PlanStep) -> String {
    switch step {
    case .nothing: "nothing"
    case .positions: "positions"
    case .keys: "keys"
    case .scan: "scan"
    case .index: "index"
    case .tableIndex: "table index"
    case .union: "union"
    case .intersection: "intersection"
    case .inOrder: "in order"
    case .gaveUp: "gave up"
    case .top: "top"
    case .sort: "sort"
    }
  }

  var description: String {
    func percent(_ count: Int) -> String { "\(count * 1000 / max(queries, 1))‰" }
    return "\(queries) queries, \(percent(someFound)) found some, not all; \(groups) groups; "
      + Self.kinds.map { "\($0) \(percent(counts[$0, default: 0]))" }.joined(separator: ", ")
  }
}
