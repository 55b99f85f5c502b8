import Foundation
import Roost
import RoostTestSupport
import Testing

private struct Word: Model {
  let id: Int
  var text: String
  var other: String?
  var next: Link<Word>?
  static let schema = Schema(
    Word.init, Key("id", \.id), Field("text", \.text, .indexed), Field("other", \.other),
    Field("next", \.next))
}

/// Objects in the order of people's languages.
@Suite struct LocaleOrderTests {
  private let words = [
    "zebra", "ähnlich", "apfel", "Öl", "offen", "Ost", "åka", "Zoo", "étude", "etudf", "cz", "ch",
    "d",
  ]
  private let store: Store
  private let snapshot: Snapshot

  init() throws {
    store = try Store(.inMemory, models: Word.self)
    try store.write { [words] tx in
      for (id, text) in words.enumerated() {
        try tx.insert(
          Word(
            id: id, text: text, other: id % 3 == 0 ? nil : text,
            next: id > 0 ? Link(id: id - 1) : nil))
      }
    }
    snapshot = store.snapshot()
  }

  private func texts(_ query: Query<Word>) throws -> [String] {
    let texts = try snapshot.fetch(query).map(\.text)
    #expect(try snapshot.fetch(try query.readBack(in: store)).map(\.text) == texts)
    return texts
  }

  @Test(arguments: ["sv", "de", "cs", "en"])
  func textsAreOrderedAsFoundationDoes(_ name: String) throws {
    let locale = Locale(identifier: name)
    let expected = words.sorted {
      $0.compare($1, options: [], range: nil, locale: locale) == .orderedAscending
    }
    #expect(try texts(Word.all.order(by: \.text, locale: locale)) == expected)
    #expect(try texts(Word.all.order(locale: locale) { $0.text }) == expected)
    #expect(
      try texts(Word.all.order(by: \.text, locale: locale, descending: true))
        == expected.reversed())
    #expect(
      try texts(Word.all.order(by: \.text, locale: locale).limit(4, offset: 3))
        == Array(expected[3..<7]))
    #expect(
      try texts(Word.where { $0.id < 6 }.order(by: \.text, locale: locale))
        == expected.filter { words.prefix(6).contains($0) })
  }

  @Test func swedishAndGermanDiffer() throws {
    let swedish = try texts(Word.all.order(by: \.text, locale: Locale(identifier: "sv")))
    let german = try texts(Word.all.order(by: \.text, locale: Locale(identifier: "de")))
    #expect(swedish.suffix(3) == ["åka", "ähnlich", "Öl"])
    #expect(german.prefix(3) == ["ähnlich", "åka", "apfel"])
  }

  @Test func anIndexIsNotTakenForTheOrderOfALocale() throws {
    let query = Word.where { $0.text > "a" }.order(by: \.text, locale: Locale(identifier: "sv"))
    let all = try texts(query)
    #expect(all != all.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(try texts(query.limit(4)) == Array(all.prefix(4)))
  }

  @Test func nilComesFirstAndEqualTextsInTheOrderOfTheirKeys() throws {
    let locale = Locale(identifier: "sv")
    let query = Word.all.order(by: \.other, locale: locale)
    #expect(try snapshot.fetch(query).prefix(5).map(\.id) == [0, 3, 6, 9, 12])
    let some = try texts(query.limit(20, offset: 5))
    #expect(some == (try texts(Word.where { $0.other != nil }.order(by: \.text, locale: locale))))
  }

  @Test func textsBehindLinksAndOfGroupsAreOrderedSo() throws {
    let locale = Locale(identifier: "sv")
    let ordered = try snapshot.fetch(Word.all.order(locale: locale) { $0.next.text })
    let plain = words.indices.dropFirst().sorted {
      words[$0 - 1].compare(words[$1 - 1], options: [], range: nil, locale: locale)
        == .orderedAscending
    }
    #expect(ordered.map(\.id) == [0] + plain)
    let groups = try snapshot.groups(
      Word.all.grouped { $0.text }.order(locale: locale) { $0.key }, { $0.count })
    #expect(
      groups.map(\.key) == (try texts(Word.all.order(by: \.text, locale: locale))))
  }

  @Test func aQuerySaysItsLocale() throws {
    let query = Word.all.order(by: \.text, locale: Locale(identifier: "sv"), descending: true)
    #expect("\(query)" == #"Word sort text locale "sv" desc"#)
    #expect(query != Word.all.order(by: \.text, descending: true))
  }
}
