import Dispatch
import Roost
import Synchronization

/// Following results as they change.
protocol Observing {
  /// Has observers of some people wait, and then makes changes, one commit after the other, each without a sync.
  ///
  /// - Returns: For each change, how long it took from the start of its write until an observer was resumed with it,
  ///   and what that saw.
  func observe(_ people: ObservedPeople, while changes: [PersonChange]) throws -> [Resumption.Seen]
}

/// Whom observers observe.
enum ObservedPeople: Sendable {
  /// One of them all people, by their ids.
  case all
  /// One of them all people, by their names.
  case byName
  /// Each of a thousand the people of another range of scores.
  case scoreRanges

  static let rangeCount = 1000

  static func scores(ofRange number: Int) -> Range<Double> {
    Double(number) / Double(rangeCount)..<Double(number + 1) / Double(rangeCount)
  }
}

/// Another value of a person.
struct PersonChange: Sendable {
  enum Value: Sendable {
    case age(Int)
    case name(String)
    case score(Double)
  }

  let id: Int
  let value: Value

  /// What an observer saw that sees the person: a number that tells the value.
  func number(_ person: Person) -> Int {
    switch value {
    case .age: person.age
    case .name:
      person.name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF_FFFF }
    case .score: Int(person.score * 1e9)
    }
  }
}

/// When an observer was resumed, for the thread that waits for it.
final class Resumption: Sendable {
  struct Seen {
    /// From the start of the write on.
    let time: Duration
    /// What the observer saw of the person that changed.
    let number: Int
  }

  private struct State {
    var change: PersonChange?
    var time = ContinuousClock.now
    var number = 0
  }

  private let semaphore = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  /// An observer was resumed now.
  ///
  /// - Parameter person: The person with an id, among what the observer sees; not timed.
  func note(_ person: (Int) throws -> Person?) rethrows {
    let time = ContinuousClock.now
    let change = state.withLock { state in
      state.time = time
      return state.change
    }
    if let change {
      let number = try person(change.id).map { change.number($0) } ?? 0
      state.withLock { $0.number = number }
    }
    semaphore.signal()
  }

  /// Waits until an observer was resumed.
  func wait() { semaphore.wait() }

  /// Writes a change, and waits until an observer was resumed with it.
  func time(_ change: PersonChange, _ write: () throws -> Void) rethrows -> Seen {
    state.withLock { $0.change = change }
    let start = ContinuousClock.now
    try write()
    wait()
    return state.withLock { Seen(time: $0.time - start, number: $0.number) }
  }
}

extension PeopleSuite {
  var observing: [Workload] {
    [
      observing("observe", "see one change among all", .all) { person, random in
        .age((person.age + 1 + random.below(98)) % 100)
      },
      observing("observe-sorted", "see one change among all by name", .byName) {
        [self] _, random in .name(data.people[random.below(objects)].name + " II")
      },
      observing("observe-1000", "see a change that concerns one of 1,000 observers", .scoreRanges) {
        person, random in
        let range = ObservedPeople.scores(
          ofRange: Int(person.score * Double(ObservedPeople.rangeCount)))
        return .score((range.lowerBound + range.upperBound) / 2)
      },
    ]
  }

  /// From the start of a write to the resumption of an observer, at the median.
  private func observing(
    _ name: String, _ title: String, _ people: ObservedPeople,
    _ value: @escaping (Person, inout SplitMix64) -> PersonChange.Value
  ) -> Workload {
    Workload(name: name, title: title, unit: .microseconds, objects: objects, target: nil) {
      [self] subject, round in
      guard let database = try main(subject) as? any Observing else { return nil }
      var random = round.random(for: name)
      // A database that answers anew each time is given as many as it can do in some seconds.
      let count = objects > 100_000 ? 10 : 50
      let changes = (0..<count).flatMap { _ in
        let person = data.people[random.below(objects)]
        let value = value(person, &random)
        return [value, value.back(to: person)].map { PersonChange(id: person.id, value: $0) }
      }
      let seen = try database.observe(people, while: changes)
      let times = seen.map(\.time).sorted()
      return Sample(
        value: Unit.microseconds.value(times[times.count / 2]),
        answer: Answer(integers: seen.map(\.number), numbers: []))
    }
  }
}

extension PersonChange.Value {
  /// The value that a person has to begin with.
  fileprivate func back(to person: Person) -> Self {
    switch self {
    case .age: .age(person.age)
    case .name: .name(person.name)
    case .score: .score(person.score)
    }
  }
}
