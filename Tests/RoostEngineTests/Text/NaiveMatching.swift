import RoostEngine

/// Patterns matched as simply as can be, character by character.
enum NaiveMatching {
  static func holds(_ pattern: TextPattern, _ value: Value) -> Bool {
    guard case .bytes(let bytes) = value else { return false }
    let text = characters(NaiveFolding.folded(pattern.folding, bytes), pattern.folding)
    switch pattern.form {
    case .wildcards: return matches(parts(pattern), text)
    default: break
    }
    let wanted = characters(NaiveFolding.folded(pattern.folding, pattern.text), pattern.folding)
    switch pattern.form {
    case .equal: return text == wanted
    case .prefix: return text.starts(with: wanted)
    case .suffix: return text.reversed().starts(with: wanted.reversed())
    default: return (0...text.count).contains { text[$0...].starts(with: wanted) }
    }
  }

  /// What a match may not cut: where marks count, a scalar with the nonspacing marks behind it, else a byte.
  private static func characters(_ text: [UInt8], _ folding: TextFolding) -> [[UInt8]] {
    folding == .caseInsensitive ? wholeCharacters(text) : text.map { [$0] }
  }

  private static func wholeCharacters(_ text: [UInt8]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for (scalar, bytes) in scalars(text) {
      if scalar?.properties.generalCategory == .nonspacingMark, !result.isEmpty {
        result[result.count - 1] += bytes
      } else {
        result.append(bytes)
      }
    }
    return result
  }

  /// The scalars, and the bytes that belong to none.
  private static func scalars(_ text: [UInt8]) -> [(Unicode.Scalar?, bytes: [UInt8])] {
    var result: [(Unicode.Scalar?, bytes: [UInt8])] = []
    var rest = text[...]
    while let byte = rest.first {
      guard byte >= 0x80 else {
        result.append((Unicode.Scalar(byte), [byte]))
        rest = rest.dropFirst()
        continue
      }
      let scalar = (1...4).lazy.map { Array(rest.prefix($0)) }
        .compactMap { String(validating: $0, as: UTF8.self)?.unicodeScalars.first }.first
      result.append((scalar, Array(rest.prefix(scalar.map { UTF8.width($0) } ?? 1))))
      rest = rest.dropFirst(result.last?.bytes.count ?? 1)
    }
    return result
  }

  /// Where what stands for any text may end: behind whole scalars, and bytes that belong to none.
  private static func scalarEnds(_ text: some Sequence<UInt8>) -> Set<Int> {
    var (ends, end): (Set<Int>, Int) = ([0], 0)
    for (_, bytes) in scalars(Array(text)) {
      end += bytes.count
      ends.insert(end)
    }
    return ends
  }

  private enum Part {
    case text([UInt8])
    case anyCharacter
    case anyText
  }

  private static func parts(_ pattern: TextPattern) -> [Part] {
    var parts: [Part] = []
    var literal: [UInt8] = []
    func flush() {
      // Without marks that count, a match may end within a character.
      parts += characters(NaiveFolding.folded(pattern.folding, literal), pattern.folding).map {
        .text($0)
      }
      literal = []
    }
    var rest = pattern.text[...]
    while let byte = rest.popFirst() {
      switch Character(Unicode.Scalar(byte)) {
      case "*":
        flush()
        parts.append(.anyText)
      case "?":
        flush()
        parts.append(.anyCharacter)
      case "\\": if let next = rest.popFirst() { literal.append(next) }
      default: literal.append(byte)
      }
    }
    flush()
    return parts
  }

  /// Follows all ways through the parts at once.
  private static func matches(_ parts: [Part], _ text: [[UInt8]]) -> Bool {
    var ends: [Int] = []
    for character in wholeCharacters(Array(text.joined())) {
      ends.append((ends.last ?? 0) + character.count)
    }
    var starts = [0]
    for piece in text { starts.append((starts.last ?? 0) + piece.count) }
    var reached = [Bool](repeating: false, count: text.count + 1)
    reached[0] = true
    for part in parts {
      var next = [Bool](repeating: false, count: text.count + 1)
      for place in 0...text.count where reached[place] {
        switch part {
        case .text(let wanted):
          if place < text.count, text[place] == wanted { next[place + 1] = true }
        case .anyCharacter:
          if let end = ends.first(where: { $0 > starts[place] }),
            let after = starts.firstIndex(of: end)
          {
            next[after] = true
          }
        case .anyText:
          let ends = scalarEnds(text[place...].joined())
          for after in place...text.count where ends.contains(starts[after] - starts[place]) {
            next[after] = true
          }
        }
      }
      reached = next
    }
    return reached[text.count]
  }
}
