import Roost
import RoostUI

/// Has people in a list.
struct Crew: Model {
  let id: Int
  var members: Links<Person> = []
  static let schema = Schema(Crew.init, Key("id", \.id), Field("members", \.members))
}

/// What can be observed.
enum ObservedKind: CaseIterable {
  case results, watchedResults, resultsReadingLinks, object, list, value, sections

  /// The person that is observed as an object.
  static let person = 3000
  /// The crew whose list is observed.
  static let crew = 1

  /// What it becomes, where people are asked for: `people` or, of an object or a list, one of ``person`` and ``crew``.
  func changes(in store: Store, of people: Query<Person>) -> any AsyncSequence & Sendable {
    switch self {
    case .results: store.changes(of: people)
    case .watchedResults: store.changes(of: people, watching: \.name, \.group)
    case .resultsReadingLinks: store.changes(of: people, reading: { $0.group.size })
    case .object: store.changes(of: Person.self, id: Self.person)
    case .list: store.changes(of: \Crew.members, of: Self.crew)
    case .value: store.values(of: people) { try $0.average(\.age, of: $1) }
    case .sections: store.changes(of: people, sectionedBy: { try $0.name })
    }
  }
}
