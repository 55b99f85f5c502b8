import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// Nested texts with several mistakes: all are told at once, or the outermost objects that have one are left out.
@Suite struct NestedMistakesTests {
  private static let lines = [
    #"{"id": 1, "name": "A", "items": [{"id": 10, "name": "Soup", "price": 3}]}"#,
    #"{"id": 2, "name": "B", "items": [{"id": 20, "price": 1}, {"id": 21, "name": "Tea"}]}"#,
    #"{"id": 3, "items": [{"id": 30, "name": "Pie", "price": 2}]}"#,
    #"{"id": 4, "name": 7, "items": [{"id": 40, "name": "Pea", "price": 2}]}"#,
    #"{"id": 5, "name": "E", "items": [{"id": 50, "name": "Cake", "price": 2}, {"id": 51, "price": "x"}]}"#,
    #"{"id": 6, "name": "F", "items": [{"id": 60, "name": "Fig", "price": 2, "#
      + #""modifiers": [{"id": "cold", "name": "Cold"}, {"id": "hot"}]}]}"#,
    #"{"id": 7, "name": "G", "items": [{"name": "Nut", "price": 2}, {"id": 70, "menu": 2}]}"#,
    #"{"id": 8, "name": "H", "items": [{"id": 80, "name": "Bun", "price": 9, "#
      + #""modifiers": [{"id": "ice", "name": "Ice"}, "ice"], "sizes": [{"label": "S"}]}]}"#,
  ]
  private static let found = [
    "2 Item.name", "2 Item.price", "3 Menu.name", "4 Menu.name", "5 Item.price", "6 Modifier.name",
    "7 Item.id", "7 Item.menu",
  ]

  private func place(_ problem: TextProblem) -> String {
    "\(problem.line) \(problem.model).\(problem.field)"
  }

  @Test func thatANestedTextMergesIsSaidToWhoWantsItMerged() throws {
    let check = try TypeCheck(
      """
      import Roost
      import RoostInterchange
      struct Menu: Model {
        let id: Int
        static let items = Inverse(\\Item.menu, "items")
        static let schema = Schema(Menu.init, Key("id", \\.id))
      }
      struct Item: Model {
        let id: Int
        var menu: Link<Menu>
        static let schema = Schema(Item.init, Key("id", \\.id), Field("menu", \\.menu))
      }
      func read(_ transaction: WriteTransaction) throws {
        try transaction.upsert(Menu.self, from: .text("[]"), as: .json) { $0.items }
        try transaction.upsert(Menu.self, from: .text("[]"), as: .json, onConflict: .mergeGiven) { $0.items }
      }
      """)
    let words =
      "'upsert(_:from:as:onConflict:including:)' is unavailable: a nested text keeps what it does not give, "
      + "as with '.mergeGiven': leave 'onConflict' out"
    #expect(check.errors == [15: words], "\(check.output)")
  }

  @Test(arguments: [TextFormat.json, .ndjson])
  func allMistakesAreInOneErrorInTheOrderOfTheText(_ format: TextFormat) throws {
    let text =
      format == .json
      ? "[" + Self.lines.joined(separator: ",\n") + "]" : Self.lines.joined(separator: "\n")
    for _ in 0..<2 {
      let store = try menuStore()
      try store.write { transaction in
        let before = try MenuContents(transaction)
        let error = #expect(throws: StoreError.self) {
          try transaction.upsert(Menu.self, from: .text(text), as: format) {
            $0.items {
              $0.modifiers
              $0.sizes(replacing: true)
            }
          }
        }
        guard case .malformedText(let problem)? = error else { throw try #require(error) }
        #expect(([problem] + problem.others).map(place) == Self.found)
        #expect(problem.count == Self.found.count)
        #expect(try MenuContents(transaction) == before)
      }
    }
  }

  @Test(arguments: [TextFormat.json, .ndjson])
  func outermostObjectsWithAMistakeAreLeftOutWhole(_ format: TextFormat) throws {
    let text =
      format == .json
      ? "[" + Self.lines.joined(separator: ",\n") + "]" : Self.lines.joined(separator: "\n")
    let store = try menuStore()
    var reported: [String] = []
    let count = try store.write { transaction in
      try transaction.insert(
        Menu(id: 2, name: "stored", note: nil, tags: [], hours: nil))
      return try transaction.upsert(
        Menu.self, from: .text(text), as: format,
        leavingOut: { reported.append(place($0)) }
      ) {
        $0.items {
          $0.modifiers
          $0.sizes(replacing: true)
        }
      }
    }
    #expect(count == 2)
    #expect(
      reported == [
        "2 Item.name", "3 Menu.name", "4 Menu.name", "5 Item.price", "6 Modifier.name", "7 Item.id",
      ])
    let contents = try MenuContents(store.snapshot())
    #expect(contents.menus.map(\.name) == ["A", "stored", "H"])
    #expect(contents.items.map(\.id) == [10, 80])
    #expect(contents.modifiers.map(\.id) == ["ice"])
    #expect(contents.sizes.map(\.label) == ["S"])
    #expect(contents.items.last.map { Array($0.modifiers) } == ["ice", "ice"])
  }

  @Test func whatAnObjectWithAMistakeNoLongerHasStays() throws {
    let store = try menuStore()
    let first = #"{"id": 1, "name": "A", "items": [{"id": 10, "name": "Soup", "price": 3}]}"#
    try store.write { transaction in
      try transaction.upsert(Menu.self, from: .text(first)) { $0.items }
      let before = try MenuContents(transaction)
      let changed = #"[{"id": 1, "items": [{"id": 11, "name": "Tea"}]}]"#
      var reported = 0
      let count = try transaction.upsert(
        Menu.self, from: .text(changed), leavingOut: { _ in reported += 1 }
      ) { $0.items(replacing: true) }
      #expect(count == 0 && reported == 1)
      #expect(try MenuContents(transaction) == before)
    }
  }

  @Test func whoReportsAMistakeMayRefuseANestedText() throws {
    struct TooMany: Error {}
    let store = try menuStore()
    #expect(throws: TooMany.self) {
      try store.write { transaction in
        try transaction.upsert(
          Menu.self, from: .text(Self.lines.joined(separator: "\n")), as: .ndjson,
          leavingOut: { _ in throw TooMany() }
        ) { $0.items }
      }
    }
    #expect(try MenuContents(store.snapshot()).menus.isEmpty)
  }
}
