internal import RoostEngine

/// Parses a query's text into its syntax, by recursive descent.
struct QueryParser {
  /// The maximum nesting of parentheses and braces.
  private static let depthMax = 50
  /// The maximum height of the syntax tree: each link of a path and each operation adds a level.
  private static let heightMax = 200

  private let tokens: [QueryToken]
  private var place = 0
  private var depth = 0

  private init(_ text: String) throws(QueryTextError) { tokens = try QueryLexer.tokens(text) }

  /// Parses an object query.
  static func sentence(of text: String) throws(QueryTextError) -> QuerySentence {
    var parser = try QueryParser(text)
    let sentence = try parser.objects()
    try parser.expectEnd(
      "Here a query ends, or goes on with where, sort, limit or offset, in this order.")
    return sentence
  }

  /// Parses a group query.
  static func groups(of text: String) throws(QueryTextError) -> GroupSentence {
    var parser = try QueryParser(text)
    return try parser.groups()
  }

  /// Whether `group` or `select` follows the objects.
  static func asksForGroups(_ text: String) -> Bool {
    guard var parser = try? QueryParser(text), (try? parser.objects()) != nil else { return false }
    return parser.takeWord("group") || parser.takeWord("select")
  }

  /// `Person where age >= 18 sort name desc, age limit 20 offset 10`
  private mutating func objects() throws(QueryTextError) -> QuerySentence {
    var sentence = QuerySentence(
      offset: token.offset, table: try takeName("A query begins with the name of a model."))
    if takeWord("where") { sentence.condition = try condition() }
    try takeOrder(&sentence)
    return sentence
  }

  /// `Person where age >= 18 group mood select count, sum(score) having count > 2 sort sum(score) desc limit 20`
  ///
  /// These words are names everywhere else.
  private mutating func groups() throws(QueryTextError) -> GroupSentence {
    let objects = try objects()
    var sentence = GroupSentence(
      objects: objects, groups: QuerySentence(offset: objects.offset, table: objects.table))
    let start = place
    if takeWord("group") { repeat { sentence.keys.append(try value()) } while takeSign(",") }
    if takeWord("select"), isAggregate {
      repeat { sentence.aggregates.append(try aggregate()) } while takeSign(",")
    }
    guard place > start else {
      throw error("Here groups begin: group and what is the same, or select and what is asked.")
    }
    if takeWord("having") { sentence.groups.condition = try condition() }
    try takeOrder(&sentence.groups)
    try expectEnd(
      "Here the groups end, or go on with select, having, sort, limit or offset, in this order.")
    return sentence
  }

  /// `sort name desc, age limit 20 offset 10`
  private mutating func takeOrder(_ sentence: inout QuerySentence) throws(QueryTextError) {
    if takeWord("sort") {
      repeat {
        let value = try value()
        let locale = takeWord("locale") ? try text() : nil
        sentence.order.append((value, locale, takeWord("desc")))
      } while takeSign(",")
    }
    if takeWord("limit") { sentence.limit = try count() }
    if takeWord("offset") { sentence.objectsLeftOut = try count() }
  }

  private func expectEnd(_ message: String) throws(QueryTextError) {
    guard token.kind == .end else { throw error(message) }
  }

  // MARK: Tokens

  private var token: QueryToken { tokens[min(place, tokens.count - 1)] }

  private func error(_ message: String) -> QueryTextError {
    QueryTextError(message: message, offset: token.offset)
  }

  private mutating func takeSign(_ sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    place += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard token.kind == .word(word) else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ sign: String) throws(QueryTextError) {
    guard takeSign(sign) else { throw error("Here comes \(sign).") }
  }

  private mutating func takeName(_ message: String) throws(QueryTextError) -> String {
    switch token.kind {
    case .name(let name):
      place += 1
      return name
    case .word(let word) where !QueryWord.keywords.contains(word):
      place += 1
      return word
    default: throw error(message)
    }
  }

  private mutating func count() throws(QueryTextError) -> Int {
    guard case .number(let digits) = token.kind, let count = Int(digits) else {
      throw error("Here comes a number of objects.")
    }
    place += 1
    return count
  }

  private mutating func text() throws(QueryTextError) -> String {
    guard case .string(let bytes) = token.kind, let text = String(validating: bytes, as: UTF8.self)
    else { throw error("Here comes a text in quotation marks.") }
    place += 1
    return text
  }

  private mutating func nested<Part>(
    _ part: (inout QueryParser) throws(QueryTextError) -> Part
  ) throws(QueryTextError) -> Part {
    guard depth < Self.depthMax else {
      throw error("Parentheses lie within each other more than \(Self.depthMax) deep.")
    }
    depth += 1
    defer { depth -= 1 }
    return try part(&self)
  }

  /// A syntax node, checked to be low enough for recursion.
  private func syntax(
    _ offset: Int, _ form: QuerySyntax.Form
  ) throws(QueryTextError) -> QuerySyntax {
    let syntax = QuerySyntax(offset: offset, form: form)
    guard syntax.height <= Self.heightMax else {
      throw error("More than \(Self.heightMax) links and operations follow each other.")
    }
    return syntax
  }

  // MARK: Conditions

  private mutating func condition() throws(QueryTextError) -> QuerySyntax {
    try chain("||", QuerySyntax.Form.or) { (parser) throws(QueryTextError) in
      try parser.chain("&&", QuerySyntax.Form.and) { (parser) throws(QueryTextError) in
        try parser.negation()
      }
    }
  }

  private mutating func chain(
    _ sign: String, _ form: ([QuerySyntax]) -> QuerySyntax.Form,
    _ part: (inout QueryParser) throws(QueryTextError) -> QuerySyntax
  ) throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    var parts = [try part(&self)]
    while takeSign(sign) { parts.append(try part(&self)) }
    return parts.count == 1 ? parts[0] : try syntax(offset, form(parts))
  }

  private mutating func negation() throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    guard takeSign("!") else { return try comparison() }
    let part = try nested { (parser) throws(QueryTextError) in try parser.negation() }
    return try syntax(offset, .not(part))
  }

  private static let comparisons: [String: QuerySyntax.Sign] = [
    "==": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater,
    ">=": .greaterOrEqual,
  ]

  private static let matches: [String: TextPattern.Form] = [
    "contains": .contains, "hasPrefix": .prefix, "hasSuffix": .suffix, "like": .wildcards,
    "equals": .equal,
  ]

  private mutating func comparison() throws(QueryTextError) -> QuerySyntax {
    let offset = token.offset
    let first = try value()
    func made(_ form: QuerySyntax.Form) throws(QueryTextError) -> QuerySyntax {
      try syntax(offset, form)
    }
    switch token.kind {
    case .sign("{"): return try made(.target(first, try braces()))
    case .sign(let sign):
      guard let sign = Self.comparisons[sign] else { return first }
      place += 1
      return try made(.binary(sign, first, try value()))
    case .word("in"):
      place += 1
      return try made(.membership(first, try list()))
    case .word(let word):
      guard let form = Self.matches[word] else { return first }
      place += 1
      if form == .contains, token.kind == .sign("{") {
        return try made(.some(first, try braces()))
      }
      let folding = try options()
      let mayHold = form == .contains && folding.isEmpty
      switch token.kind {
      case .string(let text):
        place += 1
        return try made(.match(first, form, folding, text))
      case .bytes(let text) where !mayHold:
        place += 1
        return try made(.match(first, form, folding, text))
      case _ where mayHold: return try made(.holding(first, try unary()))
      default: throw error("Here comes a text in quotation marks.")
      }
    default: return first
    }
  }

  /// `{ condition }`
  private mutating func braces() throws(QueryTextError) -> QuerySyntax {
    try expect("{")
    let part = try nested { (parser) throws(QueryTextError) in try parser.condition() }
    try expect("}")
    return part
  }

  private mutating func list() throws(QueryTextError) -> [QuerySyntax] {
    try expect("[")
    var values: [QuerySyntax] = []
    if takeSign("]") { return values }
    repeat { values.append(try unary()) } while takeSign(",")
    try expect("]")
    return values
  }

  /// `[id]`: ignores case and diacritics.
  private mutating func options() throws(QueryTextError) -> TextFolding {
    guard takeSign("[") else { return [] }
    var folding: TextFolding = []
    if case .word(let word) = token.kind {
      for letter in word {
        switch letter {
        case "i": folding.insert(.caseInsensitive)
        case "d": folding.insert(.diacriticInsensitive)
        default: throw error("i leaves out cases, d diacritics; there is no \(letter).")
        }
      }
      place += 1
    }
    try expect("]")
    return folding
  }

  // MARK: Values

  private mutating func value() throws(QueryTextError) -> QuerySyntax {
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

  private mutating func unary() throws(QueryTextError) -> QuerySyntax {
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
    while takeSign(".") {
      if takeSign("(") {
        let inner = try nested { (parser) throws(QueryTextError) in try parser.value() }
        try expect(")")
        value = try syntax(offset, .behind(value, inner))
        continue
      }
      if case .place(let number) = token.kind {
        place += 1
        let inner = try syntax(offset, .place(number))
        value = try syntax(offset, .behind(value, inner))
        continue
      }
      let name: String
      var argument: QuerySyntax?
      if takeWord("where") {
        name = "where"
        argument = try braces()
      } else {
        name = try takeName("A name follows a dot.")
        if AggregateFunction(name) != nil, token.kind == .sign("{") {
          place += 1
          argument = try nested { (parser) throws(QueryTextError) in try parser.value() }
          try expect("}")
        }
      }
      value = try syntax(offset, .member(value, name, argument))
    }
    return value
  }

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
      return try made(.place(number))
    case .sign("("):
      place += 1
      let inner = try nested { (parser) throws(QueryTextError) in try parser.condition() }
      try expect(")")
      return inner
    case .word("true"), .word("false"):
      place += 1
      return try made(.literal(.bool(start.kind == .word("true"))))
    case .word("nil"):
      place += 1
      return try made(.literal(.null))
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
  private var isAggregate: Bool {
    if case .word(let word) = token.kind { AggregateFunction(word) != nil } else { false }
  }

  /// `count`, `sum(score)`
  private mutating func aggregate() throws(QueryTextError) -> QuerySyntax {
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
