import Foundation
import Roost
import Testing

/// Deleting objects that a program has, instead of their ids.
@Suite struct DeletedObjectTests {
  private let people = (0..<20).map { Person($0, "Person \($0)") }

  private func store() throws -> Store {
    let store = try Store(.inMemory, models: Person.self, Group.self)
    try store.write { try $0.insert(contentsOf: people) }
    return store
  }

  private func ids(_ store: Store) throws -> [Int] {
    try store.snapshot().fetch(Person.all).map(\.id)
  }

  @Test func anObjectGoesByItsIDWhateverElseIsInIt() throws {
    let store = try store()
    var changed = people[3]
    changed.name = "Somebody else"
    let object = changed
    let were = try store.write { transaction in
      try [object, object, Person(99)].map { try transaction.delete($0) }
    }
    #expect(were == [true, false, false])
    #expect(try ids(store) == [0, 1, 2] + Array(4..<20))
    let was = try store.scope(Person.self).write { try $0.delete(people[4]) }
    #expect(was)
    #expect(try ids(store) == [0, 1, 2] + Array(5..<20))
  }

  @Test func manyObjectsGoAtOnceAndThoseThatAreGoneAreNotCounted() throws {
    let store = try store()
    let counts = try store.write { transaction in
      [
        try transaction.delete(contentsOf: people[5..<9]),
        try transaction.delete(contentsOf: people.prefix(7) + [Person(99)]),
        try transaction.delete(contentsOf: [Person]()),
      ]
    }
    #expect(counts == [4, 5, 0])
    #expect(try ids(store) == Array(9..<20))
    let count = try store.scope(Person.self).write { people in
      try people.delete(contentsOf: people.fetch(Person.where { $0.id > 15 }))
    }
    #expect(count == 4)
    #expect(try ids(store) == Array(9..<16))
  }
}
