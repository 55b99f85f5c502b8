/// The words and operators of query text: the printer writes them, and `RoostQueryText` parses them.
package enum QueryWord {
  /// The keywords, which need backquotes as names.
  private static let keywords: Set<String> = [
    "where", "sort", "limit", "offset", "desc", "nan", "inf", "by", "as", "folded", "outer",
  ]

  /// The keywords in small letters that are keywords in capital letters, too.
  private static let operators: Set<String> = [
    "and", "or", "not", "any", "some", "all", "none", "in", "between", "contains", "hasprefix",
    "beginswith", "hassuffix", "endswith", "like", "equals", "matches", "subquery", "true", "yes",
    "truepredicate", "false", "no", "falsepredicate", "nil", "null",
  ]

  /// Whether a word is a keyword, which needs backquotes as a name.
  package static func isKeyword(_ word: String) -> Bool {
    keywords.contains(word) || operators.contains(word.lowercased())
  }

  /// The types of constants, by their names.
  package static let types: [String: FieldType] = Dictionary(
    uniqueKeysWithValues: FieldType.allCases.map { ($0.name, $0) })

  /// Whether a word may contain the byte: ASCII letters, all non-ASCII bytes, digits, `_`.
  package static func isPart(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == 95 || byte >= 128 || (65...90).contains(byte & 0xDF)
  }

  /// Whether the byte is an ASCII digit.
  package static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Whether the text is a name without backquotes.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !isDigit(first) else { return false }
    return text.utf8.allSatisfy(isPart) && !isKeyword(text) && types[text] == nil
  }
}

extension Arithmetic {
  /// The operator's sign.
  package var sign: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    }
  }
}

extension TextPattern.Form {
  /// The operator's word.
  package var word: String {
    switch self {
    case .equal: "equals"
    case .contains: "contains"
    case .prefix: "hasPrefix"
    case .suffix: "hasSuffix"
    case .wildcards: "like"
    }
  }
}

extension TextMatch {
  var form: TextPattern.Form {
    switch self {
    case .contains: .contains
    case .prefix: .prefix
    case .suffix: .suffix
    }
  }
}

extension TextFolding {
  /// The ignored differences, in brackets: `[id]`.
  var words: String {
    isEmpty
      ? ""
      : "[" + (contains(.caseInsensitive) ? "i" : "")
        + (contains(.diacriticInsensitive) ? "d" : "") + "]"
  }
}

extension AggregateFunction {
  /// The function's name.
  package var word: String {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .minimum: "min"
    case .maximum: "max"
    case .average: "average"
    }
  }

  /// The result type for values of a type.
  package func type(of type: FieldType?) -> FieldType? {
    switch self {
    case .count: .int
    case .sum:
      switch type?.physical {
      case .integer?: type == .uint ? .uint : .int
      default: type == .decimal ? .decimal : .double
      }
    case .average: type == .decimal ? .decimal : .double
    case .minimum, .maximum: type
    }
  }
}

extension NumberKind {
  /// The field type of numbers of the kind.
  var type: FieldType {
    switch self {
    case .integer: .int
    case .unsigned: .uint
    case .double: .double
    case .float: .float
    case .decimal: .decimal
    }
  }

  /// The type's name, with the range of integers that have fewer than 64 bits.
  var words: String {
    switch self {
    case .integer(let range):
      range == .min ... .max ? "Int" : "Int[\(range.lowerBound)...\(range.upperBound)]"
    case .unsigned(let max): max == .max ? "UInt" : "UInt[0...\(max)]"
    case .double: "Double"
    case .float: "Float"
    case .decimal: "Decimal"
    }
  }
}

extension FieldType {
  /// The number kind for arithmetic with values of the type.
  package var number: NumberKind? {
    switch self {
    case .int, .link: .integer(.min ... .max)
    case .uint: .unsigned(max: .max)
    case .double, .date: .double
    case .float: .float
    case .decimal: .decimal
    default: nil
    }
  }
}
