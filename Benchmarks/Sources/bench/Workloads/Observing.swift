import Dispatch
import Roost
import Synchronization

/// Following results as they change.
protocol Observing {
  /// Has observers of some people wait, and then makes changes, one commit after the other, each without a sync.
  ///
  /// - Returns: For each change, how long it took from the start of its write until an observer was resumed with it,
  ///   and what that saw.
  func observe(_ people: ObservedPeople, while changes: [PersonChange]) throws -> [Resumption<
    Person
  >.Seen]
}

/// Whom observers observe.
enum ObservedPeople: Sendable {
  /// One of them all people, by their ids.
  case all
  /// One of them all people, by their names.
  case byName
  /// Each of a thousand the people of another group.
  case groups
}

/// Another value of a person.
struct PersonChange: Sendable {
  enum Value: Sendable {
    case age(Int)
    case name(String)
  }

  let id: Int
  let value: Value

  /// Whether a person has the value.
  func isSeen(in person: Person) -> Bool {
    switch value {
    case .age(let age): person.age == age
    case .name(let name): person.name == name
    }
  }
}

/// When an observer was resumed, for the thread that waits for it.
final class Resumption<Object: Identifiable & Sendable>: Sendable where Object.ID: Sendable {
  struct Seen {
    /// From the start of the write on.
    let time: Duration
    /// The id of the changed object.
    let id: Object.ID
  }

  private struct State {
    var id: Object.ID?
    /// Whether an object has the new value.
    var isChanged: @Sendable (Object) -> Bool = { _ in false }
    var time = ContinuousClock.now
  }

  private let semaphore = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  /// An observer was resumed now.
  ///
  /// One that does not see the change yet, as GRDB's may that are told twice of what there is, counts for nothing.
  /// - Parameter object: The object with an id, among what the observer sees; not timed.
  func note(_ object: (Object.ID) throws -> Object?) rethrows {
    let time = ContinuousClock.now
    let (id, isChanged) = state.withLock { ($0.id, $0.isChanged) }
    if let id {
      guard let object = try object(id), isChanged(object) else { return }
      state.withLock { $0.time = time }
    }
    semaphore.signal()
  }

  /// Waits until an observer was resumed.
  func wait() { semaphore.wait() }

  /// Writes a change, and waits until an observer was resumed with it.
  func time(
    _ id: Object.ID, isChanged: @escaping @Sendable (Object) -> Bool, _ write: () throws -> Void
  ) rethrows -> Seen {
    state.withLock { ($0.id, $0.isChanged) = (id, isChanged) }
    let start = ContinuousClock.now
    try write()
    wait()
    return state.withLock { Seen(time: $0.time - start, id: id) }
  }
}

extension PeopleSuite {
  /// So many people are changed, and changed back: few, for who answers anew takes half a second for each.
  private static let observedPairs = 10

  var observing: [Workload] {
    [
      observing("observe", "see one change among all", .all) { person, random in
        .age((person.age + 1 + random.below(98)) % 100)
      },
      observing("observe-sorted", "see one change among all by name", .byName) {
        [self] _, random in .name(data.people[random.below(objects)].name + " II")
      },
      observing("observe-1000", "see a change that concerns one of 1,000 observers", .groups) {
        person, random in .age((person.age + 1 + random.below(98)) % 100)
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
      guard let database = try main(subject) as? any Observing & Lookups else { return nil }
      var random = round.random(for: name)
      let changes = try (0..<Self.observedPairs).flatMap { _ in
        var person = data.people[random.below(objects)]
        // The rows of small commits have changed ages, in all databases.
        person.age = try database.sumOfIDAndAge(ids: [person.id]) - person.id
        let value = value(person, &random)
        return [value, value.back(to: person)].map { PersonChange(id: person.id, value: $0) }
      }
      let seen = try database.observe(people, while: changes)
      let times = seen.map(\.time).sorted()
      return Sample(
        value: Unit.microseconds.value(times[times.count / 2]),
        answer: Answer(integers: seen.map(\.id), numbers: []))
    }
  }
}

extension PersonChange.Value {
  /// The value that a person has now.
  fileprivate func back(to person: Person) -> Self {
    switch self {
    case .age: .age(person.age)
    case .name: .name(person.name)
    }
  }
}
