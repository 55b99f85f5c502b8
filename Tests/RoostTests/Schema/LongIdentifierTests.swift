import Roost
import Testing

/// Identifiers that are longer than what an index keeps of a text.
@Suite struct LongIdentifierTests {
  private struct Note: Model {
    let id: Int
    var tag: Link<Tag>
    static let schema = Schema(Note.init(id:tag:), Key("id", \.id), Field("tag", \.tag))
  }

  @Test func findNothingThatOnlyBeginsLikeThem() throws {
    let store = try Store(.inMemory, models: Tag.self, Note.self)
    let stored = String(repeating: "a", count: 1023)
    let longer = stored + "b"
    try store.write { try $0.insert(Tag(id: stored, color: 1)) }
    let snapshot = store.snapshot()
    #expect(try snapshot.fetch(Tag.self, id: stored)?.color == 1)
    #expect(try snapshot.fetch(Tag.self, id: longer) == nil)
    #expect(try snapshot.row(Tag.self, id: longer) == nil)
    #expect(try snapshot.contains(Tag.self, id: longer) == false)
    #expect(try snapshot.count(Tag.where { $0.id == longer }) == 0)
    try store.write { (transaction: WriteTransaction) throws -> Void in
      #expect(try transaction.fetch(Tag.self, id: longer) == nil)
      #expect(throws: StoreError.notFound(model: "Tag", id: longer)) {
        try transaction.update(Tag.self, id: longer, set: \.color, to: 2)
      }
      #expect(try transaction.delete(Tag.self, id: longer) == false)
      #expect(throws: StoreError.notFound(model: "Tag", id: longer)) {
        try transaction.insert(Note(id: 1, tag: Link(id: longer)))
      }
    }
    #expect(try store.snapshot().fetch(Tag.self, id: stored)?.color == 1)
    #expect(try store.verify() == [])
  }
}
