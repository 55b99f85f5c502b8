import RoostEngine
import RoostTestSupport
import Testing

/// What the planner chooses, and what `explain` says of it.
struct QueryPlanTests {
  private let fixture: QueryFixture

  init() throws { fixture = try QueryFixture(seed: 12, rows: 6000, isIndexed: true) }

  private func steps(
    _ predicate: Predicate, order: [SortKey] = [], limit: Int? = nil
  ) throws -> [PlanStep] {
    let query = ObjectQuery(table: fixture.items, predicate: predicate, order: order, limit: limit)
    let plan = try fixture.view.explain(query)
    // However it is answered, the answer is the same.
    #expect(try fixture.view.matches(query).keys() == fixture.oracle.keys(query))
    #expect(plan.lines.count > plan.steps.count)
    return plan.steps
  }

  /// A value that few items have in the second field.
  private func rare(_ row: Int) -> Value {
    let items = fixture.oracle.tables[fixture.items]
    let common: Set<Value> = Set([.min, .max, 0, -1, 1 << 40, 1 << 20].map { .integer($0) })
    return items?.rows.map { $0[1] }.filter { $0 != .null && !common.contains($0) }[row] ?? .null
  }

  @Test func alternativesOfIndexedFieldsAreTheUnionOfTheirIndexes() throws {
    let parts: [Predicate] = [
      .compare(2, .equal, rare(3)), .compare(1, .equal, .integer(7)),
      .compare(5, .equal, .bytes(Array("an".utf8))),
    ]
    let found = try steps(.or(parts))
    guard case .union(3) = found.last else {
      Issue.record("\(found)")
      return
    }
    // A further condition is asked of the candidates.
    #expect(try steps(.and([.or(parts), .compare(8, .equal, .integer(0))])).last == .union(3))
    // Where one alternative has no index, all objects are looked at.
    #expect(
      try steps(.or(parts + [.comparison(.field(1), .equal, .field(9))])).last == .scan)
  }

  @Test func conditionsOnTwoIndexedFieldsAreTheIntersectionOfTheirIndexes() throws {
    // Each of them leaves some hundred objects, both together hardly any.
    let found = try steps(
      .and([.compare(1, .equal, .integer(7)), .compare(5, .equal, .bytes(Array("an".utf8)))]))
    #expect(found.last == .intersection(2))
    // One that leaves next to none is enough.
    let single = try steps(
      .and([.compare(2, .equal, rare(5)), .compare(9, .equal, .integer(2))]))
    guard case .index(2, let entries) = single.last else {
      Issue.record("\(single)")
      return
    }
    #expect(entries >= 1)
  }

  @Test func aRangeAndAPrefixAreEntriesOfTheIndexOfTheirField() throws {
    let rows = fixture.oracle.tables[fixture.items]?.rows ?? []
    let wide = rows.map { $0[1] }.compactMap {
      if case .integer(let value) = $0 { value } else { nil }
    }
    // Some numbers that are all different, between those that many items have.
    let numbers = Set(wide.filter { $0 > 1 << 41 && $0 < .max }).sorted()
    let bounds: [Predicate] = [
      .compare(2, .greaterOrEqual, .integer(numbers[20])),
      .compare(2, .less, .integer(numbers[30])),
    ]
    #expect(try steps(.and(bounds)) == [.index(2, entries: 10)])
    #expect(
      try steps(.and(bounds + [.compare(8, .equal, .integer(0))])) == [.index(2, entries: 10)])
    // In another order, they are sorted.
    #expect(
      try steps(.and(bounds), order: [SortKey(field: 11)])
        == [.index(2, entries: 10), .sort(10)])
    let notes = rows.map { $0[5] }.compactMap {
      if case .bytes(let bytes) = $0 { bytes } else { nil }
    }
    let beginning = Array(notes[40].prefix(12))
    let count = notes.count { $0.starts(with: beginning) }
    #expect(
      try steps(.text(6, .prefix, beginning)) == [.index(6, entries: UInt64(count))])
    let plan = try fixture.view.explain(
      ObjectQuery(table: fixture.items, predicate: .and(bounds)))
    #expect(
      plan.lines == [
        "10 entries of the index of wide",
        "10 results; 0 leaves visited, 0 of them by their zone maps (least and greatest values) alone; 0 rows looked at",
      ])
  }

  @Test func explainCountsTheRowsThatWereLookedAt() throws {
    func statistics(_ predicate: Predicate, limit: Int? = nil) throws -> ScanStatistics {
      try fixture.view.explain(
        ObjectQuery(table: fixture.items, predicate: predicate, limit: limit)
      ).statistics
    }
    let computed = Predicate.comparison(.field(1), .equal, .field(9))
    let all = try statistics(computed)
    #expect(all.rowsExamined == 6000)
    let first = try statistics(computed, limit: 1)
    #expect(first.rowsExamined >= 1 && first.rowsExamined < 6000)
    #expect(first.rowsMatched >= 1 && first.rowsMatched <= all.rowsMatched)
    #expect(try statistics(.always(true)).rowsExamined == 0)
    #expect(try statistics(.oneOf(0, [.integer(-50), .integer(4)])).rowsExamined == 2)
    // The index alone answers one condition; of another one, the objects of its entries are asked.
    #expect(try statistics(.compare(2, .equal, rare(5))).rowsExamined == 0)
    let asked = Predicate.and([
      .compare(2, .equal, rare(5)), .comparison(.field(1), .less, .field(9)),
    ])
    #expect(try statistics(asked).rowsExamined == 1)
  }

  @Test func explainNamesScansLookupsOrdersAndSorts() throws {
    #expect(try steps(.always(false)) == [.nothing])
    #expect(try steps(.compare(0, .less, .integer(100))).count == 1)
    #expect(try steps(.oneOf(0, [.integer(3), .integer(4)])) == [.keys(2)])
    let computed = Predicate.comparison(.field(1), .equal, .field(9))
    #expect(try steps(computed) == [.scan])
    #expect(try steps(computed, order: [SortKey(field: 0, descending: true)]).first == .scan)
    #expect(
      try steps(.always(true), order: [SortKey(field: 5)], limit: 5) == [.inOrder(5, nil)])
    #expect(
      try steps(computed, order: [SortKey(.target(9, .field(2)))], limit: 5) == [.scan, .top(5)])
    let plan = try fixture.view.explain(
      ObjectQuery(table: fixture.items, predicate: computed))
    #expect(plan.lines.first == "scan of Item, column by column")
  }
}
