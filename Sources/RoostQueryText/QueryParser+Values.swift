internal import RoostEngine

extension QueryParser {
  mutating func value() throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    let first = try sum()
    guard takeSign("??") else { return first }
    // Right-associative: each value is the fallback for those to its left.
    let rest = try nested { (parser) throws(QueryTextError) in try parser.value() }
    return try syntax(offset, .binary(.coalesce, first, rest))
  }

  private mutating func sum() throws(QueryTextError) -> QuerySyntax {
    try operations([.add, .subtract]) { (parser) throws(QueryTextError) in
      try parser.operations([.multiply, .divide, .remainder]) { (parser) throws(QueryTextError) in
        try parser.unary()
      }
    }
  }

  private mutating func operations(
    _ signs: [QuerySyntax.Sign],
    _ part: (inout QueryParser) throws(QueryTextError) -> QuerySyntax
  ) throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    var value = try part(&self)
    while case .sign(let sign) = token.kind,
      let sign = QuerySyntax.Sign(rawValue: sign), signs.contains(sign)
    {
      place += 1
      value = try syntax(offset, .binary(sign, value, try part(&self)))
    }
    return value
  }

  mutating func unary() throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    var value: QuerySyntax
    if takeSign("-") {
      switch token.kind {
      case .number(let digits):
        place += 1
        value = try syntax(offset, .literal(.number("-" + digits)))
      case .word("inf"):
        place += 1
        value = try syntax(offset, .literal(.number("-inf")))
      default: throw error("A number follows the sign; write 0 - x for other values.")
      }
    } else {
      value = try postfix()
    }
    while takeWord("as") {
      guard let type = try typeName() else {
        throw error("Here comes Int, UInt, Double or Float.")
      }
      value = try syntax(offset, .conversion(value, type))
    }
    return value
  }

  private mutating func postfix() throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    var value = try primary()
    while true {
      if value.isPath, takeSign("[") {
        value = try syntax(offset, try element(of: value))
      } else if takeSign(".") {
        let nameOffset = token.offset
        value = try syntax(offset, try member(of: value), nameOffset)
      } else {
        return value
      }
    }
  }

  /// Parses what follows a dot.
  private mutating func member(of value: QuerySyntax) throws(QueryTextError) -> QuerySyntax.Form {
    if takeSign("(") {
      let inner = try nested { (parser) throws(QueryTextError) in try parser.value() }
      try expect(")")
      return .behind(value, inner)
    }
    if takeSign("@") { return try collectionOperator(of: value) }
    if case .place(let number) = token.kind {
      let inner = try syntax(token.offset, .place(number))
      place += 1
      return .behind(value, inner)
    }
    if takeWord("where") { return .member(value, "where", try braces()) }
    let name = try takeName("A name follows a dot.")
    var argument: QuerySyntax?
    if AggregateFunction(name) != nil, takeSign("{") {
      argument = try nested { (parser) throws(QueryTextError) in try parser.value() }
      try expect("}")
    }
    return .member(value, name, argument)
  }

  private static let constants: [String: QuerySyntax.Literal] = [
    "true": .bool(true), "yes": .bool(true), "truepredicate": .bool(true), "false": .bool(false),
    "no": .bool(false), "falsepredicate": .bool(false), "nil": .null, "null": .null,
  ]

  private mutating func primary() throws(QueryTextError) -> QuerySyntax {
    let start = token
    func made(_ form: QuerySyntax.Form) throws(QueryTextError) -> QuerySyntax {
      try syntax(start.offset, form)
    }
    switch start.kind {
    case .number(let digits):
      place += 1
      return try made(.literal(.number(digits)))
    case .string(let bytes):
      place += 1
      return try made(.literal(.string(bytes)))
    case .bytes(let bytes):
      place += 1
      return try made(.literal(.bytes(bytes)))
    case .place(let number):
      place += 1
      return try made(try numbered(number, start.offset))
    case .variable(let name):
      place += 1
      return try made(.variable(name))
    case .sign("%"):
      place += 1
      return try argument(start.offset)
    case .sign("@"):
      place += 1
      return try made(try backlinks())
    case .sign("("):
      place += 1
      let inner = try nested { (parser) throws(QueryTextError) in try parser.condition() }
      try expect(")")
      return inner
    case .word("nan"), .word("inf"):
      place += 1
      return try made(.literal(.number(start.kind == .word("nan") ? "nan" : "inf")))
    case .word("outer"):
      place += 1
      return try made(.outer)
    case .word("folded"):
      place += 1
      let folding = try options()
      try expect("(")
      let text = try nested { (parser) throws(QueryTextError) in try parser.value() }
      try expect(")")
      return try made(.folded(folding, text))
    case .word:
      if let literal = Self.constants[keyword ?? ""] {
        place += 1
        return try made(.literal(literal))
      }
      return takeKeyword("subquery") ? try made(try subquery()) : try named()
    default: return try named()
    }
  }

  /// Parses a value that begins with a name: an aggregate, a typed value, a field, or the objects that link to the current one.
  private mutating func named() throws(QueryTextError) -> QuerySyntax {
    let start = token.offset
    if isAggregate, tokens[min(place + 1, tokens.count - 1)].kind == .sign("(") {
      return try aggregate()
    }
    if let type = try typeName(before: "(") {
      try expect("(")
      let value = try nested { (parser) throws(QueryTextError) in try parser.value() }
      try expect(")")
      return try syntax(start, .typed(type, value))
    }
    let name = try takeName("Here comes a field, a constant or a parenthesis.")
    guard takeWord("by") else { return try syntax(start, .name(name)) }
    let offset = token.offset
    if case .place(let number) = token.kind {
      place += 1
      return try syntax(start, .inverse(table: name, field: syntax(offset, .place(number))))
    }
    let field = try takeName("Here comes the field that links to the object.")
    return try syntax(start, .inverse(table: name, field: syntax(offset, .name(field))))
  }

  /// Whether an aggregate function may begin here.
  var isAggregate: Bool {
    if case .word(let word) = token.kind { AggregateFunction(word) != nil } else { false }
  }

  /// `count`, `sum(score)`
  mutating func aggregate() throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    guard case .word(let word) = token.kind, let function = AggregateFunction(word) else {
      throw error("Here comes count, sum(…), min(…), max(…) or average(…).")
    }
    place += 1
    if function == .count, token.kind != .sign("(") {
      return try syntax(offset, .aggregate(.count, nil))
    }
    try expect("(")
    let value = try nested { (parser) throws(QueryTextError) in try parser.value() }
    try expect(")")
    return try syntax(offset, .aggregate(function, value))
  }

  /// `Int`, or `Int[0...255]`, if such a type precedes a sign; otherwise nil, and no token is consumed.
  private mutating func typeName(
    before sign: String? = nil
  ) throws(QueryTextError) -> QuerySyntax.TypeName? {
    guard case .word(let name) = token.kind, QueryWord.types[name] != nil else { return nil }
    let start = place
    place += 1
    var range: ClosedRange<Int64>?
    if takeSign("[") {
      let lower = try bound()
      try expect("...")
      let upper = try bound()
      guard lower <= upper else { throw error("A range begins with its lower end.") }
      range = lower...upper
      try expect("]")
    }
    if let sign, token.kind != .sign(sign) {
      place = start
      return nil
    }
    return QuerySyntax.TypeName(name: name, range: range)
  }

  private mutating func bound() throws(QueryTextError) -> Int64 {
    let minus = takeSign("-") ? "-" : ""
    guard case .number(let digits) = token.kind, let bound = Int64(minus + digits) else {
      throw error("Here comes an integer of 64 bits.")
    }
    place += 1
    return bound
  }
}
