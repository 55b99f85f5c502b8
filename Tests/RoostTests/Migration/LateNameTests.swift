import Roost
import RoostTestSupport
import Synchronization
import Testing

/// An older name that is told a release late: the file has fields under both names by then.
@Suite struct LateNameTests {
  struct Phone: Embedded, Equatable {
    var number: String
    var note: String?
    static let fields = Fields(Phone.init, Part("number", \.number), Part("note", \.note))
  }
  enum First {
    struct Rental: Model {
      let id: Int
      var phone: Phone?
      var remark: String?
      static let schema = Schema(
        Rental.init, Key("id", \.id), Field("phone", \.phone), Field("remark", \.remark))
    }
  }
  enum Second {
    struct Rental: Model {
      let id: Int
      var mobile: Phone?
      var note: String?
      static let schema = Schema(
        Rental.init, Key("id", \.id), Field("mobile", \.mobile), Field("note", \.note))
    }
  }
  enum Third {
    struct Rental: Model {
      let id: Int
      var mobile: Phone?
      var note: String?
      static let schema = Schema(
        Rental.init, Key("id", \.id), Field("mobile", \.mobile, .was("phone")),
        Field("note", \.note, .was("remark")))
    }
  }

  private static let count = 3000

  private static func phone(_ id: Int) -> Phone? {
    id % 3 == 0 ? nil : Phone(number: "N\(id)", note: id % 2 == 0 ? "home" : nil)
  }

  /// A file of the first release that the second has opened.
  private func withRentals(
    usingSecond: (Store) throws -> Void = { _ in }, _ body: (String) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/rentals.roost"
      do {
        let store = try Store(.file(path), models: First.Rental.self)
        try store.write { tx in
          for id in 0..<Self.count {
            try tx.insert(First.Rental(id: id, phone: Self.phone(id), remark: "R\(id)"))
          }
        }
      }
      try usingSecond(try Store(.file(path), models: Second.Rental.self))
      try body(path)
    }
  }

  private func lines(_ open: (Configuration) throws -> Void) throws -> [String] {
    let lines = Mutex<[String]>([])
    var configuration = Configuration()
    configuration.log = { line in lines.withLock { $0.append(line) } }
    try open(configuration)
    return lines.withLock { $0 }
  }

  private func checkAll(_ store: Store) throws {
    for rental in try store.snapshot().fetch(Third.Rental.all) {
      #expect(rental.mobile == Self.phone(rental.id) && rental.note == "R\(rental.id)")
    }
    #expect(try store.keptFields.isEmpty)
    #expect(try store.verify() == [])
  }

  @Test func anOptionalStructWhoseOlderNameIsToldLateTakesItsValues() throws {
    try withRentals { path in
      let lines = try lines { configuration in
        try checkAll(
          Store(.file(path), models: Third.Rental.self, configuration: configuration))
      }
      #expect(lines == [])
    }
  }

  @Test func aStructThatObjectsHaveUnderBothNamesStaysWholeUnderEach() throws {
    try withRentals {
      try $0.write { tx in
        _ = try tx.update(Second.Rental.self, id: 1) { $0.mobile = Phone(number: "new", note: nil) }
      }
    } _: { path in
      let lines = try lines { configuration in
        let store = try Store(.file(path), models: Third.Rental.self, configuration: configuration)
        let snapshot = store.snapshot()
        #expect(try snapshot.find(Third.Rental.self, id: 1).mobile?.number == "new")
        #expect(try snapshot.count(Third.Rental.where { $0.mobile != nil }) == 1)
        let kept = try store.keptFields.map(\.field).sorted()
        #expect(kept == ["phone", "phone.note", "phone.number"])
      }
      #expect(
        lines.count == 1
          && lines[0].contains("values in \"mobile\" and in its older name \"phone\""))
      // The older release still reads what it wrote.
      let store = try Store(.file(path), models: First.Rental.self)
      for rental in try store.snapshot().fetch(First.Rental.all) {
        #expect(rental.phone == Self.phone(rental.id))
      }
    }
  }

  @Test func aStepThatRenamesReplacesAFieldThatNoObjectHasAValueOf() throws {
    try withRentals { path in
      let store = try Store(.file(path), models: Second.Rental.self) {
        MigrationStep("names") {
          try $0.rename("phone", of: "Rental", to: "mobile")
          try $0.rename("remark", of: "Rental", to: "note")
        }
      }
      for rental in try store.snapshot().fetch(Second.Rental.all) {
        #expect(rental.mobile == Self.phone(rental.id) && rental.note == "R\(rental.id)")
      }
      #expect(try store.keptFields.isEmpty)
      #expect(try store.verify() == [])
    }
  }

  @Test func aStepThatRenamesDoesNotReplaceValues() throws {
    try withRentals {
      try $0.write { tx in
        _ = try tx.update(Second.Rental.self, id: 1) { $0.mobile = Phone(number: "new", note: nil) }
      }
    } _: { path in
      #expect {
        try Store(.file(path), models: Second.Rental.self) {
          MigrationStep("names") { try $0.rename("phone", of: "Rental", to: "mobile") }
        }
      } throws: {
        "\($0)".contains("The file has a field \"mobile\" already. Remove or rename it before.")
      }
      let store = try Store(.file(path), models: Second.Rental.self)
      #expect(try store.snapshot().find(Second.Rental.self, id: 1).mobile?.number == "new")
    }
  }

  enum Linked {
    struct Bike: Model {
      let id: Int
      static let schema = Schema(Bike.init, Key("id", \.id))
    }
    struct Repair: Model {
      let id: Int
      var bike: Link<Bike>
      static let schema = Schema(Repair.init, Key("id", \.id), Field("bike", \.bike))
    }
  }
  enum Listed {
    struct Repair: Model {
      let id: Int
      var bikes: Links<Linked.Bike>
      static let schema = Schema(
        Repair.init, Key("id", \.id), Field("bikes", \.bikes, .was("bike")))
    }
  }

  enum Renamed {
    struct Repair: Model {
      let id: Int
      var bikes: Links<Linked.Bike>
      static let schema = Schema(Repair.init, Key("id", \.id), Field("bikes", \.bikes))
    }
  }

  private func writeRepairs(to path: String) throws {
    let store = try Store(.file(path), models: Linked.Repair.self, Linked.Bike.self)
    try store.write { tx in
      for id in 0..<100 { try tx.insert(Linked.Bike(id: id)) }
      for id in 0..<100 { try tx.insert(Linked.Repair(id: id, bike: Link(id: (id + 7) % 100))) }
    }
  }

  @Test func theLogSaysHowAListUnderAnotherNameGetsTheObjectsOfALink() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/repairs.roost"
      try writeRepairs(to: path)
      let lines = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.log = { line in lines.withLock { $0.append(line) } }
      _ = try Store(
        .file(path), models: Renamed.Repair.self, Linked.Bike.self, configuration: configuration)
      let note: String = """
        Repair has a new field "bikes", Links<Bike>, and "bike", Link<Bike>, is not declared any more. Its values are kept. \
        If the new field is made of them, a step does that: `addLink("bikes", to: "Repair", target: "Bike", isList: true)`, \
        and in a `rewrite` of "Repair" `if try old.objects("bikes").isEmpty { try new.set("bikes", to: old.objects("bike")) }`.
        """
      #expect(lines.withLock { $0 } == [note])
      // An older name that is told too late cannot make a list of a link either.
      lines.withLock { $0 = [] }
      _ = try Store(
        .file(path), models: Listed.Repair.self, Linked.Bike.self, configuration: configuration)
      let late: String = """
        Repair has values in "bike", Link<Bike>, an older name of "bikes", Links<Bike>: they are kept there, and not read. If \
        they are wanted, take them by a step: `addLink("bikes", to: "Repair", target: "Bike", isList: true)`, and in a \
        `rewrite` of "Repair" `if try old.objects("bikes").isEmpty { try new.set("bikes", to: old.objects("bike")) }`. Then remove the older field.
        """
      #expect(lines.withLock { $0 } == [late])
      try expectLists(in: path)
    }
  }

  @Test func theStepOfTheLogMakesListsInAFileThatSkippedTheRelease() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/repairs.roost"
      try writeRepairs(to: path)
      try expectLists(in: path)
    }
  }

  private func expectLists(in path: String) throws {
    let store = try Store(.file(path), models: Listed.Repair.self, Linked.Bike.self) {
      MigrationStep("lists") { migration in
        try migration.addLink("bikes", to: "Repair", target: "Bike", isList: true)
        try migration.rewrite("Repair") { old, new in
          if try old.objects("bikes").isEmpty { try new.set("bikes", to: old.objects("bike")) }
        }
        try migration.remove("bike", of: "Repair")
      }
    }
    for repair in try store.snapshot().fetch(Listed.Repair.all) {
      #expect(Array(repair.bikes) == [(repair.id + 7) % 100])
    }
    #expect(try store.keptFields.isEmpty)
    #expect(try store.verify() == [])
  }

  enum Flat {
    struct Person: Model {
      let id: Int
      var city: String?
      var age: Int
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("city", \.city), Field("age", \.age))
    }
  }
  enum Placed {
    struct Address: Embedded {
      var city: String
      var zip: String?
      static let fields = Fields(Address.init, Part("city", \.city), Part("zip", \.zip))
    }
    struct Person: Model {
      let id: Int
      var address: Address?
      var age: Int
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("address", \.address), Field("age", \.age))
    }
  }

  @Test(arguments: [false, true])
  func aFieldThatBecomesAPartOfAnOptionalStructIsReadAsThat(isOpenedBefore: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      do {
        let store = try Store(.file(path), models: Flat.Person.self)
        try store.write { tx in
          for id in 0..<100 {
            try tx.insert(Flat.Person(id: id, city: id % 3 == 0 ? nil : "c\(id)", age: 1))
          }
        }
      }
      if isOpenedBefore { _ = try Store(.file(path), models: Placed.Person.self) }
      let store = try Store(.file(path), models: Placed.Person.self) {
        MigrationStep("addresses") { try $0.rename("city", of: "Person", to: "address.city") }
      }
      try store.write { _ = try $0.update(Placed.Person.all, set: \.age, to: 2) }
      try store.write { tx in
        for id in 0..<50 { _ = try tx.update(Placed.Person.self, id: id) { $0.age = 3 } }
      }
      for person in try store.snapshot().fetch(Placed.Person.all) {
        #expect(person.address?.city == (person.id % 3 == 0 ? nil : "c\(person.id)"))
      }
      #expect(try store.keptFields.isEmpty)
      #expect(try store.verify() == [])
    }
  }

  @Test func aStepThatFindsNothingToMoveIntoAStructLeavesItAbsent() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/rentals.roost"
      struct Rental: Model {
        struct Place: Embedded {
          var city: String?
          static let fields = Fields(Place.init, Part("city", \.city))
        }
        let id: Int
        var place: Place?
        static let schema = Schema(Rental.init, Key("id", \.id), Field("place", \.place))
      }
      do {
        let store = try Store(.file(path), models: Rental.self)
        try store.write { for id in 0..<9 { try $0.insert(Rental(id: id, place: nil)) } }
      }
      let store = try Store(.file(path), models: Rental.self) {
        MigrationStep("places") { try $0.rename("city", of: "Rental", to: "place.city") }
      }
      let places = try store.snapshot().fetch(Rental.all).map { $0.place == nil }
      #expect(places == Array(repeating: true, count: 9))
    }
  }

  enum Rated {
    struct Repair: Model {
      let id: Int
      var bike: Link<Linked.Bike>
      var isUrgent: Bool
      static let schema = Schema(
        Repair.init, Key("id", \.id), Field("bike", \.bike), Field("isUrgent", \.isUrgent))
    }
  }
  enum Owned {
    struct Owner: Model {
      let id: Int
      static let schema = Schema(Owner.init, Key("id", \.id))
    }
    struct Repair: Model {
      let id: Int
      var owner: Link<Owner>
      static let schema = Schema(Repair.init, Key("id", \.id), Field("owner", \.owner))
    }
  }

  @Test func aLinkToAnotherModelIsNotTakenForAnOlderName() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/repairs.roost"
      try writeRepairs(to: path)
      let message = message {
        try Store(.file(path), models: Owned.Repair.self, Owned.Owner.self)
      }
      #expect(message.contains("It has \"bike\" (Link<Bike>), which Repair does not declare."))
      #expect(message.contains("<#Owner found by `migration.object(of:id:)`#>"))
      #expect(!message.contains("rename("))
    }
  }

  enum Ranked {
    enum Rank: String, Storable { case usual, urgent }
    struct Repair: Model {
      let id: Int
      var bike: Link<Linked.Bike>
      var rank: Rank
      static let schema = Schema(
        Repair.init, Key("id", \.id), Field("bike", \.bike), Field("rank", \.rank))
    }
  }

  @Test func anErrorNamesTheFieldsOfOtherTypesThatANewOneMayBeMadeOf() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/repairs.roost"
      do {
        let store = try Store(.file(path), models: Rated.Repair.self, Linked.Bike.self)
        try store.write { tx in
          try tx.insert(Linked.Bike(id: 1))
          for id in 0..<9 {
            try tx.insert(Rated.Repair(id: id, bike: Link(id: 1), isUrgent: id % 3 == 0))
          }
        }
      }
      let message = message {
        try Store(.file(path), models: Ranked.Repair.self, Linked.Bike.self)
      }
      for line in [
        "Repair.rank is declared as String, and the file has no such field. It has \"isUrgent\" (Bool), which Repair does not "
          + "declare.",
        "// If it was \"isUrgent\": `rename`, then `convert`, in place of `add`.",
      ] {
        #expect(message.split(separator: "\n").contains { $0 == line }, "\(message)")
      }
      let store = try Store(.file(path), models: Ranked.Repair.self, Linked.Bike.self) {
        MigrationStep("ranks") {
          try $0.rename("isUrgent", of: "Repair", to: "rank")
          try $0.convert("rank", of: "Repair", from: Bool.self, to: String.self) {
            $0 ? "urgent" : "usual"
          }
        }
      }
      for repair in try store.snapshot().fetch(Ranked.Repair.all) {
        #expect(repair.rank == (repair.id % 3 == 0 ? .urgent : .usual))
      }
    }
  }

  @Test func theProposedStepMakesAListOfALinkWhoseNameChangesWithIt() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/repairs.roost"
      try writeRepairs(to: path)
      let message: String
      do {
        _ = try Store(.file(path), models: Listed.Repair.self, Linked.Bike.self)
        message = "opened"
      } catch { message = "\(error)" }
      for line in [
        "try migration.rename(\"bikes\", of: \"Repair\", to: \"<#old bikes#>\")",
        "try migration.addLink(\"bikes\", to: \"Repair\", target: \"Bike\", isList: true)",
        "try new.set(\"bikes\", to: old.objects(\"<#old bikes#>\"))",
        "try migration.remove(\"<#old bikes#>\", of: \"Repair\")",
      ] {
        #expect(message.contains(line), "\(message)")
      }
      let store = try Store(.file(path), models: Listed.Repair.self, Linked.Bike.self) {
        MigrationStep("lists") { migration in
          try migration.rename("bikes", of: "Repair", to: "old bikes")
          try migration.addLink("bikes", to: "Repair", target: "Bike", isList: true)
          try migration.rewrite("Repair") { old, new in
            try new.set("bikes", to: old.objects("old bikes"))
          }
          try migration.remove("old bikes", of: "Repair")
        }
      }
      for repair in try store.snapshot().fetch(Listed.Repair.all) {
        #expect(Array(repair.bikes) == [(repair.id + 7) % 100])
      }
      #expect(try store.keptFields.isEmpty)
      #expect(try store.verify() == [])
    }
  }

  enum Listing {
    struct Rental: Model {
      let id: Int
      var phones: [Phone]
      static let schema = Schema(
        Rental.init, Key("id", \.id), Field("phones", \.phones, .was("phone"), .was("line")))
    }
  }
  enum SameName {
    struct Rental: Model {
      let id: Int
      var phone: [Phone]
      static let schema = Schema(Rental.init, Key("id", \.id), Field("phone", \.phone))
    }
  }
  enum Required {
    struct Rental: Model {
      let id: Int
      var line: Phone
      static let schema = Schema(Rental.init, Key("id", \.id), Field("line", \.line))
    }
  }

  private func message(_ open: () throws -> Store) -> String {
    do {
      _ = try open()
      return "opened"
    } catch { return "\(error)" }
  }

  /// What the proposed step for a struct says, filled in.
  private func step(_ field: String) -> MigrationStep {
    MigrationStep("Rental.\(field) becomes a collection") { migration in
      try migration.rename(field, of: "Rental", to: "old \(field)")
      try migration.add(field, to: "Rental", default: [Phone]())
      try migration.rewrite("Rental") { old, new in
        let part = try old.value("old \(field).number", as: String?.self)
        let note = try old.value("old \(field).note", as: String?.self)
        try new.set(field, to: part.map { [Phone(number: $0, note: note)] } ?? [])
      }
      try migration.remove("old \(field)", of: "Rental")
    }
  }

  private func expectStep(_ message: String, _ field: String) {
    for line in [
      "Rental.\(field) is declared as [(number: String, note: String?)], and stored as a struct.",
      "try migration.rename(\"\(field)\", of: \"Rental\", to: \"<#old \(field)#>\")",
      "try migration.add(\"\(field)\", to: \"Rental\", default: <#[Struct]#>())",
      "let part = try old.value(\"<#old \(field)#>.n", "try migration.remove(\"<#old \(field)#>\"",
    ] {
      #expect(message.contains(line), "\(message)")
    }
    #expect(!message.contains("must be an optional"))
  }

  @Test func theProposedStepMakesAListOfAStructWhoseNameChangesWithIt() throws {
    try withRentals { path in
      expectStep(message { try Store(.file(path), models: Listing.Rental.self) }, "phones")
      let store = try Store(.file(path), models: Listing.Rental.self) { step("phones") }
      for rental in try store.snapshot().fetch(Listing.Rental.all) {
        #expect(rental.phones == [Self.phone(rental.id)].compactMap { $0 })
      }
      #expect(try store.keptFields.allSatisfy { !$0.field.hasPrefix("phone") })
      #expect(try store.verify() == [])
    }
  }

  @Test func theProposedStepMakesAListOfAStructOfTheSameName() throws {
    try withRentals { path in
      expectStep(message { try Store(.file(path), models: SameName.Rental.self) }, "phone")
      let store = try Store(.file(path), models: SameName.Rental.self) { step("phone") }
      for rental in try store.snapshot().fetch(SameName.Rental.all) {
        #expect(rental.phone == [Self.phone(rental.id)].compactMap { $0 })
      }
      #expect(try store.verify() == [])
    }
  }

  @Test func theProposedStepMakesAListOfAStructThatWasNotOptional() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/rentals.roost"
      do {
        let store = try Store(.file(path), models: Required.Rental.self)
        try store.write { tx in
          for id in 0..<100 {
            try tx.insert(Required.Rental(id: id, line: Phone(number: "N\(id)", note: nil)))
          }
        }
      }
      expectStep(message { try Store(.file(path), models: Listing.Rental.self) }, "phones")
      let store = try Store(.file(path), models: Listing.Rental.self) { step("phones") }
      for rental in try store.snapshot().fetch(Listing.Rental.all) {
        #expect(rental.phones == [Phone(number: "N\(rental.id)", note: nil)])
      }
      #expect(try store.keptFields.isEmpty)
      #expect(try store.verify() == [])
    }
  }

  enum Dissolved {
    struct Rental: Model {
      let id: Int
      var number: String?
      var note: String?
      var remark: String?
      static let schema = Schema(
        Rental.init, Key("id", \.id), Field("number", \.number, .was("phone.number")),
        Field("note", \.note, .was("phone.note")), Field("remark", \.remark, .unique))
    }
  }

  @Test func aStructWhosePartsAreAllFieldsOfTheirOwnNowLeavesNothing() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/rentals.roost"
      do {
        let store = try Store(.file(path), models: First.Rental.self)
        try store.write { tx in
          for id in 0..<Self.count {
            try tx.insert(First.Rental(id: id, phone: Self.phone(id), remark: "R\(id)"))
          }
        }
      }
      let lines = try lines { configuration in
        let store = try Store(
          .file(path), models: Dissolved.Rental.self, configuration: configuration)
        for rental in try store.snapshot().fetch(Dissolved.Rental.all) {
          let phone = Self.phone(rental.id)
          #expect(rental.number == phone?.number && rental.note == phone?.note)
        }
        #expect(try store.keptFields.isEmpty)
        #expect(throws: StoreError.self) {
          try store.write {
            try $0.insert(Dissolved.Rental(id: -1, number: nil, note: nil, remark: "R7"))
          }
        }
        #expect(try store.verify() == [])
      }
      #expect(lines == [])
    }
  }
}
