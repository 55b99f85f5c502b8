import Roost
import Testing

private struct Town: Model {
  let id: Int
  var name: String
  var alias: String?
  var part: Link<Town>?
  static let schema = Schema(
    Town.init, Key("id", \.id), Field("name", \.name), Field("alias", \.alias),
    Field("part", \.part))
}

@Suite struct TextQueryTests {
  private let store: Store
  private let snapshot: Snapshot

  init() throws {
    store = try Store(.inMemory, models: Town.self)
    let names = ["Zoë", "zoe", "Straße", "ÉTÉ", "E\u{301}te\u{301}", "ete", "100%", "a*b"]
    try store.write { tx in
      for (id, name) in names.enumerated() {
        try tx.insert(
          Town(
            id: id, name: name, alias: id % 2 == 0 ? nil : name, part: id == 0 ? nil : Link(id: 0)))
      }
    }
    snapshot = store.snapshot()
  }

  private func ids(_ condition: (QueryRoot<Town>) -> QueryCondition) throws -> [Int] {
    let query = Town.where(condition)
    let found = try snapshot.fetch(query)
    #expect(try snapshot.fetch(try query.readBack(in: store)) == found)
    return found.map(\.id)
  }

  @Test func optionsSayWhatDoesNotCount() throws {
    #expect(try ids { $0.name.equals("ZOË", options: .caseInsensitive) } == [0])
    #expect(try ids { $0.name.equals("ZOE", options: .caseInsensitive) } == [1])
    #expect(try ids { $0.name.equals("Zoe", options: .diacriticInsensitive) } == [0])
    #expect(
      try ids { $0.name.equals("ZOE", options: [.caseInsensitive, .diacriticInsensitive]) } == [
        0, 1,
      ])
    #expect(try ids { $0.name.hasPrefix("STRASS", options: .caseInsensitive) } == [2])
    #expect(try ids { $0.name.hasSuffix("été", options: .caseInsensitive) } == [3, 4])
    #expect(try ids { $0.name.contains("T", options: .caseInsensitive) } == [2, 3, 4, 5])
    #expect(try ids { $0.name.contains("T", options: .diacriticInsensitive) } == [3])
    #expect(try ids { $0.name.contains("t") } == [2, 4, 5])
  }

  @Test func wildcardsMatchWholeTexts() throws {
    #expect(try ids { $0.name.like("?t?") } == [4, 5])
    #expect(try ids { $0.name.like("*t*", options: .caseInsensitive) } == [2, 3, 4, 5])
    #expect(try ids { $0.name.like("a\\*b") } == [7])
    #expect(try ids { $0.name.like("a?b") } == [7])
    #expect(try ids { $0.name.like("zo") } == [])
  }

  @Test func aTextIsEmptyWithoutCharactersAndNotWhereItIsNil() throws {
    try store.write { transaction in
      try transaction.update(Town.self, id: 3, set: \.name, to: "")
      try transaction.update(Town.self, id: 5, set: \.alias, to: "")
    }
    func ids(_ condition: (QueryRoot<Town>) -> QueryCondition) throws -> [Int] {
      try store.snapshot().fetch(Town.where(condition)).map(\.id)
    }
    #expect(try ids { $0.name.isEmpty } == [3])
    #expect(try ids { $0.alias.isEmpty } == [5])
    let others = try ids { !$0.alias.isEmpty }
    #expect(others == [0, 1, 2, 3, 4, 6, 7])
    #expect(try ids { $0.part.name.isEmpty } == [])
  }

  @Test func nilMatchesNothing() throws {
    #expect(try ids { $0.alias.like("*") } == [1, 3, 5, 7])
    #expect(try ids { !$0.alias.contains("", options: .caseInsensitive) } == [0, 2, 4, 6])
  }

  @Test func textsBehindLinksAndCalculatedOnesAreMatched() throws {
    #expect(
      try ids { $0.part.name.equals("zoë", options: .caseInsensitive) } == [1, 2, 3, 4, 5, 6, 7])
    #expect(try ids { !$0.part.name.like("Z*") } == [0])
    #expect(try ids { ($0.name + $0.name).contains("EZ", options: .caseInsensitive) } == [1])
  }

  @Test func foldedTextsOrderGroupAndCompare() throws {
    let folding: TextOptions = [.caseInsensitive, .diacriticInsensitive]
    let ordered = try snapshot.fetch(Town.all.order { $0.name.folded(folding) }).map(\.id)
    #expect(ordered == [6, 7, 3, 4, 5, 2, 0, 1])
    let groups = try snapshot.groups(Town.all.grouped { $0.name.folded(folding) }, { $0.count })
    #expect(groups.map(\.key) == ["100%", "a*b", "ete", "strasse", "zoe"])
    #expect(groups.map(\.values) == [1, 1, 3, 1, 2])
    #expect(try ids { $0.name.folded(folding) == "ete" } == [3, 4, 5])
    #expect(try ids { $0.name.folded(folding) == $0.part.name.folded(folding) } == [1])
  }

  @Test func aQuerySaysWhatDoesNotCount() {
    let query = Town.where {
      $0.name.contains("t", options: .caseInsensitive)
        && $0.name.like("a*", options: [.caseInsensitive, .diacriticInsensitive])
    }
    #expect(query.description == #"Town where name contains[i] "t" && name like[id] "a*""#)
  }
}
