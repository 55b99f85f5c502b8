/// What changed between two versions.
protocol Differences {
  /// Makes a person a year older, and a year younger again, each without a sync.
  ///
  /// - Returns: The people that changed at each of the two, and how long it took to find them.
  func peopleThatChange(withAgeOf id: Int) throws -> [(ids: [Int], time: Duration)]
}

extension PeopleSuite {
  var differences: [Workload] {
    [
      Workload(
        name: "difference", title: "find the one object that changed between two versions",
        unit: .microseconds, objects: objects, target: nil
      ) { [self] subject, round in
        guard let database = try main(subject) as? any Differences else { return nil }
        var random = round.random(for: "difference")
        var time = Duration.zero
        var changed: [Int] = []
        let ids = data.randomIDs(Self.commitsPerRound / 2, using: &random)
        for id in ids {
          for change in try database.peopleThatChange(withAgeOf: id) {
            time += change.time
            changed += change.ids
          }
        }
        let expected = ids.flatMap { [$0, $0] }
        let answer = Answer(integers: changed, numbers: [])
        guard changed == expected else {
          throw Harness.Disagreement(workload: "difference", answers: [(subject, answer)])
        }
        return Sample(
          value: Unit.microseconds.value(time) / Double(changed.count), answer: answer)
      }
    ]
  }
}
