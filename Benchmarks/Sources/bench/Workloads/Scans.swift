/// Questions that no index answers.
protocol Scans {
  func count(age: Int) throws -> Int
  func count(nameContaining text: String) throws -> Int
  func count(olderThan age: Int, scoreBelow score: Double) throws -> Int
  /// sum(score), avg(age) and max(createdAt) of all people.
  func aggregate() throws -> PeopleAggregate
}

struct PeopleAggregate {
  let scoreSum: Double
  let averageAge: Double
  let latest: Int

  var answer: Answer { Answer(integers: [latest], numbers: [scoreSum, averageAge]) }
}

extension PeopleSuite {
  var scans: [Workload] {
    [
      timed(
        "count-age", "count age == x", target: 250, operations: objects,
        questions: Self.questionsPerTurn, draw: { $0.below(100) }, answer: { Answer($0) }
      ) { (database: any Scans, age) in try database.count(age: age) },
      timed(
        "contains", "count name contains three letters", target: 9.4, operations: objects,
        questions: Self.questionsPerTurn,
        draw: { ["ann", "gus", "hen", "wil", "xan", "zel"][$0.below(6)] }, answer: { Answer($0) }
      ) { (database: any Scans, text) in try database.count(nameContaining: text) },
      timed(
        "count-two", "count age > x && score < y", target: 73, operations: objects,
        questions: Self.questionsPerTurn,
        draw: { (age: 25 + $0.below(10), score: 0.45 + $0.unit() / 10) }, answer: { Answer($0) }
      ) { (database: any Scans, bounds) in
        try database.count(olderThan: bounds.age, scoreBelow: bounds.score)
      },
      timed(
        "aggregate", "sum(score), avg(age), max(createdAt)", target: 100, operations: objects,
        questions: Self.questionsPerTurn, draw: { _ in }, answer: \.answer
      ) { (database: any Scans, _) in try database.aggregate() },
    ]
  }
}
