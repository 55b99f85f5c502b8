import Foundation
import Roost
import RoostInterchange
import Testing

/// Nested texts and branches that are refused: with what to do, and without any change.
@Suite struct NestedErrorTests {
  private func refused(
    _ json: String, as format: TextFormat = .json, _ expected: StoreError,
    @BranchBuilder<Menu> _ branches: (Branches<Menu>) -> [Branch<Menu>],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let store = try menuStore()
    try store.write { transaction in
      try transaction.upsert(Menu.self, from: .text(NestedTextTests.json)) {
        $0.items {
          $0.modifiers
          $0.side
          $0.sizes(replacing: true)
        }
      }
      let before = try MenuContents(transaction)
      #expect(throws: expected, sourceLocation: location) {
        try transaction.upsert(
          Menu.self, from: .text(json), as: format, including: branches)
      }
      #expect(try MenuContents(transaction) == before, sourceLocation: location)
    }
  }

  private func problem(
    _ column: Int, _ model: String, _ field: String, _ expected: String, _ found: String
  ) -> StoreError {
    .malformedText(
      TextProblem(
        source: nil, line: 1, column: column, model: model, field: field, expected: expected,
        found: found))
  }

  @Test func objectsWithoutKeysNeedToBeRecognized() throws {
    let error = problem(
      57, "Item", "id",
      "its key, or `identifiedBy:` or `replacing: true` at the branch \"items\"",
      "no such member")
    try refused(
      #"{"id": 1, "name": "Changed", "items": [{"id": 10},      {"name": "Soup"}]}"#, error
    ) { $0.items }
    #expect(
      error.message
        == "The text, line 1, column 57: Item.id needs its key, or `identifiedBy:` or "
        + "`replacing: true` at the branch \"items\", but there is no such member. "
        + "Correct it and read it again.")
    try refused(
      #"{"id": 1, "items": [{"price": 3}]}"#,
      problem(21, "Item", "name", "a value, by which the object is identified", "no such member")
    ) { $0.items(identifiedBy: \.name) }
    try refused(
      #"{"id": 1, "items": [{"name": "A", "price": 1}, {"name": "A", "price": 2}]}"#,
      problem(
        48, "Item", "name", "a value that no other object of its list has", "that of another")
    ) { $0.items(identifiedBy: \.name) }
    try refused(
      #"{"id": 1, "items": [{"id": 10, "modifiers": ["hot", {"name": "Hot"}]}]}"#,
      problem(53, "Modifier", "id", "its key", "no such member")
    ) { $0.items { $0.modifiers } }
  }

  @Test func aNewObjectWithoutAValueNamesItsModelAndMember() throws {
    try refused(
      #"{"id": 1, "name": "Changed", "items": [{"id": 10, "price": 1}, {"id": 12, "name": "Tea"}]}"#,
      problem(
        64, "Item", "price", "an integer of 64 bits, or `.default(…)` on its field",
        "no such member")
    ) { $0.items }
    try refused(
      #"{"id": 1, "name": "Changed", "items": [{"id": 10, "side": {"id": "tea"}}]}"#,
      problem(
        59, "Modifier", "name", "a string, or `.default(…)` on its field", "no such member")
    ) { $0.items { $0.side } }
  }

  @Test func anObjectInPlaceOfALinkNamesWhatReadsIt() throws {
    let expected = "a string or null, or `including:` with the link in the call of `upsert`"
    try refused(
      #"{"id": 1, "items": [{"id": 10, "side": {"id": "tea"}}]}"#,
      problem(40, "Item", "side", expected, "an object")
    ) { $0.items }
    try refused(
      #"{"id": 1, "items": [{"id": 10, "modifiers": ["hot", {"id": "tea"}]}]}"#,
      problem(
        53, "Item", "modifiers[1]",
        "a string, or `including:` with the link in the call of `upsert`", "an object")
    ) { $0.items }
  }

  @Test func valuesOfTheWrongKindNameTheirPlace() throws {
    try refused(
      #"{"id": 1, "name": "Changed", "items": [{"id": 10, "sizes": [{"label": "S"}, {"label": 7}]}]}"#,
      problem(87, "Size", "label", "a string", "a number")
    ) { $0.items { $0.sizes(identifiedBy: \.label) } }
    try refused(
      #"{"id": 1, "items": {"id": 10}}"#,
      problem(20, "Menu", "items", "an array of objects", "an object")
    ) { $0.items }
    try refused(
      #"{"id": 1, "items": [7]}"#, problem(21, "Item", "", "an object", "a number")
    ) { $0.items }
    try refused(
      #"{"id": 1, "items": [{"id": 10, "modifiers": {"id": "hot"}}]}"#,
      problem(45, "Item", "modifiers", "an array of objects or identifiers", "an object")
    ) { $0.items { $0.modifiers } }
    try refused(
      #"{"id": 1, "items": [], "items": []}"#,
      problem(24, "Menu", "items", "each member once", "a second one")
    ) { $0.items }
    try refused(
      #"{"id": 1, "items": [{"id": 10, "menu": 2}]}"#,
      problem(21, "Item", "menu", "the object that it stands in", "another one")
    ) { $0.items }
    try refused(
      #"{"id": 1, "items": [{"id": 10, "sides": 2}]}"#, as: strict,
      problem(32, "Item", "", "a field's name", "\"sides\"")
    ) { $0.items }
  }

  private var strict: TextFormat {
    var format = TextFormat.json
    format.refusesUnknownFields = true
    return format
  }

  @Test func textsThatNestDeeplyAreRefused() throws {
    let deep = String(repeating: #"{"id":1,"items":["#, count: 300)
    try refused(
      deep, problem(4353, "Item", "", "at most 512 levels", "one more")
    ) { $0.items }
  }

  @Test(arguments: 0...160 as ClosedRange<Int>)
  func aTextThatEndsEarlyChangesNothing(_ count: Int) throws {
    let store = try menuStore()
    let text = NestedTextTests.json.utf8.prefix(count * 4)
    try store.write { transaction in
      let before = try MenuContents(transaction)
      do {
        try transaction.upsert(Menu.self, from: .bytes(Array(text))) {
          $0.items {
            $0.modifiers
            $0.side
            $0.sizes(replacing: true)
          }
        }
        #expect(count * 4 >= NestedTextTests.json.utf8.count)
      } catch StoreError.malformedText {
        #expect(try MenuContents(transaction) == before)
      }
      try transaction.delete(Menu.all)
      try transaction.delete(Modifier.all)
    }
  }

  // MARK: Branches

  @Test func anInverseWithoutANameIsNoBranch() throws {
    let store = try Store(.inMemory, models: Shelf.self, Book.self)
    let unnamed = StoreError.branchInvalid(
      model: "Shelf", branch: "Book.shelf",
      reason: "the inverse does not say what its member is called. "
        + "Name it: `Inverse(\\Book.shelf, \"…\")`.")
    try store.write { transaction in
      #expect(throws: unnamed) {
        try transaction.upsert(Shelf.self, from: .text("[]")) { $0.books }
      }
      #expect(throws: unnamed) {
        try transaction.export(Shelf.all, to: TextOutput { _ in }) { $0.books }
      }
    }
    #expect(
      unnamed.message
        == "A text cannot have Shelf.Book.shelf as a branch: the inverse does not say what its "
        + "member is called. Name it: `Inverse(\\Book.shelf, \"…\")`.")
  }

  @Test func anInverseOfAListIsNoBranch() throws {
    let store = try Store(.inMemory, models: Shelf.self, Book.self)
    #expect(
      throws: StoreError.branchInvalid(
        model: "Shelf", branch: "Book.others",
        reason: "it is the inverse of a list of links, whose objects belong to no single owner. "
          + "Name the list in a branch of Book.")
    ) {
      try store.write { try $0.upsert(Shelf.self, from: .text("[]")) { $0.readers } }
    }
  }

  @Test func namesOfMembersAreDifferent() throws {
    let store = try Store(.inMemory, models: Shelf.self, Book.self)
    func taken(_ branch: String) -> StoreError {
      .branchInvalid(
        model: "Shelf", branch: branch,
        reason: "a field or another branch has this name. Give the inverse another one, "
          + "and name each branch once.")
    }
    try store.write { transaction in
      #expect(throws: taken("title")) {
        try transaction.upsert(Shelf.self, from: .text("[]")) { $0.titled }
      }
      #expect(throws: taken("first")) {
        try transaction.upsert(Shelf.self, from: .text("[]")) {
          $0.first
          $0.first
        }
      }
    }
  }

  @Test func csvHasNoBranches() throws {
    let store = try menuStore()
    let error = StoreError.branchInvalid(
      model: "Menu", branch: "",
      reason: "CSV has no objects within objects. Use `.json` or `.ndjson`.")
    try store.write { transaction in
      #expect(throws: error) {
        try transaction.upsert(Menu.self, from: .text("id\n"), as: .csv) { $0.items }
      }
      #expect(throws: error) {
        try transaction.export(Menu.all, to: TextOutput { _ in }, as: .csv) { $0.items }
      }
    }
    #expect(
      error.message
        == "A text cannot have branches of Menu: CSV has no objects within objects. "
        + "Use `.json` or `.ndjson`.")
  }

  struct Shelf: Model {
    let id: Int
    var title: String
    var first: Link<Book>?
    static let books = Inverse(\Book.shelf)
    static let titled = Inverse(\Book.shelf, "title")
    static let readers = Inverse(\Book.others)
    static let schema = Schema(
      Shelf.init, Key("id", \.id), Field("title", \.title), Field("first", \.first))
  }

  struct Book: Model {
    let id: Int
    var shelf: Link<Shelf>?
    var others: Links<Shelf>
    static let schema = Schema(
      Book.init, Key("id", \.id), Field("shelf", \.shelf), Field("others", \.others))
  }
}
