import Foundation

/// Runs every workload on every database, round by round.
///
/// In a round each database has its turn, and each round another one goes first: what slows the machine down for a
/// while slows all of them down.
struct Harness {
  let data: People
  let subjects: [any Subject.Type]
  let rounds: Int
  let directory: URL
  /// The names of the workloads to run; all of them when empty.
  let only: Set<String>

  /// The databases' answers to a workload were not the same.
  struct Disagreement: Error, CustomStringConvertible {
    let workload: String
    let answers: [(subject: String, answer: Answer)]

    var description: String {
      "The databases disagree on \(workload):\n"
        + answers.map { "  \($0.subject): \($0.answer)" }.joined(separator: "\n")
    }
  }

  func run(_ workloads: [Workload]) throws -> [ResultRow] {
    var (opened, rows) = try insert()
    for workload in workloads where only.isEmpty || only.contains(workload.name) {
      progress(workload.title)
      var row = ResultRow(
        title: workload.title, unit: workload.unit.rawValue,
        measurements: Array(repeating: Measurements(), count: subjects.count))
      // The first round warms up and is not counted.
      for round in 0...rounds {
        var answers: [(subject: String, answer: Answer)] = []
        for turn in turns(round) {
          let (time, answer) = try workload.measure(opened[turn], round)
          if round > 0 { row.measurements[turn].add(workload.unit.value(time)) }
          answers.append((subjects[turn].name, answer))
        }
        try compare(answers, workload.name)
      }
      rows.append(row)
    }
    for subject in opened { try subject.close() }
    opened.removeAll()
    return rows
  }

  /// Loads all people into a new file in each round, and leaves the last round's databases open.
  private func insert() throws -> (opened: [any Subject], rows: [ResultRow]) {
    let title = "insert \(grouped(data.people.count)) ascending, one transaction"
    progress(title)
    let none = Array(repeating: Measurements(), count: subjects.count)
    var time = ResultRow(title: title, unit: "ms", measurements: none)
    var size = ResultRow(title: "its file", unit: "MiB", measurements: none)
    var opened: [(any Subject)?] = Array(repeating: nil, count: subjects.count)
    let isTimed = only.isEmpty || only.contains("insert")
    for round in 0..<(isTimed ? rounds : 1) {
      for turn in turns(round) {
        try opened[turn]?.close()
        let path = directory.appending(path: "bench-\(turn).db").path
        let subject = try subjects[turn].init(path: path)
        let took = try ContinuousClock().measure {
          try subject.insert(data.groups, data.people)
        }
        time.measurements[turn].add(Workload.Unit.milliseconds.value(took))
        try subject.settle()
        size.measurements[turn].add(Double(try subject.fileBytes()) / 1_048_576)
        opened[turn] = subject
      }
    }
    return (opened.compactMap { $0 }, isTimed ? [time, size] : [])
  }

  /// The order of the databases in a round.
  private func turns(_ round: Int) -> [Int] {
    subjects.indices.map { ($0 + round) % subjects.count }
  }

  private func compare(_ answers: [(subject: String, answer: Answer)], _ workload: String) throws {
    guard let first = answers.first else { return }
    guard answers.allSatisfy({ $0.answer.agrees(with: first.answer) }) else {
      throw Disagreement(workload: workload, answers: answers)
    }
  }

  private func progress(_ title: String) {
    FileHandle.standardError.write(Data("… \(title)\n".utf8))
  }
}
