import RoostEngine
import RoostTestSupport
import Testing

struct QueryOracleTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64], [false, true])
  func findsWhatANaiveEvaluationFinds(seed: UInt64, isIndexed: Bool) throws {
    try compare(
      try QueryFixture(seed: seed, rows: 1000, isIndexed: isIndexed), seed: seed,
      queries: scaled(240))
  }

  @Test func findsTheSameWhereTheCacheHasRoomForFewLeaves() throws {
    let fixture = try QueryFixture(seed: 5, rows: 2000, isIndexed: false, cacheBytes: 0)
    try compare(fixture, seed: 5, queries: scaled(15))
  }

  /// So the oracle may compare what is stored.
  @Test func storedValuesSortAsWhatTheyMean() throws {
    let decimals = try QueryFixture.decimals.map {
      Value.bytes(try #require(DecimalBytes.bytes($0)))
    }
    let durations = QueryFixture.durations.map { QueryFixture.duration(attoseconds: $0) }
    let numbers = ([0, 1, 1 << 63 - 1, 1 << 63, .max - 1, .max] as [UInt64])
      .map { QueryFixture.unsigned($0) }
    // Letters first, then numbers, none of them first of all, then ratios: −0 is 0, and NaN the last.
    let codes = [
      QueryFixture.code(letter: "", number: 1, ratio: 0),
      QueryFixture.code(letter: "a", number: nil, ratio: 9),
      QueryFixture.code(letter: "a", number: 0, ratio: -2.5),
      QueryFixture.code(letter: "a", number: 0, ratio: 0),
      QueryFixture.code(letter: "a", number: 0, ratio: 0.5),
      QueryFixture.code(letter: "a", number: 0, ratio: .nan),
      QueryFixture.code(letter: "a", number: .max, ratio: -2.5),
      QueryFixture.code(letter: "a\0", number: nil, ratio: 0),
      QueryFixture.code(letter: "ab", number: nil, ratio: 0),
    ]
    #expect(
      codes[3] == QueryFixture.code(letter: "a", number: 0, ratio: -0.0))
    for values in [decimals, durations, numbers, codes] {
      for (first, second) in zip(values, values.dropFirst()) {
        #expect(QueryOracle().compare(first, second) < 0, "\(first), \(second)")
      }
    }
  }

  private func compare(_ fixture: QueryFixture, seed: UInt64, queries count: Int) throws {
    let view = try fixture.view
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
