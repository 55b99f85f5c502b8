import RoostEngine
import RoostTestSupport
import Testing

/// Groups, distinct values and computed columns of random queries are what the plain values give.
struct GroupTests {
  @Test(arguments: [1, 2, 3] as [UInt64], [false, true])
  func groupsAreThoseOfThePlainValues(seed: UInt64, isIndexed: Bool) throws {
    let fixture = try QueryFixture(seed: seed, rows: 1500, isIndexed: isIndexed)
    let oracle = fixture.oracle
    var queries = RandomQuery(fixture: fixture, random: SeededGenerator(seed: seed &* 31))
    for number in 0..<scaled(24) {
      let objects = queries.next()
      var keys = (0..<Int.random(in: 0...2, using: &queries.random)).map { _ in
        let type = queries.anyType()
        return queries.expression(type, depth: 1, isItem: true)
      }
      if number % 3 == 0 { keys = [.field([1, 5, 8, 9][number / 3 % 4])] }
      var query = GroupQuery(
        objects, by: keys,
        QueryOracle.aggregates)
      let count = FieldID(keys.count + 1)
      if queries.random.chance(1, in: 2) {
        query.having = .compare(count, .greater, .integer(Int64(number % 5)))
      } else if queries.random.chance(1, in: 2) {
        let comparison = Comparison.allCases[number % 6]
        query.having =
          number % 4 < 2
          ? .comparison(.field(count), comparison, .field(count + 5))
          : .comparison(.field(count + 1), comparison, .field(count + 4))
      }
      if queries.random.chance(1, in: 2) {
        query.order = [SortKey(field: count, descending: queries.random.chance(1, in: 2))]
        query.limit = number % 11
        query.offset = number % 3
      }
      let found = try fixture.view.groups(query)
      let expected = try #require(oracle.groups(query))
      try #require(found.count == expected.count, "seed \(seed), query \(number): \(query)")
      for (row, values) in expected.enumerated() {
        for (column, value) in values.enumerated() {
          let given = found.value(row: row, column: column)
          try #require(
            oracle.compare(given, value) == 0 && given.type == value.type,
            "seed \(seed), query \(number), row \(row), column \(column): \(query)")
        }
      }
    }
  }

  @Test(arguments: [4, 5] as [UInt64])
  func valuesAreThoseOfThePlainObjects(seed: UInt64) throws {
    let fixture = try QueryFixture(seed: seed, rows: 1200, isIndexed: false)
    let items = try #require(fixture.oracle.tables[fixture.items])
    var queries = RandomQuery(fixture: fixture, random: SeededGenerator(seed: seed))
    for number in 0..<scaled(32) {
      let query = queries.next()
      let type = queries.anyType()
      let expressions = [
        queries.expression(type, depth: 2, isItem: true), ColumnExpression.field(6), .field(0),
      ]
      let table = try fixture.view.values(expressions, of: query)
      let keys = fixture.oracle.keys(query)
      try #require(table.count == keys.count)
      for (row, key) in keys.enumerated() {
        let place = try #require(items.places[key])
        for (column, expression) in expressions.enumerated() {
          let expected = fixture.oracle.value(expression, fixture.items, place)
          try #require(
            fixture.oracle.compare(table.value(row: row, column: column), expected) == 0,
            "seed \(seed), query \(number), row \(row): \(expression)")
        }
      }
    }
  }

  @Test func refusesWhatGroupsDoNotHave() throws {
    let fixture = try QueryFixture(seed: 9, rows: 100, isIndexed: false)
    var query = GroupQuery(ObjectQuery(table: fixture.items), by: [.field(1)])
    query.having = .compare(2, .equal, .integer(1))
    #expect(throws: EngineError.malformedQuery(table: "groups", .groupColumn)) {
      try fixture.view.groups(query)
    }
    query.having = .compare(1, .equal, .double(1))
    #expect(throws: EngineError.malformedQuery(table: "groups", .groupComparison)) {
      try fixture.view.groups(query)
    }
    query.aggregates = [Aggregate(.average, of: 1)]
    query.having = .comparison(.field(1), .equal, .field(2))
    #expect(throws: EngineError.malformedQuery(table: "groups", .groupComparison)) {
      try fixture.view.groups(query)
    }
    query = GroupQuery(ObjectQuery(table: fixture.items), by: [], [Aggregate(.sum, of: 5)])
    #expect(throws: EngineError.wrongType(table: "Item", field: "name")) {
      try fixture.view.groups(query)
    }
  }
}
