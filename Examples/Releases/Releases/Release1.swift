import Foundation
package import Roost

/// The first: a title, a nickname that may be missing.
package enum Release1: Release {
  struct Person: Model {
    let id: Int
    var title: String
    var age: Int
    var nickname: String?
    var photo: Data?
    var phone: String?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("title", \.title, .indexed),
      Field("age", \.age, .indexed),
      Field("nickname", \.nickname), Field("photo", \.photo), Field("phone", \.phone))
  }
  struct Dog: Model {
    let id: String
    var owner: Link<Person>
    static let schema = Schema(
      Dog.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.cascade)))
  }

  package static let number = 1
  package static let plan = MigrationPlan()

  package static func open(
    _ location: Location, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try Store(
      location, models: Person.self, Dog.self, configuration: configuration, migrations: { plan })
  }

  package static func add(_ ids: some Sequence<Int>, to store: Store) throws {
    try store.write { transaction in
      for id in ids {
        let person = World.person(id)
        try transaction.insert(
          Person(
            id: id, title: person.name, age: person.age,
            nickname: person.nickname.isEmpty ? nil : person.nickname, photo: person.image,
            phone: person.phone))
        for pet in person.pets { try transaction.insert(Dog(id: pet, owner: Link(id: id))) }
      }
    }
  }

  package static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    let pets = Dictionary(grouping: try snapshot.fetch(Dog.all), by: \.owner.id)
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      people[person.id] = World.Person(
        name: person.title, age: person.age, nickname: person.nickname ?? "", image: person.photo,
        phone: person.phone, pets: (pets[person.id] ?? []).map(\.id).sorted())
    }
  }

  package static func person(_ id: Int, in store: Store) throws -> any Model {
    try store.snapshot().find(Person.self, id: id)
  }

  package static func validate(_ plan: MigrationPlan) throws {
    try plan.validate(models: Person.self, Dog.self)
  }
}
