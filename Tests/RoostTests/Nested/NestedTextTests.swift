import Foundation
import Roost
import RoostInterchange
import Testing

/// Objects within objects, read from a text and written to one.
@Suite struct NestedTextTests {
  static let json = #"""
    [{"id": 1, "name": "Lunch", "tags": ["new"], "items": [
      {"id": 10, "name": "Soup", "price": 500, "modifiers": [{"id": "hot", "name": "Hot"}, "salt"],
       "side": {"id": "bread", "name": "Bread", "price": 50},
       "sizes": [{"label": "S"}, {"label": "L", "grams": 400, "colors": ["red", "blue"]}]},
      {"id": 11, "name": "Salad", "price": 700, "modifiers": [{"id": "salt", "name": "Salt"}], "side": null}
    ]}]
    """#

  @discardableResult
  private func upsert(
    _ json: String, in store: Store, replacing isReplacing: Bool = false
  ) throws -> Int {
    try store.write {
      try $0.upsert(Menu.self, from: .text(json)) {
        $0.items(replacing: isReplacing) {
          $0.modifiers
          $0.side
          $0.sizes(identifiedBy: \.label, replacing: isReplacing)
        }
      }
    }
  }

  private func text(_ store: Store, as format: TextFormat = .json) throws -> String {
    var text: [UInt8] = []
    try store.snapshot().export(Menu.all, to: TextOutput { text += $0 }, as: format) {
      $0.items {
        $0.modifiers
        $0.side
        $0.sizes
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test func objectsWithinObjectsAreStoredInOneCall() throws {
    let store = try menuStore()
    #expect(try upsert(Self.json, in: store) == 1)
    let found = try MenuContents(store.snapshot())
    #expect(found.menus == [Menu(id: 1, name: "Lunch", note: nil, tags: ["new"], hours: nil)])
    #expect(
      found.items == [
        Item(
          id: 10, name: "Soup", price: 500, isLoved: false, menu: Link(id: 1),
          modifiers: ["hot", "salt"], side: Link(id: "bread")),
        Item(
          id: 11, name: "Salad", price: 700, isLoved: false, menu: Link(id: 1),
          modifiers: ["salt"], side: nil),
      ])
    #expect(
      found.modifiers == [
        Modifier(id: "bread", name: "Bread", price: 50), Modifier(id: "hot", name: "Hot", price: 0),
        Modifier(id: "salt", name: "Salt", price: 0),
      ])
    let sizes = try store.snapshot().fetch(Item.sizes(of: 10).order(by: \.label))
    #expect(sizes.map(\.label) == ["L", "S"])
    #expect(sizes.map(\.grams) == [400, nil])
    #expect(sizes.map(\.colors) == [["red", "blue"], []])
  }

  @Test(arguments: [false, true])
  func theSameTextChangesNothingASecondTime(_ isReplacing: Bool) async throws {
    let store = try menuStore()
    try upsert(Self.json, in: store, replacing: isReplacing)
    let before = (try MenuContents(store.snapshot()), try store.snapshot().version)
    var changes = store.changes(of: Item.all).makeAsyncIterator()
    _ = try await changes.next()
    try upsert(Self.json, in: store, replacing: isReplacing)
    #expect(try MenuContents(store.snapshot()) == before.0)
    #expect(try store.snapshot().version == before.1)
    try await store.write { try $0.update(Item.self, id: 11, set: \.price, to: 1) }
    let change = try #require(try await changes.next())
    #expect(change.modifications.count == 1 && change.insertions.isEmpty)
  }

  @Test func branchesThatAreNotNamedOrNotThereChangeNothing() throws {
    let store = try menuStore()
    try upsert(Self.json, in: store)
    let before = try MenuContents(store.snapshot())
    try store.write {
      try $0.upsert(Menu.self, from: .text(Self.json)) { _ in }
      try $0.upsert(Menu.self, from: .text(#"{"id": 1}"#)) { $0.items(replacing: true) }
    }
    #expect(try MenuContents(store.snapshot()) == before)
  }

  @Test func replacingDeletesOwnedObjectsThatAreGoneAndNoTargetsOfLinks() throws {
    let store = try menuStore()
    try upsert(Self.json, in: store)
    let json = #"""
      {"id": 1, "items": [{"id": 10, "modifiers": [], "side": null, "sizes": [{"label": "L"}]}]}
      """#
    let modifiers = try MenuContents(store.snapshot()).modifiers
    try upsert(json, in: store)
    #expect(try store.snapshot().count(Item.all) == 2)
    #expect(try store.snapshot().count(Size.all) == 2)
    try upsert(json, in: store, replacing: true)
    let found = try MenuContents(store.snapshot())
    #expect(found.items.map(\.id) == [10])
    #expect(found.items.map(\.name) == ["Soup"])
    #expect(found.sizes.map(\.label) == ["L"])
    #expect(found.sizes.map(\.grams) == [400])
    #expect(found.modifiers == modifiers)
    try upsert(#"{"id": 1, "items": []}"#, in: store, replacing: true)
    #expect(try store.snapshot().count(Item.all) == 0)
    #expect(try store.snapshot().count(Size.all) == 0)
  }

  @Test(arguments: [false, true])
  func anObjectMovesToAnotherOwnerWhole(_ isLaterFirst: Bool) throws {
    let store = try menuStore()
    try upsert(Self.json, in: store)
    try store.write { try $0.update(Item.self, id: 11, set: \.isLoved, to: true) }
    let lists = [
      #"{"id": 1, "items": [{"id": 10}]}"#,
      #"{"id": 2, "name": "Dinner", "items": [{"id": 11, "price": 900}]}"#,
    ]
    let text = (isLaterFirst ? lists.reversed() : lists).joined(separator: "\n")
    try store.write {
      try $0.upsert(Menu.self, from: .text(text), as: .ndjson) { $0.items(replacing: true) }
    }
    let item = try store.snapshot().find(Item.self, id: 11)
    #expect(
      item
        == Item(
          id: 11, name: "Salad", price: 900, isLoved: true, menu: Link(id: 2),
          modifiers: ["salt"], side: nil))
    #expect(try store.snapshot().count(Item.all) == 2)
  }

  @Test func objectsWithoutKeysAreThoseThatAreAsTheTextSays() throws {
    let store = try menuStore()
    func upsert(_ sizes: String) throws -> [Size] {
      let json =
        #"{"id": 1, "name": "A", "items": [{"id": 1, "name": "B", "price": 1, "sizes": \#(sizes)}]}"#
      try store.write {
        try $0.upsert(Menu.self, from: .text(json)) { $0.items { $0.sizes(replacing: true) } }
      }
      return try store.snapshot().fetch(Item.sizes(of: 1))
    }
    let first = try upsert(
      #"[{"label": "S"}, {"label": "S"}, {"label": "L", "colors": ["b", "a"]}]"#)
    #expect(first.map(\.label) == ["S", "S", "L"])
    let version = try store.snapshot().version
    #expect(
      try upsert(#"[{"label": "S"}, {"label": "S"}, {"colors": ["a", "b"], "label": "L"}]"#)
        == first)
    #expect(try store.snapshot().version == version)
    let second = try upsert(#"[{"label": "L"}, {"label": "M"}, {"label": "S"}]"#)
    #expect(second.map(\.label) == ["S", "L", "M"])
    #expect(second.prefix(2) == [first[0], first[2]])
  }

  @Test(arguments: [TextFormat.json, .ndjson])
  func whatIsExportedIsReadAgain(_ format: TextFormat) throws {
    let store = try menuStore()
    try upsert(Self.json, in: store)
    let text = try text(store, as: format)
    let copy = try menuStore()
    try copy.write {
      try $0.upsert(Menu.self, from: .text(text), as: format) {
        $0.items {
          $0.modifiers
          $0.side
          $0.sizes
        }
      }
    }
    #expect(try MenuContents(copy.snapshot()) == MenuContents(store.snapshot()))
    #expect(try self.text(copy, as: format) == text)
  }

  @Test func anExportedObjectHasTheObjectsWithinIt() throws {
    let store = try menuStore()
    try store.write {
      try $0.upsert(Menu.self, from: .text(Self.json)) {
        $0.items {
          $0.modifiers
          $0.side
        }
      }
    }
    var text: [UInt8] = []
    try store.snapshot().export(Menu.all, to: TextOutput { text += $0 }, as: .ndjson) {
      $0.items {
        $0.side
        $0.sizes
      }
    }
    #expect(
      String(decoding: text, as: UTF8.self) == #"""
        {"id":1,"name":"Lunch","note":null,"tags":["new"],"hours":null,"items":[{"id":10,"name":"Soup","price":500,"isLoved":false,"modifiers":["hot","salt"],"side":{"id":"bread","name":"Bread","price":50},"sizes":[]},{"id":11,"name":"Salad","price":700,"isLoved":false,"modifiers":["salt"],"side":null,"sizes":[]}]}

        """#)
  }

  @Test func oneModelOfAScopeWritesNestedTexts() throws {
    let store = try menuStore()
    try upsert(Self.json, in: store)
    var text: [UInt8] = []
    let count = try store.scope(Menu.self).read { menus in
      try menus.export(to: TextOutput { text += $0 }) { $0.items }
    }
    #expect(count == 1)
    #expect(String(decoding: text, as: UTF8.self).contains(#""items":[{"id":10"#))
  }
}
