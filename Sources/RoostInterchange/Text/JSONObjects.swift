/// The objects of a JSON text, one after another: of an array, of lines, or a single one.
package struct JSONObjects {
  /// What the reader expects next.
  private enum State {
    case element(isFirst: Bool)
    case single, line, end
  }

  /// Reads the objects.
  package var json: JSONReader
  private var state: State
  /// Where the object begins that is to be read next.
  private var start: JSONReader.ValueStart?
  /// Whether nothing may follow the array.
  private let isWhole: Bool
  /// The number of objects around it.
  private var outer = 0

  /// Begins with an array within a text, after which anything may follow.
  package init(arrayAt scanner: TextScanner) throws(TextError) {
    json = JSONReader(scanner)
    isWhole = false
    // The text may have changed since its array was found.
    let kind = try json.peek()
    guard kind == .array else { throw json.scanner.fault("an array", found: kind.name) }
    try json.beginArray()
    state = .element(isFirst: true)
  }

  /// Begins a text.
  ///
  /// - Parameter path: The members that lead to the objects, in a text that has more than these.
  package init(
    _ scanner: TextScanner, isByLine: Bool, in path: [String] = []
  ) throws(TextError) {
    json = JSONReader(scanner, isByLine: isByLine)
    isWhole = true
    guard !isByLine else {
      state = .line
      return
    }
    for name in path {
      try Self.enter(name, &json)
      outer += 1
    }
    let isArray = try json.peek() == .array
    if isArray { try json.beginArray() }
    state = isArray ? .element(isFirst: true) : .single
  }

  /// Begins an object, up to the value of one of its members.
  private static func enter(_ name: String, _ json: inout JSONReader) throws(TextError) {
    let kind = try json.peek()
    let expected = "an object with the member \"\(name)\""
    guard kind == .object else { throw json.scanner.fault(expected, found: kind.name) }
    try json.beginObject()
    var isFirst = true
    while try json.nextMember(isFirst: isFirst) {
      if json.string == name { return }
      try json.skipValue()
      isFirst = false
    }
    throw json.scanner.fault(expected, found: "no such member")
  }

  /// Passes what follows the objects.
  private mutating func endText() throws(TextError) {
    while outer > 0 {
      while try json.nextMember(isFirst: false) { try json.skipValue() }
      outer -= 1
    }
    try json.endValue()
  }

  /// Whether there is another object, which is to be read next; ends the text if not.
  package mutating func hasNext() throws(TextError) -> Bool {
    switch state {
    case .element(let isFirst):
      guard try json.nextElement(isFirst: isFirst) else {
        if isWhole { try endText() }
        state = .end
        return false
      }
      state = .element(isFirst: false)
      start = try json.valueStart()
      return true
    case .single:
      start = try json.valueStart()
      return true
    case .line: return try json.peek() != .end
    case .end: return false
    }
  }

  /// Goes on behind an object with a mistake; false where what follows cannot be read.
  package mutating func passMistake() throws(TextError) -> Bool {
    guard !json.scanner.isRefused else { return false }
    if case .line = state {
      try json.skipLine()
      return true
    }
    guard let start, !json.scanner.isBroken else { return false }
    do {
      try json.skipRest(of: start)
      try endObject()
    } catch {
      guard case .malformed = error else { throw error }
      return false
    }
    return true
  }

  /// Ends the object that was read.
  package mutating func endObject() throws(TextError) {
    switch state {
    case .single:
      try endText()
      state = .end
    case .line: try json.endValue()
    case .element, .end: break
    }
  }
}
