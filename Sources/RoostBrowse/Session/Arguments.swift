internal import RoostInterchange

/// What a request asks for: the members of its object.
package struct Arguments {
  private let members: [String: JSONValue]

  package init(_ body: [UInt8]) throws(BrowseError) {
    guard case .object(let members)? = try? JSONValue(body) else {
      throw BrowseError("The request is no object of JSON.")
    }
    self.init(members)
  }

  init(_ members: [String: JSONValue]) { self.members = members }

  /// A text that must be there.
  func text(_ name: String) throws(BrowseError) -> String {
    guard let text = optionalText(name) else {
      throw BrowseError("The request has no text \"\(name)\".")
    }
    return text
  }

  func optionalText(_ name: String) -> String? {
    guard case .string(let text)? = members[name] else { return nil }
    return text
  }

  /// A number from 0 on; 0 where there is none.
  func number(_ name: String, max: Int) -> Int {
    guard case .integer(let number)? = members[name] else { return 0 }
    return Int(clamping: Swift.min(Swift.max(number, 0), Int64(max)))
  }

  func flag(_ name: String) -> Bool {
    guard case .bool(true)? = members[name] else { return false }
    return true
  }

  /// A list of texts; nil where there is none.
  func texts(_ name: String) -> [String]? {
    guard case .array(let elements)? = members[name] else { return nil }
    return elements.compactMap { element in
      guard case .string(let text) = element else { return nil }
      return text
    }
  }

  /// A list of objects.
  func list(_ name: String) -> [Arguments] {
    guard case .array(let elements)? = members[name] else { return [] }
    return elements.compactMap { element in
      guard case .object(let members) = element else { return nil }
      return Arguments(members)
    }
  }

  /// Texts by name; nil stands for null.
  func values(_ name: String) -> [String: String?] {
    guard case .object(let members)? = members[name] else { return [:] }
    return members.compactMapValues { value -> String?? in
      switch value {
      case .null: .some(nil)
      case .string(let text): .some(text)
      default: nil
      }
    }
  }

  /// The version that is asked for.
  var version: VersionName {
    switch members["version"] {
    case .integer(let number)? where number >= 0: .number(UInt64(number))
    case .string(let name)?: .kept(name)
    default: .newest
    }
  }
}

/// A version as a request names it.
enum VersionName: Hashable {
  case newest
  case number(UInt64)
  case kept(String)
}
