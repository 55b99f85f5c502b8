import Foundation
import Roost
import RoostInterchange
import Testing

/// Objects within objects for which no branch is named.
@Suite struct UnreadObjectTests {
  private static let json =
    #"{"id": 1, "name": "Lunch", "tags": [], "items": [{"name": "Soup", "price": 5}, 7]}"#

  private func problem(
    _ body: (WriteTransaction) throws -> Void, _ location: SourceLocation = #_sourceLocation
  ) throws -> TextProblem? {
    var problem: TextProblem?
    try menuStore().write { transaction in
      do { try body(transaction) } catch StoreError.malformedText(let found) { problem = found }
      #expect(try transaction.count(Menu.all) == 0, sourceLocation: location)
    }
    return problem
  }

  @Test func objectsOfAnotherModelAreNotLeftOutWithoutAWord() throws {
    let json = Self.json
    let expected =
      "`including: { $0.items }`, of an `Inverse(…, \"items\")`, in the call of `upsert`, which adds the objects of Item too "
      + "(`{ _ in }` leaves them out)"
    let found = [
      try problem { try $0.upsert(Menu.self, from: .text(json), as: .json) },
      try problem {
        try $0.upsert(Menu.self, from: .text(json), as: .json, onConflict: .mergeGiven)
      },
      try problem { try $0.insert(Menu.self, from: .text("[\(json)]"), as: .json) },
      try problem { try $0.insert(Menu.self, from: .text(json), as: .ndjson) },
    ]
    for (problem, column) in zip(found, [49, 49, 50, 49]) {
      #expect(problem?.field == "items" && problem?.expected == expected)
      #expect(problem?.found == "an array of objects without it")
      #expect(problem?.line == 1 && problem?.column == column)
    }
  }

  @Test func theirMembersMayBeCalledOtherwise() throws {
    var format = TextFormat.json
    format.names = ["Item.price": "cents"]
    let json = Self.json.replacingOccurrences(of: "price", with: "cents")
    let named = try problem { try $0.upsert(Menu.self, from: .text(json), as: format) }
    #expect(named?.field == "items")
  }

  @Test(arguments: [
    (#"[{"Name": "Soup", "PRICE": 5}]"#, "more"), (#"[{"name": "Soup"}]"#, "items"),
    (#"[{"name": "Soup"}]"#, "Item"),
  ])
  func theyAreKnownInAnySpellingAndByTheirModelsName(_ value: String, _ member: String) throws {
    let text = #"{"id": 1, "name": "A", "tags": [], "\#(member)": \#(value)}"#
    let problem = try problem { try $0.upsert(Menu.self, from: .text(text), as: .json) }
    #expect(problem?.field == member)
  }

  /// Members that are no field, as other members are.
  @Test(arguments: [
    #"[{"url": "a", "width": 3}]"#, #"[{"name": "Soup"}]"#, "[]", "[7]", "{}", "null",
    #"{"name": "Soup", "price": 5}"#, #"[[{"name": "Soup", "price": 5}]]"#, #"[{}]"#,
  ])
  func otherMembersAreSkipped(_ value: String) throws {
    let text = #"{"id": 1, "name": "A", "tags": [], "more": \#(value)}"#
    try menuStore().write { transaction in
      try transaction.upsert(Menu.self, from: .text(text), as: .json)
      try transaction.upsert(Menu.self, from: .text(text), as: .json, onConflict: .mergeGiven)
      #expect(try transaction.count(Menu.all) == 1)
    }
  }

  @Test func aScopeLeavesOutWhatIsNotItsOwn() throws {
    let store = try menuStore()
    let json = Self.json
    let scope = store.scope(Menu.self, Size.self)
    try scope.write { menus, _ in
      try menus.upsert(from: .text(json), as: .json)
      try menus.upsert(from: .text(json), as: .json, onConflict: .mergeGiven)
      try menus.delete(Menu.all)
      try menus.insert(from: .text(json), as: .json)
    }
    #expect(try store.read { try ($0.count(Menu.all), $0.count(Item.all)) } == (1, 0))
  }

  @Test func branchesSayWhatIsRead() throws {
    let json = Self.json.replacingOccurrences(of: ", 7", with: "")
    try menuStore().write { transaction in
      try transaction.upsert(Menu.self, from: .text(json)) { _ in }
      #expect(try transaction.count(Menu.all) == 1 && transaction.count(Item.all) == 0)
      try transaction.upsert(Menu.self, from: .text(json)) { $0.items(identifiedBy: \.name) }
      #expect(try transaction.count(Menu.all) == 1 && transaction.count(Item.all) == 1)
      // A model whose objects nothing links to.
      try transaction.upsert(
        Size.self,
        from: .text(
          #"{"label": "S", "colors": [], "item": 1, "items": [{"name": "A", "price": 1}]}"#),
        as: .json)
    }
  }
}
