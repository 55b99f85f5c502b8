/// The options of text matching: the differences to ignore.
///
/// As defined by The Unicode Standard, identical on every platform, in the version ``unicodeVersion``: texts are
/// decomposed canonically (NFD, section 3.11), so that all encodings of a character are equal; cases are
/// folded fully (CaseFolding, statuses C and F: `ß` is `ss`, regardless of language); diacritic folding removes all
/// nonspacing marks (general category Mn). Then letters with another kind of mark, Hangul syllables and two-part
/// vowel signs are composed again to one character. Bytes that are not UTF-8 stay unchanged.
package struct TextFolding: OptionSet, Hashable, Sendable {
  /// The options as bits.
  package let rawValue: UInt8

  /// Options from their bits.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue & 3
  }

  /// Upper case, lower case and title case are equal.
  package static let caseInsensitive = TextFolding(rawValue: 1)
  /// Letters are equal with and without marks: `é` is `e`. Letters that only appear to have a mark, such as `ø`,
  /// are letters of their own.
  package static let diacriticInsensitive = TextFolding(rawValue: 2)

  /// The version of Unicode used for folding.
  package static var unicodeVersion: String { FoldingData.unicodeVersion }

  /// The folded bytes of a text: equivalent texts have equal folded bytes.
  package func folded(_ text: [UInt8]) -> [UInt8] {
    var folder = TextFolder(self)
    text.withByteView { folder.fold($0) }
    return folder.bytes
  }
}

/// Folds one text after another, reusing the memory.
struct TextFolder {
  let folding: TextFolding
  /// The bytes of the last folded text.
  private(set) var bytes: [UInt8] = []
  private var scalars: [UInt32] = []
  private var folded: [UInt32] = []

  init(_ folding: TextFolding) {
    self.folding = folding
  }

  /// Folds a text into ``bytes``; the time depends only on the text's length.
  mutating func fold(_ text: ByteView) {
    bytes.removeAll(keepingCapacity: true)
    if folding.isEmpty || text.isASCII {
      bytes.append(text)
      guard folding.contains(.caseInsensitive) else { return }
      for place in bytes.indices { bytes[place] = bytes[place].lowercasedASCII }
      return
    }
    let table = FoldingTable.shared
    scalars.removeAll(keepingCapacity: true)
    var place = 0
    while place < text.count {
      let (scalar, length) = text.scalar(at: place)
      table.decompose(scalar, into: &scalars)
      place += length
    }
    settleMarks(table)
    if folding.contains(.caseInsensitive) {
      folded.removeAll(keepingCapacity: true)
      for scalar in scalars { table.fold(scalar, into: &folded) }
      swap(&scalars, &folded)
      settleMarks(table)
    }
    compose(table)
    for scalar in scalars { bytes.append(scalar: scalar) }
  }

  /// Removes the nonspacing marks, or sorts those of each character into canonical order.
  private mutating func settleMarks(_ table: FoldingTable) {
    if folding.contains(.diacriticInsensitive) { scalars.removeAll(where: table.isMark) }
    var place = 0
    while place < scalars.count {
      let start = place
      while place < scalars.count, table.combiningClass(scalars[place]) > 0 { place += 1 }
      if place - start > 1 { order(start..<place, table) }
      place += 1
    }
  }

  /// Composes pairs of scalars that form one character.
  private mutating func compose(_ table: FoldingTable) {
    var end = 0
    for scalar in scalars {
      if end > 0, let whole = table.composition(scalars[end - 1], scalar) {
        scalars[end - 1] = whole
      } else {
        scalars[end] = scalar
        end += 1
      }
    }
    scalars.removeLast(scalars.count - end)
  }

  /// Sorts scalars by combining class, keeping the order within a class.
  private mutating func order(_ range: Range<Int>, _ table: FoldingTable) {
    let classes = scalars[range].map(table.combiningClass)
    guard zip(classes, classes.dropFirst()).contains(where: { $0 > $1 }) else { return }
    let marks = Array(scalars[range])
    var place = range.lowerBound
    for wanted in 1...255 {
      for (mark, other) in zip(marks, classes) where other == wanted {
        scalars[place] = mark
        place += 1
      }
    }
  }
}

extension UInt8 {
  /// The byte, converted to lower case if it is an ASCII letter.
  @inline(__always)
  var lowercasedASCII: UInt8 { self &- 65 < 26 ? self | 32 : self }
}

extension [UInt8] {
  /// Appends a scalar in UTF-8; a placeholder for a byte that is not UTF-8 becomes that byte.
  fileprivate mutating func append(scalar: UInt32) {
    switch scalar {
    case 0..<0x80: append(UInt8(scalar))
    case InvalidByte.first...: append(UInt8(truncatingIfNeeded: scalar))
    default:
      if let unicode = Unicode.Scalar(scalar) {
        append(contentsOf: UTF8.encode(unicode) ?? .init())
      }
    }
  }
}

/// The placeholder scalars for bytes that are not UTF-8.
private enum InvalidByte {
  static let first: UInt32 = 0x8000_0000
}

extension ByteView {
  /// The scalar whose first byte is at an index, and its length in bytes.
  func scalar(at place: Int) -> (scalar: UInt32, length: Int) {
    let first = UInt32(uint8(at: place))
    guard first >= 0x80 else { return (first, 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, place + length <= count else {
      return (InvalidByte.first | first, 1)
    }
    var scalar = first & (0x7F &>> UInt32(length))
    for offset in 1..<length {
      let byte = UInt32(uint8(at: place + offset))
      guard byte & 0xC0 == 0x80 else { return (InvalidByte.first | first, 1) }
      scalar = scalar << 6 | byte & 0x3F
    }
    let isShortest = scalar >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000)
    guard isShortest, Unicode.Scalar(scalar) != nil else { return (InvalidByte.first | first, 1) }
    return (scalar, length)
  }
}
