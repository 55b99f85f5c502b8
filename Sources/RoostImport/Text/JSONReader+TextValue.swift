internal import RoostInterchange

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Thrown when a record takes more memory than it may.
struct RecordTooLarge: Error {}

extension JSONReader {
  /// Reads the next value.
  ///
  /// - Parameter budget: How many bytes of memory may be used; what the value takes is subtracted.
  mutating func readTextValue(_ budget: inout Int) throws(TextError) -> TextValue {
    switch try peek() {
    case .null:
      try readNull()
      try Self.spend(0, &budget)
      return .null
    case .bool:
      try Self.spend(0, &budget)
      return .bool(try readBool())
    case .number:
      try readNumber()
      return .number(try takeText(&budget))
    case .string:
      try readString()
      return .string(try takeText(&budget))
    case .array:
      try beginArray()
      var elements: [TextValue] = []
      while try nextElement(isFirst: elements.isEmpty) {
        elements.append(try readTextValue(&budget))
      }
      try Self.spend(0, &budget)
      return .list(elements)
    case .object: return ExtendedJSON.value(of: try readTextMembers(&budget))
    case .end:
      throw .malformed(
        TextFault(
          line: valuePlace.line, column: valuePlace.column, expected: "a value",
          found: "the end of the text"))
    }
  }

  /// Reads the members of the next value, an object.
  ///
  /// - Parameter budget: As for ``readTextValue(_:)``.
  mutating func readTextMembers(_ budget: inout Int) throws(TextError) -> [String: TextValue] {
    try beginObject()
    var members: [String: TextValue] = [:]
    var isFirst = true
    try Self.spend(0, &budget)
    while try nextMember(isFirst: isFirst) {
      isFirst = false
      let (line, column) = valuePlace
      let name = try takeText(&budget)
      let value = try readTextValue(&budget)
      guard members.updateValue(value, forKey: name) == nil else {
        throw .malformed(
          TextFault(
            line: line, column: column, expected: "each member once", found: "\"\(name)\" again"))
      }
    }
    return members
  }

  private func takeText(_ budget: inout Int) throws(TextError) -> String {
    try Self.spend(text.count, &budget)
    return String(decoding: text, as: UTF8.self)
  }

  /// The memory of a value without its text.
  private static let bytesOfValue = 64

  private static func spend(_ bytes: Int, _ budget: inout Int) throws(TextError) {
    budget -= bytes + bytesOfValue
    guard budget >= 0 else { throw .source(RecordTooLarge()) }
  }
}

extension TextValue {
  /// The value of a JSON text; nil for another text.
  init?(json text: String) {
    let bytes = Array(text.utf8)
    var reader = JSONReader(TextScanner(bytes))
    // As much as a text of single digits takes.
    var budget = bytes.count.multipliedReportingOverflow(by: 128).partialValue
    do throws(TextError) {
      self = try reader.readTextValue(&budget)
      try reader.endValue()
    } catch { return nil }
  }
}
