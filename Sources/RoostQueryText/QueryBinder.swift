internal import Roost
internal import RoostEngine
internal import RoostInterchange

/// Makes a query from its syntax: resolves tables and fields, and gives constants their types.
struct QueryBinder {
  let catalog: Catalog
  /// The inverses that have a name.
  var inverses: [NamedInverse] = []
  /// The models, whose enums know their cases; nil for a file without models.
  var models: StoreBinding?
  /// The objects of subqueries by their names: the depths of their scopes.
  var variables: [String: Int] = [:]
  /// The depth of the scope in which names without a variable are looked up, outside of subqueries; nil for the innermost.
  var nameDepth: Int?

  /// A value and its type, if the type is known: constants beside the value have that type.
  typealias Typed = (value: ColumnExpression, type: FieldType?)

  func query(_ sentence: QuerySentence) throws(QueryTextError) -> ObjectQuery {
    let table = try table(of: sentence)
    let scope = QueryScope.table(table)
    var query = ObjectQuery(table: table.id)
    if let condition = sentence.condition { query.predicate = try predicate(condition, scope) }
    query.order = try order(sentence, scope) { (value) throws(QueryTextError) in value }
    query.limit = sentence.limit
    query.offset = sentence.objectsLeftOut
    return query
  }

  func table(of sentence: QuerySentence) throws(QueryTextError) -> TableDefinition {
    guard let table = catalog.table(named: sentence.table) else {
      throw QueryTextError(
        message: unknownModel(sentence.table), offset: sentence.offset)
    }
    return table
  }

  /// The sort keys, after name replacement.
  func order(
    _ sentence: QuerySentence, _ scope: QueryScope,
    _ replaced: (QuerySyntax) throws(QueryTextError) -> QuerySyntax
  ) throws(QueryTextError) -> [SortKey] {
    var order: [SortKey] = []
    for (value, locale, isDescending) in sentence.order {
      let typed = try self.value(try replaced(value), scope)
      if locale != nil, let type = typed.type, type.physical != .bytes {
        throw error(value, "A locale orders texts, and this is a value of type \(type.name).")
      }
      order.append(
        SortKey(
          typed.value, descending: isDescending,
          collation: locale.map { .locale($0) }))
    }
    return order
  }

  // MARK: Conditions

  func predicate(_ syntax: QuerySyntax, _ scope: QueryScope) throws(QueryTextError) -> Predicate {
    switch syntax.form {
    case .and(let parts): return .and(try predicates(parts, scope))
    case .or(let parts): return .or(try predicates(parts, scope))
    case .not(let part): return .not(try predicate(part, scope))
    case .literal(.bool(let holds)): return .always(holds)
    case .binary(let sign, let a, let b):
      guard let comparison = sign.comparison else { break }
      return try self.comparison(a, comparison, b, scope)
    case .between(let value, let lower, let upper):
      return .and([
        try comparison(value, .greaterOrEqual, lower, scope),
        try comparison(value, .lessOrEqual, upper, scope),
      ])
    case .membership(let value, let list): return try membership(value, list, scope)
    case .quantified(let quantifier, let comparison):
      return try quantified(quantifier, comparison, scope)
    case .match(let value, .contains, let folding, let text) where value.isPath:
      let path = try path(value, scope)
      if let holding = try holding(path, text, folding, scope) { return holding }
      return try match(try member(path, value), .contains, folding, text, value, scope)
    case .match(let value, let form, let folding, let text):
      return try match(try self.value(value, scope), form, folding, text, value, scope)
    case .holding(let value, let part):
      let path = value.isPath ? try path(value, scope) : nil
      if let path, let holding = try holding(path, part, [], scope) { return holding }
      let text: Typed =
        if let path { try member(path, value) } else { try self.value(value, scope) }
      guard part.literal?.matched != nil else {
        if text.type?.isText == true, let hint = unquoted(part) { throw error(part, hint) }
        throw error(value, "This has no objects or elements; a text contains a text.")
      }
      return try match(text, .contains, [], part, value, scope)
    case .some(let objects, let condition):
      let path = try path(objects, scope)
      guard let inner = innerScope(of: path) else {
        throw error(objects, "This has no objects or elements that could fulfil a condition.")
      }
      return existence(path, try within.predicate(condition, inner))
    case .target(let link, let condition):
      let path = try path(link, scope)
      guard case .link = path.end, path.hops == 0 else {
        throw error(link, "This is no link: { … } is asked of what a link leads to.")
      }
      return try within.predicate(condition, path.owner).behind(path.links)
    default: break
    }
    let isBool = (try? value(syntax, scope))?.type == .bool
    throw error(
      syntax,
      isBool
        ? "This is true or false: write == true behind it."
        : "This is a value: a condition compares it with something.")
  }

  private func predicates(
    _ parts: [QuerySyntax], _ scope: QueryScope
  ) throws(QueryTextError) -> [Predicate] {
    var predicates: [Predicate] = []
    for part in parts { predicates.append(try predicate(part, scope)) }
    return predicates
  }

  private func comparison(
    _ a: QuerySyntax, _ comparison: Comparison, _ b: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> Predicate {
    for (value, other) in [(a, b), (b, a)] {
      guard let path = wholeStruct(value, scope) else { continue }
      guard other.literal?.isNull == true, comparison == .equal || comparison == .notEqual else {
        throw structError(value, path)
      }
      let isThere = Predicate.comparison(path.value, .equal, .constant(.integer(1))).canonical
      return comparison == .notEqual ? isThere : Predicate.not(isThere).canonical
    }
    let (first, second) = try both(
      try keyed(a, beside: [b], scope), try keyed(b, beside: [a], scope), scope, nil)
    try checkDate(a, beside: second.type)
    try checkDate(b, beside: first.type)
    if comparison == .equal || comparison == .notEqual {
      try checkCase(a, beside: second.value, scope)
      try checkCase(b, beside: first.value, scope)
    }
    for (value, other) in [(a, b), (b, a)] where !other.isConstant {
      guard value.isPlainPath, case let path = try walk(value, scope), path.rest.isEmpty,
        case .collection = path.end
      else { continue }
      throw error(value, "A collection is compared with no other value: ask for its elements.")
    }
    if let type = first.type, let other = second.type, differ(type, other, a, b) {
      let isDate = (type == .date && other == .int) || (type == .int && other == .date)
      throw error(
        b,
        "A value of type \(type.name) is not compared with one of type \(other.name)"
          + (isDate
            ? ": a date is written in quotation marks, as in \(FieldType.dateExample)." : "."))
    }
    return Predicate.comparison(first.value, comparison, second.value).canonical
  }

  private func membership(
    _ value: QuerySyntax, _ list: [QuerySyntax], _ scope: QueryScope
  ) throws(QueryTextError) -> Predicate {
    if let path = wholeStruct(value, scope) { throw structError(value, path) }
    let typed = try self.value(try keyed(value, beside: list, scope), scope)
    var constants: [Value] = []
    for syntax in list {
      let constant = try self.value(syntax, scope, typed.type, beside: typed.type)
      try checkDate(syntax, beside: typed.type)
      try checkCase(syntax, beside: typed.value, scope)
      guard case .constant(let constant) = constant.value else {
        throw error(syntax, "A list has constants only.")
      }
      constants.append(constant)
    }
    return Predicate.membership(typed.value, constants).canonical
  }

  /// The condition that a text matches a constant.
  private func match(
    _ text: Typed, _ form: TextPattern.Form, _ folding: TextFolding, _ constant: QuerySyntax,
    _ syntax: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> Predicate {
    if let type = text.type, type.physical != .bytes {
      if let path = wholeStruct(syntax, scope) { throw structError(syntax, path) }
      throw error(syntax, "This is a value of type \(type.name), and no text.")
    }
    guard let bytes = constant.literal?.matched else {
      throw error(constant, "Here comes a text in quotation marks.")
    }
    guard let match = form.match, folding.isEmpty else {
      let pattern = TextPattern(form, bytes, folding: folding)
      return Predicate.matches(text.value, pattern).canonical
    }
    return Predicate.textMatch(text.value, match, bytes).canonical
  }

  /// The condition that a constant is among some objects or elements; nil if the path is a single value.
  private func holding(
    _ path: QueryPath, _ member: QuerySyntax, _ folding: TextFolding,
    _ scope: QueryScope
  ) throws(QueryTextError) -> Predicate? {
    let field: FieldID
    let type: FieldType?
    switch path.end {
    case .objects(_, let table):
      field = table.identifier?.id ?? 0
      type = QueryScope.table(table).type(field, in: catalog)
    case .collection(_, let columns):
      guard let column = columns.first, columns.count == 1 else {
        throw error(member, "Ask for what one of the elements fulfils: contains { … }.")
      }
      (field, type) = (1, column.type)
    case .link, .value: return nil
    }
    guard case .constant(let constant) = try value(member, scope, type).value else {
      throw error(member, "Here comes a constant.")
    }
    guard !folding.isEmpty, case .bytes(let text) = constant else {
      let equal = Predicate.comparison(.field(field), .equal, .constant(constant)).canonical
      return existence(path, equal)
    }
    return existence(
      path, .matches(.field(field), TextPattern(.equal, text, folding: folding)))
  }

  /// A link, or the key of its target, if that is what the values beside it are.
  private func keyed(
    _ syntax: QuerySyntax, beside others: [QuerySyntax], _ scope: QueryScope
  ) throws(QueryTextError) -> QuerySyntax {
    guard syntax.isPlainPath, others.contains(where: { $0.literal?.isKey == true }),
      case .link(_, let target) = try walk(syntax, scope).end,
      let key = target.identifier, !key.isObjectKey
    else { return syntax }
    return QuerySyntax(offset: syntax.offset, form: .member(syntax, key.name, nil))
  }

  // MARK: Values

  /// Two operands: a constant takes the other operand's type.
  private func both(
    _ a: QuerySyntax, _ b: QuerySyntax, _ scope: QueryScope, _ expected: FieldType?
  ) throws(QueryTextError) -> (Typed, Typed) {
    if a.literal != nil, b.literal == nil {
      let second = try value(b, scope, expected)
      return (try value(a, scope, second.type ?? expected), second)
    }
    let first = try value(a, scope, expected)
    let isBesideValue = b.literal != nil && a.literal == nil
    let type = isBesideValue ? first.type ?? expected : expected
    return (first, try value(b, scope, type, beside: first.type))
  }

  /// A value beside one of a type: the error of an unknown name says how a text is written, if it may be meant as one.
  private func value(
    _ syntax: QuerySyntax, _ scope: QueryScope, _ expected: FieldType?, beside type: FieldType?
  ) throws(QueryTextError) -> Typed {
    do { return try value(syntax, scope, expected) } catch {
      guard type?.isText == true, error.offset == syntax.offset, let hint = unquoted(syntax) else {
        throw error
      }
      throw self.error(syntax, error.message + " " + hint)
    }
  }

  func value(
    _ syntax: QuerySyntax, _ scope: QueryScope, _ expected: FieldType? = nil
  ) throws(QueryTextError) -> Typed {
    switch syntax.form {
    case .literal(let literal):
      if literal.isNull { return (.constant(.null), expected) }
      let type = expected ?? literal.type
      return (.constant(try constant(literal, type, syntax)), type)
    case .name, .place, .member, .behind, .inverse, .outer, .variable, .element, .entries:
      return try member(syntax, scope)
    case .subquery(let objects, let variable, let condition):
      return try count(objects, variable, condition, scope)
    case .aggregate(let function, _):
      throw error(syntax, "\(function.word) is asked of groups, which begin with group or select.")
    case .folded(let folding, let text):
      let folded = try value(text, scope, .string)
      if let type = folded.type, type.physical != .bytes {
        throw error(text, "This is a value of type \(type.name), and no text.")
      }
      return (.folded(folding, folded.value), .string)
    case .typed(let name, let inner):
      guard let type = QueryWord.types[name.name] else { break }
      if let literal = inner.literal {
        return (.constant(try constant(literal, type, inner)), type)
      }
      guard case .binary(let sign, let a, let b) = inner.form, let operation = sign.arithmetic,
        let kind = NumberKind(type, name.range)
      else {
        throw error(inner, "In \(name.name)(…) is a constant, or a calculation with numbers.")
      }
      let (first, second) = try both(a, b, scope, type)
      return (.arithmetic(operation, kind, first.value, second.value), type)
    case .conversion(let number, let name):
      guard let type = QueryWord.types[name.name], let kind = NumberKind(type, name.range) else {
        throw error(syntax, "A number is converted to Int, UInt, Double, Float or Decimal.")
      }
      let converted = try value(number, scope)
      // A condition counts as 1 or 0.
      let origin = converted.type == .bool ? .int : converted.type ?? .int
      guard let from = origin.number else {
        throw error(number, "This is no number.")
      }
      return (.conversion(from, kind, converted.value), type)
    case .binary(let sign, let a, let b):
      let (first, second) = try both(a, b, scope, expected)
      if let calculated = try calculated(sign, first, second, syntax, a, b) { return calculated }
    default: break
    }
    throw error(syntax, "This is a condition: a value is needed here.")
  }

  /// The value of two operands; nil for a comparison.
  private func calculated(
    _ sign: QuerySyntax.Sign, _ first: Typed, _ second: Typed, _ syntax: QuerySyntax,
    _ a: QuerySyntax, _ b: QuerySyntax
  ) throws(QueryTextError) -> Typed? {
    if sign == .coalesce {
      try checkMixing(first.type, second.type, a, b)
      return (.coalescing(first.value, second.value), first.type ?? second.type)
    }
    guard let operation = sign.arithmetic else { return nil }
    let type = first.type ?? second.type ?? .int
    let kind = type.number
    guard kind != nil || type.physical == .bytes && operation == .add else {
      throw error(syntax, "There is no \(sign.rawValue) for values of type \(type.name).")
    }
    try checkMixing(type, second.type, a, b)
    guard let kind else { return (.concatenation(first.value, second.value), type) }
    return (.arithmetic(operation, kind, first.value, second.value), type)
  }

  /// Refuses a calculation with two values whose stored forms differ.
  private func checkMixing(
    _ type: FieldType?, _ other: FieldType?, _ a: QuerySyntax, _ b: QuerySyntax
  ) throws(QueryTextError) {
    guard let type, let other, differ(type, other, a, b) else { return }
    var message = "Values of type \(type.name) and \(other.name) do not mix"
    if type.number != nil, other.number != nil {
      let forms = [type.physical, other.physical]
      let common =
        type == .decimal || other == .decimal
        ? "Decimal" : forms.contains(.double) ? "Double" : forms.contains(.float) ? "Float" : "Int"
      message += ": … as \(common) converts one of them"
    }
    throw error(b, message + ".")
  }

  /// Whether two values are stored in different forms, as `Int` and `UInt` are, or `Decimal` and `String`.
  ///
  /// A calculation with constants alone is read as an `Int`, and may be unsigned in the query whose text is read back.
  private func differ(
    _ type: FieldType, _ other: FieldType, _ a: QuerySyntax, _ b: QuerySyntax
  ) -> Bool {
    type.physical != other.physical
      || ((type == .uint) != (other == .uint) || (type == .decimal) != (other == .decimal))
        && a.hasOwnType && b.hasOwnType
  }

  /// A constant of a type.
  private func constant(
    _ literal: QuerySyntax.Literal, _ type: FieldType, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> Value {
    let value: Value? =
      switch literal {
      case .null: .null
      case .bool(let value): type.physical == .integer ? .integer(value ? 1 : 0) : nil
      case .bytes(let bytes): type.physical == .bytes ? .bytes(bytes) : nil
      case .string(let text):
        type == .json ? Self.json(text) : ValueText.value(text[...], type, .iso8601)
      case .number(let digits): type.number(digits)
      case .argument(let argument): argument.constant(of: type)
      }
    guard let value else {
      if case .argument(let argument) = literal {
        guard let own = argument.type else {
          throw error(syntax, "This value is a list, which only IN and BETWEEN take.")
        }
        throw error(
          syntax, "A value of type \(own.name) does not stand beside one of type \(type.name).")
      }
      throw error(
        syntax, "This is no constant of type \(type.name)\(literal.hint(beside: type)).")
    }
    return value
  }

  /// Refuses a number beside a date, unless it is one that no date in quotation marks can express.
  private func checkDate(
    _ syntax: QuerySyntax, beside type: FieldType?
  ) throws(QueryTextError) {
    guard type == .date, case .number(let digits) = syntax.literal,
      case .double(let seconds) = FieldType.date.number(digits), TimeText.text(seconds) != nil
    else { return }
    throw error(
      syntax,
      "This is no constant of type \(FieldType.date.name)"
        + "\(QuerySyntax.Literal.number(digits).hint(beside: .date)).")
  }

  /// A text that is JSON; nil for another, which no stored value equals.
  private static func json(_ text: [UInt8]) -> Value? {
    (try? JSONValue(text)) == nil ? nil : .bytes(text)
  }

  func error(_ syntax: QuerySyntax, _ message: String) -> QueryTextError {
    QueryTextError(message: message, offset: syntax.offset)
  }
}
