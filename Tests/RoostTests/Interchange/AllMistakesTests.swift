import Roost
import RoostInterchange
import Testing

/// Texts with several mistakes: all are told at once, or the objects that have one are left out.
@Suite struct AllMistakesTests {
  struct Part: Model {
    let id: Int
    var name: String
    var price: Int
    var tags: [String]
    var mood: Mood
    static let schema = Schema(
      Part.init, Key("id", \.id), Field("name", \.name), Field("price", \.price),
      Field("tags", \.tags), Field("mood", \.mood, .default(.calm)))
  }
  enum Mood: String, Storable, CaseIterable { case calm, wild }

  private let store: Store

  init() throws { store = try Store(.inMemory, models: Part.self) }

  private func inserted() throws -> [Int] {
    try store.snapshot().fetch(Part.all).map(\.id)
  }

  private func refusal(
    of text: String, as format: TextFormat, onConflict policy: ConflictPolicy<Part>? = nil
  ) throws -> TextProblem {
    let error = #expect(throws: StoreError.self) {
      try store.write { transaction in
        if let policy {
          try transaction.upsert(Part.self, from: .text(text), as: format, onConflict: policy)
        } else {
          try transaction.insert(Part.self, from: .text(text), as: format)
        }
      }
    }
    guard case .malformedText(let problem)? = error else { throw try #require(error) }
    #expect(try inserted().isEmpty)
    return problem
  }

  private func places(_ problem: TextProblem) -> [String] {
    ([problem] + problem.others).map { "\($0.line) \($0.field)" }
  }

  private static let csv = """
    id,name,price,tags,mood
    1,Nut,5,"[""a""]",calm
    2,Bolt,many,,
    3,Washer
    x,Pin,5,,
    5,Peg,5,[],sad
    6,Cap,7,,wild

    """

  @Test func allMistakesOfACSVAreInOneError() throws {
    let problem = try refusal(of: Self.csv, as: .csv)
    #expect(places(problem) == ["3 price", "4 ", "5 id", "6 mood"])
    #expect(problem.count == 4)
    #expect(
      problem.description == """
        There are 4 mistakes. Correct them and read the text again:
        The text, line 3, column 8: Part.price needs an integer of 64 bits, but there is "many"
        The text, line 4, column 1: Part needs 5 fields, but there is 2
        The text, line 5, column 1: Part.id needs an integer of 64 bits, but there is "x"
        The text, line 6, column 12: Part.mood needs a value that its Swift type knows: "calm", "wild", but there is sad
        """)
    #expect(StoreError.malformedText(problem).message == problem.description)
    let read = #expect(throws: StoreError.self) { try Part.read(from: .text(Self.csv), as: .csv) }
    #expect(read == .malformedText(problem))
  }

  @Test func twentyMistakesAreListedAndAllAreCounted() throws {
    let lines = (1...3000).map { $0.isMultiple(of: 3) ? "\($0),?,?,," : "\($0),a,1,," }
    let text = (["id,name,price,tags,mood"] + lines).joined(separator: "\r\n")
    let problem = try refusal(of: text, as: .csv)
    #expect(problem.count == 1000 && problem.others.count == 19)
    #expect(problem.line == 4 && problem.others.last?.line == 61)
    #expect(problem.description.hasPrefix("There are 1000 mistakes. "))
    #expect(problem.description.hasSuffix("\nand 980 more"))
  }

  @Test func oneMistakeReadsAsBefore() throws {
    let problem = try refusal(of: "id,name,price,tags\n1,a,b,\n", as: .csv)
    #expect(
      problem.description
        == "The text, line 2, column 5: Part.price needs an integer of 64 bits, but there is \"b\". "
        + "Correct it and read it again.")
    #expect(problem.others.isEmpty && problem.count == 1)
  }

  private static let objects = [
    #"{"id": 1, "name": "Nut", "price": 5, "tags": ["a"]}"#,
    #"{"id": 2, "name": ["Bolt", {"a": "]}"}], "price": 5, "tags": []}"#,
    #"{"id": 3, "name": "Washer", "price": "{", "tags": ["b", {"c": 1}]}"#,
    "7",
    #"{"id": 5, "name": "Peg", "tags": []}"#,
    #"{"id": 6, "name": "Cap", "price": 5, "tags": ["d", 7, "]"], "mood": "wild"}"#,
    #"{"id": 7, "name": "Cap", "price": 5, "tags": ["d"], "mood": "sad"}"#,
    #"{"id": 8, "name": "Cog", "price": 8, "tags": [], "mood": "wild"}"#,
  ]

  @Test func allMistakesOfAnArrayAreInOneError() throws {
    let text = "[\n" + Self.objects.joined(separator: ",\n") + "\n]"
    let found = ["3 name", "4 price", "5 ", "6 price", "7 tags[1]", "8 mood"]
    #expect(places(try refusal(of: text, as: .json)) == found)
    #expect(places(try refusal(of: text, as: .json, onConflict: .replace)) == found)
  }

  @Test func allMistakesOfMergedObjectsAreInOneError() throws {
    let text = "[\n" + Self.objects.joined(separator: ",\n") + "\n]"
    // What a new object lacks is found where it is written.
    #expect(
      places(try refusal(of: text, as: .json, onConflict: .mergeGiven))
        == ["3 name", "4 price", "5 ", "6 price", "7 tags[1]", "8 mood"])
    #expect(
      places(
        try refusal(of: #"[{"id":1},{"id":2,"name":7}]"#, as: .json, onConflict: .mergeGiven))
        == ["1 name", "1 name"])
  }

  @Test func aLineThatIsNoJSONIsOneMistakeAmongLines() throws {
    let lines = Self.objects + [#"{"id": 9,"#, "}", #"{"id": "\q"}"#, Self.objects[0] + " x", "{"]
    let text = lines.joined(separator: "\n")
    let problem = try refusal(of: text, as: .ndjson)
    #expect(
      places(problem) == [
        "2 name", "3 price", "4 ", "5 price", "6 tags[1]", "7 mood", "9 ", "10 ", "11 id", "12 ",
        "13 ",
      ])
  }

  @Test func afterAMistakeInTheGrammarNothingIsRead() throws {
    let array = #"[{"id": "a"}, {"id": 2, "name": "Nut" "price": 5}, {"id": "c"}]"#
    #expect(try refusal(of: array, as: .json).count == 2)
    let csv = "id,name,price,tags\na,b,1,\n2,\"b\"c,1,\nd,e,1,\n"
    #expect(places(try refusal(of: csv, as: .csv)) == ["2 id", "3 "])
  }

  @Test func allColumnsThatAreMissingAreTold() throws {
    let problem = try refusal(of: "id,names\n1,a\n", as: .csv)
    #expect(places(problem) == ["1 name", "1 price", "1 tags"])
    let hint = " (for one of another name, set `names` of the format)"
    #expect(problem.expected == "a column \"name\"" + hint)
    #expect(try refusal(of: "id;name;price;tags\n1;a;1;\n", as: .csv).count == 1)
    #expect(
      problem.others.last?.expected
        == "a column \"tags\", or `.default([])` on its field" + hint)
  }

  @Test func anEmptyFieldOfAListIsAnEmptyOne() throws {
    let text = "id,name,price,tags\n1,a,1,\n"
    #expect(try Part.read(from: .text(text), as: .csv).map(\.tags) == [[]])
    let json = #expect(throws: StoreError.self) {
      try Part.read(from: .text(#"{"id": 1, "name": "a", "price": 1}"#), as: .json)
    }
    guard case .malformedText(let problem)? = json else { throw try #require(json) }
    #expect(problem.expected == "an array, or `.default([])` on its field")
  }

  // MARK: Leaving objects out

  @Test func objectsWithoutAMistakeAreAddedWhereOthersAreLeftOut() throws {
    let array = "[\n" + Self.objects.joined(separator: ",\n") + "\n]"
    let lines = (Self.objects + ["{"]).joined(separator: "\n")
    for (text, format, ids, found) in [
      (Self.csv, TextFormat.csv, [1, 6], ["3 price", "4 ", "5 id", "6 mood"]),
      (array, .json, [1, 8], ["3 name", "4 price", "5 ", "6 price", "7 tags[1]", "8 mood"]),
      (
        lines, .ndjson, [1, 8], ["2 name", "3 price", "4 ", "5 price", "6 tags[1]", "7 mood", "9 "]
      ),
    ] {
      for merges in [false, true] {
        var refused: [String] = []
        let count = try store.write { transaction in
          try transaction.delete(Part.all)
          return try transaction.upsert(
            Part.self, from: .text(text), as: format,
            onConflict: merges ? .mergeGiven : .replace,
            leavingOut: { refused.append("\($0.line) \($0.field)") })
        }
        #expect(count == 2)
        #expect(try inserted() == ids)
        // Those that are found where objects are made come after those of the text.
        #expect(refused.sorted() == found.sorted())
      }
    }
  }

  @Test func manyObjectsAreLeftOutOfManyBatches() throws {
    let lines = (1...3000).map { $0.isMultiple(of: 3) ? "\($0),?,?,," : "\($0),a,1,," }
    let text = (["id,name,price,tags,mood"] + lines).joined(separator: "\n")
    var refused = 0
    let count = try store.write {
      try $0.insert(Part.self, from: .text(text), as: .csv, leavingOut: { _ in refused += 1 })
    }
    #expect(count == 2000 && refused == 1000)
    #expect(try store.snapshot().count(Part.all) == 2000)
  }

  @Test func whoReportsAMistakeMayRefuseTheText() throws {
    struct TooMany: Error {}
    #expect(throws: TooMany.self) {
      try store.write { transaction in
        try transaction.insert(
          Part.self, from: .text(Self.csv), as: .csv, leavingOut: { _ in throw TooMany() })
      }
    }
    #expect(try inserted().isEmpty)
  }

  @Test func whatCannotBeReadAtAllIsAnErrorThere() throws {
    for text in ["id,names\n1,a\n", "id,name,price,tags\n1,a,1,\n2,\"b\"c,1,\n"] {
      let error = #expect(throws: StoreError.self) {
        try store.write {
          try $0.insert(Part.self, from: .text(text), as: .csv, leavingOut: { _ in })
        }
      }
      #expect(error?.code == .malformedText)
      #expect(try inserted().isEmpty)
    }
  }
}
