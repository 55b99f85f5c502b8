/// Questions that an index answers, and links between objects.
protocol IndexedQueries {
  /// The sum of id and age over all people of these names, one query a name, in one transaction.
  func sumOfIDAndAge(names: [String]) throws -> Int
  /// The sum of id and age over all people of these groups, one query a group, in one transaction.
  func sumOfIDAndAge(groups: Range<Int>) throws -> Int
  /// The sum of the lengths of the names of the groups of the first people in the order of ids.
  func lengthOfGroupNames(ofFirst count: Int) throws -> Int
  /// The sum over all groups of the group's id times how many people are in it, one count a group.
  func weightedGroupCounts() throws -> Int
}

extension PeopleSuite {
  var queries: [Workload] {
    let count = min(objects, 100_000)
    let queryCount = min(objects, 1_000_000) / 10
    return [
      timed(
        "name-queries", "\(grouped(queryCount)) indexed string queries", target: 4.5,
        operations: queryCount * max(objects / 100_000, 1),
        draw: { [self] random in
          (0..<queryCount).map { _ in data.people[random.below(data.people.count)].name }
        }, answer: { Answer($0) }
      ) { (database: any IndexedQueries, names) in try database.sumOfIDAndAge(names: names) },
      timed(
        "link-queries", "200 link queries, \(objects / 1000) hits each", target: 16,
        operations: 200 * max(objects / 1000, 1),
        draw: { random in
          let first = random.below(People.groupCount - 200)
          return first..<first + 200
        }, answer: { Answer($0) }
      ) { (database: any IndexedQueries, groups) in try database.sumOfIDAndAge(groups: groups) },
      timed(
        "follow-links", "follow \(grouped(count)) links", target: 3.5, operations: count,
        draw: { _ in },
        answer: { Answer($0) }
      ) { (database: any IndexedQueries, _) in
        try database.lengthOfGroupNames(ofFirst: count)
      },
      timed(
        "inverse-counts", "1,000 inverse counts", target: 160, questions: Self.questionsPerTurn,
        draw: { _ in }, answer: { Answer($0) }
      ) { (database: any IndexedQueries, _) in try database.weightedGroupCounts() },
    ]
  }
}
