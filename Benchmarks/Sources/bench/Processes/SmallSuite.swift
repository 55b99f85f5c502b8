/// Small stores, as most apps have them: what opening and reading all of one takes, and its bytes.
final class SmallSuite: Suite {
  /// About 200 KB of people and groups.
  private static let objects = 1500

  private let setting: SuiteSetting
  private lazy var data = People(count: Self.objects, newcomerCount: 0)

  init(_ setting: SuiteSetting) {
    self.setting = setting
  }

  var workloads: [Workload] {
    [
      open,
      size("small-empty-file", "disk that a file without objects takes", objects: 0),
      size("small-file", "disk that a file with two indexes takes", objects: Self.objects),
    ]
  }

  private var open: Workload {
    Workload(
      name: "small-open", title: "open a small file, read everything, close it",
      unit: .milliseconds, objects: Self.objects
    ) { [self] subject, _ in
      let path = try make(subject, "small", data)
      let start = ContinuousClock.now
      let database = try subject.peopleDatabase.init(opening: path)
      let people = try (database as? any Walks)?.everyone() ?? []
      try database.close()
      let time = ContinuousClock.now - start
      return Sample(
        value: Unit.milliseconds.value(time),
        answer: Answer(people.count, people.reduce(0) { $0 + $1.id + $1.name.utf8.count }))
    }
  }

  private func size(_ name: String, _ title: String, objects: Int) -> Workload {
    Workload(
      name: name, title: title, unit: .kibibytes, objects: objects, isDeterministic: true
    ) { [self] subject, _ in
      let path = try make(subject, name, objects == 0 ? nil : data)
      return Sample(
        value: Double(try DatabaseFiles.diskSize(subject.files(at: path))) / 1024,
        answer: Answer(objects))
    }
  }

  /// Makes a database of these people, or of none, and closes it.
  private func make(_ subject: Subject, _ name: String, _ data: People?) throws -> String {
    let path = setting.path(subject, name)
    try DatabaseFiles.remove(subject.files(at: path))
    let database = try subject.peopleDatabase.init(creating: path)
    if let data { try database.insertion(of: data.groups, data.people)() }
    try database.addIndexes()
    try database.settle()
    try database.close()
    return path
  }

  func close() {}
}
