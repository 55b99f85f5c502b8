/// A pattern for texts: bytes that the text equals, contains, begins or ends with, or wildcards; and the differences to
/// ignore.
package struct TextPattern: Hashable, Sendable {
  /// The required position of the pattern in a text.
  package enum Form: UInt8, Hashable, Sendable, CaseIterable {
    case equal
    case contains
    case prefix
    case suffix
    /// The whole text, in which `*` matches any number of characters, `?` matches one, and `\` escapes the
    /// next character. A character is a scalar with its nonspacing marks, or a byte that is not UTF-8; of the
    /// folded text, if differences are ignored.
    case wildcards
  }

  /// The required position.
  package let form: Form
  /// Its bytes.
  package let text: [UInt8]
  /// What is ignored.
  package let folding: TextFolding

  /// A pattern.
  package init(_ form: Form, _ text: [UInt8], folding: TextFolding = []) {
    self.form = form
    self.text = text
    self.folding = folding
  }
}

/// A pattern prepared for matching.
///
/// A match ends at a character boundary: unless marks are ignored, they belong to the letter before them. So `e` is in
/// `é` only if diacritics are ignored, in any spelling of the text.
struct TextMatcher: Sendable {
  private enum Part: Sendable {
    case bytes([UInt8])
    case anyCharacter
    case anyText
  }

  let form: TextPattern.Form
  let folding: TextFolding
  /// The folded pattern, if it has no wildcards.
  let literal: [UInt8]
  private let parts: [Part]
  /// Whether texts are decomposed and keep their marks.
  private let marksCount: Bool

  init(_ pattern: TextPattern) {
    form = pattern.form
    folding = pattern.folding
    marksCount = folding == .caseInsensitive
    literal = form == .wildcards ? [] : pattern.folding.folded(pattern.text)
    parts = form == .wildcards ? Self.parts(pattern) : []
  }

  /// Splits a pattern at its wildcards.
  private static func parts(_ pattern: TextPattern) -> [Part] {
    var parts: [Part] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty { parts.append(.bytes(pattern.folding.folded(literal))) }
      literal = []
    }
    var isEscaped = false
    for byte in pattern.text {
      switch byte {
      case _ where isEscaped: literal.append(byte)
      case UInt8(ascii: "\\"): break
      case UInt8(ascii: "*"):
        flush()
        parts.append(.anyText)
      case UInt8(ascii: "?"):
        flush()
        parts.append(.anyCharacter)
      default: literal.append(byte)
      }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    flush()
    return parts
  }

  /// Whether a text matches.
  func matches(_ text: ByteView, _ folder: inout TextFolder) -> Bool {
    guard !folding.isEmpty else { return matchesFolded(text) }
    folder.fold(text)
    return folder.bytes.withByteView { matchesFolded($0) }
  }

  private func matchesFolded(_ text: ByteView) -> Bool {
    guard form != .wildcards else { return matchesParts(text) }
    return literal.withByteView { pattern in
      switch form {
      case .wildcards, .equal: return text.bytesEqual(pattern)
      case .prefix: return has(pattern, at: 0, in: text)
      case .suffix: return has(pattern, at: text.count - pattern.count, in: text)
      case .contains:
        guard pattern.count > 0 else { return true }
        var isFound = false
        text.forEachOccurrence(of: pattern) { place in
          isFound = isWhole(place, pattern.count, of: text)
          return isFound ? .end : .next
        }
        return isFound
      }
    }
  }

  private func has(_ pattern: ByteView, at place: Int, in text: ByteView) -> Bool {
    place >= 0 && text.checkedSlice(place, pattern.count)?.bytesEqual(pattern) == true
      && isWhole(place, pattern.count, of: text)
  }

  /// Whether `count` bytes from an index on are whole characters.
  private func isWhole(_ place: Int, _ count: Int, of text: ByteView) -> Bool {
    !marksCount || count == 0
      || !isInCharacter(place, of: text) && !isInCharacter(place + count, of: text)
  }

  /// Whether the bytes at an index continue a character: a mark, or the rest of a scalar.
  @inline(never)
  private func isInCharacter(_ place: Int, of text: ByteView) -> Bool {
    guard place > 0, place < text.count, text.uint8(at: place) >= 0x80 else { return false }
    if text.uint8(at: place) & 0xC0 == 0x80 {
      // Only a pattern that is not UTF-8 begins or ends here.
      return (1...3).contains { $0 <= place && text.scalar(at: place - $0).length > $0 }
    }
    return FoldingTable.shared.isMark(text.scalar(at: place).scalar)
  }

  /// The end of the character at an index.
  ///
  /// - Parameter marks: The marks that were gone over last: so a long row of them is gone over once.
  private func endOfCharacter(
    _ place: Int, of text: ByteView, _ marks: inout Range<Int>
  ) -> Int {
    if marks.contains(place) { return marks.upperBound }
    var end = place + text.scalar(at: place).length
    let start = end
    while end < text.count, text.uint8(at: end) >= 0x80 {
      let (scalar, length) = text.scalar(at: end)
      guard FoldingTable.shared.isMark(scalar) else { break }
      end += length
    }
    marks = start..<end
    return end
  }

  /// Matches wildcards: each `*` takes the shortest text with which the parts up to the next `*` match, which never
  /// prevents a match.
  private func matchesParts(_ text: ByteView) -> Bool {
    var place = 0
    var part = 0
    var retry: (part: Int, place: Int)?
    var marks = 0..<0
    while true {
      if part == parts.count {
        if place == text.count { return true }
      } else {
        switch parts[part] {
        case .anyText:
          part += 1
          if part == parts.count { return true }
          retry = (part, place)
          continue
        case .anyCharacter:
          if place < text.count {
            place = endOfCharacter(place, of: text, &marks)
            part += 1
            continue
          }
        case .bytes(let bytes):
          let isThere = bytes.withByteView { has($0, at: place, in: text) }
          if isThere {
            place += bytes.count
            part += 1
            continue
          }
        }
      }
      guard let last = retry, last.place < text.count else { return false }
      place =
        marksCount
        ? endOfCharacter(last.place, of: text, &marks)
        : last.place + text.scalar(at: last.place).length
      retry = (last.part, place)
      part = last.part
    }
  }
}
