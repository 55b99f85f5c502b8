internal import RoostEngine

/// Parses a query's text into its syntax, by recursive descent.
///
/// One grammar has the words of our own texts and the operators that Realm documented for predicate strings.
struct QueryParser {
  /// The maximum nesting of parentheses and braces.
  private static let depthMax = 50
  /// The maximum height of the syntax tree: each link of a path and each operation adds a level.
  private static let heightMax = 200

  /// The maximum nesting of `BETWEEN`.
  private static let betweensMax = 4

  let tokens: [QueryToken]
  var place = 0
  var depth = 0

  /// The values that `%@` and `$0` stand for; nil if the text has none, and `$3` is a field.
  let arguments: [QueryArgument]?
  /// The number of values that `%@` and `%K` have taken.
  var argumentsTaken = 0
  /// Which of the values are used.
  var isUsed: [Bool]

  private init(_ text: String, _ arguments: [QueryArgument]? = nil) throws(QueryTextError) {
    tokens = try QueryLexer.tokens(text)
    self.arguments = arguments
    isUsed = [Bool](repeating: false, count: arguments?.count ?? 0)
  }

  /// Parses an object query.
  static func sentence(of text: String) throws(QueryTextError) -> QuerySentence {
    var parser = try QueryParser(text)
    let sentence = try parser.objects()
    try parser.expectEnd(
      "Here a query ends, or goes on with where, sort, limit or offset, in this order.",
      Self.operatorWords + ["where", "sort", "limit", "offset", "group", "select"])
    return sentence
  }

  /// Parses a condition whose values are arguments.
  static func condition(
    of text: String, _ arguments: [QueryArgument]
  ) throws(QueryTextError) -> QuerySyntax {
    var parser = try QueryParser(text, arguments)
    let condition = try parser.condition()
    try parser.expectEnd(
      "Here the condition ends, or goes on with AND or OR; \(parser.found) is no operator here.",
      Self.operatorWords)
    guard let unused = parser.isUsed.firstIndex(of: false) else { return condition }
    throw parser.error("Value \(unused + 1) of \(arguments.count) has no place in the text.")
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
  mutating func objects() throws(QueryTextError) -> QuerySentence {
    try refuseSQLSelection()
    var sentence = QuerySentence(
      offset: token.offset, table: try takeName("A query begins with the name of a model."))
    if takeWord("where") { sentence.condition = try condition() }
    try takeOrder(&sentence)
    return sentence
  }

  /// `Person where age >= 18 group mood select count, sum(score) having count > 2 sort sum(score) desc limit 20`
  ///
  /// These words are names everywhere else.
  mutating func groups() throws(QueryTextError) -> GroupSentence {
    let objects = try objects()
    var sentence = GroupSentence(
      objects: objects, groups: QuerySentence(offset: objects.offset, table: objects.table))
    let start = place
    if takeWord("group") {
      try refuseSQLBy("group")
      repeat { sentence.keys.append(try value()) } while takeSign(",")
    }
    if takeWord("select") {
      if isAggregate {
        repeat { sentence.aggregates.append(try aggregate()) } while takeSign(",")
      } else {
        try refuseSelectedFields(of: sentence.objects.table)
      }
    }
    guard place > start else {
      throw error("Here groups begin: group and what is the same, or select and what is asked.")
    }
    if takeWord("having") { sentence.groups.condition = try condition() }
    try takeOrder(&sentence.groups)
    try expectEnd(
      "Here the groups end, or go on with select, having, sort, limit or offset, in this order.",
      Self.operatorWords + ["select", "having", "sort", "limit", "offset"])
    return sentence
  }

  /// `sort name desc, age limit 20 offset 10`
  mutating func takeOrder(_ sentence: inout QuerySentence) throws(QueryTextError) {
    if takeWord("sort") {
      try refuseSQLBy("sort")
      repeat {
        let value = try value()
        let locale = takeWord("locale") ? try text() : nil
        sentence.order.append((value, locale, takeWord("desc")))
      } while takeSign(",")
    }
    if takeWord("limit") { sentence.limit = try count() }
    if takeWord("offset") { sentence.objectsLeftOut = try count() }
  }

  /// - Parameter words: The words with which the text may go on here.
  func expectEnd(_ message: String, _ words: [String]) throws(QueryTextError) {
    guard token.kind == .end else {
      throw error(hintOfSQLClause() ?? message + hint(among: words))
    }
  }

  // MARK: Tokens

  var token: QueryToken { tokens[min(place, tokens.count - 1)] }

  func error(_ message: String) -> QueryTextError {
    QueryTextError(message: message, offset: token.offset)
  }

  mutating func takeSign(_ sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    place += 1
    return true
  }

  mutating func takeWord(_ word: String) -> Bool {
    guard token.kind == .word(word) else { return false }
    place += 1
    return true
  }

  /// Takes a word in any case.
  mutating func takeKeyword(_ word: String) -> Bool {
    guard keyword == word else { return false }
    place += 1
    return true
  }

  /// The next word in small letters.
  var keyword: String? {
    if case .word(let word) = token.kind { word.lowercased() } else { nil }
  }

  /// The next token, for errors.
  var found: String {
    switch token.kind {
    case .word(let text), .name(let text), .number(let text), .sign(let text): text
    case .place(let number): "$\(number)"
    case .variable(let name): "$\(name)"
    case .string, .bytes: "a text"
    case .end: "the end"
    }
  }

  mutating func expect(_ sign: String) throws(QueryTextError) {
    guard takeSign(sign) else {
      // As in SQL.
      let remedy = sign == ")" && found == "," ? " A list stands in brackets: [1, 2]." : ""
      throw error("Here comes \(sign), and not \(found).\(remedy)")
    }
  }

  mutating func takeName(_ message: String) throws(QueryTextError) -> String {
    switch token.kind {
    case .name(let name):
      place += 1
      return name
    case .word(let word) where !QueryWord.isKeyword(word):
      place += 1
      return word
    default: throw error(message)
    }
  }

  mutating func count() throws(QueryTextError) -> Int {
    guard case .number(let digits) = token.kind, let count = Int(digits) else {
      throw error("Here comes a number of objects.")
    }
    place += 1
    return count
  }

  mutating func text() throws(QueryTextError) -> String {
    guard case .string(let bytes) = token.kind, let text = String(validating: bytes, as: UTF8.self)
    else { throw error("Here comes a text in quotation marks.") }
    place += 1
    return text
  }

  mutating func nested<Part>(
    _ part: (inout QueryParser) throws(QueryTextError) -> Part
  ) throws(QueryTextError) -> Part {
    guard depth < Self.depthMax else {
      throw error(
        "Parentheses and negations lie within each other more than \(Self.depthMax) deep.")
    }
    depth += 1
    defer { depth -= 1 }
    return try part(&self)
  }

  /// A syntax node, checked to be low enough for recursion.
  func syntax(
    _ offset: Int, _ form: QuerySyntax.Form, _ nameOffset: Int? = nil
  ) throws(QueryTextError) -> QuerySyntax {
    let syntax = QuerySyntax(offset: offset, form: form, nameOffset: nameOffset)
    guard syntax.height <= Self.heightMax else {
      throw error("More than \(Self.heightMax) links and operations follow each other.")
    }
    guard syntax.betweens <= Self.betweensMax else {
      throw error("BETWEEN lies in others more than \(Self.betweensMax) deep.")
    }
    return syntax
  }
}
