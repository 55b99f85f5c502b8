import RoostEngine
import RoostQueryText
import RoostTestSupport
import Testing

/// Questions about what objects have to do with that read the objects, too.
@Suite struct OutsideQueryTests {
  @Test(arguments: 1...6)
  func whatReadsTheObjectsOutsideFindsWhatANaiveEvaluationFinds(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var fixture = try QueryFixture(seed: seed, rows: 400, isIndexed: seed % 2 == 0)
    try fixture.change(100, &random)
    let view = try fixture.view
    var queries = RandomQuery(fixture: fixture, random: random)
    var someFound = 0
    for number in 0..<120 {
      let isItem = number % 2 == 0
      let table = isItem ? fixture.items : fixture.groups
      let condition = queries.paired(isItem, depth: Int.random(in: 0...2, using: &queries.random))
      let query = ObjectQuery(table: table, predicate: condition)
      let expected = fixture.oracle.keys(query)
      let text = query.text(in: view.catalog)
      let place = "seed \(seed), query \(number): \(text)"
      try #require(try view.matches(query).keys() == expected, "\(place)")
      let readBack = try ObjectQuery(text, in: view.catalog)
      #expect(readBack.text(in: view.catalog) == text)
      #expect(try view.matches(readBack).keys() == expected, "\(place), read back")
      let count = fixture.oracle.tables[table]?.keys.count ?? 0
      if !expected.isEmpty && expected.count < count { someFound += 1 }
    }
    #expect(someFound > 20)
  }

  @Test func nothingIsOutsideWhereAQueryBegins() throws {
    let fixture = try QueryFixture(seed: 1, rows: 20, isIndexed: false)
    let error = EngineError.malformedQuery(table: "Item", .outsideOfOutermost)
    for value in [ColumnExpression.outside(.field(1)), .target(9, .outside(.outside(.field(1))))] {
      let predicate = Predicate.comparison(value, .greater, .constant(.integer(0)))
      #expect(throws: error) {
        try fixture.view.count(ObjectQuery(table: fixture.items, predicate: predicate))
      }
    }
  }

  @Test(arguments: [
    ("Item where outer.age > 3", 11), ("Item where parent { age > outer.(outer.age) }", 33),
    ("Group where members contains { age > outer }", 37),
    ("Group where members contains { age > outer.size }", 37),
  ])
  func aTextThatNamesNothingOutsideSaysWhere(text: String, offset: Int) throws {
    let fixture = try QueryFixture(seed: 1, rows: 20, isIndexed: false)
    let error = try #require(throws: QueryTextError.self) {
      try ObjectQuery(text, in: fixture.engine.snapshot().catalog)
    }
    #expect(error.offset == offset)
  }
}
