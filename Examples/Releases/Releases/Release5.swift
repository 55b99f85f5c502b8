import Foundation
package import Roost

/// The fifth: a phone is a model of its own, and a person, who is known by a text, knows the pets by a list.
package enum Release5: Release {
  struct Person: Model {
    let id: String
    var first: String
    var last: String
    var age: String
    var nickname: String
    var image: Data?
    var phone: Link<Phone>?
    var pets: Links<Pet>
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("first", \.first), Field("last", \.last, .indexed),
      Field("age", \.age, .indexed), Field("nickname", \.nickname, .default("")),
      Field("image", \.image, .was("photo")), Field("phone", \.phone, .onTargetDelete(.nullify)),
      Field("pets", \.pets))
  }
  struct Pet: Model {
    let id: String
    static let schema = Schema(Pet.init, Key("id", \.id))
  }
  struct Phone: Model {
    let id: UUID
    var number: String
    static let schema = Schema(
      Phone.init, Key("id", \.id), Field("number", \.number, .unique))
  }

  package static let number = 5
  package static let plan = MigrationPlan {
    Release4.plan
    MigrationStep("5: phones") { migration in
      try migration.addModel("Phone", key: "id", UUID.self)
      try migration.add("number", to: "Phone", default: "")
      try migration.rename("phone", of: "Person", to: "oldPhone")
      try migration.addLink("phone", to: "Person", target: "Phone")
      try migration.rewrite("Person") { old, new in
        guard let number = try old.value("oldPhone", as: String?.self) else { return }
        let phone = try migration.insert(into: "Phone") { phone in
          try phone.set("id", to: World.phoneID(ofPerson: try old.value("id", as: Int.self)))
          try phone.set("number", to: number)
        }
        try new.set("phone", to: phone)
      }
      try migration.remove("oldPhone", of: "Person")
      try migration.makeUnique("number", of: "Phone")
    }
    MigrationStep("5: a list of pets") { migration in
      try migration.addLink("pets", to: "Person", target: "Pet", isList: true)
      try migration.rewrite("Person") { old, new in
        try new.set("pets", to: try old.objects(of: "Pet", linkingBy: "owner"))
      }
      try migration.remove("owner", of: "Pet")
    }
    MigrationStep("5: people are known by texts") {
      try $0.convert("id", of: "Person", from: Int.self, to: String.self) { personID($0) }
    }
  }

  /// The id of a person who had a number before.
  private static func personID(_ number: Int) -> String { "person \(number)" }

  package static func open(
    _ location: Location, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try Store(
      location, models: Person.self, Pet.self, Phone.self, configuration: configuration,
      migrations: { plan })
  }

  package static func add(_ ids: some Sequence<Int>, to store: Store) throws {
    try store.write { transaction in
      for id in ids {
        let person = World.person(id)
        let phone = try person.phone.map {
          try transaction.insert(Phone(id: World.phoneID(ofPerson: id), number: $0))
        }
        for pet in person.pets { try transaction.insert(Pet(id: pet)) }
        try transaction.insert(
          Person(
            id: personID(id), first: person.firstName, last: person.lastName,
            age: "\(person.age) years", nickname: person.nickname, image: person.image,
            phone: phone.map { Link($0) }, pets: Links(ids: person.pets)))
      }
    }
  }

  package static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      guard let id = Int(person.id.dropFirst("person ".count)) else { return }
      people[id] = World.Person(
        name: person.last.isEmpty ? person.first : "\(person.first) \(person.last)",
        age: Int(person.age.dropLast(6)) ?? -1, nickname: person.nickname, image: person.image,
        phone: try person.phone.map { try snapshot.find(Phone.self, id: $0.id).number },
        pets: Array(person.pets).sorted())
    }
  }

  package static func person(_ id: Int, in store: Store) throws -> any Model {
    try store.snapshot().find(Person.self, id: personID(id))
  }

  package static func validate(_ plan: MigrationPlan) throws {
    try plan.validate(models: Person.self, Pet.self, Phone.self)
  }
}
