/// Goes through bytes that come in pieces, and knows its line and column.
///
/// It holds one piece and what is left of the one before, however long the text is.
package struct TextScanner {
  /// Gives the next piece; nil at the end.
  private let next: () throws -> [UInt8]?
  /// The bytes at hand.
  private(set) var bytes: [UInt8] = []
  /// The place of the next byte among them.
  var place = 0
  /// From where on bytes are kept although they were passed.
  private var mark: Int?
  /// How many bytes came before those at hand.
  private var passed = 0
  private var isLast = false
  private var line = 1
  /// Where the line begins, counted from the text's first byte.
  private var lineStart = 0
  /// Where the value begins that is read now.
  private var valueLine = 1
  private var valueColumn = 1

  /// A text whose pieces `next` gives.
  package init(_ next: @escaping () throws -> [UInt8]?) { self.next = next }

  /// A text that is at hand.
  package init(_ bytes: [UInt8]) {
    next = { nil }
    self.bytes = bytes
  }

  // MARK: Bytes

  /// The next byte, which stays the next; nil at the end.
  @inline(__always)
  mutating func peek() throws(TextError) -> UInt8? {
    if place < bytes.count { return bytes[place] }
    return try hasMore() ? bytes[place] : nil
  }

  /// Whether there are bytes behind those at hand; then they are at hand too.
  mutating func hasMore() throws(TextError) -> Bool {
    guard !isLast else { return false }
    let kept = mark ?? place
    bytes.removeFirst(kept)
    passed += kept
    place -= kept
    if mark != nil { mark = 0 }
    while place >= bytes.count {
      let piece: [UInt8]?
      do { piece = try next() } catch { throw .source(error) }
      guard let piece else {
        isLast = true
        return false
      }
      bytes.append(contentsOf: piece)
    }
    return true
  }

  /// Notes that the byte at hand, a line feed, was passed.
  mutating func passLineFeed() {
    place += 1
    line += 1
    lineStart = passed + place
  }

  /// Passes the mark of UTF-8 that some programs put at the beginning.
  package mutating func passByteOrderMark() throws(TextError) {
    beginMark()
    for byte in [0xEF, 0xBB, 0xBF] as [UInt8] {
      guard try peek() == byte else {
        place = mark ?? place
        break
      }
      place += 1
    }
    mark = nil
  }

  // MARK: Marks

  /// Keeps the bytes from here on.
  mutating func beginMark() { mark = place }

  /// The bytes since the mark, which are not kept any longer.
  mutating func endMark() -> ArraySlice<UInt8> {
    let start = mark ?? place
    mark = nil
    return bytes[start..<place]
  }

  // MARK: Places

  /// Notes that a value begins here.
  @inline(__always)
  mutating func beginValue() {
    valueLine = line
    valueColumn = passed + place - lineStart + 1
  }

  /// Where the value begins that is read now.
  package var valuePlace: (line: Int, column: Int) { (valueLine, valueColumn) }

  /// Notes again where the value began that was read.
  mutating func restoreValue(_ place: (line: Int, column: Int)) {
    (valueLine, valueColumn) = place
  }

  /// The error that something else should be where the value begins that is read now.
  func fault(_ expected: String, found: String) -> TextError {
    .malformed(
      TextFault(line: valueLine, column: valueColumn, expected: expected, found: found))
  }

  /// The error that something else should be here.
  mutating func faultHere(_ expected: String) throws(TextError) -> TextError {
    let byte = try peek()
    beginValue()
    return fault(expected, found: Self.name(of: byte))
  }

  private static func name(of byte: UInt8?) -> String {
    switch byte {
    case nil: "the end of the text"
    case UInt8(ascii: "\n")?: "the end of the line"
    case let byte? where byte > 0x20 && byte < 0x7F: "\"\(Character(UnicodeScalar(byte)))\""
    case let byte?: "the byte \(byte)"
    }
  }
}
