import Roost
import RoostInterchange
import Testing

/// Texts that give only some members of their objects.
@Suite struct MergedTextTests {
  private func merge(_ json: String, in store: Store) throws {
    try store.write {
      try $0.upsert(Menu.self, from: .text(json), as: .json, onConflict: .mergeGiven)
    }
  }

  private let menu = Menu(
    id: 1, name: "Lunch", note: "to go", tags: ["a"], hours: Hours(opens: 11, closes: 14))

  @Test func aMissingMemberKeepsWhatIsThere() throws {
    let store = try menuStore()
    try store.write { try $0.insert(menu) }
    let version = try store.snapshot().version
    try merge(#"{"id": 1}"#, in: store)
    #expect(try store.snapshot().find(Menu.self, id: 1) == menu)
    #expect(try store.snapshot().version == version)
    try merge(#"{"name": "Dinner", "id": 1}"#, in: store)
    var expected = menu
    expected.name = "Dinner"
    #expect(try store.snapshot().find(Menu.self, id: 1) == expected)
  }

  @Test func nullIsNoMissingMember() throws {
    let store = try menuStore()
    try store.write { try $0.insert(menu) }
    try merge(#"{"id": 1, "note": null, "hours": null}"#, in: store)
    #expect(
      try store.snapshot().find(Menu.self, id: 1)
        == Menu(id: 1, name: "Lunch", note: nil, tags: ["a"], hours: nil))
  }

  @Test func aMissingPartOfAStructKeepsWhatIsThere() throws {
    let store = try menuStore()
    try store.write { try $0.insert(menu) }
    try merge(#"{"id": 1, "hours": {"opens": 10}}"#, in: store)
    #expect(
      try store.snapshot().find(Menu.self, id: 1).hours == Hours(opens: 10, closes: 14))
    try merge(#"{"id": 1, "hours": null}"#, in: store)
    try merge(#"{"id": 1, "hours": {"opens": 9}}"#, in: store)
    #expect(try store.snapshot().find(Menu.self, id: 1).hours == Hours(opens: 9, closes: nil))
  }

  @Test func whatANewObjectLacksIsNilOrEmpty() throws {
    let store = try menuStore()
    try merge(#"[{"id": 2, "name": "New"}]"#, in: store)
    #expect(
      try store.snapshot().find(Menu.self, id: 2)
        == Menu(id: 2, name: "New", note: nil, tags: [], hours: nil))
  }

  @Test func whatANewObjectNeedsIsAnErrorThatSaysWhatToDo() throws {
    let store = try menuStore()
    let problem = StoreError.malformedText(
      TextProblem(
        source: nil, line: 1, column: 30, model: "Menu", field: "name",
        expected: "a string, or `.default(…)` on its field", found: "no such member"))
    #expect(throws: problem) {
      try merge(#"[{"id": 1, "name": "Lunch"}, {"id": 2, "note": null}]"#, in: store)
    }
    #expect(
      problem.message
        == "The text, line 1, column 30: Menu.name needs a string, or `.default(…)` on its field, "
        + "but there is no such member. Correct it and read it again.")
    #expect(try store.snapshot().count(Menu.all) == 0)
    #expect(
      throws: StoreError.malformedText(
        TextProblem(
          source: nil, line: 1, column: 1, model: "Menu", field: "hours.opens",
          expected: "an integer of 64 bits, or `.default(…)` on its field",
          found: "no such member"))
    ) {
      try merge(#"{"id": 1, "name": "Lunch", "hours": {"closes": 3}}"#, in: store)
    }
    #expect(
      throws: StoreError.malformedText(
        TextProblem(
          source: nil, line: 1, column: 1, model: "Menu", field: "id",
          expected: "an integer of 64 bits, or `.assigned` on its key", found: "no such member"))
    ) {
      try merge(#"{"name": "Lunch"}"#, in: store)
    }
  }

  @Test func anObjectInMemoryAndARecordGiveAllOfTheirValues() throws {
    let store = try menuStore()
    try store.write { transaction in
      try transaction.insert(menu)
      try transaction.upsert(
        Menu(id: 1, name: "A", note: nil, tags: [], hours: nil), onConflict: .mergeGiven)
      try transaction.insert(Modifier(id: "x", name: "X", price: 7))
      try transaction.upsert(
        Modifier.self, from: .text("id,name\nx,Y\n"), as: .csv, onConflict: .mergeGiven)
    }
    #expect(
      try store.snapshot().find(Menu.self, id: 1)
        == Menu(id: 1, name: "A", note: nil, tags: [], hours: nil))
    #expect(try store.snapshot().find(Modifier.self, id: "x").price == 0)
  }
}
