import Foundation
import Roost
import Testing

private struct Word: Model {
  let id: String
  var text: String
  var place: Int
  static let schema = Schema(
    Word.init, Key("id", \.id), Field("text", \.text, .unique),
    Field("place", \.place, .indexed))
}

/// Texts that Swift says are equal and that are other bytes: to a store they are others.
@Suite struct TextIdentityTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  private func store() throws -> Store {
    let store = try Store(.inMemory, models: Word.self)
    try store.write { tx in
      try tx.insert(Word(id: Self.composed, text: Self.composed, place: 1))
      try tx.insert(Word(id: Self.decomposed, text: Self.decomposed, place: 2))
    }
    return store
  }

  @Test func keysAndUniqueValuesAreOthersWhereTheirBytesAre() throws {
    #expect(Self.composed == Self.decomposed)
    let store = try store()
    let snapshot = store.snapshot()
    #expect(try snapshot.find(Word.self, id: Self.composed).place == 1)
    #expect(try snapshot.find(Word.self, id: Self.decomposed).place == 2)
    for (text, place) in [(Self.composed, 1), (Self.decomposed, 2)] {
      #expect(try snapshot.fetch(Word.where { $0.text == text }).map(\.place) == [place])
      #expect(try snapshot.fetch(Word.where { $0.id == text }).map(\.place) == [place])
      #expect(try snapshot.fetch(Word.where { $0.text.in([text]) }).map(\.place) == [place])
      #expect(try snapshot.fetch(Word.where { $0.text != text }).map(\.place) == [3 - place])
      #expect(try snapshot.fetch(Word.where { $0.place == place && $0.text == text }).count == 1)
    }
    // The bytes of an e come before those of an é.
    #expect(try snapshot.fetch(Word.all.order(by: \.text)).map(\.place) == [2, 1])
    #expect(try snapshot.fetch(Word.all.order(by: \.id)).map(\.place) == [2, 1])
    #expect(throws: StoreError.self) {
      try store.write { try $0.insert(Word(id: "x", text: Self.decomposed, place: 3)) }
    }
    #expect(try store.verify() == [])
  }

  @Test func anUpdateThatTurnsAnIdIntoOtherBytesIsRefused() throws {
    let store = try store()
    for id in [Self.composed, Self.decomposed] {
      let other = id.utf8.count == Self.composed.utf8.count ? Self.decomposed : Self.composed
      #expect(throws: StoreError.changedKey(model: "Word", id: id)) {
        try store.write { tx in
          try tx.update(Word.self, id: id) { $0 = Word(id: other, text: $0.text, place: 7) }
        }
      }
    }
    // A text that is no id is changed to other bytes by a value that Swift says is the same.
    try store.write { tx in
      try tx.update(Word.self, id: Self.composed) { $0.text = "t" }
      try tx.update(Word.self, id: Self.decomposed) { $0.text = Self.composed }
    }
    let stored = try store.snapshot().find(Word.self, id: Self.decomposed).text
    #expect(Array(stored.utf8) == Array(Self.composed.utf8))
  }
}
