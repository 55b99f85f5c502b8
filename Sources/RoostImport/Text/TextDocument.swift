internal import RoostInterchange

/// The classes of a JSON text: an object with an array of objects for each class.
struct TextDocument {
  private(set) var classes: [TextClass] = []
  private(set) var counts: [String: Int] = [:]
  /// The names of members that are no arrays.
  private(set) var others: [String] = []

  /// Members of a text: a damaged one may have any number.
  private static let membersMax = 1 << 16

  /// Reads a file once.
  ///
  /// - Parameter bytesMax: The most memory of a value.
  init(_ path: String, bytesMax: Int) throws(TextError) {
    var scanner = TextScanner(TextInput.file(path).next)
    try scanner.passByteOrderMark()
    var json = JSONReader(scanner)
    json.textBytesMax = bytesMax
    let kind = try json.peek()
    guard kind == .object else {
      throw Self.fault(json, "an object with an array for each class", found: kind.name)
    }
    var known: Set<String> = []
    try json.beginObject()
    while try json.nextMember(isFirst: known.isEmpty) {
      let name = TextClass.name(ofTable: String(decoding: json.text, as: UTF8.self))
      guard known.insert(name).inserted else {
        throw Self.fault(json, "each class once", found: "\"\(name)\" again")
      }
      guard known.count <= Self.membersMax else {
        throw Self.fault(json, "at most \(Self.membersMax) classes", found: "one more")
      }
      guard try json.peek() == .array else {
        others.append(name)
        try json.skipValue()
        continue
      }
      classes.append(TextClass(name: name, path: path, form: .array(at: json.position)))
      counts[name] = try Self.countOfObjects(&json)
    }
    try json.endValue()
  }

  private static func countOfObjects(_ json: inout JSONReader) throws(TextError) -> Int {
    var count = 0
    try json.beginArray()
    while try json.nextElement(isFirst: count == 0) {
      let kind = try json.peek()
      guard kind == .object else { throw fault(json, "an object", found: kind.name) }
      try json.skipValue()
      count += 1
    }
    return count
  }

  private static func fault(_ json: JSONReader, _ expected: String, found: String) -> TextError {
    .malformed(
      TextFault(
        line: json.valuePlace.line, column: json.valuePlace.column, expected: expected,
        found: found))
  }
}
