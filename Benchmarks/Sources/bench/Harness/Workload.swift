/// What a workload found; all databases must find the same.
struct Answer {
  var integers: [Int] = []
  var numbers: [Double] = []

  /// Whether both found the same: integers exactly, sums of floating point up to the order of addition.
  func agrees(with other: Answer) -> Bool {
    integers == other.integers && numbers.count == other.numbers.count
      && zip(numbers, other.numbers).allSatisfy { abs($0 - $1) <= 1e-9 * max(abs($0), abs($1)) }
  }
}

/// Something each database does once per round.
struct Workload {
  /// What the option `--only` calls it.
  let name: String
  /// What the table says.
  let title: String
  let unit: Unit
  /// Times one round; `round` counts from 0, so that each round can have its own keys.
  let measure: (_ subject: any Subject, _ round: Int) throws -> (time: Duration, answer: Answer)

  enum Unit: String {
    case milliseconds = "ms"
    case microseconds = "µs"

    func value(_ time: Duration) -> Double {
      switch self {
      case .milliseconds: time / .milliseconds(1)
      case .microseconds: time / .microseconds(1)
      }
    }
  }
}

extension Workload {
  /// The workloads on a store that has all people in it, in the order they must run: the last ones change it.
  static func all(on data: People, operationsPerRound count: Int) -> [Workload] {
    let clock = ContinuousClock()
    let ids = data.randomIDs(count: data.people.count, seed: 7)

    func timed(
      _ name: String, _ title: String, _ body: @escaping (any Subject) throws -> Answer
    ) -> Workload {
      Workload(name: name, title: title, unit: .milliseconds) { subject, _ in
        var answer = Answer()
        let time = try clock.measure { answer = try body(subject) }
        return (time, answer)
      }
    }

    /// Per operation; afterwards the answer is what a count and an aggregate say.
    func timedPerOperation(
      _ name: String, _ title: String,
      _ body: @escaping (any Subject, _ operation: Int) throws -> Void
    ) -> Workload {
      Workload(name: name, title: title, unit: .microseconds) { subject, round in
        let time = try clock.measure {
          for index in 0..<count { try body(subject, round * count + index) }
        }
        let found = try subject.aggregate()
        let answer = Answer(
          integers: [try subject.count(age: 42), found.latest],
          numbers: [found.scoreSum, found.averageAge])
        return (time / count, answer)
      }
    }

    return [
      timed("lookup", "look up \(grouped(ids.count)) by key, two fields") { subject in
        Answer(integers: [try subject.sumOfIDAndAge(ids: ids)])
      },
      timed("count", "count age == 42") { subject in
        Answer(integers: [try subject.count(age: 42)])
      },
      timed("aggregate", "sum(score), avg(age), max(createdAt)") { subject in
        let found = try subject.aggregate()
        return Answer(integers: [found.latest], numbers: [found.scoreSum, found.averageAge])
      },
      timedPerOperation("durable-insert", "durable insert of one object") { subject, operation in
        try subject.insertDurably(data.newcomers[operation])
      },
      timedPerOperation("durable-update", "durable update of one field") { subject, operation in
        // Another age than before, for any person and any round.
        let person = data.people[ids[operation % ids.count] / 2 - 1]
        try subject.updateDurably(id: person.id, age: (person.age + 1 + operation % 98) % 100)
      },
    ]
  }
}

/// A number with commas between its thousands.
func grouped(_ number: Int) -> String {
  var digits = String(number)
  var index = digits.endIndex
  while let cut = digits.index(index, offsetBy: -3, limitedBy: digits.startIndex),
    cut > digits.startIndex
  {
    digits.insert(",", at: cut)
    index = cut
  }
  return digits
}
