import Foundation
import Roost
import Testing

/// Links read from their targets; the same under random changes is in `ChangeOracleTests`.
@Suite struct InverseTests {
  private static let dogs = Inverse(\Dog.owner)
  private static let walked = Inverse(\Dog.walker)

  @Test func followsLinksToObjectsWithoutIntegerKeys() throws {
    let store = try Store(.inMemory, models: Account.self, Dog.self)
    let ann = Account(id: UUID(), email: "ann@example.com", phone: nil)
    let bob = Account(id: UUID(), email: "bob@example.com", phone: nil)
    try store.write { transaction in
      try transaction.insert(contentsOf: [ann, bob])
      try transaction.insert(contentsOf: [
        Dog(id: 1, name: "Rex", owner: Link(ann), walker: Link(bob)),
        Dog(id: 2, name: "Ada", owner: Link(ann), walker: nil),
        Dog(id: 3, name: "Kim", owner: nil, walker: Link(bob)),
      ])
      #expect(try transaction.count(Self.dogs, of: ann.id) == 2)
    }
    let snapshot = store.snapshot()
    #expect(try snapshot.count(Self.dogs, of: ann.id) == 2)
    #expect(try snapshot.count(Self.dogs, of: bob.id) == 0)
    #expect(try snapshot.count(Self.walked, of: bob.id) == 2)
    #expect(try snapshot.count(Self.dogs, of: UUID()) == 0)
    #expect(try snapshot.fetch(Self.dogs(of: ann.id).order(by: \.name)).map(\.id) == [2, 1])
    #expect(Self.dogs(of: ann) == Self.dogs(of: ann.id) && Self.dogs(of: ann) != Self.dogs(of: bob))
    #expect(try snapshot.fetch(Self.walked(of: bob.id).where { $0.owner == nil }).map(\.id) == [3])
  }

  @Test func seesWhatItsTransactionWrote() throws {
    let store = try Store(.inMemory, models: Person.self, Group.self)
    let members = Inverse(\Person.group)
    try store.write { transaction in
      try transaction.insert(Group(id: 1, name: "one", size: nil))
      for id in 0..<5 { try transaction.insert(Person(id, group: 1)) }
      #expect(try transaction.count(members, of: 1) == 5)
      try transaction.delete(Person.self, id: 3)
      #expect(try transaction.count(members, of: 1) == 4)
    }
    #expect(try store.read { try $0.count(members, of: 1) } == 4)
  }

  @Test func ofALinkThatIsNotStoredIsRefused() throws {
    let store = try Store(.inMemory, models: Note.self, Tag.self)
    let property = (\Note.hidden).propertyName
    #expect(throws: StoreError.unknownField(model: "Note", property: property)) {
      try store.read { try $0.count(Inverse(\Note.hidden), of: "red") }
    }
    #expect(throws: StoreError.unknownModel(model: "Dog")) {
      try store.read { try $0.count(Self.dogs, of: UUID()) }
    }
  }
}

private struct Note: Model {
  let id: Int
  var hidden: Link<Tag> { Link(id: "red") }
  static let schema = Schema(Note.init, Key("id", \.id))
}
