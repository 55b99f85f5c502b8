import RoostEngine
import RoostTestSupport
import Testing

struct AggregateTests {
  @Test(arguments: [false, true])
  func agreesWithThePlainValues(isIndexed: Bool) throws {
    let fixture = try QueryFixture(seed: 21, rows: 900, isIndexed: isIndexed)
    let view = try fixture.view
    var queries = RandomQuery(fixture: fixture, random: SeededGenerator(seed: 3))
    let fields: [FieldID] = [0, 1, 3, 4, 5, 6, 7, 11]
    let places = Dictionary(
      uniqueKeysWithValues: (fixture.oracle.tables[fixture.items]?.keys ?? []).enumerated().map {
        ($1, $0)
      })
    for _ in 0..<150 {
      let query = queries.next()
      let rows = fixture.oracle.keys(query).compactMap { places[$0] }
      for field in fields {
        let values = rows.map { fixture.oracle.value(fixture.items, $0, field) }
          .filter { $0 != .null }
        let found = try view.aggregate(
          [
            Aggregate(.count, of: field), Aggregate(.minimum, of: field),
            Aggregate(.maximum, of: field),
          ], over: query)
        let ordered = values.filter { $0 == $0 }.sorted { fixture.oracle.compare($0, $1) < 0 }
        #expect(found[0] == .integer(Int64(values.count)))
        #expect(found[1] == ordered.first ?? .null)
        #expect(found[2] == ordered.last ?? .null)
      }
      let ages = rows.compactMap { row -> Int64? in
        if case .integer(let age) = fixture.oracle.value(fixture.items, row, 1) { age } else { nil }
      }
      #expect(try view.sum(1, over: query) == .integer(ages.reduce(0, +)))
      let average = ages.isEmpty ? nil : Double(ages.reduce(0, +)) / Double(ages.count)
      #expect(try view.average(1, over: query) == average)
      // Quarters add up exactly, in whatever order.
      let prices = rows.compactMap { row -> Double? in
        if case .double(let price) = fixture.oracle.value(fixture.items, row, 11) {
          price
        } else {
          nil
        }
      }
      #expect(try view.sum(11, over: query) == .double(prices.reduce(0, +)))
    }
  }

  @Test func refusesASumThatDoesNotFitAndAFieldThatIsNoNumber() throws {
    let fixture = try QueryFixture(seed: 4, rows: 300, isIndexed: false)
    let large = ObjectQuery(
      table: fixture.items, predicate: .compare(2, .equal, .integer(.max)))
    #expect(throws: EngineError.overflow(table: "Item", field: "wide")) {
      try fixture.view.sum(2, over: large)
    }
    #expect(throws: EngineError.wrongType(table: "Item", field: "name")) {
      try fixture.view.sum(5, over: large)
    }
  }
}
