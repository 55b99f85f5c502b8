import Foundation
import RoostEngine

/// Texts folded by what Foundation and the standard library know of characters, not by the engine's tables.
enum NaiveFolding {
  static func folded(_ folding: TextFolding, _ text: [UInt8]) -> [UInt8] {
    guard !folding.isEmpty else { return text }
    if text.allSatisfy({ $0 < 0x80 }) {
      guard folding.contains(.caseInsensitive) else { return text }
      return text.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
    if let whole = String(validating: text, as: UTF8.self) { return folded(folding, whole) }
    // A byte that is no UTF-8 stays as it is, between what is.
    var result: [UInt8] = []
    var run = ""
    var rest = text[...]
    while let byte = rest.first {
      let scalar = (1...4).lazy.map { Array(rest.prefix($0)) }
        .compactMap { String(validating: $0, as: UTF8.self)?.unicodeScalars.first }.first
      if let scalar {
        run.unicodeScalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        result += folded(folding, run) + [byte]
        run = ""
        rest = rest.dropFirst()
      }
    }
    return result + folded(folding, run)
  }

  /// A text with its letters and their marks in one scalar each, where there is one, or in several.
  static func spelled(_ text: [UInt8], composed: Bool) -> [UInt8] {
    guard let text = String(validating: text, as: UTF8.self) else { return text }
    return Array(
      (composed
        ? text.precomposedStringWithCanonicalMapping : text.decomposedStringWithCanonicalMapping)
        .utf8)
  }

  private static func folded(_ folding: TextFolding, _ text: String) -> [UInt8] {
    var scalars = settled(text.unicodeScalars.flatMap { decomposition($0) }, folding)
    if folding.contains(.caseInsensitive) {
      scalars = settled(scalars.flatMap { caseFolding($0) }, folding)
    }
    return composed(scalars).flatMap { Array(UTF8.encode($0) ?? .init()) }
  }

  /// Letters of Hangul that form a syllable as that one, which is one character however it is spelled.
  private static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    for scalar in scalars {
      if let last = result.last, isHangul(last), isHangul(scalar) {
        let pair = (String(last) + String(scalar)).precomposedStringWithCanonicalMapping
          .unicodeScalars
        if let whole = pair.first, pair.count == 1 {
          result[result.count - 1] = whole
          continue
        }
      }
      result.append(scalar)
    }
    return result
  }

  private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x11FF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
  }

  /// Without marks where they do not count, else with the marks of each letter in their canonical order.
  private static func settled(
    _ scalars: [Unicode.Scalar], _ folding: TextFolding
  ) -> [Unicode.Scalar] {
    if folding.contains(.diacriticInsensitive) {
      return scalars.filter { $0.properties.generalCategory != .nonspacingMark }
    }
    var result: [Unicode.Scalar] = []
    for scalar in scalars {
      let order = scalar.properties.canonicalCombiningClass
      var place = result.count
      while order != .notReordered, place > 0,
        result[place - 1].properties.canonicalCombiningClass > order
      {
        place -= 1
      }
      result.insert(scalar, at: place)
    }
    return result
  }

  private static func decomposition(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    // Syllables of Hangul stay whole: each is one character.
    if scalar.value < 0xC0 || (0xAC00...0xD7A3).contains(scalar.value) { return [scalar] }
    if scalar.value < known.count { return known[Int(scalar.value)] }
    return computedDecomposition(scalar)
  }

  /// The decompositions of the letters that tests have most.
  private static let known: [[Unicode.Scalar]] = (0..<0x800).map { value in
    Unicode.Scalar(value as UInt32).map(computedDecomposition) ?? []
  }

  private static func computedDecomposition(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
  }

  /// The lower case of the upper case, so that `ß` is `ss` and `ς` is `σ`; only `ı` is no `i`.
  private static func caseFolding(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.isASCII, !("A"..."Z").contains(scalar) { return [scalar] }
    guard scalar != "ı" else { return [scalar] }
    return scalar.properties.uppercaseMapping.unicodeScalars
      .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
      .flatMap { decomposition($0) }
  }
}
