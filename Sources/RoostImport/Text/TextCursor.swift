internal import RoostInterchange

/// Goes through the records of a class, in the order of the file.
struct TextCursor {
  private var json: JSONObjects?
  private var csv: CSVReader?
  private var header = CSVHeader([])
  private var missing: Set<String> = []
  private let bytesMax: Int
  /// The line of the record.
  private(set) var line = 1

  /// - Parameter bytesMax: The most memory of a record.
  init(_ definition: TextClass, bytesMax: Int) throws(TextError) {
    self.bytesMax = bytesMax
    switch definition.form {
    case .array(let position?):
      let rest = TextInput.file(definition.path, from: UInt64(clamping: position.offset))
      json = try JSONObjects(arrayAt: TextScanner(from: position, rest.next))
    case .array(nil): json = try JSONObjects(Self.scanner(definition), isByLine: false)
    case .lines: json = try JSONObjects(Self.scanner(definition), isByLine: true)
    case .csv(let form):
      var reader = CSVReader(
        try Self.scanner(definition), separator: form.separator, bytesMax: bytesMax)
      header = try Self.header(&reader)
      missing = form.missing
      csv = reader
    }
    json?.json.textBytesMax = bytesMax
  }

  private static func scanner(_ definition: TextClass) throws(TextError) -> TextScanner {
    var scanner = TextScanner(TextInput.file(definition.path).next)
    try scanner.passByteOrderMark()
    return scanner
  }

  private static func header(_ reader: inout CSVReader) throws(TextError) -> CSVHeader {
    guard try reader.next() else {
      throw reader.fault("a line with the names of the columns", found: "the end of the text")
    }
    var names: [String] = []
    var known: Set<String> = []
    for place in 0..<reader.count {
      let name = String(decoding: reader.field(place), as: UTF8.self)
      guard known.insert(name).inserted else { throw reader.fault(place, "each column once") }
      names.append(name)
    }
    return CSVHeader(names)
  }

  /// Whether there is another record, which is to be read or skipped next.
  mutating func hasNext() throws(TextError) -> Bool {
    if let isThere = try json?.hasNext() {
      guard isThere else { return false }
      let kind = try json?.json.peek()
      let place = json?.json.valuePlace ?? (line: 1, column: 1)
      line = place.line
      guard let kind, kind != .object else { return true }
      throw .malformed(
        TextFault(line: line, column: place.column, expected: "an object", found: kind.name))
    }
    guard try csv?.next() == true, let csv else { return false }
    line = csv.place.line
    guard csv.count == header.names.count else {
      throw csv.fault("\(header.names.count) fields", found: "\(csv.count)")
    }
    return true
  }

  /// Skips the record.
  mutating func skip() throws(TextError) {
    try json?.json.skipValue()
    try json?.endObject()
  }

  /// Reads the record.
  mutating func read() throws(TextError) -> TextRecord.Content {
    var budget = bytesMax
    if let members = try json?.json.readTextMembers(&budget) {
      try json?.endObject()
      return .members(members)
    }
    guard let csv else { return .members([:]) }
    return .fields(
      header,
      (0..<csv.count).map { place in
        let text = String(decoding: csv.field(place), as: UTF8.self)
        let isBlank = !csv.isQuoted(place) && (text.isEmpty || missing.contains(text))
        return isBlank ? .blank(text) : .field(text)
      })
  }
}
