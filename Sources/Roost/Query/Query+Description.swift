internal import RoostEngine

extension Query: CustomStringConvertible {
  /// The query in words: `Person where age >= 18 && name hasPrefix "An" order by name limit 20`.
  public var description: String {
    var words = String(describing: M.self)
    if content.filter != .always(true) { words += " where \(content.filter)" }
    if !content.order.isEmpty {
      let fields = content.order.map { "\($0.value)" + ($0.isDescending ? " descending" : "") }
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
  package var description: String {
    switch self {
    case .always(let holds): "\(holds)"
    case .compare(let term, let comparison, let value): "\(term) \(comparison.sign) \(value.words)"
    case .comparison(let first, let comparison, let second):
      "\(first) \(comparison.sign) \(second)"
    case .isNull(let term): "\(term) == nil"
    case .oneOf(let term, let values):
      "\(term) in [\(values.map(\.words).joined(separator: ", "))]"
    case .text(let term, let match, let text): "\(term) \(match.word) \"\(text)\""
    case .matches(let term, let pattern): "\(term) \(pattern.words)"
    case .related(let path, let model, let condition):
      "\(path.words(model)) contains { \(condition) }"
    case .beginning(let term, let bytes): "\(term) begins with \(bytes.count) bytes"
    case .and(let parts): parts.map(\.operand).joined(separator: " && ")
    case .or(let parts): parts.map(\.operand).joined(separator: " || ")
    case .not(.compare(let term, .equal, let value)): "\(term) != \(value.words)"
    case .not(.isNull(let term)): "\(term) != nil"
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

extension ExpressionTerm: CustomStringConvertible {
  package var description: String {
    switch self {
    case .path(let path): path.description
    case .constant(let constant): constant.value._constant.value.words
    case .arithmetic(let operation, _, let a, let b):
      "\(a.operand) \(operation.sign) \(b.operand)"
    case .conversion(_, let kind, let number): "\(kind.word)(\(number))"
    case .concatenation(let a, let b): "\(a.operand) + \(b.operand)"
    case .coalescing(let a, let b): "\(a.operand) ?? \(b.operand)"
    case .folded(let folding, let text): "folded\(folding.word)(\(text))"
    case .related(let path, let model, let function, let value, let filter):
      path.words(model) + (filter == .always(true) ? "" : ".where { \(filter) }")
        + (function == .count ? ".count" : ".\(function.word) { \(value) }")
    case .element(let step): step.name.isEmpty ? "$0" : "$0.\(step.name)"
    case .elements(let collection, let function, let part, let filter):
      "\(collection)" + (filter == .always(true) ? "" : ".where { \(filter) }")
        + (part.map { ".\(function.word) { \(ExpressionTerm.element($0)) }" } ?? ".count")
    case .grouped(let function, let value): "\(function.word)(\(value))"
    }
  }

  /// The term as a part of another, in parentheses where it needs them.
  private var operand: String {
    switch self {
    case .arithmetic, .concatenation, .coalescing: "(\(self))"
    default: description
    }
  }
}

extension RelationPath {
  /// The way to the objects, in words.
  fileprivate func words(_ model: ModelName) -> String {
    let (last, word) =
      switch end {
      case .links(let step): (step.name, "")
      case .inverse(let step): (model.name, " by \(step.name)")
      }
    return (links.map(\.name) + [last]).joined(separator: ".") + word
  }
}

extension Arithmetic {
  fileprivate var sign: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    }
  }
}

extension NumberKind {
  fileprivate var word: String {
    switch self {
    case .integer: "Int"
    case .unsigned: "UInt"
    case .double: "Double"
    case .float: "Float"
    }
  }
}

extension AggregateFunction {
  fileprivate var word: String {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .minimum: "min"
    case .maximum: "max"
    case .average: "average"
    }
  }
}

extension FieldPath: CustomStringConvertible {
  @usableFromInline
  package var description: String { (links + [field]).map(\.name).joined(separator: ".") }
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

extension TextPattern {
  /// The pattern in words: `contains[c] "ann"`.
  fileprivate var words: String {
    let word =
      switch form {
      case .equal: "=="
      case .contains: TextMatch.contains.word
      case .prefix: TextMatch.prefix.word
      case .suffix: TextMatch.suffix.word
      case .wildcards: "like"
      }
    return "\(word)\(folding.word) \"\(String(decoding: text, as: UTF8.self))\""
  }
}

extension TextFolding {
  /// The options in words: `[cd]`.
  fileprivate var word: String {
    isEmpty
      ? ""
      : "[" + (contains(.caseInsensitive) ? "c" : "")
        + (contains(.diacriticInsensitive) ? "d" : "") + "]"
  }
}

extension Value {
  /// The value as Swift writes it.
  fileprivate var words: String {
    if case .bytes = self { "\"\(self)\"" } else { description }
  }
}
