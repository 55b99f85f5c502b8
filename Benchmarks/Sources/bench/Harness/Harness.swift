/// Runs workloads on all databases, round by round, and compares their answers.
///
/// In a round each database has its turn, and each round another one goes first: what slows the machine down for a
/// while slows all of them down.
struct Harness {
  let subjects: [Subject]
  let rounds: Int
  let seed: UInt64
  let progress: Progress

  /// The databases' answers to a workload were not the same.
  struct Disagreement: Error, CustomStringConvertible {
    let workload: String
    let answers: [(subject: Subject, answer: Answer)]

    var description: String {
      "The databases disagree on \(workload):\n"
        + answers.map { "  \($0.subject.rawValue): \($0.answer)" }.joined(separator: "\n")
    }
  }

  func run(_ workload: Workload) throws -> ResultRow {
    var row = ResultRow(workload)
    let roundCount = workload.isDeterministic ? 1 : rounds
    let warmUps = workload.warmsUp && !workload.isDeterministic ? 1 : 0
    for number in 0..<roundCount + warmUps {
      let round = Round(number: number, seed: seed)
      var answers: [(subject: Subject, answer: Answer)] = []
      for turn in subjects.indices {
        let subject = subjects[(turn + number) % subjects.count]
        progress.show(workload.title, subject, number, of: roundCount + warmUps)
        guard let sample = try workload.measure(subject, round) else { continue }
        answers.append((subject, sample.answer))
        if number >= warmUps { row.add(sample, of: subject) }
      }
      guard let first = answers.first else { break }
      guard answers.allSatisfy({ $0.answer.agrees(with: first.answer) }) else {
        throw Disagreement(workload: workload.title, answers: answers)
      }
      row.add(first.answer)
    }
    progress.clear()
    return row
  }
}
