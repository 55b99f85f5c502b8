import Foundation

/// What apps do all day, with few objects and whole structs: also in a debug build, which their authors run all day.
final class EverydaySuite: Suite {
  private let setting: SuiteSetting
  private let data = Notes(seed: 5)
  private let databases: SharedDatabases<any NoteDatabase>

  init(_ setting: SuiteSetting) {
    self.setting = setting
    let data = data
    databases = SharedDatabases { subject in
      let database = try subject.noteDatabase?.init(creating: setting.path(subject, "notes"))
      try database?.insert(data.all)
      return database
    }
  }

  func takesPart(_ subject: Subject) -> Bool { subject.noteDatabase != nil }

  func close() throws { try databases.close() }

  var workloads: [Workload] {
    [
      open, insert, unsyncedInserts, memory, fetch, find, index, scan, sort, observe, delete,
    ]
  }

  private func workload(
    _ name: String, _ title: String, unit: Unit = .milliseconds,
    _ measure:
      @escaping (any NoteDatabase.Type, Subject, inout SplitMix64) throws -> (Duration, Answer)
  ) -> Workload {
    let name = "everyday-\(name)"
    return Workload(name: name, title: title, unit: unit, objects: Notes.count) { subject, round in
      guard let type = subject.noteDatabase else { return nil }
      var random = round.random(for: name)
      let (time, answer) = try measure(type, subject, &random)
      return Sample(value: unit.value(time), answer: answer)
    }
  }

  /// Reads from the database that all readers share; only reading is timed, and not what the answer is made of.
  private func reading<Found>(
    _ name: String, _ title: String,
    ready: @escaping (inout SplitMix64) -> (any NoteDatabase) throws -> Found,
    answer: @escaping (Found) -> [Int]
  ) -> Workload {
    workload(name, title) { [self] _, subject, random in
      guard let database = try databases.of(subject) else { return (.zero, Answer()) }
      let run = ready(&random)
      let start = ContinuousClock.now
      let found = try run(database)
      let time = ContinuousClock.now - start
      return (time, Answer(integers: answer(found), numbers: []))
    }
  }

  /// A database of its own in each round; what makes it is not timed.
  private func made(_ type: any NoteDatabase.Type, _ subject: Subject) throws -> any NoteDatabase {
    let path = setting.path(subject, "notes-made")
    try DatabaseFiles.remove(subject.files(at: path))
    return try type.init(creating: path)
  }

  // MARK: Making and changing

  private var open: Workload {
    workload("open", "open a file, and find one of 10,000 notes") {
      [self] type, subject, random in
      let path = setting.path(subject, "notes-opened")
      if !FileManager.default.fileExists(atPath: path) {
        let database = try type.init(creating: path)
        try database.insert(data.all)
        try database.close()
      }
      let id = data.all[random.below(Notes.count)].id
      var found: Note?
      let time = try ContinuousClock().measure {
        let database = try type.init(opening: path)
        found = try database.find(id)
        try database.close()
      }
      return (time, answer([found].compactMap(\.self)))
    }
  }

  private var insert: Workload {
    workload("insert", "insert 10,000 notes in one transaction") { [self] type, subject, _ in
      let database = try made(type, subject)
      let time = try ContinuousClock().measure { try database.insert(data.all) }
      let answer = answer(try database.all())
      try database.close()
      return (time, answer)
    }
  }

  private var unsyncedInserts: Workload {
    workload("unsynced", "insert 500 notes, a transaction each, not synced") {
      [self] type, subject, _ in
      let database = try made(type, subject)
      try database.insert(Array(data.all.dropFirst(500)))
      let time = try ContinuousClock().measure {
        for note in data.all.prefix(500) { try database.insertUnsynced(note) }
      }
      let answer = answer(try database.all())
      try database.close()
      return (time, answer)
    }
  }

  private var memory: Workload {
    workload("memory", "100 stores in memory, a note in each") { [self] type, _, _ in
      var found: [Note] = []
      let time = try ContinuousClock().measure {
        for note in data.all.prefix(100) {
          let database = try type.init()
          try database.insert([note])
          found += try database.all()
          try database.close()
        }
      }
      return (time, answer(found))
    }
  }

  private var delete: Workload {
    workload("delete", "delete half of the notes in one transaction") {
      [self] type, subject, random in
      let database = try made(type, subject)
      try database.insert(data.all)
      let ids = data.all.shuffled(using: &random).prefix(Notes.count / 2).map(\.id)
      let time = try ContinuousClock().measure { try database.delete(ids) }
      let answer = answer(try database.all())
      try database.close()
      return (time, answer)
    }
  }

  // MARK: Reading

  private var fetch: Workload {
    reading("fetch", "fetch 10,000 notes") { _ in
      { try $0.all() }
    } answer: {
      [Self.checksum($0)]
    }
  }

  private var find: Workload {
    reading("find", "find 1,000 notes by their ids, a read each") { [data] random in
      let ids = (0..<1000).map { _ in data.all[random.below(Notes.count)].id }
      return { database in try ids.map(database.find) }
    } answer: {
      [Self.checksum($0.compactMap(\.self))]
    }
  }

  private var index: Workload {
    reading("index", "fetch the notes of 50 folders, by an index") { _ in
      { database in try (0..<Notes.folderCount).map(database.notes) }
    } answer: {
      $0.map(Self.checksum)
    }
  }

  private var scan: Workload {
    reading("scan", "100 counts without an index") { random in
      let conditions = (0..<100).map { _ in
        (stars: random.below(Notes.starsMax + 1), isDone: random.below(2) == 0)
      }
      return { database in
        try conditions.map { try database.count(stars: $0.stars, isDone: $0.isDone) }
      }
    } answer: {
      $0
    }
  }

  private var sort: Workload {
    reading("sort", "the latest twenty, dates without an index") { _ in
      { try $0.latest(20) }
    } answer: {
      $0.map { Int($0.date.timeIntervalSinceReferenceDate) }
    }
  }

  private var observe: Workload {
    workload("observe", "see one change among 200 observed notes", unit: .microseconds) {
      [self] _, subject, random in
      guard let database = try databases.of(subject) else { return (.zero, Answer()) }
      let folder = random.below(Notes.folderCount)
      // Each is changed, and changed back.
      let changes = data.all.filter { $0.folder == folder }.prefix(20).flatMap {
        [($0.id, ($0.stars + 1) % (Notes.starsMax + 1)), ($0.id, $0.stars)]
      }
      let seen = try database.observe(folder: folder, while: changes)
      let times = seen.map(\.time).sorted()
      return (times[times.count / 2], Answer(integers: [seen.count], numbers: []))
    }
  }

  // MARK: Answers

  /// Notes in any order.
  private func answer(_ notes: [Note]) -> Answer {
    Answer(notes.count, Self.checksum(notes))
  }

  /// A number made of all values of some notes, whose order does not matter.
  private static func checksum(_ notes: [Note]) -> Int {
    notes.reduce(0) { sum, note in
      var checksum = Checksum()
      checksum.add(note)
      return sum &+ Int(truncatingIfNeeded: checksum.value)
    }
  }
}
