/// People in another order than the one they are stored in.
protocol Sorts {
  /// A checksum of age and name of the first hundred by (age, name), after sorting all of them.
  func firstHundredOfAllSorted() throws -> Checksum
  /// The same, when it is known that no more than a hundred are needed.
  func firstHundred() throws -> Checksum
}

extension PeopleSuite {
  var sorts: [Workload] {
    [
      timed(
        "sort", "sort by (age, name)", target: 4.8, operations: objects, draw: { _ in },
        answer: { Answer(Int(truncatingIfNeeded: $0.value)) }
      ) { (database: any Sorts, _) in try database.firstHundredOfAllSorted() },
      timed(
        "sort-100", "sort by (age, name), first 100 only", target: 20, operations: objects,
        questions: Self.questionsPerTurn, draw: { _ in },
        answer: { Answer(Int(truncatingIfNeeded: $0.value)) }
      ) { (database: any Sorts, _) in try database.firstHundred() },
    ]
  }
}
