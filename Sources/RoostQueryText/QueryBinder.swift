internal import Roost
internal import RoostEngine
internal import RoostInterchange

/// Makes a query from its syntax: resolves tables and fields, and gives constants their types.
struct QueryBinder {
  let catalog: Catalog

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
        message: "There is no model \(sentence.table) in the store.", offset: sentence.offset)
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
    case .membership(let value, let list): return try membership(value, list, scope)
    case .match(let value, .contains, let folding, let text) where value.isPath:
      let path = try links(value, scope)
      if let holding = try holding(path, QuerySyntax(value, .string(text)), folding, scope) {
        return holding
      }
      let pattern = TextPattern(.contains, text, folding: folding)
      return try match(try member(path, value), pattern, value)
    case .holding(let text, let part) where !text.isPath:
      guard case .bytes(let bytes)? = part.literal else {
        throw error(text, "This has no objects or elements.")
      }
      return try match(try value(text, scope), TextPattern(.contains, bytes), text)
    case .holding(let value, let part):
      let path = try links(value, scope)
      if let holding = try holding(path, part, [], scope) { return holding }
      guard case .bytes(let bytes)? = part.literal else {
        throw error(value, "This has no objects or elements; a text contains a text.")
      }
      return try match(try member(path, value), TextPattern(.contains, bytes), value)
    case .match(let value, let form, let folding, let text):
      let pattern = TextPattern(form, text, folding: folding)
      return try match(try self.value(value, scope), pattern, value)
    case .some(let objects, let condition):
      return try existence(objects, condition, scope)
    case .target(let link, let condition):
      let (links, last, target) = try self.links(link, scope)
      guard case .link = last else {
        throw error(link, "This is no link: { … } is asked of what a link leads to.")
      }
      return try predicate(condition, target).behind(links)
    default: break
    }
    throw error(syntax, "This is a value: a condition compares it with something.")
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
    let (first, second) = try both(a, b, scope, nil)
    if let type = first.type, let other = second.type, type.physical != other.physical {
      throw error(b, "A value of type \(type.name) is not compared with one of type \(other.name).")
    }
    return Predicate.comparison(first.value, comparison, second.value).canonical
  }

  private func membership(
    _ value: QuerySyntax, _ list: [QuerySyntax], _ scope: QueryScope
  ) throws(QueryTextError) -> Predicate {
    let typed = try self.value(value, scope)
    var constants: [Value] = []
    for syntax in list {
      let constant = try self.value(syntax, scope, typed.type)
      guard case .constant(let constant) = constant.value else {
        throw error(syntax, "A list has constants only.")
      }
      constants.append(constant)
    }
    return Predicate.membership(typed.value, constants).canonical
  }

  private func match(
    _ text: Typed, _ pattern: TextPattern, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> Predicate {
    let expression = text.value
    if let type = text.type, type.physical != .bytes {
      throw error(syntax, "This is a value of type \(type.name), and no text.")
    }
    guard let match = pattern.form.match, pattern.folding.isEmpty else {
      return Predicate.matches(expression, pattern).canonical
    }
    return Predicate.textMatch(expression, match, pattern.text).canonical
  }

  /// The condition that a constant is among some objects or elements; nil if the path is a single value.
  private func holding(
    _ path: Path, _ member: QuerySyntax, _ folding: TextFolding,
    _ scope: QueryScope
  ) throws(QueryTextError) -> Predicate? {
    func equal(
      _ field: FieldID, _ type: FieldType?
    ) throws(QueryTextError) -> Predicate {
      guard case .constant(let constant) = try value(member, scope, type).value else {
        throw error(member, "Here comes a constant.")
      }
      guard !folding.isEmpty, case .bytes(let text) = constant else {
        return Predicate.comparison(.field(field), .equal, .constant(constant)).canonical
      }
      return .matches(.field(field), TextPattern(.equal, text, folding: folding))
    }
    let links = path.links
    switch path.end {
    case .objects(let relation, let table):
      let key = table.identifier?.id ?? 0
      let predicate = try equal(key, QueryScope.table(table).type(key, in: catalog))
      return switch relation {
      case .links(let field): Predicate.links(field, predicate).behind(links)
      case .inverse(let table, let field):
        Predicate.inverse(table: table, field: field, predicate).behind(links)
      }
    case .collection(let field, let columns):
      guard let column = columns.first, columns.count == 1 else {
        throw error(member, "Ask for what one of the elements fulfils: contains { … }.")
      }
      let count = ColumnExpression.elements(
        field, .count, of: 0, where: try equal(1, column.type))
      return .comparison(behind(links, count), .greater, .constant(.integer(0)))
    case .link, .value: return nil
    }
  }

  private func existence(
    _ objects: QuerySyntax, _ condition: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> Predicate {
    let (links, last, owner) = try self.links(objects, scope)
    switch last {
    case .objects(.links(let field), let target):
      let inner = QueryScope.table(target, outside: owner)
      return Predicate.links(field, try predicate(condition, inner)).behind(links)
    case .objects(.inverse(let table, let field), let source):
      return Predicate.inverse(
        table: table, field: field, try predicate(condition, .table(source, outside: owner))
      ).behind(links)
    case .collection(let field, let columns):
      let count = ColumnExpression.elements(
        field, .count, of: 0,
        where: try predicate(condition, .elements(columns, outside: owner)))
      return .comparison(behind(links, count), .greater, .constant(.integer(0)))
    case .link, .value:
      throw error(objects, "This has no objects or elements that could fulfil a condition.")
    }
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
    return (first, try value(b, scope, isBesideValue ? first.type ?? expected : expected))
  }

  func value(
    _ syntax: QuerySyntax, _ scope: QueryScope, _ expected: FieldType? = nil
  ) throws(QueryTextError) -> Typed {
    switch syntax.form {
    case .literal(let literal):
      if literal == .null { return (.constant(.null), expected) }
      let type = expected ?? literal.type
      return (.constant(try constant(literal, type, syntax)), type)
    case .name, .place, .member, .behind, .inverse, .outer: return try member(syntax, scope)
    case .aggregate(let function, _):
      throw error(syntax, "\(function.word) is asked of groups, which begin with group or select.")
    case .folded(let folding, let text):
      return (.folded(folding, try value(text, scope, .string).value), .string)
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
        throw error(syntax, "A number is converted to Int, UInt, Double or Float.")
      }
      let converted = try value(number, scope)
      // A condition counts as 1 or 0.
      let origin = converted.type == .bool ? .int : converted.type ?? .int
      guard let from = origin.number else {
        throw error(number, "This is no number.")
      }
      return (.conversion(from, kind, converted.value), type)
    case .binary(.coalesce, let a, let b):
      let (first, second) = try both(a, b, scope, expected)
      return (.coalescing(first.value, second.value), first.type ?? second.type)
    case .binary(let sign, let a, let b):
      guard let operation = sign.arithmetic else { break }
      let (first, second) = try both(a, b, scope, expected)
      let type = first.type ?? second.type ?? .int
      if type.physical == .bytes, operation == .add {
        return (.concatenation(first.value, second.value), type)
      }
      guard let kind = type.number else {
        throw error(syntax, "There is no \(sign.rawValue) for values of type \(type.name).")
      }
      return (.arithmetic(operation, kind, first.value, second.value), type)
    default: break
    }
    throw error(syntax, "This is a condition: a value is needed here.")
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
        type == .json ? .bytes(text) : ValueText.value(text[...], type, .iso8601)
      case .number(let digits): type.number(digits)
      }
    guard let value else {
      throw error(syntax, "This is no constant of type \(type.name).")
    }
    return value
  }

  func error(_ syntax: QuerySyntax, _ message: String) -> QueryTextError {
    QueryTextError(message: message, offset: syntax.offset)
  }
}
