import Foundation
import Roost

/// What every release of one app knows, in whichever shape it stores it.
struct World: Equatable {
  struct Person: Equatable {
    var name: String
    var age: Int
    var nickname: String
    var image: Data?
    var phone: String?
    var pets: [String]
  }

  var people: [Int: Person] = [:]

  /// Some people, and those that releases have added.
  init(addedBy releases: [Int]) {
    for id in 0..<3000 { people[id] = World.person(id) }
    for release in releases { people[10_000 + release] = World.person(10_000 + release) }
  }

  static func person(_ id: Int) -> Person {
    Person(
      name: id % 7 == 0 ? "Plato" : "Ann\(id) van \(id / 3)", age: id % 90,
      nickname: id % 3 == 0 ? "" : "nick\(id)", image: id % 5 == 0 ? Data("image \(id)".utf8) : nil,
      phone: id % 4 == 0 ? "+31 \(id)" : nil, pets: id % 2 == 0 ? ["Rex \(id)", "Tom \(id)"] : [])
  }
}

/// A release of the app: its models, the steps that it knows, and how it reads and writes the world.
protocol Release: Sendable {
  static var number: Int { get }
  static var plan: MigrationPlan { get }
  static func open(_ location: Location, _ configuration: Configuration) throws(StoreError) -> Store
  /// Adds people.
  static func add(_ ids: some Sequence<Int>, to store: Store) throws
  static func people(in store: Store) throws -> [Int: World.Person]
  /// Throws where a step of the plan could do nothing.
  static func validate() throws
}

/// The first: a title, a nickname that may be missing.
enum Release1: Release {
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

  static let number = 1
  static let plan = MigrationPlan()

  static func open(
    _ location: Location, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try Store(
      location, models: Person.self, Dog.self, configuration: configuration, migrations: { plan })
  }

  static func add(_ ids: some Sequence<Int>, to store: Store) throws {
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

  static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    let pets = Dictionary(grouping: try snapshot.fetch(Dog.all), by: \.owner.id)
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      people[person.id] = World.Person(
        name: person.title, age: person.age, nickname: person.nickname ?? "", image: person.photo,
        phone: person.phone, pets: (pets[person.id] ?? []).map(\.id).sorted())
    }
  }

  static func validate() throws { try plan.validate(models: Person.self, Dog.self) }
}

/// The second: the title becomes a name, the photo an image, and everybody has a nickname.
enum Release2: Release {
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

  static let number = 2
  static let plan = MigrationPlan {
    MigrationStep("2: title becomes name") { try $0.rename("title", of: "Person", to: "name") }
  }

  static func open(
    _ location: Location, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try Store(
      location, models: Person.self, Dog.self, configuration: configuration, migrations: { plan })
  }

  static func add(_ ids: some Sequence<Int>, to store: Store) throws {
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

  static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    let pets = Dictionary(grouping: try snapshot.fetch(Dog.all), by: \.owner.id)
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      people[person.id] = World.Person(
        name: person.name, age: person.age, nickname: person.nickname, image: person.image,
        phone: person.phone, pets: (pets[person.id] ?? []).map(\.id).sorted())
    }
  }

  static func validate() throws { try plan.validate(models: Person.self, Dog.self) }
}

/// The third: the name becomes a full name, and what is called name is another field; an age is a text.
enum Release3: Release {
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

  static let number = 3
  static let plan = MigrationPlan {
    Release2.plan
    MigrationStep("3: name becomes fullName") {
      try $0.rename("name", of: "Person", to: "fullName")
    }
    MigrationStep("3: age is a text") {
      try $0.convert("age", of: "Person", from: Int.self, to: String.self) { "\($0) years" }
    }
  }

  static func open(
    _ location: Location, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try Store(
      location, models: Person.self, Dog.self, configuration: configuration, migrations: { plan })
  }

  static func add(_ ids: some Sequence<Int>, to store: Store) throws {
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

  static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    let pets = Dictionary(grouping: try snapshot.fetch(Dog.all), by: \.owner.id)
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      guard person.name == 3 else { return }
      people[person.id] = World.Person(
        name: person.fullName, age: Int(person.age.dropLast(6)) ?? -1, nickname: person.nickname,
        image: person.image, phone: person.phone, pets: (pets[person.id] ?? []).map(\.id).sorted())
    }
  }

  static func validate() throws { try plan.validate(models: Person.self, Dog.self) }
}

/// The fourth: dogs are pets, and the full name is in two parts.
enum Release4: Release {
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

  static let number = 4
  static let plan = MigrationPlan {
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

  static func open(
    _ location: Location, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try Store(
      location, models: Person.self, Pet.self, configuration: configuration, migrations: { plan })
  }

  static func add(_ ids: some Sequence<Int>, to store: Store) throws {
    try store.write { transaction in
      for id in ids {
        let person = World.person(id)
        let parts = person.name.split(separator: " ", maxSplits: 1).map(String.init)
        try transaction.insert(
          Person(
            id: id, first: parts[0], last: parts.count > 1 ? parts[1] : "",
            age: "\(person.age) years",
            nickname: person.nickname, image: person.image, phone: person.phone))
        for pet in person.pets { try transaction.insert(Pet(id: pet, owner: Link(id: id))) }
      }
    }
  }

  static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    let pets = Dictionary(grouping: try snapshot.fetch(Pet.all), by: \.owner.id)
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      people[person.id] = World.Person(
        name: person.last.isEmpty ? person.first : "\(person.first) \(person.last)",
        age: Int(person.age.dropLast(6)) ?? -1, nickname: person.nickname, image: person.image,
        phone: person.phone, pets: (pets[person.id] ?? []).map(\.id).sorted())
    }
  }

  static func validate() throws { try plan.validate(models: Person.self, Pet.self) }
}

/// The fifth: a phone is a model of its own, and a person knows the pets by a list.
enum Release5: Release {
  struct Person: Model {
    let id: Int
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

  static let number = 5
  static let plan = MigrationPlan {
    Release4.plan
    MigrationStep("5: phones") { migration in
      try migration.addModel("Phone", key: "id", UUID.self)
      try migration.add("number", to: "Phone", default: "")
      try migration.rename("phone", of: "Person", to: "oldPhone")
      try migration.addLink("phone", to: "Person", target: "Phone")
      try migration.rewrite("Person") { old, new in
        guard let number = try old.value("oldPhone", as: String?.self) else { return }
        let phone = try migration.insert(into: "Phone") { phone in
          try phone.set("id", to: UUID())
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
  }

  static func open(
    _ location: Location, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try Store(
      location, models: Person.self, Pet.self, Phone.self, configuration: configuration,
      migrations: { plan })
  }

  static func add(_ ids: some Sequence<Int>, to store: Store) throws {
    try store.write { transaction in
      for id in ids {
        let person = World.person(id)
        let parts = person.name.split(separator: " ", maxSplits: 1).map(String.init)
        let phone = try person.phone.map { try transaction.insert(Phone(id: UUID(), number: $0)) }
        for pet in person.pets { try transaction.insert(Pet(id: pet)) }
        try transaction.insert(
          Person(
            id: id, first: parts[0], last: parts.count > 1 ? parts[1] : "",
            age: "\(person.age) years",
            nickname: person.nickname, image: person.image, phone: phone.map { Link($0) },
            pets: Links(ids: person.pets)))
      }
    }
  }

  static func people(in store: Store) throws -> [Int: World.Person] {
    let snapshot = store.snapshot()
    return try snapshot.fetch(Person.all).reduce(into: [:]) { people, person in
      people[person.id] = World.Person(
        name: person.last.isEmpty ? person.first : "\(person.first) \(person.last)",
        age: Int(person.age.dropLast(6)) ?? -1, nickname: person.nickname, image: person.image,
        phone: try person.phone.map { try snapshot.find(Phone.self, id: $0.id).number },
        pets: Array(person.pets).sorted())
    }
  }

  static func validate() throws {
    try plan.validate(models: Person.self, Pet.self, Phone.self)
  }
}
