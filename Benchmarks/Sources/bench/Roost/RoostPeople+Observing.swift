import Roost

extension RoostPeople: Observing {
  func observe(_ people: ObservedPeople, while changes: [PersonChange]) throws -> [Resumption<
    Person
  >.Seen] {
    let queries =
      switch people {
      case .all: [Person.all]
      case .byName: [Person.all.order(by: \.name)]
      case .groups:
        (0..<People.groupCount).map { group in Person.where { $0.group == Link(id: group) } }
      }
    let resumption = Resumption<Person>()
    let observers = queries.map { query in
      let sequence = store.changes(of: query)
      return Task {
        for try await change in sequence {
          try resumption.note { try change.snapshot.fetch(Person.self, id: $0) }
        }
      }
    }
    defer { for observer in observers { observer.cancel() } }
    for _ in observers { resumption.wait() }
    return try changes.map { change in
      try resumption.time(change.id, isChanged: change.isSeen(in:)) {
        try store.write(durability: .relaxed) { transaction in
          switch change.value {
          case .age(let age):
            try transaction.update(Person.self, id: change.id, set: \.age, to: age)
          case .name(let name):
            try transaction.update(Person.self, id: change.id, set: \.name, to: name)
          }
        }
      }
    }
  }
}
