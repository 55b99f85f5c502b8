extension PeopleSuite {
  /// Loading a new database, its indexes, and its size.
  var inserts: [Workload] {
    [
      insert("insert", "insert ascending, one transaction", target: 4.2) { people, _ in people },
      insert("insert-random", "insert in random key order", target: 6.3) { people, random in
        people.shuffled(using: &random)
      },
      Workload(
        name: "index", title: "build two indexes", unit: .milliseconds, objects: objects,
        warmsUp: false
      ) { [self] subject, _ in
        let database = try empty(subject, "load")
        defer { try? database.close() }
        try database.insertion(of: data.groups, data.people)()
        try database.settle()
        let time = try ContinuousClock().measure { try database.addIndexes() }
        return Sample(value: Unit.milliseconds.value(time), answer: Answer(objects))
      },
      size("file", "file without indexes", target: 1.1, hasIndexes: false),
      size("file-indexed", "file with two indexes", target: 1.35, hasIndexes: true),
    ]
  }

  private func insert(
    _ name: String, _ title: String, target: Double,
    order: @escaping ([Person], inout SplitMix64) -> [Person]
  ) -> Workload {
    Workload(
      name: name, title: title, unit: .milliseconds, objects: objects, operations: objects,
      target: target, warmsUp: false
    ) { [self] subject, round in
      var random = round.random(for: name)
      let people = order(data.people, &random)
      let database = try empty(subject, "load")
      let insertion = try database.insertion(of: data.groups, people)
      let time = try ContinuousClock().measure { try insertion() }
      try database.close()
      return Sample(
        value: Unit.milliseconds.value(time), answer: try answer(subject, at: path(subject, "load"))
      )
    }
  }

  /// What the database at a path has to say of its people.
  private func answer(_ subject: Subject, at path: String) throws -> Answer {
    let database = try subject.peopleDatabase.init(opening: path)
    let answer = try (database as? any Scans)?.aggregate().answer
    try database.close()
    return answer ?? Answer(objects)
  }

  private func size(_ name: String, _ title: String, target: Double, hasIndexes: Bool) -> Workload {
    Workload(
      name: name, title: title, unit: .mebibytes, objects: objects, target: target,
      isDeterministic: true
    ) { [self] subject, _ in
      let database = try empty(subject, "load")
      try database.insertion(of: data.groups, data.people)()
      try database.settle()
      if hasIndexes {
        try database.addIndexes()
        try database.settle()
      }
      try database.close()
      let files = subject.files(at: path(subject, "load"))
      return Sample(
        value: Double(try DatabaseFiles.size(files)) / 1_048_576, answer: Answer(objects))
    }
  }
}
