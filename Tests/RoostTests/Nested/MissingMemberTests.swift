import Foundation
import Roost
import RoostInterchange
import Testing

/// Keys that a nested text lacks, and members that are null.
@Suite struct MissingMemberTests {
  @Test func aListThatIsNullChangesNothing() throws {
    try menuStore().write { transaction in
      try transaction.upsert(Menu.self, from: .text(NestedTextTests.json)) {
        $0.items(replacing: true) {
          $0.modifiers
          $0.side
          $0.sizes(replacing: true)
        }
      }
      let before = try MenuContents(transaction)
      #expect(!before.items.isEmpty)
      for text in [
        #"{"id": 1, "items": null}"#, #"{"id": 1, "items": [{"id": 10, "sizes": null}]}"#,
      ] {
        try transaction.upsert(Menu.self, from: .text(text)) {
          $0.items { $0.sizes(replacing: true) }
        }
      }
      try transaction.upsert(Menu.self, from: .text(#"{"id": 1, "items": null}"#)) {
        $0.items(replacing: true)
      }
      #expect(try MenuContents(transaction) == before)
    }
  }

  @Test func aLinkThatIsNullMayCountAsMissing() throws {
    var format = TextFormat.json
    format.nullIsMissing = true
    try menuStore().write { transaction in
      try transaction.upsert(Menu.self, from: .text(NestedTextTests.json)) {
        $0.items {
          $0.modifiers
          $0.side
          $0.sizes(replacing: true)
        }
      }
      let before = try MenuContents(transaction)
      let text = before.items.map {
        #"{"id": \#($0.id), "name": null, "side": null, "modifiers": null}"#
      }.joined(separator: "\n")
      format = .ndjson
      format.nullIsMissing = true
      try transaction.upsert(Item.self, from: .text(text), as: format) {
        $0.side
        $0.modifiers
      }
      #expect(before.items.contains { $0.side != nil || !$0.modifiers.isEmpty })
      #expect(try MenuContents(transaction) == before)
    }
  }

  struct Author: Model {
    let id: Int
    var name: String
    static let works = Inverse(\Work.author, "works")
    static let schema = Schema(Author.init, Key("id", \.id, .assigned), Field("name", \.name))
  }

  struct Work: Model {
    let id: Int
    var title: String
    var author: Link<Author>
    static let schema = Schema(
      Work.init, Key("id", \.id, .assigned), Field("title", \.title), Field("author", \.author))
  }

  @Test func theStoreGivesKeysToTheOutermostObjectsToo() throws {
    let store = try Store(.inMemory, models: Author.self, Work.self)
    let text = #"[{"name": "Ann", "works": [{"title": "A"}, {"title": "B"}]}, {"name": "Bob"}]"#
    try store.write { transaction in
      try transaction.upsert(Author.self, from: .text(text)) { $0.works(identifiedBy: \.title) }
      try transaction.upsert(
        Author.self, from: .text(#"{"name": "Cay"}"#), as: .json, onConflict: .mergeGiven)
    }
    let (authors, works) = try store.read {
      (try $0.fetch(Author.all.order(by: \.name)), try $0.fetch(Work.all.order(by: \.title)))
    }
    #expect(authors.map(\.name) == ["Ann", "Bob", "Cay"] && Set(authors.map(\.id)).count == 3)
    #expect(works.map(\.title) == ["A", "B"] && works.allSatisfy { $0.author.id == authors[0].id })
  }

  @Test func aKeyThatTheStoreDoesNotGiveIsInTheText() throws {
    let store = try menuStore()
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try $0.upsert(Menu.self, from: .text(#"{"name": "A", "tags": []}"#)) { $0.items }
      }
    }
    guard case .malformedText(let problem)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(
      problem.field == "id"
        && problem.expected == "an integer of 64 bits, or `.assigned` on its key")
  }
}
