import RoostEngine
import RoostTestSupport
import Testing

/// What `explain` advises, tried: the index is declared, and the query explained again.
struct IndexAdviceTests {
  private static let rows = 12_000
  private let fixture: QueryFixture

  init() throws { fixture = try QueryFixture(seed: 12, rows: Self.rows, isIndexed: false) }

  private func plan(
    _ predicate: Predicate, order: [SortKey] = [], limit: Int? = nil
  ) throws -> QueryPlan {
    try fixture.view.explain(
      ObjectQuery(table: fixture.items, predicate: predicate, order: order, limit: limit))
  }

  /// Declares the index of an advice, for the time of a trial.
  private func with<Result>(_ advice: IndexAdvice, trial: () throws -> Result) throws -> Result {
    try change { transaction, table in
      let names = advice.fields.map { table.field($0)?.name ?? "" }
      if names.count == 1 {
        try set(advice.fields[0], isIndexed: true, transaction)
      } else {
        try transaction.addIndex(TableIndexDraft(of: names), to: table.id)
      }
    }
    let result = try trial()
    try change { transaction, table in
      for index in table.indexes { try transaction.removeIndex(index, of: table.id) }
      for field in table.fields where field.isIndexed {
        try set(field.id, isIndexed: false, transaction)
      }
    }
    return result
  }

  private func change(_ body: (EngineTransaction, TableDefinition) throws -> Void) throws {
    let transaction = try fixture.engine.beginWrite()
    try body(transaction, try #require(transaction.catalog.table(fixture.items)))
    try transaction.commit()
  }

  private func set(
    _ field: FieldID, isIndexed: Bool, _ transaction: EngineTransaction
  ) throws {
    try transaction.changeField(
      field, of: fixture.items, isIndexed: isIndexed, isUnique: false,
      nullifiesMissingTarget: false, deleteRule: .deny)
  }

  /// Values of a field that only one item has.
  private func rare(_ field: FieldID) -> [Value] {
    let rows = fixture.oracle.tables[fixture.items]?.rows ?? []
    let counts = Dictionary(grouping: rows.map { $0[Int(field) - 1] }) { $0 }
    return rows.map { $0[Int(field) - 1] }.filter { $0 != .null && counts[$0]?.count == 1 }
  }

  @Test func aScanForFewObjectsAsksForTheIndexOfTheirField() throws {
    let value = try #require(rare(2).first)
    let before = try plan(.compare(2, .equal, value))
    #expect(
      before.advice
        == IndexAdvice(fields: [2], use: .candidates(1, of: before.statistics.rowsExamined)))
    #expect(
      before.lines.last
        == "advice: .indexed in Field(\"wide\", …) of Item would leave 1 of the "
        + "\(before.statistics.rowsExamined) rows looked at")
    let after = try with(try #require(before.advice)) { try plan(.compare(2, .equal, value)) }
    #expect(after.steps == [.index(2, entries: 1)])
    #expect(after.advice == nil && after.adviceText == nil)
  }

  @Test func conditionsThatAreSelectiveTogetherAskForAnIndexOfTheirFields() throws {
    let condition = Predicate.and([
      .compare(1, .equal, .integer(7)), .compare(11, .greater, .double(19)),
    ])
    let before = try plan(condition)
    let advice = try #require(before.advice)
    #expect(advice.fields == [1, 11])
    #expect(
      before.adviceText?.hasPrefix(
        "advice: Index<Item>(\\.age, \\.price) among the indexes of Item would leave ") == true)
    let after = try with(advice) { try plan(condition) }
    guard case .tableIndex(_, let entries)? = after.steps.first,
      case .candidates(let count, _) = advice.use
    else {
      Issue.record("\(after.lines)")
      return
    }
    #expect(entries == UInt64(count))
  }

  @Test func theFirstInAnOrderAskForItsIndex() throws {
    let flagged = Predicate.compare(8, .equal, .integer(1))
    for (condition, fields) in [(.always(true), [11]), (flagged, [8, 11])]
      as [(Predicate, [FieldID])]
    {
      for descending in [false, true] {
        let order = [SortKey(field: 11, descending: descending)]
        let before = try plan(condition, order: order, limit: 10)
        let looked = before.statistics.rowsExamined
        #expect(before.advice == IndexAdvice(fields: fields, use: .order(10, of: looked)))
      }
      let order = [SortKey(field: 11)]
      let advice = try #require(try plan(condition, order: order, limit: 10).advice)
      let found = try fixture.view.matches(
        ObjectQuery(table: fixture.items, predicate: condition, order: order, limit: 10)
      ).keys()
      let (after, keys) = try with(advice) {
        (
          try plan(condition, order: order, limit: 10),
          try fixture.view.matches(
            ObjectQuery(table: fixture.items, predicate: condition, order: order, limit: 10)
          ).keys()
        )
      }
      #expect(after.steps.count == 1 && after.statistics.rowsExamined == 0)
      #expect(after.advice == nil)
      #expect(keys == found)
    }
  }

  @Test func nothingIsAdvisedWhereNoIndexWouldHelp() throws {
    let value = try #require(rare(2).first)
    // Most objects match; an order without a limit, a calculated value and the end of a text are not answered by an index.
    #expect(try plan(.not(.compare(8, .equal, .integer(0)))).advice == nil)
    #expect(try plan(.compare(8, .equal, .integer(0))).advice == nil)
    #expect(try plan(.always(true), order: [SortKey(field: 11)]).advice == nil)
    #expect(try plan(.always(true), order: [SortKey(field: 11)], limit: Self.rows).advice == nil)
    #expect(try plan(.comparison(.field(1), .equal, .field(9))).advice == nil)
    #expect(try plan(.text(6, .suffix, Array("anna".utf8))).advice == nil)
    // A link has an index already; the first leaf has the first match.
    #expect(try plan(.compare(10, .equal, .integer(5))).advice == nil)
    #expect(try plan(.compare(1, .equal, .integer(7)), limit: 1).advice == nil)
    // Orders in two directions are none of an index.
    let order = [SortKey(field: 11), SortKey(field: 1, descending: true)]
    #expect(try plan(.always(true), order: order, limit: 5).advice == nil)
    // In a table of some thousand objects a scan is no time.
    let small = try QueryFixture(seed: 12, rows: 3000, isIndexed: false)
    let query = ObjectQuery(table: small.items, predicate: .compare(2, .equal, value))
    #expect(try small.view.explain(query).advice == nil)
  }

  /// The planner would read the results in the order of the index that is there.
  @Test func whereTheFirstFieldOfAnOrderHasAnIndexNoneIsAdvised() throws {
    let order = [SortKey(field: 2), SortKey(field: 11)]
    let advice = try #require(try plan(.always(true), order: order, limit: 5).advice)
    #expect(advice.fields == [2, 11])
    let next = try with(IndexAdvice(fields: [2], use: advice.use)) {
      try plan(.always(true), order: order, limit: 5).advice
    }
    #expect(next == nil)
  }

  @Test(arguments: 0..<UInt64(scaled(3))) func anAdvisedIndexIsUsed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var advised = 0
    for _ in 0..<150 {
      let conditions = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        condition(&random)
      }
      let order = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        SortKey(
          field: [1, 2, 3, 5, 11].randomElement(using: &random) ?? 1,
          descending: random.chance(1, in: 3))
      }
      let limit = random.chance(2, in: 3) ? Int.random(in: 1...50, using: &random) : nil
      let query = ObjectQuery(
        table: fixture.items, predicate: .and(conditions), order: order, limit: limit)
      let before = try fixture.view.explain(query)
      guard let advice = before.advice else { continue }
      advised += 1
      let found = try fixture.view.matches(query).keys()
      let (after, keys) = try with(advice) {
        (try fixture.view.explain(query), try fixture.view.matches(query).keys())
      }
      #expect(!after.steps.contains(.scan), "\(query): \(before.lines) \(after.lines)")
      if case .order = advice.use {
        #expect(after.steps.count == 1, "\(query): \(before.lines) \(after.lines)")
      }
      #expect(keys == found)
    }
    #expect(advised > 5)
  }

  private func condition(_ random: inout SeededGenerator) -> Predicate {
    let rows = fixture.oracle.tables[fixture.items]?.rows ?? []
    let field = Int([1, 2, 3, 5, 7, 8, 9, 11].randomElement(using: &random) ?? 1)
    let value = rows[Int.random(in: 0..<rows.count, using: &random)][field - 1]
    let other = rows[Int.random(in: 0..<rows.count, using: &random)][field - 1]
    let id = FieldID(field)
    guard value != .null else { return .isNull(id) }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .compare(id, .less, value)
    case 1: return .oneOf(id, [value, other])
    case 2: return .and([.compare(id, .greater, value), .compare(id, .less, other)])
    default: return .compare(id, .equal, value)
    }
  }
}
