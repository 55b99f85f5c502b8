import Foundation
package import Roost

/// The third: the name becomes a full name, and what is called name is another field; an age is a text.
package enum Release3: Release {
  struct Person: Model {
    let id: Int
    var fullName: String
    var name: Int
    var age: String
    var nickname: String
    var image: Data?
    var phone: String?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("fullName", \.fullName),
      Field("name", \.name, .default(3)),
      Field("age", \.age, .indexed), Field("nickname", \.nickname, .default("")),
      Field("image", \.image, .was("photo")), Field("phone", \.phone))
  }
  struct Dog: Model {
    let id: String
    var owner: Link<Person>
    static let schema = Schema(
      Dog.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.cascade)))
  }

  package static let number = 3
  package static let plan = MigrationPlan {
    Release2.plan
    MigrationStep("3: name becomes fullName") {
      try $0.rename("name", of: "Person", to: "fullName")
    }
    MigrationStep("3: age is a text") {
      try $0.convert("age", of: "Person", from: Int.self, to: String.self) { "\($0) years" }
    }
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
            id: id, fullName: person.name, name: 3, age: "\(person.age) years",
            nickname: person.nickname, image: person.image, phone: person.phone))
        for pet in person.pets { try transaction.insert(Dog(id: pet, owner: Link(id: id))) }
      }
    }
  }

  package static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    let pets = Dictionary(grouping: try snapshot.fetch(Dog.all), by: \.owner.id)
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      guard person.name == 3 else { return }
      people[person.id] = World.Person(
        name: person.fullName, age: Int(person.age.dropLast(6)) ?? -1, nickname: person.nickname,
        image: person.image, phone: person.phone, pets: (pets[person.id] ?? []).map(\.id).sorted())
    }
  }

  package static func person(_ id: Int, in store: Store) throws -> any Model {
    try store.snapshot().find(Person.self, id: id)
  }

  package static func validate(_ plan: MigrationPlan) throws {
    try plan.validate(models: Person.self, Dog.self)
  }
}
