import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// What a scan touches, and when it stops.
struct QueryScanTests {
  /// Rows whose first number ascends with the key and whose second does not; a text beside them.
  private static func store(rows: Int) throws -> (engine: Engine, table: UInt32) {
    let engine = try Engine.open("store", in: MemoryFileSystem())
    let transaction = try engine.beginWrite()
    try transaction.addTables([
      TableDraft(
        name: "Row",
        fields: [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "rising", type: .int),
          FieldDefinition(name: "mixed", type: .int),
          FieldDefinition(name: "text", type: .string),
        ])
    ])
    let table = try #require(transaction.catalog.table(named: "Row")).id
    for key in 0..<rows {
      let batch = try transaction.batch(for: table)
      batch.columns[0].append(Int64(key / 10))
      batch.columns[1].append(Int64(key * 7919 % 100))
      batch.columns[2].append(.bytes(Array("the text of row \(key)".utf8)))
      try transaction.insertRow(into: table, key: Int64(key))
    }
    try transaction.commit()
    return (engine, table)
  }

  @Test func readsOnlyTheColumnsThatThePredicateNames() throws {
    let (engine, table) = try Self.store(rows: 20_000)
    var statistics = ScanStatistics()
    let count = try engine.snapshot().view.count(
      ObjectQuery(table: table, predicate: .compare(2, .equal, .integer(42))), &statistics)
    #expect(count == 200)
    #expect(statistics.rowsMatched == 200)
    #expect(statistics.leavesVisited > 5)
    #expect(Set(statistics.bytesByField.keys) == [2])
    let bytes = try #require(statistics.bytesByField[2])
    #expect(bytes >= 20_000 && bytes < 22_000)
  }

  @Test(arguments: [false, true])
  func looksUpEachOfManyValuesInAnIndex(isOr: Bool) throws {
    let fixture = try QueryFixture(seed: 5, rows: 8000, isIndexed: true)
    // The wide numbers are mostly distinct.
    let values = Set(fixture.oracle.tables[fixture.items]?.rows.prefix(300).map { $0[1] } ?? [])
      .subtracting([.null])
    let query = ObjectQuery(
      table: fixture.items,
      predicate: isOr
        ? .or(values.map { .compare(2, .equal, $0) }) : .oneOf(2, Array(values)))
    var statistics = ScanStatistics()
    let found = try fixture.view.matches(query, &statistics)
    #expect(try found.keys() == fixture.oracle.keys(query))
    #expect(statistics.index == 2)
    #expect(statistics.leavesVisited == 0)
  }

  @Test func readsNoColumnToCountEverythingOrARangeOfKeys() throws {
    let (engine, table) = try Self.store(rows: 20_000)
    let view = try engine.snapshot().view
    var statistics = ScanStatistics()
    #expect(try view.count(ObjectQuery(table: table), &statistics) == 20_000)
    let range = Predicate.and([
      .compare(0, .greaterOrEqual, .integer(5)), .compare(0, .less, .integer(12_345)),
    ])
    #expect(try view.count(ObjectQuery(table: table, predicate: range), &statistics) == 12_340)
    #expect(statistics.leavesVisited == 0)
    #expect(statistics.bytesByField.isEmpty)
  }

  @Test func skipsLeavesByTheirZoneMapsAndFindsTheSame() throws {
    let (engine, table) = try Self.store(rows: 20_000)
    let view = try engine.snapshot().view
    var statistics = ScanStatistics()
    let narrow = Predicate.compare(1, .equal, .integer(777))
    let result = try view.matches(ObjectQuery(table: table, predicate: narrow), &statistics)
    #expect(try result.keys() == Array(7770..<7780))
    #expect(statistics.leavesVisited - statistics.leavesSkipped <= 2)
    #expect(statistics.rowsExamined >= 10 && statistics.rowsExamined < 10_000)
    // The opposite twice is the same question, and one that zone maps cannot answer by skipping.
    let text = Predicate.text(3, .contains, Array("row 777".utf8))
    let both = try view.matches(
      ObjectQuery(table: table, predicate: .and([text, .not(.not(narrow))])))
    #expect(try both.keys() == Array(7770..<7780))
  }

  @Test func asksTheZoneMapsOfAllConjunctsBeforeAnyColumn() throws {
    let (engine, table) = try Self.store(rows: 20_000)
    var statistics = ScanStatistics()
    let predicate = Predicate.and([
      .compare(2, .equal, .integer(42)), .compare(1, .greater, .integer(1_000_000)),
    ])
    let view = try engine.snapshot().view
    #expect(
      try view.count(ObjectQuery(table: table, predicate: predicate), &statistics) == 0)
    #expect(statistics.bytesByField.isEmpty)
    #expect(statistics.leavesSkipped == statistics.leavesVisited)
    #expect(statistics.rowsExamined == 0)
  }

  @Test(arguments: [[], [SortKey(field: 1)]], [nil, 10])
  func noLeafIsSkippedOfWhichAColumnWasRead(order: [SortKey], limit: Int?) throws {
    let (engine, table) = try Self.store(rows: 20_000)
    let view = try engine.snapshot().view
    // Every leaf has both numbers, and no row has, so that nobody asks for the text.
    let query = ObjectQuery(
      table: table,
      predicate: .and([
        .compare(2, .equal, .integer(42)), .compare(2, .equal, .integer(43)),
        .text(3, .contains, Array("row".utf8)),
      ]), order: order, limit: limit)
    var statistics = ScanStatistics()
    #expect(try view.matches(query, &statistics).isEmpty)
    #expect(statistics.leavesVisited > 5)
    #expect(statistics.leavesSkipped == 0)
    #expect(statistics.rowsExamined == 20_000)
    var counting = ScanStatistics()
    #expect(try view.count(query, &counting) == 0)
    #expect(counting.leavesVisited == statistics.leavesVisited)
    #expect(counting.leavesSkipped == 0)
    #expect(counting.rowsExamined == 20_000)
  }

  @Test func skipsLeavesThatCannotBetterTheFirstResults() throws {
    let (engine, table) = try Self.store(rows: 20_000)
    var statistics = ScanStatistics()
    let query = ObjectQuery(
      table: table, order: [SortKey(field: 1, descending: true)], limit: 10)
    let result = try engine.snapshot().view.matches(query, &statistics)
    #expect(try result.keys() == Array(19_990..<20_000))
    #expect(statistics.leavesVisited - statistics.leavesSkipped <= 2)
  }

  @Test func stopsWhenTheTaskIsCancelled() async throws {
    let (engine, table) = try Self.store(rows: 5000)
    let task = Task { () throws -> Int in
      while !Task.isCancelled { await Task.yield() }
      return try engine.snapshot().view.count(
        ObjectQuery(table: table, predicate: .compare(2, .equal, .integer(42))))
    }
    task.cancel()
    await #expect(throws: EngineError.cancelled) { try await task.value }
  }

  @Test func stopsSortingByACollationWhenTheTaskIsCancelled() async throws {
    let (engine, table) = try Self.store(rows: 20_000)
    let comparisons = Mutex(0)
    let collation = TextCollation("counted") { first, second in
      let count = comparisons.withLock { count in
        count += 1
        return count
      }
      if count == 5000 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      return first < second
    }
    let query = ObjectQuery(table: table, order: [SortKey(.field(3), collation: collation)])
    await #expect(throws: EngineError.cancelled) {
      try await Task { try engine.snapshot().view.matches(query).count }.value
    }
    // It is asked now and then whether the task was cancelled; to sort so many takes 200,000 comparisons.
    #expect(comparisons.withLock { $0 } < 5000 + 1024)
  }

  @Test func rejectsFieldsAndTypesThatAreNotThere() throws {
    let (engine, table) = try Self.store(rows: 10)
    let view = try engine.snapshot().view
    func error(_ predicate: Predicate) -> EngineError? {
      do {
        _ = try view.count(ObjectQuery(table: table, predicate: predicate))
        return nil
      } catch { return error }
    }
    #expect(error(.isNull(9)) == .unknownField(table: "Row", field: "9"))
    #expect(
      error(.compare(1, .equal, .double(1))) == .wrongType(table: "Row", field: "rising"))
    #expect(error(.text(0, .prefix, [65])) == .wrongType(table: "Row", field: "id"))
    #expect(error(.link(1, .always(true))) == .wrongType(table: "Row", field: "rising"))
    #expect(throws: EngineError.unknownTable(name: "77")) {
      try view.count(ObjectQuery(table: 77))
    }
    #expect(throws: EngineError.unknownField(table: "Row", field: "5")) {
      try view.matches(ObjectQuery(table: table, order: [SortKey(field: 5)]))
    }
  }
}
