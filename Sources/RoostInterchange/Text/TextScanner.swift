/// Scans bytes that arrive in pieces, and tracks the line and column.
///
/// Holds one piece and the rest of the previous one, however long the text is.
package struct TextScanner {
  /// Returns the next piece; nil at the end.
  private let next: () throws -> [UInt8]?
  /// The buffered bytes.
  private(set) var bytes: [UInt8] = []
  /// The index of the next byte in the buffer.
  var place = 0
  /// The index from which scanned bytes are kept; nil without a mark.
  private var mark: Int?
  /// The number of bytes scanned and discarded before the buffer.
  private var passed = 0
  private var isLast = false
  private var line = 1
  /// The offset of the current line in the text.
  private var lineStart = 0
  /// The start of the current value.
  private var valueLine = 1
  private var valueColumn = 1
  /// Whether an error was one of the grammar: then nothing says where the next value begins.
  private(set) var isBroken = false
  /// Whether an error is the program's, as it would be at each value, so that nothing more is to be read.
  var isRefused = false

  /// A text whose pieces `next` returns.
  package init(_ next: @escaping () throws -> [UInt8]?) { self.next = next }

  /// A text in memory.
  package init(_ bytes: [UInt8]) {
    next = { nil }
    self.bytes = bytes
  }

  /// A place in a text where another scanner may go on.
  package struct Position: Sendable {
    /// The offset in the text.
    package let offset: Int
    fileprivate let line: Int
    fileprivate let lineStart: Int
  }

  /// The rest of a text, from a position on; `next` returns its pieces.
  package init(from position: Position, _ next: @escaping () throws -> [UInt8]?) {
    self.next = next
    passed = position.offset
    line = position.line
    lineStart = position.lineStart
  }

  /// The position of the next byte.
  package var position: Position {
    Position(offset: passed + place, line: line, lineStart: lineStart)
  }

  // MARK: Bytes

  /// The next byte, without consuming it; nil at the end.
  @inline(__always)
  mutating func peek() throws(TextError) -> UInt8? {
    if place < bytes.count { return bytes[place] }
    return try hasMore() ? bytes[place] : nil
  }

  /// Reads on past the end of the buffer; false at the end of the text.
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

  /// Consumes the next byte, a line feed, and counts the line.
  mutating func passLineFeed() {
    place += 1
    line += 1
    lineStart = passed + place
  }

  /// Skips a UTF-8 byte order mark at the beginning.
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

  /// Keeps all bytes from here on.
  mutating func beginMark() { mark = place }

  /// Removes the mark, and returns the bytes since it.
  mutating func endMark() -> ArraySlice<UInt8> {
    let start = mark ?? place
    mark = nil
    return bytes[start..<place]
  }

  // MARK: Places

  /// Marks this place as the start of a value.
  @inline(__always)
  mutating func beginValue() {
    valueLine = line
    valueColumn = passed + place - lineStart + 1
  }

  /// The start of the current value.
  package var valuePlace: (line: Int, column: Int) { (valueLine, valueColumn) }

  /// Restores the start of an earlier value.
  mutating func restoreValue(_ place: (line: Int, column: Int)) {
    (valueLine, valueColumn) = place
  }

  /// The error that the current value is not as expected.
  func fault(_ expected: String, found: String) -> TextError {
    .malformed(
      TextFault(line: valueLine, column: valueColumn, expected: expected, found: found))
  }

  /// The error that the next byte is not as expected.
  mutating func faultHere(_ expected: String) throws(TextError) -> TextError {
    let byte = try peek()
    beginValue()
    return broken(expected, found: Self.name(of: byte))
  }

  /// The error that the current value is not as expected, so that what follows cannot be read.
  mutating func broken(_ expected: String, found: String) -> TextError {
    isBroken = true
    return fault(expected, found: found)
  }

  /// Skips the rest of the line, at whose end anything can be read again.
  mutating func skipLine() throws(TextError) {
    mark = nil
    isBroken = false
    while let byte = try peek() {
      guard byte != UInt8(ascii: "\n") else { return passLineFeed() }
      place += 1
    }
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
