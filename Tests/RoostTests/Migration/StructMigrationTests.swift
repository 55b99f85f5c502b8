import Foundation
import Roost
import RoostTestSupport
import Testing

/// A property that becomes a struct, or was one, and other changes of which the steps that an error proposes must keep what the
/// file has.
@Suite struct StructMigrationTests {
  private static let path = "trips.roost"

  private enum First {
    struct Town: Model {
      let id: Int
      var name: String
      static let schema = Schema(Town.init, Key("id", \.id), Field("name", \.name))
    }
    struct Trip: Model {
      let id: Int
      var place: String
      var town: Link<Town>?
      var end: Link<Town>
      static let schema = Schema(
        Trip.init, Key("id", \.id), Field("place", \.place), Field("town", \.town),
        Field("end", \.end))
    }
  }

  private enum Second {
    struct Place: Embedded, Equatable {
      var street: String
      static let fields = Fields(Place.init, Part("street", \.street))
    }
    struct Town: Model {
      let id: Int
      var name: String
      var code: String
      static let schema = Schema(
        Town.init, Key("id", \.id), Field("name", \.name),
        Field("code", \.code, .unique, .default("")))
    }
    struct Trip: Model {
      let id: Int
      var place: Place?
      var town: Link<Town>
      var end: String
      static let schema = Schema(
        Trip.init, Key("id", \.id), Field("place", \.place), Field("town", \.town),
        Field("end", \.end))
    }
  }

  private enum Struct {
    struct Size: Embedded {
      var text: String
      static let fields = Fields(Size.init, Part("text", \.text))
    }
    struct Shoe: Model {
      let id: Int
      var size: Size?
      static let schema = Schema(Shoe.init, Key("id", \.id), Field("size", \.size))
    }
  }

  private enum Value {
    struct Shoe: Model {
      let id: Int
      var size: String?
      static let schema = Schema(Shoe.init, Key("id", \.id), Field("size", \.size))
    }
  }

  private func configuration(_ disk: SimulatedDisk) -> Configuration {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return configuration
  }

  private func makeFirst(_ disk: SimulatedDisk) throws {
    let store = try Store(
      .file(Self.path), models: First.Town.self, First.Trip.self,
      configuration: configuration(disk))
    defer { store.close() }
    try store.write { tx in
      for id in 1...2 { _ = try tx.insert(First.Town(id: id, name: "town \(id)")) }
      for id in 1...2 {
        _ = try tx.insert(
          First.Trip(
            id: id, place: "street \(id)", town: id == 1 ? Link(id: 2) : nil, end: Link(id: id)))
      }
    }
  }

  private func openSecond(
    _ disk: SimulatedDisk, @MigrationPlanBuilder _ steps: () -> [MigrationStep]
  ) throws -> Store {
    try Store(
      .file(Self.path), models: Second.Town.self, Second.Trip.self,
      configuration: configuration(disk), migrations: steps)
  }

  @Test func theStepsThatAreProposedKeepWhatTheFileHas() throws {
    let disk = SimulatedDisk(seed: 1)
    try makeFirst(disk)
    let refused = try #require(throws: StoreError.self) { try openSecond(disk) {} }
    guard case .migrationRequired(let differences) = refused else { throw refused }
    #expect(
      differences.contains(
        .otherStruct(
          model: "Trip", field: "place", stored: "String", declared: "a struct",
          parts: ["place.street"])))
    let steps = differences.compactMap(\.step).joined(separator: "\n")
    #expect(steps.contains("try $0.rename(\"place\", of: \"Trip\", to: \"place.street\")"))
    #expect(steps.contains("guard try old.object(\"town\") == nil else { return }"))
    #expect(steps.contains("`old.object(\"old end\")` says"))
    #expect(!steps.contains("Bool"))
    let store = try openSecond(disk) {
      MigrationStep("place becomes a struct") {
        try $0.rename("place", of: "Trip", to: "place.street")
      }
      MigrationStep("require town") { migration in
        try migration.rewrite("Trip") { old, new in
          guard try old.object("town") == nil else { return }
          try new.set("town", to: migration.object(of: "Town", id: 1))
        }
      }
      MigrationStep("end becomes a text") { migration in
        try migration.rename("end", of: "Trip", to: "oldEnd")
        try migration.add("end", to: "Trip", default: "")
        try migration.rewrite("Trip") { old, new in
          try new.set("end", to: old.object("oldEnd")?.value("name", as: String.self) ?? "")
        }
      }
      MigrationStep("add code") { migration in
        try migration.add("code", to: "Town", default: "")
        try migration.rewrite("Town") { old, new in
          try new.set("code", to: "c\(old.value("id", as: Int.self))")
        }
      }
    }
    let trips = try store.read { try $0.fetch(Second.Trip.all.order(by: \.id)) }
    #expect(trips.map(\.place?.street) == ["street 1", "street 2"])
    #expect(trips.map(\.town.id) == [2, 1])
    #expect(trips.map(\.end) == ["town 1", "town 2"])
    let links: [Link<Second.Town>?] = [nil, Link(id: 2), Link(id: 9)]
    #expect(
      try store.read { snapshot in try links.map { try snapshot.fetch($0)?.code } } == [
        nil, "c2", nil,
      ])
  }

  @Test func aNewUniqueFieldWithADefaultSaysThatAllWouldHaveIt() throws {
    let disk = SimulatedDisk(seed: 2)
    do {
      let store = try Store(
        .file(Self.path), models: First.Town.self, configuration: configuration(disk))
      for id in 1...2 { _ = try store.write { try $0.insert(First.Town(id: id, name: "n")) } }
      store.close()
    }
    let expected = SchemaDifference.duplicateDefault(
      model: "Town", field: "code", declared: "String")
    #expect(throws: StoreError.migrationRequired([expected])) {
      try Store(.file(Self.path), models: Second.Town.self, configuration: configuration(disk))
    }
    #expect(expected.step?.contains("delete") == false)
  }

  @Test func aStructThatBecomesAValueIsNamedAndItsPartBecomesIt() throws {
    let disk = SimulatedDisk(seed: 3)
    do {
      let store = try Store(
        .file(Self.path), models: Struct.Shoe.self, configuration: configuration(disk))
      _ = try store.write { try $0.insert(Struct.Shoe(id: 1, size: Struct.Size(text: "42"))) }
      _ = try store.write { try $0.insert(Struct.Shoe(id: 2, size: nil)) }
      store.close()
    }
    let expected = SchemaDifference.otherStruct(
      model: "Shoe", field: "size", stored: "a struct", declared: "String?", parts: ["size.text"])
    #expect(throws: StoreError.migrationRequired([expected])) {
      try Store(.file(Self.path), models: Value.Shoe.self, configuration: configuration(disk))
    }
    let store = try Store(
      .file(Self.path), models: Value.Shoe.self, configuration: configuration(disk),
      migrations: {
        MigrationStep("size becomes a text") {
          try $0.rename("size", of: "Shoe", to: "oldSize")
          try $0.rename("oldSize.text", of: "Shoe", to: "size")
        }
      })
    #expect(
      try store.read { try $0.fetch(Value.Shoe.all.order(by: \.id)) }.map(\.size) == ["42", nil])
  }

  enum Loose {
    struct Person: Model {
      let id: Int
      var city: String?
      var age: Int
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("city", \.city), Field("age", \.age))
    }
  }
  enum Partly {
    struct Address: Embedded {
      var city: String?
      static let fields = Fields(Address.init, Part("city", \.city))
    }
    struct Person: Model {
      let id: Int
      var address: Address?
      var age: Int
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("address", \.address), Field("age", \.age))
    }
  }

  @Test func aFieldThatWouldBeHiddenInAnAbsentStructIsNotRenamedIntoIt() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      do {
        let store = try Store(.file(path), models: Loose.Person.self)
        try store.write { tx in
          for id in 0..<100 {
            try tx.insert(Loose.Person(id: id, city: id % 3 == 0 ? nil : "c\(id)", age: 1))
          }
        }
      }
      do {
        let store = try Store(.file(path), models: Partly.Person.self)
        try store.write { tx in
          for id in stride(from: 0, to: 100, by: 2) {
            _ = try tx.update(Partly.Person.self, id: id) { $0.address = Partly.Address(city: nil) }
          }
        }
      }
      func open(before: @escaping @Sendable (Migration) throws -> Void) throws -> Store {
        try Store(.file(path), models: Partly.Person.self) {
          MigrationStep("addresses") {
            try before($0)
            try $0.rename("city", of: "Person", to: "address.city")
          }
        }
      }
      let failure = try #require(throws: StoreError.self) { _ = try open { _ in } }
      let advice =
        "try $0.rewrite(\"Person\") { if try $0.value(\"city\", as: String?.self) != nil { try $1.set(\"address\", to: true) } }"
      #expect("\(failure)".contains("at city of Person 1: It has a value and no \"address\""))
      #expect("\(failure)".contains("so have 33 objects"))
      #expect("\(failure)".contains(advice))
      let store = try open { migration in
        try migration.rewrite("Person") {
          if try $0.value("city", as: String?.self) != nil { try $1.set("address", to: true) }
        }
      }
      try store.write { tx in
        for id in 0..<100 { _ = try tx.update(Partly.Person.self, id: id) { $0.age = 3 } }
      }
      for person in try store.snapshot().fetch(Partly.Person.all) {
        #expect(person.address?.city == (person.id % 3 == 0 ? nil : "c\(person.id)"))
        #expect((person.address == nil) == (person.id % 6 == 3))
      }
      #expect(try store.verify() == [])
    }
  }

  enum Alone {
    struct Address: Embedded {
      var street: String
      static let fields = Fields(Address.init, Part("street", \.street))
    }
    struct Household: Model {
      let id: Int
      var children: Int
      var address: Address?
      static let schema = Schema(
        Household.init, Key("id", \.id), Field("children", \.children),
        Field("address", \.address))
    }
  }
  enum WithFamily {
    struct Family: Embedded, Equatable {
      var adults: Int
      var children: Int
      static let fields = Fields(
        Family.init, Part("adults", \.adults), Part("children", \.children))
    }
    struct Household: Model {
      let id: Int
      var address: Alone.Address
      var family: Family?
      static let schema = Schema(
        Household.init, Key("id", \.id), Field("address", \.address), Field("family", \.family))
    }
  }

  private func writeHouseholds(to path: String) throws {
    let store = try Store(.file(path), models: Alone.Household.self)
    try store.write { tx in
      for id in 0..<20 {
        let address = id % 5 == 0 ? nil : Alone.Address(street: "s\(id)")
        try tx.insert(Alone.Household(id: id, children: id % 4, address: address))
      }
    }
  }

  private static let addresses = MigrationStep("addresses") {
    try $0.makeRequired("address.street", of: "Household", default: "?")
  }

  @Test func theMarkOfAStructThatIsNotOptionalAnyMoreIsNotCalledAFieldThatIsGone() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/households.roost"
      try writeHouseholds(to: path)
      let report = try Store.dryRun(at: path, models: WithFamily.Household.self) { Self.addresses }
      #expect(!report.notes.contains { $0.contains("\"address\"") }, "\(report)")
      let words = "\(report)"
      #expect(words.contains("Household.address is a struct, and was an optional struct"))
      #expect(words.contains("Household.family is added: an optional struct"))
    }
  }

  @Test(arguments: [false, true])
  func aStructWhoseNeededPartHasNoValuesHidesNoneOfTheOthers(isOpenedBefore: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/households.roost"
      try writeHouseholds(to: path)
      if isOpenedBefore {
        _ = try Store(.file(path), models: WithFamily.Household.self) { Self.addresses }
      }
      func open(before: @escaping @Sendable (Migration) throws -> Void) throws -> Store {
        try Store(.file(path), models: WithFamily.Household.self) {
          Self.addresses
          MigrationStep("families") {
            try before($0)
            try $0.rename("children", of: "Household", to: "family.children")
          }
        }
      }
      let failure = try #require(throws: StoreError.self) { _ = try open { _ in } }
      let proposed = isOpenedBefore ? "$0.makeRequired" : "$0.add"
      #expect("\(failure)".contains("try \(proposed)(\"family.adults\""), "\(failure)")
      let store = try open { try $0.add("family.adults", to: "Household", default: 1) }
      for household in try store.snapshot().fetch(WithFamily.Household.all) {
        let family = WithFamily.Family(adults: 1, children: household.id % 4)
        #expect(household.family == family)
      }
      #expect(try store.verify() == [])
    }
  }

  enum Listed {
    struct Recipe: Model {
      let id: Int
      var steps: [String]
      var friends: Links<Recipe>
      static let schema = Schema(
        Recipe.init, Key("id", \.id), Field("steps", \.steps), Field("friends", \.friends))
    }
  }
  enum Prepared {
    struct Preparation: Embedded {
      var minutes: Int
      var steps: [String]
      static let fields = Fields(
        Preparation.init, Part("minutes", \.minutes), Part("steps", \.steps))
    }
    struct Circle: Embedded {
      var name: String
      var friends: Links<Recipe>
      static let fields = Fields(
        Circle.init, Part("name", \.name), Part("friends", \.friends))
    }
    struct Recipe: Model {
      let id: Int
      var preparation: Preparation?
      var circle: Circle?
      static let schema = Schema(
        Recipe.init, Key("id", \.id), Field("preparation", \.preparation),
        Field("circle", \.circle))
    }
  }

  @Test func aCollectionIsNotHiddenInAStructWhoseNeededPartHasNoValues() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/recipes.roost"
      do {
        let store = try Store(.file(path), models: Listed.Recipe.self)
        try store.write { tx in
          for id in 0..<20 {
            let isFull = id % 4 == 3
            try tx.insert(
              Listed.Recipe(
                id: id, steps: isFull ? ["stir", "\(id)"] : [],
                friends: Links(ids: isFull ? [id - 1] : [])))
          }
        }
      }
      // A release without the step adds the fields.
      _ = try Store(.file(path), models: Prepared.Recipe.self)
      func open(before: @escaping @Sendable (Migration) throws -> Void) throws -> Store {
        try Store(.file(path), models: Prepared.Recipe.self) {
          MigrationStep("structs") {
            try before($0)
            try $0.rename("steps", of: "Recipe", to: "preparation.steps")
            try $0.remove("circle.friends", of: "Recipe")
            try $0.rename("friends", of: "Recipe", to: "circle.friends")
          }
        }
      }
      let failure = try #require(throws: StoreError.self) { _ = try open { _ in } }
      for needed in ["preparation.minutes", "circle.name"] {
        let step = "try $0.makeRequired(\"\(needed)\", of: \"Recipe\", default: "
        #expect("\(failure)".contains(step), "\(failure)")
      }
      let store = try open {
        try $0.add("preparation.minutes", to: "Recipe", default: 5)
        try $0.add("circle.name", to: "Recipe", default: "all")
      }
      for recipe in try store.snapshot().fetch(Prepared.Recipe.all) {
        let isFull = recipe.id % 4 == 3
        #expect(recipe.preparation?.steps == (isFull ? ["stir", "\(recipe.id)"] : []))
        #expect(recipe.circle?.friends == (isFull ? Links(ids: [recipe.id - 1]) : []))
      }
      #expect(try store.verify() == [])
    }
  }

  enum Bought {
    struct Item: Model {
      let id: Int
      var due: Int?
      static let schema = Schema(Item.init, Key("id", \.id), Field("due", \.due))
    }
  }
  enum Lent {
    struct Loan: Embedded, Equatable {
      var due: Int
      var note: String?
      static let fields = Fields(Loan.init, Part("due", \.due), Part("note", \.note))
    }
    struct Item: Model {
      let id: Int
      var loan: Loan?
      static let schema = Schema(Item.init, Key("id", \.id), Field("loan", \.loan))
    }
  }

  private func loans(
    _ step: @escaping @Sendable (Migration) throws -> Void
  ) throws -> [Lent.Loan?] {
    try withTemporaryDirectory { directory in
      let path = directory + "/items.roost"
      do {
        let store = try Store(.file(path), models: Bought.Item.self)
        try store.write {
          try $0.insert(
            contentsOf: (0..<4).map { Bought.Item(id: $0, due: $0 % 2 == 0 ? $0 : nil) })
        }
      }
      do {
        let store = try Store(.file(path), models: Lent.Item.self)
        try store.write {
          _ = try $0.update(Lent.Item.self, id: 3) { $0.loan = Lent.Loan(due: 30) }
        }
      }
      let store = try Store(.file(path), models: Lent.Item.self) {
        MigrationStep("loans") { try step($0) }
      }
      #expect(try store.verify() == [])
      return try store.snapshot().fetch(Lent.Item.all).map(\.loan)
    }
  }

  @Test func anObjectHasTheStructThatAStepSetsAPartOf() throws {
    let moved = try loans {
      try $0.rewrite("Item") { old, new in
        if let due = try old.value("due", as: Int?.self) { try new.set("loan.due", to: due) }
      }
      try $0.remove("due", of: "Item")
      try $0.insert(into: "Item") {
        try $0.set("id", to: 9)
        try $0.set("loan.due", to: 90)
      }
      try $0.insert(into: "Item") { try $0.set("id", to: 10) }
    }
    let expected = [0, nil, 2, 30, 90, nil].map { $0.map { Lent.Loan(due: $0, note: nil) } }
    #expect(moved == expected)
  }

  @Test func aStepThatSaysItselfWhichObjectsHaveAStructIsObeyed() throws {
    let removed = try loans {
      try $0.rewrite("Item") { old, new in
        try new.set("loan.due", to: 1)
        if try old.value("id", as: Int.self) == 3 { try new.set("loan", to: false) }
      }
    }
    #expect(removed == [1, 1, 1, nil].map { $0.map { Lent.Loan(due: $0, note: nil) } })
    let emptied = try loans {
      try $0.rewrite("Item") { _, new in try new.set("loan.note", to: String?.none) }
    }
    #expect(emptied.map { $0?.due } == [nil, nil, nil, 30])
  }

  @Test func aStructWithoutAPartThatItNeedsIsAnErrorRatherThanMadeUp() throws {
    for part in ["loan", "loan.note"] {
      let failure = try #require(throws: StoreError.self) {
        _ = try loans {
          try $0.rewrite("Item") { _, new in
            if part == "loan" { try new.set(part, to: true) } else { try new.set(part, to: "x") }
          }
        }
      }
      #expect(
        "\(failure)".contains("Item.loan.due is declared as Int, and 3 objects have no value"),
        "\(failure)")
    }
  }
}
