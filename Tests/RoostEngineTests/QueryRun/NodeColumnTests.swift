import AllocationCounter
import RoostEngine
import RoostTestSupport
import Testing

/// Counts and sums along node columns: columns without nulls, whose kernels choose no rows.
struct NodeColumnTests {
  /// A store of people and their numbers, by field: 0, age, score, createdAt, isActive and group.
  private struct People {
    let store: PersonStore
    let columns: [FieldID: [Value]]
    let count: Int

    init(count: Int, cacheBytes: Int = 256 << 20) throws {
      store = try PersonStore(MemoryFileSystem(), count: count, cacheBytes: cacheBytes)
      var columns: [FieldID: [Value]] = [:]
      var leaves = try store.engine.snapshot().view.objects(store.table).leaves()
      while let leaf = try leaves.next() {
        for field in [0, 3, 4, 5, 6, 7] as [FieldID] {
          let column = try leaf.column(field)
          columns[field, default: []] += (0..<leaf.rowCount).map(column.value)
        }
      }
      self.columns = columns
      self.count = count
    }

    func holds(_ predicate: Predicate, _ row: Int) -> Bool {
      switch predicate {
      case .compare(let field, let comparison, let constant):
        switch (columns[field]?[row], constant) {
        case (.integer(let value), .integer(let constant)): comparison.holds(value, constant)
        case (.double(let value), .double(let constant)): comparison.holds(value, constant)
        default: false
        }
      case .and(let parts): parts.allSatisfy { holds($0, row) }
      default: false
      }
    }

    /// A comparison with a value that some row has, or nearly has.
    func comparison(_ random: inout SeededGenerator) -> Predicate {
      let field = ([0, 3, 4, 5, 6, 7] as [FieldID])[Int.random(in: 0..<6, using: &random)]
      let all = columns[field] ?? []
      let comparison = Comparison.allCases[
        Int.random(in: 0..<Comparison.allCases.count, using: &random)]
      var constant = all[Int.random(in: 0..<all.count, using: &random)]
      if random.chance(1, in: 8) {
        switch constant {
        case .integer(let number): constant = .integer(number + 1)
        case .double(let number): constant = .double(number.nextUp)
        default: break
        }
      }
      return .compare(field, comparison, constant)
    }
  }

  @Test(arguments: [256 << 20, 0])
  func countsWhatALoopCounts(cacheBytes: Int) throws {
    // The smallest cache, of a mebibyte, has room for some of the leaves only.
    let people = try People(count: 20_000, cacheBytes: cacheBytes)
    let view = try people.store.engine.snapshot().view
    var random = SeededGenerator(seed: 8)
    for number in 0..<400 {
      let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        people.comparison(&random)
      }
      let predicate = parts.count == 1 ? parts[0] : Predicate.and(parts)
      let expected = (0..<people.count).count { people.holds(predicate, $0) }
      var statistics = ScanStatistics()
      let found = try view.count(
        ObjectQuery(table: people.store.table, predicate: predicate), &statistics)
      try #require(found == expected, "query \(number): \(predicate)")
      try #require(statistics.rowsMatched == expected)
      try #require(statistics.leavesSkipped <= statistics.leavesVisited)
    }
  }

  @Test(arguments: [256 << 20, 0])
  func addsInTheOrderThatIsDocumented(cacheBytes: Int) throws {
    let people = try People(count: 20_000, cacheBytes: cacheBytes)
    let view = try people.store.engine.snapshot().view
    let all = ObjectQuery(table: people.store.table)
    var sum = 0.0
    var leaves = try view.objects(people.store.table).leaves()
    while let leaf = try leaves.next() {
      var lanes = [Double](repeating: 0, count: 16)
      let column = try leaf.column(PersonStore.Field.score)
      for row in 0..<leaf.rowCount { lanes[row % 16] += column.double(row) }
      while lanes.count > 1 {
        lanes = zip(lanes.prefix(lanes.count / 2), lanes.suffix(lanes.count / 2)).map(+)
      }
      sum += lanes[0]
    }
    #expect(try view.sum(PersonStore.Field.score, over: all) == .double(sum))
    for field in [0, 3, 6, 7] as [FieldID] {
      let values = (people.columns[field] ?? []).map { value -> Int64 in
        if case .integer(let number) = value { number } else { 0 }
      }
      #expect(try view.sum(field, over: all) == .integer(values.reduce(0, +)))
      #expect(
        try view.average(field, over: all) == Double(values.reduce(0, +)) / Double(values.count))
      #expect(try view.maximum(field, over: all) == values.max().map(Value.integer))
    }
  }

  @Test(.enabled(if: isOptimized, "Code that is not optimised allocates more."))
  func aQueryAllocatesNoMoreInALargerTable() throws {
    let questions: [(String, (ReadView, UInt32) throws -> Void)] = [
      (
        "count",
        { view, table in
          _ = try view.count(
            ObjectQuery(table: table, predicate: .compare(3, .equal, .integer(42))))
        }
      ),
      (
        "count of two",
        { view, table in
          _ = try view.count(
            ObjectQuery(
              table: table,
              predicate: .and([
                .compare(3, .greater, .integer(30)), .compare(4, .less, .double(0.5)),
              ])))
        }
      ),
      (
        "text",
        { view, table in
          _ = try view.count(
            ObjectQuery(table: table, predicate: .text(1, .contains, Array("abc".utf8))))
        }
      ),
      ("sum", { view, table in _ = try view.sum(4, over: ObjectQuery(table: table)) }),
      ("average", { view, table in _ = try view.average(3, over: ObjectQuery(table: table)) }),
      ("maximum", { view, table in _ = try view.maximum(5, over: ObjectQuery(table: table)) }),
    ]
    var allocations: [[UInt]] = []
    for count in [20_000, 100_000] {
      let store = try PersonStore(MemoryFileSystem(), count: count)
      let view = try store.engine.snapshot().view
      allocations.append(
        try questions.map { question in
          try question.1(view, store.table)
          let before = allocation_count()
          try question.1(view, store.table)
          return allocation_count() - before
        })
    }
    for (place, question) in questions.enumerated() {
      #expect(allocations[0][place] == allocations[1][place], "\(question.0)")
      #expect(allocations[1][place] <= 40, "\(question.0)")
    }
  }
}
