internal import RoostEngine

extension Query: CustomStringConvertible {
  /// The query in words: `Person where age >= 18 && name hasPrefix "An" order by name limit 20`.
  public var description: String {
    var words = String(describing: M.self)
    if content.filter != .always(true) { words += " where \(content.filter)" }
    if !content.order.isEmpty {
      let fields = content.order.map { $0.field.name + ($0.isDescending ? " descending" : "") }
      words += " order by " + fields.joined(separator: ", ")
    }
    if let countMax = content.countMax { words += " limit \(countMax)" }
    if content.offset > 0 { words += " offset \(content.offset)" }
    return words
  }
}

extension QueryCondition: CustomStringConvertible {
  /// The condition in words: `age >= 18 && name hasPrefix "An"`.
  public var description: String { filter.description }
}

extension Filter: CustomStringConvertible {
  var description: String {
    switch self {
    case .always(let holds): "\(holds)"
    case .compare(let path, let comparison, let value): "\(path) \(comparison.sign) \(value.words)"
    case .isNull(let path): "\(path) == nil"
    case .oneOf(let path, let values):
      "\(path) in [\(values.map(\.words).joined(separator: ", "))]"
    case .text(let path, let match, let text): "\(path) \(match.word) \"\(text)\""
    case .links(let path, _, let condition): "\(path) contains { \(condition) }"
    case .beginning(let path, let bytes): "\(path) begins with \(bytes.count) bytes"
    case .and(let parts): parts.map(\.operand).joined(separator: " && ")
    case .or(let parts): parts.map(\.operand).joined(separator: " || ")
    case .not(.compare(let path, .equal, let value)): "\(path) != \(value.words)"
    case .not(.isNull(let path)): "\(path) != nil"
    case .not(let part): "!(\(part))"
    }
  }

  /// The condition as a part of another, in parentheses where it needs them.
  private var operand: String {
    switch self {
    case .and, .or: "(\(self))"
    default: description
    }
  }
}

extension FieldPath: CustomStringConvertible {
  @usableFromInline
  var description: String { (links + [field]).map(\.name).joined(separator: ".") }
}

extension Comparison {
  fileprivate var sign: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension TextMatch {
  fileprivate var word: String {
    switch self {
    case .contains: "contains"
    case .prefix: "hasPrefix"
    case .suffix: "hasSuffix"
    }
  }
}

extension Value {
  /// The value as Swift writes it.
  fileprivate var words: String {
    if case .bytes = self { "\"\(self)\"" } else { description }
  }
}
