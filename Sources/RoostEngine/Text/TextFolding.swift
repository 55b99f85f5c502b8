/// The options of text matching: what is ignored.
///
/// As The Unicode Standard defines it, the same on every platform, of the version ``unicodeVersion``: texts are
/// decomposed canonically (NFD, section 3.11), so that each way to write a character counts as the same; cases are
/// folded fully (CaseFolding, statuses C and F: `ß` is `ss`, whatever the language); and of diacritics all nonspacing
/// marks (general category Mn) are left out. What then is a letter with something that is no such mark, a syllable of
/// Hangul or a vowel sign in two parts, is composed again: it is one character. Bytes that are no UTF-8 stay as they are.
package struct TextFolding: OptionSet, Hashable, Sendable {
  /// The options as bits.
  package let rawValue: UInt8

  /// Options from their bits.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue & 3
  }

  /// Upper case, lower case and title case are the same.
  package static let caseInsensitive = TextFolding(rawValue: 1)
  /// Letters are the same with and without marks: `é` is `e`. Letters that only look as if they had one, such as `ø`,
  /// are letters of their own.
  package static let diacriticInsensitive = TextFolding(rawValue: 2)

  /// The version of Unicode by which texts are folded.
  package static var unicodeVersion: String { FoldingData.unicodeVersion }

  /// The bytes of a text in the form in which texts that count as the same are equal.
  package func folded(_ text: [UInt8]) -> [UInt8] {
    var folder = TextFolder(self)
    unsafe text.withUnsafeBytes { unsafe folder.fold(ByteView($0)) }
    return folder.bytes
  }
}

/// Folds one text after another, in the same memory.
struct TextFolder {
  let folding: TextFolding
  /// The bytes of the text that was folded last.
  private(set) var bytes: [UInt8] = []
  private var scalars: [UInt32] = []
  private var folded: [UInt32] = []

  init(_ folding: TextFolding) {
    self.folding = folding
  }

  /// Leaves the folded bytes of a text in ``bytes``; the time it takes grows with the text only.
  mutating func fold(_ text: ByteView) {
    bytes.removeAll(keepingCapacity: true)
    if folding.isEmpty || text.isASCII {
      unsafe text.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
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

  /// Leaves the nonspacing marks out, or brings those of each character into their canonical order.
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

  /// Makes one scalar of two that are one character.
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

  /// Sorts scalars by their classes, those of one class as they come.
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
  /// The byte, as small as a letter of ASCII may be.
  @inline(__always)
  var lowercasedASCII: UInt8 { self &- 65 < 26 ? self | 32 : self }
}

extension [UInt8] {
  /// Appends a scalar in UTF-8; what stands for a byte that is no UTF-8 is that byte.
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

/// How a byte that is no UTF-8 stands among scalars.
private enum InvalidByte {
  static let first: UInt32 = 0x8000_0000
}

extension ByteView {
  /// Whether all bytes are below 128.
  var isASCII: Bool {
    var bits: UInt64 = 0
    var place = 0
    while place &+ 8 <= count {
      bits |= uint64(at: place)
      place &+= 8
    }
    while place < count {
      bits |= UInt64(uint8(at: place))
      place &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// The scalar whose first byte is at a place, and how many bytes it has.
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
