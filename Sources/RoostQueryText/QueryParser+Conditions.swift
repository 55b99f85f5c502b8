internal import RoostEngine

extension QueryParser {
  mutating func condition() throws(QueryTextError) -> QuerySyntax {
    try chain("||", "or", QuerySyntax.Form.or) { (parser) throws(QueryTextError) in
      try parser.chain("&&", "and", QuerySyntax.Form.and) { (parser) throws(QueryTextError) in
        try parser.negation()
      }
    }
  }

  private mutating func chain(
    _ sign: String, _ word: String, _ form: ([QuerySyntax]) -> QuerySyntax.Form,
    _ part: (inout QueryParser) throws(QueryTextError) -> QuerySyntax
  ) throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    var parts = [try part(&self)]
    while takeSign(sign) || takeKeyword(word) { parts.append(try part(&self)) }
    return parts.count == 1 ? parts[0] : try syntax(offset, form(parts))
  }

  private mutating func negation() throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    if takeSign("!") || takeKeyword("not") {
      let part = try nested { (parser) throws(QueryTextError) in try parser.negation() }
      return try syntax(offset, .not(part))
    }
    guard let quantifier = Self.quantifiers[keyword ?? ""] else { return try comparison() }
    place += 1
    return try syntax(offset, .quantified(quantifier, try comparison()))
  }

  private static let quantifiers: [String: QuerySyntax.Quantifier] = [
    "any": .any, "some": .any, "all": .all, "none": .none,
  ]

  static let comparisons: [String: QuerySyntax.Sign] = [
    "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  private static let matches: [String: TextPattern.Form] = [
    "contains": .contains, "hasprefix": .prefix, "beginswith": .prefix, "hassuffix": .suffix,
    "endswith": .suffix, "like": .wildcards, "equals": .equal,
  ]

  private mutating func comparison() throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    let first = try value()
    switch token.kind {
    case .sign("{"): return try syntax(offset, .target(first, try braces()))
    case .sign(let sign):
      guard let sign = Self.comparisons[sign] else { return first }
      return try comparison(first, sign, offset)
    default: break
    }
    guard let keyword else { return first }
    switch keyword {
    case "in":
      place += 1
      return try syntax(offset, try membership(of: first))
    case "between":
      place += 1
      let (lower, upper) = try bounds()
      return try syntax(offset, .between(first, lower, upper))
    case "matches":
      throw error("There is no MATCHES: regular expressions are not asked of a store.")
    default:
      guard let form = Self.matches[keyword] else {
        if let hint = hintOfSQLOperator(keyword) { throw error(hint) }
        return first
      }
      place += 1
      return try match(first, form, offset)
    }
  }

  /// Parses what follows a value: `== 3`, `==[c] "ann"`.
  private mutating func comparison(
    _ first: QuerySyntax, _ sign: QuerySyntax.Sign, _ offset: Int
  ) throws(QueryTextError) -> QuerySyntax {
    let start = token
    place += 1
    let folding = try options()
    let second = try value()
    if folding.isEmpty || first.literal?.isNull == true || second.literal?.isNull == true {
      return try syntax(offset, .binary(sign, first, second))
    }
    guard sign == .equal || sign == .notEqual else {
      throw QueryTextError(
        message: "Only == and != leave out cases or diacritics.", offset: start.offset)
    }
    let (text, pattern) = first.literal == nil ? (first, second) : (second, first)
    let form: QuerySyntax.Form =
      pattern.literal == nil
      ? .binary(
        .equal, try syntax(text.offset, .folded(folding, text)),
        try syntax(pattern.offset, .folded(folding, pattern)))
      : .match(text, .equal, folding, pattern)
    let equality = try syntax(offset, form)
    return sign == .equal ? equality : try syntax(offset, .not(equality))
  }

  /// Parses what follows a value and `contains`, `hasPrefix` or another of these words.
  private mutating func match(
    _ first: QuerySyntax, _ form: TextPattern.Form, _ offset: Int
  ) throws(QueryTextError) -> QuerySyntax {
    if form == .contains, token.kind == .sign("{") {
      return try syntax(offset, .some(first, try braces()))
    }
    let folding = try options()
    let mayHold = form == .contains && folding.isEmpty
    let start = token.offset
    let second = try unary()
    switch second.literal?.isText {
    case true?: return try syntax(offset, .match(first, form, folding, second))
    case false? where !mayHold && second.literal?.isBytes == true:
      return try syntax(offset, .match(first, form, folding, second))
    case _ where mayHold: return try syntax(offset, .holding(first, second))
    default: throw QueryTextError(message: "Here comes a text in quotation marks.", offset: start)
    }
  }

  /// `{ condition }`
  mutating func braces() throws(QueryTextError) -> QuerySyntax {
    try expect("{")
    let part = try nested { (parser) throws(QueryTextError) in try parser.condition() }
    try expect("}")
    return part
  }

  /// Parses what follows `in`: a list of constants, or objects or elements.
  private mutating func membership(
    of first: QuerySyntax
  ) throws(QueryTextError) -> QuerySyntax.Form {
    if let list = try list({ (parser) throws(QueryTextError) in try parser.unary() }) {
      return .membership(first, list)
    }
    let second = try value()
    if case .argument(.list(let values))? = second.literal {
      return .membership(first, values.map { QuerySyntax(second, .argument($0)) })
    }
    guard second.isPath else {
      throw QueryTextError(
        message: "In { … } come constants; objects or elements have a name.", offset: second.offset)
    }
    return .quantified(.any, try syntax(first.offset, .binary(.equal, second, first)))
  }

  /// `{1, 3}`
  private mutating func bounds() throws(QueryTextError) -> (QuerySyntax, QuerySyntax) {
    let offset = token.offset
    var bounds: [QuerySyntax] = []
    if let list = try list({ (parser) throws(QueryTextError) in try parser.value() }) {
      bounds = list
    } else if case let value = try value(), case .argument(.list(let values))? = value.literal {
      bounds = values.map { QuerySyntax(value, .argument($0)) }
    }
    guard bounds.count == 2 else {
      throw QueryTextError(message: "Behind BETWEEN come two values: {1, 3}.", offset: offset)
    }
    return (bounds[0], bounds[1])
  }

  /// A list in brackets or braces; nil if there is none.
  private mutating func list(
    _ part: (inout QueryParser) throws(QueryTextError) -> QuerySyntax
  ) throws(QueryTextError) -> [QuerySyntax]? {
    let end: String
    if takeSign("[") {
      end = "]"
    } else if takeSign("{") {
      end = "}"
    } else {
      return nil
    }
    var values: [QuerySyntax] = []
    if takeSign(end) { return values }
    repeat { values.append(try part(&self)) } while takeSign(",")
    try expect(end)
    return values
  }

  /// `[cd]`: ignores case and diacritics; `i` means the same as `c`.
  mutating func options() throws(QueryTextError) -> TextFolding {
    guard takeSign("[") else { return [] }
    var folding: TextFolding = []
    if case .word(let word) = token.kind {
      for letter in word {
        switch letter {
        case "i", "c": folding.insert(.caseInsensitive)
        case "d": folding.insert(.diacriticInsensitive)
        default: throw error("c or i leaves out cases, d diacritics; there is no \(letter).")
        }
      }
      place += 1
    }
    try expect("]")
    return folding
  }
}
