/// The objects of a JSON text, one after another: of an array, of lines, or a single one.
struct JSONObjects {
  /// What the reader expects next.
  private enum State {
    case element(isFirst: Bool)
    case single, line, end
  }

  /// Reads the objects.
  var json: JSONReader
  private var state: State

  /// Begins a text.
  init(_ scanner: TextScanner, isByLine: Bool) throws(TextError) {
    json = JSONReader(scanner, isByLine: isByLine)
    guard !isByLine else {
      state = .line
      return
    }
    let isArray = try json.peek() == .array
    if isArray { try json.beginArray() }
    state = isArray ? .element(isFirst: true) : .single
  }

  /// Whether there is another object, which is to be read next; ends the text if not.
  mutating func hasNext() throws(TextError) -> Bool {
    switch state {
    case .element(let isFirst):
      guard try json.nextElement(isFirst: isFirst) else {
        try json.endValue()
        state = .end
        return false
      }
      state = .element(isFirst: false)
      return true
    case .single: return true
    case .line: return try json.peek() != .end
    case .end: return false
    }
  }

  /// Ends the object that was read.
  mutating func endObject() throws(TextError) {
    switch state {
    case .single:
      try json.endValue()
      state = .end
    case .line: try json.endValue()
    case .element, .end: break
    }
  }
}
