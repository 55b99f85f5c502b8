internal import Roost
internal import RoostDynamic
internal import RoostEngine
internal import RoostInterchange

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads values from JSON in the form of `roost dump` (Format.md §12), which says nothing of their types.
struct JSONCell {
  /// The tables, for the keys that links name.
  let tables: [String: DynamicTable]

  /// The value of a type in JSON; nil if it is none.
  func value(_ json: JSONValue, _ type: DynamicType) -> DynamicValue? {
    switch (type, json) {
    case (_, .null): .null
    case (.bool, .bool(let holds)): .bool(holds)
    case (.int, .integer(let number)): .int(number)
    case (.int, .number(let number)): Int64(exactly: number).map { .int($0) }
    case (.uint, .integer(let number)): UInt64(exactly: number).map { .uint($0) }
    case (.uint, .unsigned(let number)): .uint(number)
    case (.uint, .string(let text)): UInt64(text).map { .uint($0) }
    case (.double, _): Self.number(json).map { .double($0) }
    case (.float, _): Self.number(json).map { .float(Float($0)) }
    case (.string, .string(let text)): .string(text)
    case (.json, .string(let text)): .json(text)
    case (.data, .string(let text)), (.blob, .string(let text)):
      BinaryText.base64(Array(text.utf8)[...]).map { .data(Data($0)) }
    case (.date, .string(let text)) where Double(text) == nil: Self.date(text).map { .date($0) }
    case (.date, _):
      Self.number(json).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    case (.duration, .string(let text)), (.decimal, .string(let text)):
      Self.stored(text, type == .duration ? .duration : .decimal)
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    case (.decimal, .unsigned(let number)): .decimal(Decimal(number))
    case (.list(let element), .array(let elements)), (.set(let element), .array(let elements)):
      all(elements) { value($0, element) }.map { .list($0) }
    case (.dictionary(let key, let element), .array(let entries)):
      dictionary(entries, key, element)
    case (.compound(let parts), .object(let members)), (.record(let parts), .object(let members)):
      record(members, parts)
    case (.link(let target), _): tables[target]?.key.flatMap { value(json, $0.type) }
    case (.links(let target), .array(let elements)):
      tables[target]?.key.flatMap { key in
        all(elements) { value($0, key.type) }.map { .list($0) }
      }
    default: nil
    }
  }

  private func value(_ json: JSONValue, _ element: DynamicElement) -> DynamicValue? {
    value(json, element.type)
  }

  /// All values; nil if there is none for one of the elements.
  private func all<Element, Value>(
    _ elements: [Element], _ value: (Element) -> Value?
  ) -> [Value]? {
    let values = elements.compactMap(value)
    return values.count == elements.count ? values : nil
  }

  private func dictionary(
    _ entries: [JSONValue], _ key: DynamicElement, _ element: DynamicElement
  ) -> DynamicValue? {
    let found = all(entries) { entry -> DynamicValue.Entry? in
      guard case .array(let pair) = entry, pair.count == 2,
        let key = value(pair[0], key), let value = value(pair[1], element)
      else { return nil }
      return DynamicValue.Entry(key, value)
    }
    return found.map { .dictionary($0) }
  }

  private func record(
    _ members: [String: JSONValue], _ parts: [DynamicPart]
  ) -> DynamicValue? {
    guard members.keys.allSatisfy({ name in parts.contains { $0.name == name } }) else {
      return nil
    }
    return all(parts) { part -> DynamicValue.Part? in
      value(members[part.name] ?? .null, part.type).map { DynamicValue.Part(part.name, $0) }
    }.map { .record($0) }
  }

  // MARK: Texts

  private static func number(_ json: JSONValue) -> Double? {
    switch json {
    case .integer(let number): Double(exactly: number)
    case .unsigned(let number): Double(exactly: number)
    case .number(let number): number
    case .string("nan"): .nan
    case .string("inf"): .infinity
    case .string("-inf"): -.infinity
    default: nil
    }
  }

  /// A date as a text of ISO 8601.
  private static func date(_ text: String) -> Date? {
    guard
      case .double(let seconds) = ValueText.value(Array(text.utf8)[...], .date, .secondsSince2001)
    else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private static func stored(_ text: String, _ type: FieldType) -> DynamicValue? {
    ValueText.value(Array(text.utf8)[...], type, .secondsSince2001).map {
      DynamicValue(stored: $0, type, [])
    }
  }
}
