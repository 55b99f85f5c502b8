internal import RoostInterchange

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// MongoDB's Extended JSON, and what Realm's `realm2json` adds to it: objects that stand for values of other types.
enum ExtendedJSON {
  /// What an object stands for: itself, unless it is in one of these notations.
  static func value(of members: [String: TextValue]) -> TextValue {
    guard let (name, value) = members.first, members.count <= 2,
      members.keys.contains(where: { $0.hasPrefix("$") })
    else { return .object(members) }
    let found = members.count == 1 ? single(name, value) : binaryOfOldForm(members)
    return found ?? .object(members)
  }

  private static func single(_ name: String, _ value: TextValue) -> TextValue? {
    switch (name, value) {
    case ("$numberLong", .string(let text)), ("$numberInt", .string(let text)),
      ("$numberDouble", .string(let text)), ("$numberDecimal", .string(let text)):
      isNumber(text) ? .number(text) : nil
    case ("$oid", .string), ("$uuid", .string), ("$symbol", .string): value
    case ("$binary", .object(let parts)):
      if case .string(let text)? = parts["base64"] { data(text) } else { nil }
    case ("$date", .string): value
    case ("$date", .number(let text)):
      TextTime.timestamp(number: text, .milliseconds).map { .date($0.time) }
    case ("$set", .list), ("$dictionary", .object): value
    case ("$embedded", .object(let parts)): parts.wrapped("value") ?? value
    case ("$embeddedList", .object(let parts)), ("$embeddedSet", .object(let parts)),
      ("$embeddedDictionary", .object(let parts)):
      parts.wrapped("values")
    default: link(name, value)
    }
  }

  private static func link(_ name: String, _ value: TextValue) -> TextValue? {
    guard case .object(let parts) = value, parts.count == 2,
      case .string(let table)? = parts["table"]
    else { return nil }
    let className = TextClass.name(ofTable: table)
    func link(_ key: TextValue) -> TextValue {
      key == .null ? .null : .link(className: className, key: key)
    }
    return switch (name, parts["key"], parts["keys"] ?? parts["values"]) {
    case ("$link", let key?, _): link(key)
    case ("$linkList", _, .list(let keys)?), ("$linkSet", _, .list(let keys)?):
      .list(keys.map(link))
    case ("$linkDictionary", _, .object(let keys)?): .object(keys.mapValues(link))
    default: nil
    }
  }

  /// `{"$binary": "…", "$type": "00"}`.
  private static func binaryOfOldForm(_ members: [String: TextValue]) -> TextValue? {
    guard case .string(let text)? = members["$binary"], members["$type"] != nil else { return nil }
    return data(text)
  }

  private static func data(_ base64: String) -> TextValue? {
    BinaryText.base64(Array(base64.utf8)[...]).map { .data(Data($0)) }
  }

  private static func isNumber(_ text: String) -> Bool {
    ["NaN", "Infinity", "-Infinity", "inf", "-inf", "nan"].contains(text)
      || WrittenNumber(Array(text.utf8)[...]) != nil
  }
}

extension [String: TextValue] {
  /// What is under a name beside the name of a table.
  fileprivate func wrapped(_ name: String) -> TextValue? {
    count == 2 && self["table"] != nil ? self[name] : nil
  }
}
