import Roost
import RoostTestSupport
import Testing

private struct Refusal: Error, Equatable {}

/// Savepoints as they are written.
@Suite struct SavepointTests {
  @Test func anErrorUndoesThePartThatThrewIt() throws {
    let store = try Store(.inMemory, models: Tag.self)
    try store.write { transaction in
      try transaction.insert(Tag(id: "a", color: 1))
      #expect(throws: Refusal()) {
        try transaction.savepoint {
          try transaction.insert(Tag(id: "b", color: 2))
          try transaction.update(Tag.self, id: "a", set: \.color, to: 7)
          #expect(try transaction.count(Tag.all) == 2)
          throw Refusal()
        }
      }
      #expect(try transaction.fetch(Tag.all) == [Tag(id: "a", color: 1)])
      let color = try transaction.savepoint {
        try transaction.insert(Tag(id: "c", color: 3))
        #expect(throws: Refusal()) {
          try transaction.savepoint {
            try transaction.delete(Tag.self, id: "c")
            throw Refusal()
          }
        }
        return try transaction.find(Tag.self, id: "c").color
      }
      #expect(color == 3)
      // The identifier is free again.
      try transaction.insert(Tag(id: "b", color: 4))
    }
    let tags = try store.read { try $0.fetch(Tag.all) }
    #expect(Set(tags.map(\.id)) == ["a", "b", "c"])
    #expect(try store.verify() == [])
  }

  @Test func aLinkThatWasBrokenInAnUndonePartIsNoError() throws {
    let store = try Store(.inMemory, models: Group.self, Person.self)
    try store.write { transaction in
      try transaction.insert(Group(id: 1, name: "one", size: nil))
      try transaction.insert(Person(1, group: 1))
    }
    try store.write { transaction in
      try? transaction.savepoint {
        try transaction.delete(Group.self, id: 1)
        throw Refusal()
      }
    }
    #expect(
      throws: StoreError.linkedTarget(
        model: "Group", id: "1", linkingModel: "Person", linkingField: "group")
    ) {
      try store.write { transaction in
        try transaction.delete(Group.self, id: 1)
        try? transaction.savepoint {
          try transaction.insert(Group(id: 1, name: "again", size: nil))
          throw Refusal()
        }
      }
    }
    #expect(try store.verify() == [])
  }
}
