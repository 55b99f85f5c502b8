import Foundation
package import Roost

/// The fourth: dogs are pets, and the full name is in two parts.
package enum Release4: Release {
  struct Person: Model {
    let id: Int
    var first: String
    var last: String
    var age: String
    var nickname: String
    var image: Data?
    var phone: String?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("first", \.first), Field("last", \.last, .indexed),
      Field("age", \.age, .indexed), Field("nickname", \.nickname, .default("")),
      Field("image", \.image, .was("photo")), Field("phone", \.phone))
  }
  struct Pet: Model {
    let id: String
    var owner: Link<Person>
    static let schema = Schema(
      Pet.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.cascade)))
  }

  package static let number = 4
  package static let plan = MigrationPlan {
    Release3.plan
    MigrationStep("4: dogs are pets") { try $0.renameModel("Dog", to: "Pet") }
    MigrationStep("4: first and last name") {
      try $0.add("first", to: "Person", default: "")
      try $0.add("last", to: "Person", default: "")
      try $0.rewrite("Person") { old, new in
        let parts = try old.value("fullName", as: String.self)
          .split(separator: " ", maxSplits: 1)
        try new.set("first", to: String(parts.first ?? ""))
        try new.set("last", to: parts.count > 1 ? String(parts[1]) : "")
      }
      try $0.remove("fullName", of: "Person")
      try $0.remove("name", of: "Person")
    }
  }

  package static func open(
    _ location: Location, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try Store(
      location, models: Person.self, Pet.self, configuration: configuration, migrations: { plan })
  }

  package static func add(_ ids: some Sequence<Int>, to store: Store) throws {
    try store.write { transaction in
      for id in ids {
        let person = World.person(id)
        try transaction.insert(
          Person(
            id: id, first: person.firstName, last: person.lastName,
            age: "\(person.age) years", nickname: person.nickname, image: person.image,
            phone: person.phone))
        for pet in person.pets { try transaction.insert(Pet(id: pet, owner: Link(id: id))) }
      }
    }
  }

  package static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    let pets = Dictionary(grouping: try snapshot.fetch(Pet.all), by: \.owner.id)
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      people[person.id] = World.Person(
        name: person.last.isEmpty ? person.first : "\(person.first) \(person.last)",
        age: Int(person.age.dropLast(6)) ?? -1, nickname: person.nickname, image: person.image,
        phone: person.phone, pets: (pets[person.id] ?? []).map(\.id).sorted())
    }
  }

  package static func person(_ id: Int, in store: Store) throws -> any Model {
    try store.snapshot().find(Person.self, id: id)
  }

  package static func validate(_ plan: MigrationPlan) throws {
    try plan.validate(models: Person.self, Pet.self)
  }
}
