internal import RoostEngine

/// Any JSON value, in Swift's own types.
package indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer above those of `Int64`.
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value of a text; of an object's duplicate members the last counts.
  package init(_ bytes: [UInt8]) throws(TextError) {
    var reader = JSONReader(TextScanner(bytes))
    self = try reader.readAny()
    try reader.endValue()
  }
}

extension JSONReader {
  /// Reads the next value whole; of an object's duplicate members the last counts.
  package mutating func readAny() throws(TextError) -> JSONValue {
    switch try peek() {
    case .null:
      try readNull()
      return .null
    case .bool: return .bool(try readBool())
    case .string:
      try readString()
      return .string(String(decoding: text, as: UTF8.self))
    case .number:
      try readNumber()
      if let integer = WrittenNumber.integer(text[...], as: Int64.self) {
        // A negative zero is no integer.
        return integer == 0 && text.first == UInt8(ascii: "-") ? .number(-0.0) : .integer(integer)
      }
      if let integer = WrittenNumber.integer(text[...], as: UInt64.self) {
        return .unsigned(integer)
      }
      guard let number = WrittenNumber.number(text[...], as: Double.self) else {
        throw scanner.fault("a number that a Double holds", found: "a larger one")
      }
      return .number(number)
    case .array:
      try beginArray()
      var elements: [JSONValue] = []
      while try nextElement(isFirst: elements.isEmpty) { elements.append(try readAny()) }
      return .array(elements)
    case .object:
      try beginObject()
      var members: [String: JSONValue] = [:]
      var isFirst = true
      while try nextMember(isFirst: isFirst) {
        isFirst = false
        let name = String(decoding: text, as: UTF8.self)
        members[name] = try readAny()
      }
      return .object(members)
    case .end: throw scanner.fault("a value", found: "the end of the text")
    }
  }
}
