internal import Roost
internal import RoostEngine
internal import RoostInterchange

/// What errors say of names that are misspelt, and of constants that are written otherwise.
extension QueryBinder {
  /// The error for a model that is not there.
  func unknownModel(_ name: String) -> String {
    let models = catalog.tables.map(\.name).filter { !$0.utf8.contains(UInt8(ascii: ":")) }
    return "There is no model \(name) in the store." + NearestName.question(name, among: models)
  }

  /// The error for names of which none is a field; names of struct parts contain dots.
  func unknownField(_ names: [String], _ scope: QueryScope) -> String {
    guard let first = names.first else { return "\(scope.description) has no field of this kind." }
    let known = fieldNames(scope)
    // Up to the first name with which no field begins.
    var name = first
    for next in names.dropFirst() where known.contains(where: { $0.hasPrefix(name + ".") }) {
      name += "." + next
    }
    let parts = known.filter { $0.hasPrefix(name + ".") }
    if !parts.isEmpty {
      return "\(name) is a struct: name one of its parts: "
        + parts.prefix(4).joined(separator: ", ") + (parts.count > 4 ? ", …." : ".")
    }
    if let linking = linking(scope, called: first) {
      return "\(scope.description) has no field \(first). What links to it is asked for as in "
        + "(\(linking)).count or (\(linking)) contains { … }."
    }
    let structs = known.compactMap { field in field.firstIndex(of: ".").map { String(field[..<$0]) }
    }
    return "\(scope.description) has no field \(name)."
      + NearestName.question(name, among: name.contains(".") ? known : known + structs)
  }

  /// The objects that link to the scope's, in the words of a query, if their model is called like a name: `Dog by owner` for dogs.
  private func linking(_ scope: QueryScope, called name: String) -> String? {
    guard case .table(let table, _) = scope else { return nil }
    let name = name.lowercased()
    for source in catalog.tables {
      let model = source.name.lowercased()
      // Up to the ending that the plural may change.
      guard name.hasPrefix(model) || model.utf8.count > 2 && name.hasPrefix(model.dropLast()),
        name.count <= model.count + 3
      else { continue }
      for field in source.fields where field.type.isLink && field.target == table.id {
        return QueryPrinter(catalog: catalog).words(of: field.id, linkingFrom: source)
      }
    }
    return nil
  }

  /// Refuses a text that is no case of the enum beside it.
  func checkCase(
    _ constant: QuerySyntax, beside value: ColumnExpression, _ scope: QueryScope
  ) throws(QueryTextError) {
    let text: String? =
      switch constant.literal {
      case .string(let bytes)?: String(decoding: bytes, as: UTF8.self)
      case .argument(let argument)?: argument.text
      default: nil
      }
    guard let text, let models, case .table(let table, _) = scope,
      let (model, field) = ownField(value, of: table),
      let cases = models.cases(insteadOf: text, ofField: field, in: model)
    else { return }
    let known = cases.isEmpty ? "" : " It has \(cases.joined(separator: ", "))."
    throw error(
      constant,
      "\(model).\(field) has no case \(text)."
        + NearestName.question(text, among: cases, else: known))
  }

  /// The field whose values an expression has, of the query's objects or of linked ones; nil for any other expression.
  private func ownField(
    _ value: ColumnExpression, of table: TableDefinition
  ) -> (model: String, field: String)? {
    switch value {
    case .field(let id): table.field(id).map { (table.name, $0.name) }
    case .target(let link, let value):
      table.field(link).flatMap { catalog.table($0.target) }.flatMap { ownField(value, of: $0) }
    default: nil
    }
  }

  private func fieldNames(_ scope: QueryScope) -> [String] {
    switch scope {
    case .table(let table, _):
      table.fields.map(\.name) + inverses.filter { $0.target == table.name }.map(\.name)
    case .elements(let columns, _): columns.map(\.name)
    }
  }

  /// How a text is written, if a name may be meant as one; nil for anything else.
  func unquoted(_ syntax: QuerySyntax) -> String? {
    guard case .name(let name) = syntax.form else { return nil }
    return "A text is written in quotation marks: \"\(name)\"."
  }
}

extension QueryParser {
  /// What may be meant by the word at which a text does not go on: a text of several words, or one of some words, misspelt.
  func hint(among words: [String]) -> String {
    guard case .word(let word) = token.kind, place > 0 else { return "" }
    if let text = unquotedText { return " A text is written in quotation marks: \"\(text)\"." }
    return NearestName.question(word, among: words)
  }

  /// The words behind a comparison, if there are several up to here.
  private var unquotedText: String? {
    var first = place
    while first > 0, case .word(let word) = tokens[first - 1].kind, !QueryWord.isKeyword(word) {
      first -= 1
    }
    guard first > 0, first < place, case .sign(let sign) = tokens[first - 1].kind,
      Self.comparisons[sign] != nil
    else { return nil }
    var words: [String] = []
    for token in tokens[first...] {
      guard case .word(let word) = token.kind, !QueryWord.isKeyword(word) else { break }
      words.append(word)
    }
    return words.joined(separator: " ")
  }

  /// The operators that are words.
  static let operatorWords = [
    "contains", "hasPrefix", "hasSuffix", "beginsWith", "endsWith", "between", "like", "equals",
  ]
}

extension QuerySyntax.Literal {
  /// How a constant of a type is written, behind a colon; empty where that is no help.
  func hint(beside type: FieldType) -> String {
    switch (type, self) {
    case (.string, .number(let digits)): ": a text is written in quotation marks, \"\(digits)\""
    case (.date, .string), (.date, .number): ": a date is written as \(FieldType.dateExample)"
    case (.uuid, _): ": a UUID is written as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
    case (.bool, _): ": it is true or false"
    case (.json, .string), (.json, .number):
      #": these values are stored as the JSON that their Codable code writes, as '{"cash":{}}', or '"cash"' for a text alone; "#
        + "hasPrefix, hasSuffix and contains search in it"
    case (.int, .string), (.uint, .string), (.double, .string), (.float, .string),
      (.decimal, .string):
      ": a number is written without quotation marks"
    default: ""
    }
  }
}

extension FieldType {
  /// How a date is written, with its time and without.
  static let dateExample = #""2013-01-31T05:00:00Z" or "2013-01-31""#

  /// Whether constants of it are texts as they are.
  var isText: Bool { self == .string || self == .json }
}
