import Roost
import RoostTestSupport
import Testing

private struct Owner: Model {
  let id: String
  var boss: Link<Owner>?
  static let schema = Schema(
    Owner.init, Key("id", \.id), Field("boss", \.boss, .onTargetDelete(.nullify)))
}

private struct Pet: Model {
  let id: String
  var owner: Link<Owner>
  var sitter: Link<Owner>?
  static let schema = Schema(
    Pet.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.cascade)),
    Field("sitter", \.sitter, .onTargetDelete(.nullify)))
}

private struct Visit: Model {
  let id: Int
  var pet: Link<Pet>?
  static let schema = Schema(Visit.init, Key("id", \.id), Field("pet", \.pet))
}

private enum Stricter {
  struct Visit: Model {
    let id: Int
    var pet: Link<Pet>?
    static let schema = Schema(
      Visit.init, Key("id", \.id), Field("pet", \.pet, .onTargetDelete(.deny)))
  }
}

private enum Milder {
  struct Visit: Model {
    let id: Int
    var pet: Link<Pet>?
    static let schema = Schema(
      Visit.init, Key("id", \.id), Field("pet", \.pet, .onTargetDelete(.nullify)))
  }
}

/// Delete rules as models declare them.
@Suite struct DeleteRuleTests {
  private func fill(_ store: Store) throws {
    try store.write { transaction in
      try transaction.insert(Owner(id: "ann", boss: nil))
      try transaction.insert(Owner(id: "bob", boss: Link(id: "ann")))
      try transaction.insert(Pet(id: "rex", owner: Link(id: "ann"), sitter: Link(id: "bob")))
      try transaction.insert(Pet(id: "tom", owner: Link(id: "bob"), sitter: Link(id: "ann")))
    }
  }

  @Test func theTransactionSeesWhatADeletionBrought() throws {
    let store = try Store(.inMemory, models: Owner.self, Pet.self, Visit.self)
    try fill(store)
    try store.write { transaction in
      #expect(try transaction.delete(Owner.self, id: "ann"))
      #expect(try !transaction.delete(Pet.self, id: "rex"))
      #expect(try transaction.fetch(Pet.self, id: "rex") == nil)
      #expect(try transaction.fetch(Pet.self, id: "tom")?.sitter == nil)
      #expect(try transaction.find(Owner.self, id: "bob") == Owner(id: "bob", boss: nil))
      #expect(try transaction.count(Pet.all) == 1)
      // A link that comes later has nothing to do with the deletion.
      try transaction.insert(Owner(id: "ann", boss: nil))
      try transaction.insert(Pet(id: "kim", owner: Link(id: "ann"), sitter: nil))
    }
    let pets = try store.read { try $0.fetch(Pet.all) }
    #expect(
      pets == [
        Pet(id: "tom", owner: Link(id: "bob"), sitter: nil),
        Pet(id: "kim", owner: Link(id: "ann"), sitter: nil),
      ])
    #expect(try store.verify() == [])
  }

  @Test func aLinkToWhatARuleDeletedIsReadUntilItIsMended() throws {
    let store = try Store(.inMemory, models: Owner.self, Pet.self, Visit.self)
    try fill(store)
    try store.write { try $0.insert(Visit(id: 1, pet: Link(id: "rex"))) }
    #expect(
      throws: StoreError.linkedTarget(
        model: "Pet", id: "rex", linkingModel: "Visit", linkingField: "pet")
    ) {
      try store.write { try $0.delete(Owner.self, id: "ann") }
    }
    try store.write { transaction in
      try transaction.insert(Pet(id: "new", owner: Link(id: "ann"), sitter: nil))
      try transaction.insert(Visit(id: 2, pet: Link(id: "new")))
      try transaction.delete(Owner.self, id: "ann")
      #expect(try transaction.find(Visit.self, id: 1).pet?.id == "rex")
      #expect(try transaction.find(Visit.self, id: 2).pet?.id == "new")
      try transaction.update(Visit.all) { $0.pet = nil }
    }
    #expect(try store.read { try $0.count(Pet.all) } == 1)
  }

  @Test func aRuleChangesWithTheModel() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/pets.roost"
      do {
        let store = try Store(
          .file(path), models: Owner.self, Pet.self, Stricter.Visit.self)
        try fill(store)
        try store.write { try $0.insert(Stricter.Visit(id: 1, pet: Link(id: "rex"))) }
        #expect(
          throws: StoreError.linkedTarget(
            model: "Pet", id: "rex", linkingModel: "Visit", linkingField: "pet")
        ) {
          try store.write { try $0.delete(Pet.self, id: "rex") }
        }
        store.close()
      }
      let store = try Store(.file(path), models: Owner.self, Pet.self, Milder.Visit.self)
      try store.write { try $0.delete(Pet.self, id: "rex") }
      #expect(try store.read { try $0.find(Milder.Visit.self, id: 1).pet } == nil)
      #expect(try store.verify() == [])
      store.close()
    }
  }
}
