import RoostEngine
import RoostTestSupport
import Testing

/// Groups, distinct values and computed columns of random queries are what the plain values give.
struct GroupTests {
  @Test(arguments: [1, 2, 3] as [UInt64], [false, true])
  func groupsAreThoseOfThePlainValues(seed: UInt64, isIndexed: Bool) throws {
    let fixture = try QueryFixture(seed: seed, rows: 1500, isIndexed: isIndexed)
    let oracle = fixture.oracle
    let items = try #require(oracle.tables[fixture.items])
    var queries = RandomQuery(fixture: fixture, random: SeededGenerator(seed: seed &* 31))
    for number in 0..<60 {
      let objects = queries.next()
      var keys = (0..<Int.random(in: 0...2, using: &queries.random)).map { _ in
        let type = queries.anyType()
        return queries.expression(type, depth: 1, isItem: true)
      }
      if number % 3 == 0 { keys = [.field([1, 5, 8, 9][number / 3 % 4])] }
      var query = GroupQuery(
        objects, by: keys,
        [
          Aggregate(.count, of: .field(0)), Aggregate(.sum, of: 11), Aggregate(.maximum, of: 1),
          Aggregate(.minimum, of: 5), Aggregate(.average, of: 11), Aggregate(.count, of: 6),
        ])
      let count = FieldID(keys.count + 1)
      if queries.random.chance(1, in: 2) {
        query.having = .compare(count, .greater, .integer(Int64(number % 5)))
      }
      if queries.random.chance(1, in: 2) {
        query.order = [SortKey(field: count, descending: queries.random.chance(1, in: 2))]
        query.limit = number % 11
        query.offset = number % 3
      }
      let found = try fixture.view.groups(query)
      let rows = oracle.keys(objects).compactMap { items.places[$0] }
      let expected = expected(query, rows, oracle, fixture.items)
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
    for number in 0..<80 {
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
    #expect(throws: EngineError.unknown(name: "column 2 of the groups")) {
      try fixture.view.groups(query)
    }
    query.having = .compare(1, .equal, .double(1))
    #expect(throws: EngineError.wrongType(table: "groups", field: "column 1")) {
      try fixture.view.groups(query)
    }
    query = GroupQuery(ObjectQuery(table: fixture.items), by: [], [Aggregate(.sum, of: 5)])
    #expect(throws: EngineError.wrongType(table: "Item", field: "name")) {
      try fixture.view.groups(query)
    }
  }

  private func expected(
    _ query: GroupQuery, _ rows: [Int], _ oracle: QueryOracle, _ table: UInt32
  ) -> [[Value]] {
    var groups: [(keys: [Value], rows: [Int])] = []
    var places: [[String]: Int] = [:]
    if query.keys.isEmpty { groups.append(([], [])) }
    for row in rows {
      let keys = query.keys.map { oracle.value($0, table, row) }
      // −0 is 0, and every NaN the same.
      let name = keys.map { value -> String in
        if value != value { return "nan" }
        if case .double(let number) = value { return "\(number == 0 ? 0 : number)" }
        if case .float(let number) = value { return "\(number == 0 ? 0 : number)" }
        if case .bytes(let bytes) = value { return "\(bytes)" }
        return "\(value)"
      }
      if query.keys.isEmpty {
        groups[0].rows.append(row)
      } else if let place = places[name] {
        groups[place].rows.append(row)
      } else {
        places[name] = groups.count
        groups.append((keys, [row]))
      }
    }
    var result = groups.map { group -> [Value] in
      let prices = group.rows.compactMap { row -> Double? in
        if case .double(let price) = oracle.value(table, row, 11) { price } else { nil }
      }
      func values(_ field: FieldID) -> [Value] {
        group.rows.map { oracle.value(table, $0, field) }.filter { $0 != .null }
      }
      return group.keys + [
        .integer(Int64(group.rows.count)), .double(prices.reduce(0, +)),
        values(1).max { oracle.compare($0, $1) < 0 } ?? .null,
        values(5).min { oracle.compare($0, $1) < 0 } ?? .null,
        prices.isEmpty ? .null : .double(prices.reduce(0, +) / Double(prices.count)),
        .integer(Int64(values(6).count)),
      ]
    }
    if case .compare(let field, _, .integer(let least)) = query.having {
      result.removeAll { values in
        guard case .integer(let count) = values[Int(field) - 1] else { return true }
        return count <= least
      }
    }
    result.sort { first, second in
      for key in query.order {
        guard case .field(let field) = key.value else { continue }
        let order = oracle.compare(first[Int(field) - 1], second[Int(field) - 1])
        if order != 0 { return key.isDescending ? order > 0 : order < 0 }
      }
      for place in query.keys.indices {
        let order = oracle.compare(first[place], second[place])
        if order != 0 { return order < 0 }
      }
      return false
    }
    return Array(result.dropFirst(query.offset).prefix(query.limit ?? .max))
  }
}
