import Foundation
import RoostEngine
import RoostTestSupport
import Testing

@Suite struct TextFoldingTests {
  /// The scalars that the table's version of Unicode knows.
  static let scalars = (0..<0x11_0000 as Range<UInt32>).compactMap(Unicode.Scalar.init)
    .filter(isKnown)

  private static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
    // A vowel sign of Ahom became a spacing mark later.
    scalar.value != 0x1171E && scalar.properties.age.map { $0.major <= 14 } ?? false
  }

  private func folded(_ text: String, _ folding: TextFolding) -> String {
    String(decoding: folding.folded(Array(text.utf8)), as: UTF8.self)
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

  @Test func everyScalarIsDecomposedAsFoundationDoesIt() {
    let wrong = Self.scalars.filter { scalar in
      !scalar.properties.changesWhenCaseFolded
        && decomposed(folded(String(scalar), .caseInsensitive)) != decomposed(String(scalar))
    }
    #expect(wrong == [])
  }

  private func decomposed(_ text: String) -> [Unicode.Scalar] {
    scalars(text.decomposedStringWithCanonicalMapping)
  }

  @Test func everyScalarEqualsItsLowerUpperAndTitleCase() {
    // The other case of these is that of another letter.
    let wrong = Self.scalars.filter { $0 != "ı" && $0 != "İ" }.filter { scalar in
      let properties = scalar.properties
      let expected = decomposed(folded(String(scalar), .caseInsensitive))
      if !properties.isCased, !properties.changesWhenCaseFolded {
        return expected != decomposed(String(scalar))
      }
      let cases = [
        properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping,
      ]
      return cases.filter { $0.unicodeScalars.allSatisfy(Self.isKnown) }
        .contains { decomposed(folded($0, .caseInsensitive)) != expected }
        || (expected != decomposed(String(scalar))) != properties.changesWhenCaseFolded
    }
    #expect(wrong == [])
  }

  @Test func withoutDiacriticsNoNonspacingMarkIsLeft() {
    let wrong = Self.scalars.filter { scalar in
      decomposed(folded("a\(scalar)b", .diacriticInsensitive))
        != decomposed("a\(scalar)b").filter {
          $0.properties.generalCategory != .nonspacingMark
        }
    }
    #expect(wrong == [])
  }

  @Test func marksComeInTheirCanonicalOrder() {
    let marks = Self.scalars.filter { $0.properties.canonicalCombiningClass != .notReordered }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        text.unicodeScalars.append(
          Self.scalars[Int.random(in: 0..<Self.scalars.count, using: &random)])
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          text.unicodeScalars.append(marks[Int.random(in: 0..<marks.count, using: &random)])
        }
      }
      let plain = scalars(text.decomposedStringWithCanonicalMapping)
      guard !plain.contains(where: { $0.properties.changesWhenCaseFolded }) else { continue }
      #expect(decomposed(folded(text, .caseInsensitive)) == plain, "\(scalars(text))")
    }
  }

  @Test func whatIsNoMarkIsNoCharacterOfItsOwn() {
    // Syllables of Hangul, vowel signs in two parts, notes with a stem.
    let composed = Self.scalars.filter { scalar in
      let parts = decomposed(String(scalar))
      return parts.count > 1
        && !parts.dropFirst().contains { $0.properties.generalCategory == .nonspacingMark }
        && !scalar.properties.changesWhenCaseFolded
    }
    #expect(composed.count > 11_172)
    for folding: TextFolding in [.caseInsensitive, .diacriticInsensitive] {
      // But for one whose first part is a mark itself.
      let wrong = composed.filter { scalar in
        decomposed(String(scalar))[0].properties.generalCategory != .nonspacingMark
          && scalars(folded(String(scalar), folding)) != [scalar]
      }
      #expect(wrong == [])
    }
  }

  @Test(arguments: [
    ("STRASSE", "straße"), ("ΣΊΣΥΦΟΣ", "Σίσυφος"), ("ŒUVRE", "œuvre"), ("ﬃ", "FFI"), ("ŉ", "ʼN"),
    ("ᾳ", "ΑΙ"), ("É", "e\u{301}"), ("Å", "å"), ("ꭰ", "Ꭰ"), ("한", "\u{1112}\u{1161}\u{11AB}"),
    ("α\u{345}\u{301}", "Ά\u{399}"), ("DŽ", "dž"),
  ])
  func theseAreTheSameWhateverTheirCase(a: String, b: String) {
    #expect(scalars(folded(a, .caseInsensitive)) == scalars(folded(b, .caseInsensitive)))
  }

  @Test(arguments: [
    ("Crème Brûlée", "creme brulee"), ("Ångström", "angstrom"), ("Đặng", "đang"), ("ø", "ø"),
    ("Ώ", "ω"), ("Ёлка", "елка"), ("ガ", "カ"),
  ])
  func theseAreFoldedToThose(text: String, expected: String) {
    #expect(folded(text, [.caseInsensitive, .diacriticInsensitive]) == expected)
  }

  @Test func whatIsNoTextStaysAsItIs() {
    for bytes: [UInt8] in [
      [0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xC0, 0x80], [0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xE0, 0x80, 0x80],
    ] {
      for folding: TextFolding in [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      ] {
        #expect(folding.folded(bytes) == bytes)
        #expect(folding.folded([0x61] + bytes + [0xC3, 0xA9]).starts(with: [0x61] + bytes))
      }
    }
  }

  @Test func aMillionMarksOnOneLetterAreOrderedInTimeThatGrowsWithTheirNumber() {
    var text = "e"
    for place in 0..<500_000 { text += place % 2 == 0 ? "\u{301}" : "\u{323}" }
    let folded = TextFolding.caseInsensitive.folded(Array(text.utf8))
    #expect(
      folded
        == Array(
          ("e" + String(repeating: "\u{323}", count: 250_000)
            + String(repeating: "\u{301}", count: 250_000)).utf8))
  }
}
