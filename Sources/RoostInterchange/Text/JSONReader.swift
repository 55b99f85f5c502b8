internal import RoostEngine

/// Reads JSON (RFC 8259) value by value, from bytes that arrive in pieces.
///
/// Strict: anything outside the standard's grammar is an error, as are invalid UTF-8, unpaired surrogates, and values nested
/// deeper than ``depthMax``. Any bytes are accepted.
package struct JSONReader {
  /// The kind of a value, known from its first byte.
  package enum Kind: Sendable {
    case object, array, string, number, bool, null, end

    package var name: String {
      switch self {
      case .object: "an object"
      case .array: "an array"
      case .string: "a string"
      case .number: "a number"
      case .bool: "a bool"
      case .null: "null"
      case .end: "the end of the text"
      }
    }
  }

  /// The maximum nesting of arrays and objects.
  package static let depthMax = 512

  var scanner: TextScanner
  /// The last string or number read.
  package private(set) var text: [UInt8] = []
  /// The maximum bytes of a string or a value that is read raw.
  package var textBytesMax = JSONReader.textBytesMax
  /// The places of values that a property's type may refuse, of the records read since they were last taken.
  private var checkedValues: [ValuePlace] = []
  private var depth = 0
  /// Whether the next value, or the one just read, stands in no array and no object.
  var isOutermost: Bool { depth == 0 }
  /// Whether a line feed ends a value.
  private let isByLine: Bool

  /// A reader of one text.
  ///
  /// - Parameter isByLine: Whether each value is on a line of its own.
  package init(_ scanner: TextScanner, isByLine: Bool = false) {
    self.scanner = scanner
    self.isByLine = isByLine
  }

  /// The start of the current value.
  package var valuePlace: (line: Int, column: Int) { scanner.valuePlace }

  /// The place of a value in a column.
  package struct ValuePlace: Sendable {
    package let column: Int
    /// The line and the byte in it, from 1.
    package let place: (line: Int, column: Int)
  }

  /// The number of places noted.
  package var checkedCount: Int { checkedValues.count }

  /// Notes the place of the next value, unless its type takes all values.
  mutating func notePlace(ofValueFor column: Int, _ shape: ValueShape) throws(TextError) {
    guard shape.isChecked else { return }
    _ = try peek()
    checkedValues.append(ValuePlace(column: column, place: scanner.valuePlace))
  }

  /// Returns and forgets the places noted after the first `count`.
  package mutating func takeChecked(after count: Int) -> [ValuePlace] {
    guard checkedValues.count > count else { return [] }
    defer { checkedValues.removeSubrange(count...) }
    return Array(checkedValues[count...])
  }

  /// The position of the next byte.
  package var position: TextScanner.Position { scanner.position }

  // MARK: Going on after a mistake

  /// The start of a value, from which the reader finds its end after a mistake in it.
  struct ValueStart {
    fileprivate let offset: Int
    fileprivate let depth: Int
  }

  /// The start of the next value.
  mutating func valueStart() throws(TextError) -> ValueStart {
    _ = try peek()
    return ValueStart(offset: scanner.position.offset, depth: depth)
  }

  /// Skips the rest of a value in which there was a mistake, one that is not of the grammar.
  ///
  /// Checks of the rest only the strings and that all brackets are closed.
  mutating func skipRest(of start: ValueStart) throws(TextError) {
    checkedValues.removeAll()
    _ = scanner.endMark()
    guard scanner.position.offset > start.offset else { return try skipValue() }
    while depth > start.depth {
      try skipSpace()
      switch try scanner.peek() {
      case nil: throw try scanner.faultHere("the end of the value")
      case UInt8(ascii: "\""): try readString()
      case UInt8(ascii: "{"), UInt8(ascii: "["): try enter()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        scanner.place += 1
        depth -= 1
      default: scanner.place += 1
      }
    }
  }

  /// Skips the rest of the line, of a text whose values have a line each.
  mutating func skipLine() throws(TextError) {
    checkedValues.removeAll()
    depth = 0
    try scanner.skipLine()
  }

  // MARK: Between values

  private mutating func skipSpace() throws(TextError) {
    while let byte = try scanner.peek() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): scanner.place += 1
      case UInt8(ascii: "\n"):
        guard !isByLine || depth == 0 else { return }
        scanner.passLineFeed()
      default: return
      }
    }
  }

  /// The kind of the next value.
  package mutating func peek() throws(TextError) -> Kind {
    try skipSpace()
    scanner.beginValue()
    guard let byte = try scanner.peek() else { return .end }
    switch byte {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    default: throw try scanner.faultHere("a value")
    }
  }

  /// Expects the end of the text, or of the line where each value has its own line.
  package mutating func endValue() throws(TextError) {
    guard isByLine else {
      try skipSpace()
      guard try scanner.peek() == nil else { throw try scanner.faultHere("the end of the text") }
      return
    }
    while let byte = try scanner.peek() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): scanner.place += 1
      case UInt8(ascii: "\n"): return scanner.passLineFeed()
      default: throw try scanner.faultHere("the end of the line")
      }
    }
  }

  private mutating func expect(_ byte: UInt8, _ expected: String) throws(TextError) {
    guard try scanner.peek() == byte else { throw try scanner.faultHere(expected) }
    scanner.place += 1
  }

  // MARK: Arrays and objects

  private mutating func enter() throws(TextError) {
    guard depth < Self.depthMax else {
      throw scanner.broken("at most \(Self.depthMax) levels", found: "one more")
    }
    scanner.place += 1
    depth += 1
  }

  /// Enters the next array.
  package mutating func beginArray() throws(TextError) { try enter() }

  /// Whether another element follows; if not, leaves the array.
  package mutating func nextElement(isFirst: Bool) throws(TextError) -> Bool {
    try next(isFirst: isFirst, end: UInt8(ascii: "]"), "\",\" or \"]\"")
  }

  /// Enters the next object.
  package mutating func beginObject() throws(TextError) { try enter() }

  /// Reads the name of the next member into ``text``; false at the end of the object.
  package mutating func nextMember(isFirst: Bool) throws(TextError) -> Bool {
    guard try next(isFirst: isFirst, end: UInt8(ascii: "}"), "\",\" or \"}\"") else {
      return false
    }
    try skipSpace()
    guard try scanner.peek() == UInt8(ascii: "\"") else {
      throw try scanner.faultHere("a member's name")
    }
    scanner.beginValue()
    try readString()
    try skipSpace()
    try expect(UInt8(ascii: ":"), "\":\"")
    return true
  }

  private mutating func next(
    isFirst: Bool, end: UInt8, _ expected: String
  ) throws(TextError) -> Bool {
    try skipSpace()
    let byte = try scanner.peek()
    if byte == end {
      scanner.place += 1
      depth -= 1
      return false
    }
    // No comma precedes the first element; its reader checks it.
    if isFirst { return true }
    try expect(UInt8(ascii: ","), expected)
    return true
  }

  // MARK: Values

  /// Reads the next string into ``text``, without its quotation marks and escapes.
  package mutating func readString() throws(TextError) {
    text.removeAll(keepingCapacity: true)
    scanner.place += 1
    var isASCII = true
    while true {
      let start = scanner.place
      var place = start
      let end = scanner.bytes.count
      while place < end {
        let byte = scanner.bytes[place]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
        if byte >= 0x80 { isASCII = false }
        place += 1
      }
      text.append(contentsOf: scanner.bytes[start..<place])
      scanner.place = place
      guard text.count <= textBytesMax else {
        throw scanner.broken("at most \(textBytesMax) bytes", found: "a longer text")
      }
      switch try scanner.peek() {
      case UInt8(ascii: "\""):
        scanner.place += 1
        guard isASCII || isUTF8 else { throw scanner.fault("UTF-8", found: "something else") }
        return
      case UInt8(ascii: "\\"): try readEscape()
      case nil: throw try scanner.faultHere("the end of the string")
      case let byte? where byte < 0x20:
        throw try scanner.faultHere("a character that is not a control character")
      default: continue
      }
    }
  }

  /// The maximum bytes of a string, unless a reader has a lower one.
  package static let textBytesMax = 1 << 30

  private var isUTF8: Bool { text.withByteView { $0.isUTF8 } }

  private mutating func readEscape() throws(TextError) {
    scanner.place += 1
    let escaped: UInt8
    switch try scanner.peek() {
    case UInt8(ascii: "\""): escaped = UInt8(ascii: "\"")
    case UInt8(ascii: "\\"): escaped = UInt8(ascii: "\\")
    case UInt8(ascii: "/"): escaped = UInt8(ascii: "/")
    case UInt8(ascii: "b"): escaped = 8
    case UInt8(ascii: "f"): escaped = 12
    case UInt8(ascii: "n"): escaped = UInt8(ascii: "\n")
    case UInt8(ascii: "r"): escaped = UInt8(ascii: "\r")
    case UInt8(ascii: "t"): escaped = UInt8(ascii: "\t")
    case UInt8(ascii: "u"):
      scanner.place += 1
      return try readCodePoint()
    default: throw try scanner.faultHere("an escape that JSON has")
    }
    scanner.place += 1
    text.append(escaped)
  }

  private mutating func readCodePoint() throws(TextError) {
    var number = try readHexadecimal()
    if 0xD800..<0xDC00 ~= number {
      try expect(UInt8(ascii: "\\"), "the second half of a surrogate pair")
      try expect(UInt8(ascii: "u"), "the second half of a surrogate pair")
      let low = try readHexadecimal()
      guard 0xDC00..<0xE000 ~= low else {
        throw scanner.broken("whole surrogate pairs", found: "a first half alone")
      }
      number = 0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = UnicodeScalar(number) else {
      throw scanner.broken("whole surrogate pairs", found: "a second half alone")
    }
    text.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
  }

  private mutating func readHexadecimal() throws(TextError) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = try scanner.peek().flatMap(Hexadecimal.digit) else {
        throw try scanner.faultHere("a hexadecimal digit")
      }
      number = number << 4 | UInt32(digit)
      scanner.place += 1
    }
    return number
  }

  /// Reads the next number into ``text``, as it is written.
  package mutating func readNumber() throws(TextError) {
    text.removeAll(keepingCapacity: true)
    if try scanner.peek() == UInt8(ascii: "-") { take(UInt8(ascii: "-")) }
    if try scanner.peek() == UInt8(ascii: "0") {
      take(UInt8(ascii: "0"))
    } else {
      try readDigits()
    }
    if try scanner.peek() == UInt8(ascii: ".") {
      take(UInt8(ascii: "."))
      try readDigits()
    }
    guard let byte = try scanner.peek(), byte | 0x20 == UInt8(ascii: "e") else { return }
    take(byte)
    if let sign = try scanner.peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      take(sign)
    }
    try readDigits()
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) {
    text.append(byte)
    scanner.place += 1
  }

  private mutating func readDigits() throws(TextError) {
    let before = text.count
    while let byte = try scanner.peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      take(byte)
      guard text.count <= Self.numberBytesMax else {
        throw scanner.broken("a number of at most \(Self.numberBytesMax) digits", found: "more")
      }
    }
    if text.count == before { throw try scanner.faultHere("a digit") }
  }

  /// More digits than a number in any field needs.
  private static let numberBytesMax = 4096

  /// Reads the next `true` or `false`.
  package mutating func readBool() throws(TextError) -> Bool {
    let isTrue = try scanner.peek() == UInt8(ascii: "t")
    if isTrue { try readWord("true") } else { try readWord("false") }
    return isTrue
  }

  /// Reads the next `null`.
  package mutating func readNull() throws(TextError) { try readWord("null") }

  private mutating func readWord(_ word: StaticString) throws(TextError) {
    let word = ByteView(word)
    for place in 0..<word.count {
      guard try scanner.peek() == word.uint8(at: place) else {
        throw scanner.broken("a value", found: "a word")
      }
      scanner.place += 1
    }
  }

  /// Skips and checks the next value.
  package mutating func skipValue() throws(TextError) {
    switch try peek() {
    case .object:
      try beginObject()
      var isFirst = true
      while try nextMember(isFirst: isFirst) {
        isFirst = false
        try skipValue()
      }
    case .array:
      try beginArray()
      var isFirst = true
      while try nextElement(isFirst: isFirst) {
        isFirst = false
        try skipValue()
      }
    case .string: try readString()
    case .number: try readNumber()
    case .bool: _ = try readBool()
    case .null: try readNull()
    case .end: throw try scanner.faultHere("a value")
    }
  }

  /// Skips and checks the next value; returns the names of the members of its first element if it is an array of objects.
  mutating func skipElements() throws(TextError) -> Set<String>? {
    guard try peek() == .array else {
      try skipValue()
      return nil
    }
    var names: Set<String>?
    var isFirst = true
    try beginArray()
    while try nextElement(isFirst: isFirst) {
      if isFirst, try peek() == .object { names = try skipMembers() } else { try skipValue() }
      isFirst = false
    }
    return names
  }

  /// Skips and checks the next value, an object; returns the names of its members.
  private mutating func skipMembers() throws(TextError) -> Set<String> {
    var names: Set<String> = []
    var isFirst = true
    try beginObject()
    while try nextMember(isFirst: isFirst) {
      isFirst = false
      names.insert(String(decoding: text, as: UTF8.self))
      try skipValue()
    }
    return names
  }

  /// Reads the next value as raw text.
  package mutating func readRaw() throws(TextError) -> [UInt8] {
    _ = try peek()
    let place = scanner.valuePlace
    scanner.beginMark()
    try skipValue()
    scanner.restoreValue(place)
    let raw = scanner.endMark()
    guard raw.count <= textBytesMax else {
      throw scanner.fault("at most \(textBytesMax) bytes", found: "a longer value")
    }
    return Array(raw)
  }
}
