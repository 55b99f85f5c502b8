package import RoostDynamic

extension DynamicField {
  /// The type as Swift writes it, with a question mark where the value can be null.
  package var typeText: String { type.text + (isOptional ? "?" : "") }

  /// Whether it is a link or a list of links.
  package var isLink: Bool {
    switch type {
    case .link, .links: true
    default: false
    }
  }

  /// What else is declared of it, in words.
  package var options: [String] {
    var options: [String] = []
    if isKey {
      options.append("key")
    } else if isUnique {
      options.append("unique")
    } else if isIndexed {
      options.append("indexed")
    }
    if isLink {
      if deleteRule != .deny { options.append("\(deleteRule) on delete") }
      if nullifiesMissingTarget { options.append("nullify if missing") }
    }
    if let text = defaultValue.swiftLiteral, defaultValue != .null, !isLink, type != .blob {
      options.append("default \(text)")
    }
    return options
  }
}

extension DynamicType {
  /// The type as Swift writes it; a struct or a compound key by its parts.
  var text: String {
    switch self {
    case .bool: "Bool"
    case .int: "Int"
    case .uint: "UInt64"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .duration: "Duration"
    case .decimal: "Decimal"
    case .json: "JSON"
    case .blob: "Blob"
    case .list(let element): "[\(element.text)]"
    case .set(let element): "Set<\(element.text)>"
    case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
    case .compound(let parts), .record(let parts):
      "(\(parts.map { "\($0.name): \($0.type.text)\($0.isOptional ? "?" : "")" }.joined(separator: ", ")))"
    case .link(let target): "Link<\(target)>"
    case .links(let target): "Links<\(target)>"
    }
  }
}

extension DynamicElement {
  fileprivate var text: String { type.text + (isOptional ? "?" : "") }
}
