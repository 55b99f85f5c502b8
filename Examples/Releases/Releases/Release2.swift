import Foundation
package import Roost

/// The second: the title becomes a name, the photo an image, and everybody has a nickname.
package enum Release2: Release {
  struct Person: Model {
    let id: Int
    var name: String
    var age: Int
    var nickname: String
    var image: Data?
    var phone: String?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("name", \.name, .indexed), Field("age", \.age, .indexed),
      Field("nickname", \.nickname, .default("")), Field("image", \.image, .was("photo")),
      Field("phone", \.phone))
  }
  struct Dog: Model {
    let id: String
    var owner: Link<Person>
    static let schema = Schema(
      Dog.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.cascade)))
  }

  package static let number = 2
  package static let plan = MigrationPlan {
    MigrationStep("2: title becomes name") { try $0.rename("title", of: "Person", to: "name") }
  }

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
            id: id, name: person.name, age: person.age, nickname: person.nickname,
            image: person.image, phone: person.phone))
        for pet in person.pets { try transaction.insert(Dog(id: pet, owner: Link(id: id))) }
      }
    }
  }

  package static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    let pets = Dictionary(grouping: try snapshot.fetch(Dog.all), by: \.owner.id)
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      people[person.id] = World.Person(
        name: person.name, age: person.age, nickname: person.nickname, image: person.image,
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
