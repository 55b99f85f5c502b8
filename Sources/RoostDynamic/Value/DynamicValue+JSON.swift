internal import Roost
internal import RoostEngine
internal import RoostInterchange

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DynamicValue {
  /// The value as JSON in the form of `roost dump` (Format.md §12): a date is its seconds since 2001-01-01 00:00 UTC, data is
  /// Base64; UUIDs, durations and decimal numbers are text; a non-finite number is `"nan"`, `"inf"` or `"-inf"`;
  /// and a dictionary is a list of pairs.
  ///
  /// - Complexity: O(n) in the bytes of the text.
  public var json: String {
    var bytes: [UInt8] = []
    bytes.addJSON(self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Adds a value as JSON.
  mutating func addJSON(_ value: DynamicValue) {
    switch value {
    case .null: add("null")
    case .bool(let holds): if holds { add("true") } else { add("false") }
    case .int(let number): addNumber(number)
    case .uint(let number): addNumber(number)
    case .double(let number): addNumber(number)
    case .float(let number): addNumber(number)
    case .string(let text), .json(let text): addString(text)
    case .data(let data): data.withByteView { addBase64($0) }
    case .date(let date): addNumber(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid): addString(uuid.uuidString)
    case .duration(let duration):
      addString(FieldType.seconds(duration.storedHigh, duration._low))
    case .decimal(let number):
      let bytes = DecimalBytes.bytes(number.description) ?? []
      let text = bytes.withByteView { DecimalBytes.text($0) }
      addString(text ?? number.description)
    case .list(let elements):
      add("[")
      for (place, element) in elements.enumerated() {
        if place > 0 { add(",") }
        addJSON(element)
      }
      add("]")
    case .dictionary(let entries):
      add("[")
      for (place, entry) in entries.enumerated() {
        if place > 0 { add(",") }
        add("[")
        addJSON(entry.key)
        add(",")
        addJSON(entry.value)
        add("]")
      }
      add("]")
    case .record(let parts):
      add("{")
      for (place, part) in parts.enumerated() {
        if place > 0 { add(",") }
        addString(part.name)
        add(":")
        addJSON(part.value)
      }
      add("}")
    }
  }
}
