import AllocationCounter
import Foundation
import Roost
import Testing

/// Inserting, reading, updating and deleting by id.
@Suite struct StoreTests {
  private func store() throws -> Store {
    try Store(
      .inMemory, models: Person.self, Group.self, Everything.self, Tag.self, Account.self,
      Dog.self)
  }

  private func everything(_ number: Int, string: String = "ÄÖ\u{0}😀") -> Everything {
    Everything(
      id: UUID(), bool: true, int: .min, double: -0.0, float: .infinity, string: string,
      data: Data([0, 255, UInt8(truncatingIfNeeded: number)]),
      date: Date(timeIntervalSince1970: 0.1 + Double(number)),
      uuid: UUID(), mood: .wild, rank: .high, optionalBool: nil, optionalInt: number,
      optionalDouble: nil, optionalFloat: 1.5, optionalString: number % 2 == 0 ? nil : "",
      optionalData: Data(), optionalDate: nil, optionalUUID: UUID(), optionalMood: .calm,
      link: Link(id: "red"), optionalLink: nil)
  }

  @Test func givesBackWhatWasInserted() throws {
    let store = try store()
    var objects = (0..<50).map { everything($0) }
    objects[1].optionalLink = Link(objects[2])
    objects[2].optionalLink = Link(objects[1])
    objects[3].optionalLink = Link(objects[3])
    try store.write { tx in
      try tx.insert(contentsOf: objects)
      #expect(try tx.find(Everything.self, id: objects[1].id) == objects[1])
      try tx.insert(Tag(id: "red", color: 1))
    }
    do {
      let tx = store.snapshot()
      for object in objects {
        let found = try tx.find(Everything.self, id: object.id)
        #expect(found == object)
        #expect(found.double.sign == .minus)
        #expect(found.date == object.date)
      }
      #expect(try tx.fetch(objects[1].link)?.color == 1)
      #expect(try tx.fetch(Everything.self, ids: objects.map(\.id)) == objects)
      #expect(try tx.fetch(Everything.self, ids: [UUID(), objects[4].id]) == [objects[4]])
    }
  }

  @Test func keepsLongTexts() throws {
    let store = try store()
    let text = String(repeating: "All work and no play. ", count: 100_000)
    let object = everything(1, string: text)
    try store.write { tx in
      try tx.insert(Tag(id: "red", color: 1))
      try tx.insert(object)
      #expect(try tx.fetch(Everything.self, id: object.id)?.string == text)
    }
    #expect(try store.read { try $0.fetch(Everything.self, id: object.id)?.string } == text)
  }

  @Test func tellsWhatIsThereFromWhatIsNot() throws {
    let store = try store()
    try store.write { try $0.insert(Person(1)) }
    do {
      let tx = store.snapshot()
      #expect(try tx.fetch(Person.self, id: 1) == Person(1))
      #expect(try tx.fetch(Person.self, id: 2) == nil)
      #expect(try tx.contains(Person.self, id: 1))
      #expect(try !tx.contains(Person.self, id: 2))
      #expect(throws: StoreError.notFound(model: "Person", id: "2")) {
        _ = try tx.find(Person.self, id: 2)
      }
    }
  }

  @Test func refusesAKeyThatIsThere() throws {
    let store = try store()
    let account = Account(id: UUID(), email: "a@x", phone: nil)
    try store.write { tx in
      try tx.insert(Person(1, "Ann"))
      #expect(throws: StoreError.duplicateKey(model: "Person", field: "id", value: "1")) {
        try tx.insert(Person(1, "Bob"))
      }
      try tx.insert(account)
      #expect(
        throws: StoreError.duplicateKey(
          model: "Account", field: "id", value: account.id.uuidString)
      ) { try tx.insert(account) }
    }
    try store.write { tx in
      #expect(throws: StoreError.duplicateKey(model: "Person", field: "id", value: "1")) {
        try tx.insert(Person(1, "Bob"))
      }
      try tx.insert(Person(2, "Eve"))
    }
    #expect(try store.read { try $0.find(Person.self, id: 1).name } == "Ann")
    #expect(try store.read { try $0.find(Person.self, id: 2).name } == "Eve")
  }

  @Test func refusesAUniqueValueThatIsThere() throws {
    let store = try store()
    let first = Account(id: UUID(), email: "a@x", phone: nil)
    var second = Account(id: UUID(), email: "b@x", phone: nil)
    try store.write { tx in
      try tx.insert(first)
      try tx.insert(second)
      second.email = "a@x"
      #expect(throws: StoreError.duplicateKey(model: "Account", field: "email", value: "a@x")) {
        try tx.update(second)
      }
      try tx.delete(Account.self, id: first.id)
      try tx.update(second)
    }
    #expect(try store.read { try $0.find(Account.self, id: second.id).email } == "a@x")
  }

  @Test func upsertsWhetherItIsThereOrNot() throws {
    let store = try store()
    try store.write { tx in
      try tx.upsert(Person(1, "Ann"))
      try tx.upsert(Person(1, "Bea"))
      try tx.upsert(contentsOf: [Tag(id: "x", color: 1), Tag(id: "x", color: 2)])
    }
    try store.write { tx in
      try tx.upsert(Person(1, "Cyd"))
      try tx.upsert(Person(2, "Dot"))
    }
    do {
      let tx = store.snapshot()
      #expect(try tx.fetch(Person.self, ids: 1...3).map(\.name) == ["Cyd", "Dot"])
      #expect(try tx.find(Tag.self, id: "x").color == 2)
    }
  }

  @Test func updatesInEveryForm() throws {
    let store = try store()
    try store.write { tx in try tx.insert(contentsOf: [Person(1), Person(2)]) }
    try store.write { tx in
      var person = try tx.find(Person.self, id: 1)
      person.nickname = "Annie"
      person.rank = .low
      try tx.update(person)
      #expect(try tx.find(Person.self, id: 1) == person)
      let changed = try tx.update(Person.self, id: 2) {
        $0.age += 1
        $0.isActive = false
      }
      #expect(changed.age == 32)
      #expect(throws: StoreError.notFound(model: "Person", id: "3")) {
        try tx.update(Person(3))
      }
    }
    do {
      let tx = store.snapshot()
      #expect(try tx.find(Person.self, id: 1).nickname == "Annie")
      #expect(try tx.find(Person.self, id: 1).rank == .low)
      #expect(try tx.find(Person.self, id: 2).age == 32)
      #expect(try !tx.find(Person.self, id: 2).isActive)
    }
  }

  struct Movable: Model {
    var id: Int
    static let schema = Schema(Movable.init, Key("id", \.id))
  }

  @Test func keepsAnUpdateFromChangingTheKey() throws {
    let store = try Store(.inMemory, models: Movable.self)
    try store.write { tx in
      try tx.insert(Movable(id: 1))
      #expect(throws: StoreError.changedKey(model: "Movable", id: "1")) {
        try tx.update(Movable.self, id: 1) { $0.id = 2 }
      }
    }
    #expect(try store.read { try $0.contains(Movable.self, id: 1) })
  }

  @Test func deletes() throws {
    let store = try store()
    try store.write { tx in try tx.insert(contentsOf: (1...3).map { Person($0) }) }
    try store.write { tx in
      #expect(try tx.delete(Person.self, id: 2))
      #expect(try !tx.delete(Person.self, id: 2))
      #expect(try tx.fetch(Person.self, id: 2) == nil)
      try tx.insert(Person(2, "New"))
      try tx.insert(Person(4))
      #expect(try tx.delete(Person.self, id: 4))
    }
    #expect(
      try store.read { try $0.fetch(Person.self, ids: 1...4).map(\.name) } == ["Ann", "New", "Ann"])
  }

  @Test func rollsBackWhatThrows() throws {
    struct Mine: Error, Equatable {}
    let store = try store()
    try store.write { try $0.insert(Person(1)) }
    #expect(throws: Mine()) {
      try store.write { tx in
        try tx.insert(Person(2))
        try tx.delete(Person.self, id: 1)
        throw Mine()
      }
    }
    #expect(try store.read { try $0.contains(Person.self, id: 1) })
    #expect(try !store.read { try $0.contains(Person.self, id: 2) })
  }

  @Test func showsAVersionForAsLongAsItIsHeld() throws {
    let store = try store()
    try store.write { try $0.insert(Person(1)) }
    let before = store.snapshot()
    try store.write { tx in
      try tx.update(Person.self, id: 1) { $0.name = "Zoe" }
      try tx.insert(Person(2))
    }
    let after = store.snapshot()
    #expect(try before.find(Person.self, id: 1).name == "Ann")
    #expect(try before.fetch(Person.self, id: 2) == nil)
    #expect(try after.find(Person.self, id: 1).name == "Zoe")
    #expect(try before.version < after.version)
  }

  // MARK: Links

  @Test func takesASnapshotWithoutAllocating() throws {
    let store = try store()
    for id in 1...3 {
      try store.write { try $0.insert(Person(id)) }
      #expect(try store.snapshot().contains(Person.self, id: id))
      let before = allocation_count()
      for _ in 0..<100 { withExtendedLifetime(store.snapshot()) {} }
      #expect(allocation_count() == before)
    }
  }

  @Test func wantsTheTargetOfALinkAtTheEnd() throws {
    let store = try store()
    #expect(
      throws: StoreError.danglingLink(
        model: "Person", id: "1", field: "group", target: "Group", targetID: "7")
    ) {
      try store.write { try $0.insert(Person(1, group: 7)) }
    }
    try store.write { tx in
      try tx.insert(Person(1, group: 7))
      try tx.insert(Group(id: 7, name: "seven", size: nil))
    }
    try store.write { tx in
      try tx.update(Person.self, id: 1) { $0.group = Link(id: 8) }
      try tx.insert(Group(id: 8, name: "eight", size: nil))
    }
    let group = try #require(try store.read { try $0.find(Person.self, id: 1).group })
    #expect(group == Link(id: 8))
    #expect(try store.read { try $0.find(group).name } == "eight")
    #expect(throws: StoreError.notFound(model: "Group", id: "9")) {
      _ = try store.read { try $0.find(Link<Group>(id: 9)) }
    }
  }

  @Test func wantsTheTargetOfALinkByAnIdThatIsNoInteger() throws {
    let store = try store()
    let account = Account(id: UUID(), email: "a@x", phone: nil)
    #expect(
      throws: StoreError.danglingLink(
        model: "Dog", id: "1", field: "owner", target: "Account",
        targetID: account.id.uuidString)
    ) {
      try store.write { try $0.insert(Dog(id: 1, name: "Rex", owner: Link(account), walker: nil)) }
    }
    // What was inserted and deleted has no id any more that could be told.
    #expect(
      throws: StoreError.danglingLink(
        model: "Dog", id: "1", field: "owner", target: "Account", targetID: nil)
    ) {
      try store.write { tx in
        try tx.insert(account)
        try tx.insert(Dog(id: 1, name: "Rex", owner: Link(account), walker: nil))
        try tx.delete(Account.self, id: account.id)
      }
    }
    try store.write { tx in
      try tx.insert(Dog(id: 1, name: "Rex", owner: Link(account), walker: Link(account)))
      try tx.insert(account)
    }
    let rex = try store.read { try $0.find(Dog.self, id: 1) }
    #expect(rex.owner == Link(account) && rex.walker == Link(account))
  }

  @Test func readsALinkWhoseTargetIsGoneUntilItIsMended() throws {
    let store = try store()
    let account = Account(id: UUID(), email: "a@x", phone: nil)
    try store.write { tx in
      try tx.insert(account)
      try tx.insert(Dog(id: 1, name: "Rex", owner: Link(account), walker: nil))
    }
    try store.write { tx in
      try tx.delete(Account.self, id: account.id)
      #expect(try tx.find(Dog.self, id: 1).owner == Link(account))
      try tx.update(Dog.self, id: 1) { $0.owner = nil }
    }
    #expect(try store.snapshot().find(Dog.self, id: 1).owner == nil)
  }

  @Test func namesALinkedTargetByTheIdThatItsModelHas() throws {
    let store = try store()
    let account = Account(id: UUID(), email: "a@x", phone: nil)
    try store.write { tx in
      try tx.insert(account)
      try tx.insert(Dog(id: 1, name: "Rex", owner: Link(account), walker: nil))
    }
    #expect(
      throws: StoreError.linkedTarget(
        model: "Account", id: account.id.uuidString, linkingModel: "Dog", linkingField: "owner")
    ) {
      try store.write { try $0.delete(Account.self, id: account.id) }
    }
  }

  @Test func makesALinkNilWhereTheFieldSaysSo() throws {
    let store = try store()
    try store.write { tx in
      try tx.insert(Dog(id: 1, name: "Rex", owner: nil, walker: Link(id: UUID())))
    }
    #expect(try store.read { try $0.find(Dog.self, id: 1).walker } == nil)
  }

  @Test func checksMoreLinksThanATransactionNotes() throws {
    let store = try store()
    let ids = 1...300_000
    // Links whose targets come later, but for one.
    let people = ids.map { Person($0, group: $0) }
    let groups = ids.map { Group(id: $0, name: "", size: nil) }
    let dangling = StoreError.danglingLink(
      model: "Person", id: "300000", field: "group", target: "Group", targetID: "300000")
    #expect(throws: dangling) {
      try store.write { tx in
        try tx.insert(contentsOf: people)
        try tx.insert(contentsOf: groups.dropLast())
      }
    }
    try store.write { tx in
      try tx.insert(contentsOf: people)
      try tx.insert(contentsOf: groups)
    }
    // Targets that go before the objects that link to them, but for one.
    #expect(
      throws: StoreError.linkedTarget(
        model: "Group", id: "7", linkingModel: "Person", linkingField: "group")
    ) {
      try store.write { tx in
        try tx.delete(Group.self, ids: ids)
        try tx.delete(Person.self, ids: ids.filter { $0 != 7 })
      }
    }
    // Links that are mended first, so that nothing of the targets need be noted.
    try store.write { tx in
      try tx.delete(Person.self, ids: ids.filter { $0 != 7 })
      try tx.update(Person.self, id: 7, set: \.group, to: nil)
      try tx.delete(Group.self, ids: ids)
      try tx.insert(groups[8])
    }
    #expect(try store.read { try $0.count(Group.all) } == 1)
  }

  @Test func keepsAnObjectThatOthersLinkTo() throws {
    let store = try store()
    try store.write { tx in
      try tx.insert(Group(id: 7, name: "seven", size: nil))
      try tx.insert(Person(1, group: 7))
    }
    #expect(
      throws: StoreError.linkedTarget(
        model: "Group", id: "7", linkingModel: "Person", linkingField: "group")
    ) {
      try store.write { try $0.delete(Group.self, id: 7) }
    }
    try store.write { tx in
      try tx.delete(Group.self, id: 7)
      try tx.update(Person.self, id: 1) { $0.group = nil }
    }
    #expect(try !store.read { try $0.contains(Group.self, id: 7) })
  }

  // MARK: Misuse

  @Test func throwsFromATransactionThatWasKept() throws {
    let store = try store()
    var kept: WriteTransaction?
    try store.write { kept = $0 }
    #expect(throws: StoreError.transactionEnded) { try kept?.insert(Person(1)) }
    #expect(throws: StoreError.transactionEnded) { _ = try kept?.fetch(Person.self, id: 1) }
  }

  @Test func readsFromASnapshotThatLeftItsClosure() throws {
    let store = try store()
    try store.write { try $0.insert(Person(1)) }
    let version = try store.snapshot().version
    let kept = try store.read { $0 }
    try store.write { try $0.insert(Person(2)) }
    store.close()
    #expect(try kept.version == version)
    #expect(try kept.fetch(Person.all) == [Person(1)])
    #expect(try kept.row(Person.self, id: 1)?.age == Person(1).age)
    #expect(try kept.row(Person.self, id: 2) == nil)
  }

  @Test func throwsFromAWriteInsideAWrite() throws {
    let store = try store()
    try store.write { tx in
      try tx.insert(Person(1))
      #expect(throws: StoreError.reentrantWrite) {
        try store.write { try $0.insert(Person(2)) }
      }
      #expect(try store.read { try $0.fetch(Person.self, id: 1) } == nil)
    }
    #expect(try store.read { try $0.contains(Person.self, id: 1) })
  }

  @Test func throwsFromAStoreThatWasClosed() throws {
    let store = try store()
    try store.write { try $0.insert(Person(1)) }
    let snapshot = store.snapshot()
    store.close()
    #expect(throws: StoreError.closed) { try store.write { try $0.insert(Person(2)) } }
    #expect(throws: StoreError.closed) { try store.read { try $0.contains(Person.self, id: 1) } }
    #expect(throws: StoreError.closed) { _ = try store.snapshot().contains(Person.self, id: 1) }
    #expect(try snapshot.contains(Person.self, id: 1))
  }

  @Test func throwsForAModelThatItWasNotOpenedWith() throws {
    let store = try Store(.inMemory, models: Group.self)
    #expect(throws: StoreError.unknownModel(model: "Tag")) {
      try store.write { try $0.insert(Tag(id: "x", color: 1)) }
    }
  }
}
