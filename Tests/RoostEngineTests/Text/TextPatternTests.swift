import RoostEngine
import RoostTestSupport
import Testing

@Suite struct TextPatternTests {
  /// A store of texts, whose keys are their places.
  private func view(_ texts: [[UInt8]]) throws -> (ReadView, table: UInt32) {
    let engine = try Engine.open("store", in: MemoryFileSystem(), options: EngineOptions())
    let transaction = try engine.beginWrite()
    try transaction.addTables([
      TableDraft(
        name: "Text",
        fields: [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "text", type: .data, isOptional: true),
        ])
    ])
    let table = try #require(transaction.catalog.table(named: "Text")).id
    for (place, text) in texts.enumerated() {
      try transaction.batch(for: table).columns[0].append(.bytes(text))
      try transaction.insertRow(into: table, key: Int64(place))
    }
    try transaction.commit()
    return (try engine.snapshot().view, table)
  }

  private func matching(
    _ pattern: TextPattern, _ view: ReadView, _ table: UInt32
  ) throws -> [Int64] {
    try view.matches(ObjectQuery(table: table, predicate: .matches(.field(1), pattern))).keys()
  }

  @Test(arguments: [
    ("a*b", "ab", true), ("a*b", "axxb", true), ("a*b", "axxbc", false), ("*", "", true),
    ("?", "", false), ("?", "é", true), ("?", "e\u{301}", true), ("??", "e\u{301}", false),
    ("a\\*b", "a*b", true), ("a\\*b", "axb", false), ("\\\\", "\\", true), ("", "", true),
    ("", "a", false), ("*a*b*", "xxaxxbxx", true), ("*a?c", "abcabc", true), ("*ab", "aab", true),
    ("e*", "e\u{301}", true), ("**a", "ba", true), ("*a", "ab", false), ("\\", "", true),
  ])
  func wildcardsStandForCharacters(pattern: String, text: String, expected: Bool) throws {
    let (view, table) = try view([Array(text.utf8)])
    let found = try matching(TextPattern(.wildcards, Array(pattern.utf8)), view, table)
    #expect(found == (expected ? [0] : []))
  }

  @Test(
    arguments: [
      ("e", "É", [.caseInsensitive], false), ("e", "E\u{301}", [.caseInsensitive], false),
      ("e", "É", [.caseInsensitive, .diacriticInsensitive], true),
      ("É", "e\u{301}", [.caseInsensitive], true),
      ("ss", "Maße", [.caseInsensitive], true), ("É", "é", [.diacriticInsensitive], false),
      ("e", "é", [.diacriticInsensitive], true),
    ] as [(String, String, TextFolding, Bool)])
  func aLetterIsFoundWithItsMarksOnly(
    pattern: String, text: String, folding: TextFolding, expected: Bool
  ) throws {
    let (view, table) = try view([Array("x\(text)y".utf8)])
    let pattern = TextPattern(.contains, Array(pattern.utf8), folding: folding)
    #expect(try matching(pattern, view, table) == (expected ? [0] : []))
  }

  @Test(
    arguments: [
      ("?", "한", true), ("김?", "김철", true), ("하*", "한", false), ("?", "\u{9CB}", true),
      ("??", "ß", true), ("stra??e", "Straße", true),
    ])
  func aCharacterOfTheFoldedTextIsOne(pattern: String, text: String, expected: Bool) throws {
    let (view, table) = try view([Array(text.utf8)])
    for folding: TextFolding in [
      .caseInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ] {
      let pattern = TextPattern(.wildcards, Array(pattern.utf8), folding: folding)
      #expect(try matching(pattern, view, table) == (expected ? [0] : []))
    }
    let part = TextPattern(.contains, Array("하".utf8), folding: .caseInsensitive)
    #expect(try matching(part, view, table) == [])
  }

  @Test(arguments: [TextPattern.Form.prefix, .contains, .suffix])
  func halfALetterIsFoundOnlyWhereItStandsAlone(form: TextPattern.Form) throws {
    let half: UInt8 = form == .suffix ? 0xB8 : 0xC3
    let (view, table) = try view([Array("ø".utf8), [half]])
    let pattern = TextPattern(form, [half], folding: .caseInsensitive)
    #expect(try matching(pattern, view, table) == [1])
  }

  @Test(arguments: ["*?x", "*\u{301}?x", "*??x"])
  func manyMarksOnOneLetterAreGoneOverOnce(pattern: String) throws {
    // Without that it would be hours.
    let text = "e" + String(repeating: "\u{301}", count: 200_000)
    let (view, table) = try view([Array(text.utf8), Array((text + "yx").utf8)])
    for folding: TextFolding in [[], .caseInsensitive] {
      let pattern = TextPattern(.wildcards, Array(pattern.utf8), folding: folding)
      let expected = pattern.folding.isEmpty || !pattern.text.contains(0xCC)
      #expect(try matching(pattern, view, table) == (expected ? [1] : []))
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func randomPatternsMatchWhatTheNaiveMatcherDoes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces =
      [
        "a", "A", "e", "É", "e\u{301}", "\u{301}", "\u{323}", "ß", "SS", "Σ", "ς", "İ", "한", "ﬁ",
        "ᾳ",
        "\u{345}", "😀", "\u{1112}", "\u{1161}", "\u{9C7}", "\u{9BE}", "*", "?", "\\",
      ].map { Array($0.utf8) } + [[0xC3], [0xFF]]
    func text(_ pieces: [[UInt8]], _ count: Int) -> [UInt8] {
      (0..<Int.random(in: 0...count, using: &random)).flatMap { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
    }
    // Some leaves are of ASCII, and some columns are dictionaries.
    let ascii = pieces.filter { $0.allSatisfy { $0 < 128 } }
    let few = (0..<20).map { _ in text(pieces, 5) }
    let texts = (0..<3_000).map { place in
      place < 1_000 ? text(ascii, 6) : place < 2_000 ? few[place % 20] : text(pieces, 6)
    }
    let (view, table) = try view(texts)
    var found = 0
    for _ in 0..<scaled(25) {
      let pattern = TextPattern(
        TextPattern.Form.allCases[Int.random(in: 0..<5, using: &random)], text(pieces, 3),
        folding: TextFolding(rawValue: UInt8.random(in: 0...3, using: &random)))
      let keys = try matching(pattern, view, table)
      let expected = texts.indices.filter { NaiveMatching.holds(pattern, .bytes(texts[$0])) }
      #expect(keys == expected.map(Int64.init), "\(pattern)")
      found += keys.count
    }
    #expect(found > 1_000)
  }
}
