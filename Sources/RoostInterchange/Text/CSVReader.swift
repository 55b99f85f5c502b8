internal import RoostEngine

/// Reads CSV (RFC 4180) record by record, from bytes that arrive in pieces.
///
/// Quoted fields may contain separators, line breaks and doubled quotation marks. Lines end with a line feed, optionally after a
/// carriage return; empty lines are skipped. Any bytes are accepted.
package struct CSVReader {
  private var scanner: TextScanner
  /// The fields' bytes, concatenated.
  private var text: [UInt8] = []
  private var fields: [Field] = []
  private let separator: UInt8
  /// The maximum bytes of a record in memory.
  private let bytesMax: Int

  private struct Field {
    var end: Int
    var isQuoted: Bool
    var line: Int
    var column: Int
  }

  package init(
    _ scanner: TextScanner, separator: UInt8, bytesMax: Int = JSONReader.textBytesMax
  ) {
    self.scanner = scanner
    self.separator = separator
    self.bytesMax = bytesMax
  }

  /// Whether an error was one of the grammar, so that what follows cannot be read.
  var isBroken: Bool { scanner.isBroken }

  /// The number of fields in the record.
  package var count: Int { fields.count }

  /// The bytes of a field of the record.
  package func field(_ place: Int) -> ArraySlice<UInt8> {
    text[(place == 0 ? 0 : fields[place - 1].end)..<fields[place].end]
  }

  private var separatorName: String {
    switch separator {
    case UInt8(ascii: ","): "a comma"
    case UInt8(ascii: "\t"): "a tab"
    default: "\"\(Character(UnicodeScalar(separator)))\""
    }
  }

  /// The first fields of the record, for errors.
  var beginning: String {
    let shown = (0..<min(count, 8)).map { place in
      "\"\(Self.beginning(of: field(place)))\""
    }
    return shown.joined(separator: ", ")
      + (count > shown.count ? " and \(count - shown.count) more" : "")
  }

  private static func beginning(of bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(120), as: UTF8.self)
    return text.count > 40 ? text.prefix(40) + "…" : text
  }

  /// Whether a field was in quotation marks.
  package func isQuoted(_ place: Int) -> Bool { fields[place].isQuoted }

  /// The start of the record.
  package var place: (line: Int, column: Int) {
    (fields.first?.line ?? 1, fields.first?.column ?? 1)
  }

  /// The start of a field of the record.
  package func place(ofField place: Int) -> (line: Int, column: Int) {
    (fields[place].line, fields[place].column)
  }

  /// The error for a field that is not as expected.
  package func fault(_ place: Int, _ expected: String) -> TextError {
    let bytes = field(place)
    return .malformed(
      TextFault(
        line: fields[place].line, column: fields[place].column, expected: expected,
        found: bytes.isEmpty
          ? "nothing" : "\"\(Self.beginning(of: bytes))\""))
  }

  /// The error for a record that is not as expected.
  package func fault(_ expected: String, found: String) -> TextError {
    .malformed(
      TextFault(line: place.line, column: place.column, expected: expected, found: found))
  }

  /// Reads the next record; false after the last one.
  package mutating func next() throws(TextError) -> Bool {
    repeat {
      guard try scanner.peek() != nil else { return false }
      try readRecord()
      // An empty line.
    } while fields.count == 1 && fields[0].end == 0 && !fields[0].isQuoted
    return true
  }

  private mutating func readRecord() throws(TextError) {
    text.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    var isASCII = true
    repeat {
      scanner.beginValue()
      let (line, column) = scanner.valuePlace
      let isQuoted = try scanner.peek() == UInt8(ascii: "\"")
      if isQuoted { try readQuoted(&isASCII) } else { try readPlain(&isASCII) }
      try checkLength()
      fields.append(Field(end: text.count, isQuoted: isQuoted, line: line, column: column))
    } while try !endsRecord()
    guard !isASCII else { return }
    let isUTF8 = text.withByteView { $0.isUTF8 }
    guard isUTF8 else { throw fault("UTF-8", found: "something else") }
  }

  private mutating func checkLength() throws(TextError) {
    guard text.count + fields.count * MemoryLayout<Field>.stride <= bytesMax else {
      throw scanner.broken("at most \(bytesMax) bytes", found: "a longer record")
    }
  }

  private mutating func readPlain(_ isASCII: inout Bool) throws(TextError) {
    let fieldStart = text.count
    while true {
      let start = scanner.place
      var place = start
      var all: UInt8 = 0
      while place < scanner.bytes.count {
        let byte = scanner.bytes[place]
        if byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\"") {
          break
        }
        all |= byte
        place += 1
      }
      if all >= 0x80 { isASCII = false }
      text.append(contentsOf: scanner.bytes[start..<place])
      scanner.place = place
      try checkLength()
      switch try scanner.peek() {
      case UInt8(ascii: "\""):
        throw try scanner.faultHere("a field in quotation marks as a whole")
      case UInt8(ascii: "\n"):
        // The carriage return belongs to the end of the line.
        if text.count > fieldStart, text.last == UInt8(ascii: "\r") { text.removeLast() }
        return
      case nil, separator: return
      default: continue
      }
    }
  }

  private mutating func readQuoted(_ isASCII: inout Bool) throws(TextError) {
    scanner.place += 1
    while true {
      guard let byte = try scanner.peek() else {
        throw try scanner.faultHere("a quotation mark at the field's end")
      }
      if byte == UInt8(ascii: "\n") {
        text.append(byte)
        scanner.passLineFeed()
        if text.count > bytesMax { try checkLength() }
        continue
      }
      scanner.place += 1
      if byte == UInt8(ascii: "\"") {
        guard try scanner.peek() == UInt8(ascii: "\"") else { return }
        scanner.place += 1
      }
      if byte >= 0x80 { isASCII = false }
      text.append(byte)
      if text.count > bytesMax { try checkLength() }
    }
  }

  /// Skips the separator after a field; returns whether the record ends there.
  private mutating func endsRecord() throws(TextError) -> Bool {
    if try scanner.peek() == UInt8(ascii: "\r") { scanner.place += 1 }
    switch try scanner.peek() {
    case separator:
      scanner.place += 1
      return false
    case nil: return true
    case UInt8(ascii: "\n"):
      scanner.passLineFeed()
      return true
    default: throw try scanner.faultHere("\(separatorName) or the end of the line")
    }
  }
}
