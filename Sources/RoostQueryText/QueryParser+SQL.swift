internal import RoostEngine

/// What errors say of texts that are written as SQL has them.
extension QueryParser {
  /// How an operator of SQL is written; nil for other words behind a value.
  func hintOfSQLOperator(_ keyword: String) -> String? {
    guard keyword == "is" || keyword == "not" else { return nil }
    let next = place + 1 < tokens.count ? tokens[place + 1].kind : .end
    switch (keyword, next) {
    case ("is", .word(let word)) where word.lowercased() == "not":
      return "There is no IS NOT here: write != nil for IS NOT NULL, or != and a value."
    case ("is", .word), ("is", .name), ("is", .number), ("is", .string):
      return "There is no IS here: write == nil for IS NULL, or == and a value."
    case ("not", .word(let word)) where Self.negatedWords.contains(word.lowercased()):
      return "NOT stands before the whole condition: write !(… \(word) …)."
    default: return nil
    }
  }

  /// The operators that SQL negates by a word before them.
  private static let negatedWords: Set<String> = ["in", "like", "between", "contains"]

  /// How the clause of SQL that begins here is written; nil for other words.
  func hintOfSQLClause() -> String? {
    switch keyword {
    case "order": "Objects are sorted by sort: write sort name desc, and not ORDER BY."
    case "asc", "ascending": "Without a word the order is ascending: leave \(found) out."
    case "desc" where token.kind != .word("desc"), "descending":
      "For a descending order write desc, and not \(found)."
    case "join":
      "There is no JOIN: a link leads to its target's fields, as in owner.name."
    default: nil
    }
  }

  /// Throws where a text begins like SQL.
  func refuseSQLSelection() throws(QueryTextError) {
    // A model may be called so.
    guard keyword == "select", place == 0, tokens.count > 1, !isQueryWord(tokens[1]) else { return }
    let from = tokens.firstIndex { token in
      if case .word(let word) = token.kind { word.lowercased() == "from" } else { false }
    }
    var model = "Person"
    if let from, from + 1 < tokens.count {
      switch tokens[from + 1].kind {
      case .word(let name), .name(let name): model = name
      default: break
      }
    } else if tokens.count < 2 || tokens[1].kind != .sign("*") {
      return
    }
    throw error(
      "A query begins with the model, and finds whole objects: write \(model) where …, and not "
        + "SELECT … FROM \(model) WHERE ….")
  }

  /// Whether a word may follow the name of a model.
  private func isQueryWord(_ token: QueryToken) -> Bool {
    guard case .word(let word) = token.kind else { return token.kind == .end }
    return ["where", "sort", "limit", "offset", "group", "select"].contains(word)
  }

  /// Throws where `by` and a name follow, as in `ORDER BY name`.
  func refuseSQLBy(_ word: String) throws(QueryTextError) {
    guard keyword == "by", place + 1 < tokens.count else { return }
    switch tokens[place + 1].kind {
    case .word(let name) where !Self.wordsBehindField.contains(name), .name(let name):
      throw error("No BY follows here: write \(word) \(name).")
    default: break
    }
  }

  /// The words that may follow a field called `by`.
  private static let wordsBehindField: Set<String> = [
    "desc", "locale", "limit", "offset", "select", "having", "sort", "as",
  ]

  /// Throws where fields follow `select`.
  func refuseSelectedFields(of model: String) throws(QueryTextError) {
    let field: String
    switch token.kind {
    case .word(let name) where !["having", "sort", "limit", "offset"].contains(name):
      field = name
    case .name(let name): field = name
    case .sign("*"): field = "*"
    default: return
    }
    let whole = "Behind select come count, sum(…), min(…), max(…) or average(…)"
    throw error(
      field == "*"
        ? "\(whole). Whole objects are found without it: \(model)."
        : "\(whole). Without it whole objects are found, and \(model) group \(field) finds the "
          + "different values.")
  }
}

extension ObjectQuery {
  /// What to say of a query's text whose patterns are SQL's: it is valid, and finds only texts with a percent sign.
  ///
  /// Nil for other texts. The text of a query that a program made may have such a pattern, so it is no error.
  package static func remark(on text: String) -> String? {
    guard let tokens = try? QueryLexer.tokens(text) else { return nil }
    for place in tokens.indices {
      guard case .word(let word) = tokens[place].kind, word.lowercased() == "like" else { continue }
      // The options of the operator stand in brackets.
      for token in tokens[(place + 1)...].prefix(4) {
        guard case .string(let pattern) = token.kind else { continue }
        guard pattern.contains(UInt8(ascii: "%")),
          !pattern.contains(where: { "*?".utf8.contains($0) })
        else { break }
        return
          "In a pattern of like * stands for any text and ? for one character; % is no wildcard."
      }
    }
    return nil
  }
}
