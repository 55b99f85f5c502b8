/// Large transactions on what is there.
protocol Changes {
  /// Gives these people another age, one by one, in one transaction.
  func updateAges(ids: [Int], to age: Int) throws
  /// Removes these people, in one transaction.
  func delete(ids: [Int]) throws
  /// Gives unused space back; returns the path of the result. The database is closed afterwards.
  func compactAndClose() throws -> String
}

/// Changes of all that is there by one statement.
protocol StatementChanges {
  /// Adds to the age of each person, in one transaction.
  func addToAges(_ years: Int) throws
}

extension PeopleSuite {
  var changes: [Workload] {
    let count = objects / 10
    return [
      Workload(
        name: "update-many", title: "update \(grouped(count)) random objects, one transaction",
        unit: .milliseconds, objects: objects, target: 7.5
      ) { [self] subject, round in
        let database = try main(subject)
        guard let changes = database as? any Changes else { return nil }
        var random = round.random(for: "update-many")
        let ids = data.randomIDs(count, using: &random)
        let age = random.below(100)
        let time = try ContinuousClock().measure { try changes.updateAges(ids: ids, to: age) }
        return Sample(
          value: Unit.milliseconds.value(time),
          answer: try (database as? any Scans)?.aggregate().answer ?? Answer())
      },
      Workload(
        name: "update-expression", title: "add 1 to the age of all, one transaction",
        unit: .milliseconds, objects: objects, target: nil
      ) { [self] subject, _ in
        let database = try main(subject)
        guard let changes = database as? any StatementChanges else { return nil }
        let time = try ContinuousClock().measure { try changes.addToAges(1) }
        return Sample(
          value: Unit.milliseconds.value(time),
          answer: try (database as? any Scans)?.aggregate().answer ?? Answer())
      },
      Workload(
        name: "delete-half", title: "delete half at random, two indexes", unit: .milliseconds,
        objects: objects, target: 10, warmsUp: false
      ) { [self] subject, round in
        guard let database = try copyOfAll(subject) else { return nil }
        var random = round.random(for: "delete-half")
        let ids = data.distinctIDs(objects / 2, using: &random)
        let time = try ContinuousClock().measure { try database.delete(ids: ids) }
        let answer = try database.aggregate().answer
        try database.close()
        return Sample(value: Unit.milliseconds.value(time), answer: answer)
      },
      compact("compact", "compact after deleting half", .milliseconds, target: 2.5) { time, _ in
        Unit.milliseconds.value(time)
      },
      compact("compact-file", "file after that", .mebibytes, target: nil) { _, bytes in
        Double(bytes) / 1_048_576
      },
    ]
  }

  private typealias Changeable = PeopleDatabase & Changes & Scans

  private func copyOfAll(_ subject: Subject) throws -> (any Changeable)? {
    try copy(subject, of: "all", as: (any Changeable).self) { try full(subject, "all") }?.database
  }

  private func compact(
    _ name: String, _ title: String, _ unit: Unit, target: Double?,
    value: @escaping (Duration, Int) -> Double
  ) -> Workload {
    Workload(
      name: name, title: title, unit: unit, objects: objects, target: target,
      isDeterministic: unit == .mebibytes, warmsUp: false
    ) { [self] subject, _ in
      let half = try copy(subject, of: "half", as: (any Changeable).self) {
        let database = try full(subject, "half")
        var random = SplitMix64(seed: 5)
        try (database as? any Changes)?.delete(
          ids: data.distinctIDs(objects / 2, using: &random))
        try database.settle()
        return database
      }
      guard let half else { return nil }
      let start = ContinuousClock.now
      let result = try half.database.compactAndClose()
      let time = ContinuousClock.now - start
      let bytes = try DatabaseFiles.size(subject.files(at: result))
      let compacted = try subject.peopleDatabase.init(opening: result)
      let answer = try (compacted as? any Scans)?.aggregate().answer ?? Answer()
      try compacted.close()
      return Sample(value: value(time, bytes), answer: answer)
    }
  }
}
