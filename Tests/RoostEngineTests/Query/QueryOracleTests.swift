import RoostEngine
import RoostTestSupport
import Testing

struct QueryOracleTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64], [false, true])
  func findsWhatANaiveEvaluationFinds(seed: UInt64, isIndexed: Bool) throws {
    try compare(
      try QueryFixture(seed: seed, rows: 1000, isIndexed: isIndexed), seed: seed, queries: 800)
  }

  @Test func findsTheSameWhereTheCacheHasRoomForFewLeaves() throws {
    let fixture = try QueryFixture(seed: 5, rows: 6000, isIndexed: false, cacheBytes: 0)
    try compare(fixture, seed: 5, queries: 60)
  }

  private func compare(_ fixture: QueryFixture, seed: UInt64, queries count: Int) throws {
    let view = fixture.view
    var queries = RandomQuery(fixture: fixture, random: SeededGenerator(seed: seed &* 977))
    for number in 0..<count {
      let query = queries.next()
      let expected = fixture.oracle.keys(query)
      let result = try view.matches(query)
      let found = try result.keys()
      try #require(found == expected, "seed \(seed), query \(number): \(query)")
      try #require(result.count == expected.count)
      try #require(try view.count(query) == expected.count, "seed \(seed), query \(number)")
      if !expected.isEmpty {
        let position = number % expected.count
        try #require(try result.key(at: position) == expected[position])
        try #require(try result.place(at: position).key == expected[position])
        var cursor = result.cursor(from: position)
        let batch = try #require(try cursor.next())
        try #require(batch.rows.first.map(batch.leaf.key) == expected[position])
      }
    }
  }
}
