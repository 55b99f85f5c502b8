internal import RoostEngine

/// What is asked of the objects or elements on a path.
extension QueryBinder {
  /// The condition that some of the objects or elements at the end of a path fulfil a condition.
  func existence(_ path: QueryPath, _ predicate: Predicate) -> Predicate {
    let count: ColumnExpression
    switch path.end {
    case .objects(let relation, _):
      guard path.hops > 0 else {
        return switch relation {
        case .links(let field): Predicate.links(field, predicate).behind(path.links)
        case .inverse(let table, let field):
          Predicate.inverse(table: table, field: field, predicate).behind(path.links)
        }
      }
      count = .related(relation, .count, .field(0), where: predicate)
    case .collection(let field, _): count = .elements(field, .count, of: 0, where: predicate)
    case .link, .value: return .always(false)
    }
    return .comparison(path.value(count), .greater, .constant(.integer(0)))
  }

  /// `SUBQUERY(tasks, $task, $task.priority > 3).@count`
  func count(
    _ objects: QuerySyntax, _ variable: String, _ condition: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> Typed {
    let path = try walk(objects, scope)
    guard path.rest.isEmpty, let inner = innerScope(of: path) else {
      throw error(objects, "A SUBQUERY is asked of objects or elements, and here are none.")
    }
    let predicate = try naming(variable, of: path, from: scope).predicate(condition, inner)
    switch path.end {
    case .objects(let relation, _):
      return (path.value(.related(relation, .count, .field(0), where: predicate)), .int)
    case .collection(let field, _):
      return (path.value(.elements(field, .count, of: 0, where: predicate)), .int)
    case .link, .value: throw error(objects, "Here are no objects or elements.")
    }
  }

  /// The binder in which a variable names the objects or elements at the end of a path, and names without a variable mean
  /// what they do outside.
  private func naming(
    _ variable: String, of path: QueryPath, from scope: QueryScope
  ) -> QueryBinder {
    var binder = leaving(scope, path.hops)
    binder.nameDepth = nameDepth ?? scope.depth
    binder.variables[variable] = path.owner.depth + 1
    return binder
  }

  /// `ANY tasks.priority > 3`
  func quantified(
    _ quantifier: QuerySyntax.Quantifier, _ comparison: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> Predicate {
    guard let subject = comparison.subject, subject.isPlainPath else {
      throw error(comparison, "ANY, ALL and NONE are asked of a path that begins the comparison.")
    }
    let path = try walk(subject, scope)
    guard let inner = innerScope(of: path), !path.isSingle else {
      throw error(
        subject, "This is one value: ANY, ALL, NONE and IN are asked of objects or elements.")
    }
    // The number sign is part of no name in a text.
    let variable = "#\(path.owner.depth)"
    let binder = naming(variable, of: path, from: scope)
    var part = QuerySyntax(offset: subject.offset, form: .variable(variable))
    for step in path.rest {
      if case .entries(let isKeys) = step {
        part = part.followed(by: .name(isKeys ? "key" : "value", nil))
      } else {
        part = part.followed(by: step)
      }
    }
    let rest = comparison.replacing(subject: part)
    let further = try binder.walk(part, inner)
    let isFurther = binder.innerScope(of: further) != nil && !further.isSingle
    let predicate =
      isFurther
      ? try binder.quantified(quantifier == .all ? .all : .any, rest, inner)
      : try binder.predicate(rest, inner)
    return switch quantifier {
    case .any: existence(path, predicate)
    case .all: .not(existence(path, .not(predicate)))
    case .none: .not(existence(path, predicate))
    }
  }

  // MARK: Aggregates

  /// An aggregate over related objects.
  func gathered(
    _ relation: Relation, _ scope: QueryScope, _ steps: ArraySlice<QueryPathStep>,
    _ syntax: QuerySyntax
  ) throws(QueryTextError) -> QueryPath.End {
    let (condition, function, argument) = try gathering(steps, syntax)
    let predicate = try condition.map { (part) throws(QueryTextError) in
      try self.predicate(part, scope)
    }
    guard argument != nil || function == .count else {
      throw error(syntax, "\(function.word) is asked of a field of the objects.")
    }
    let value: Typed =
      if let argument { try self.value(argument, scope) } else { (.field(0), .int) }
    return .value(
      .related(relation, function, value.value, where: predicate ?? .always(true)),
      function.type(of: value.type))
  }

  /// An aggregate over elements, or the value of a key.
  func gathered(
    _ field: FieldID, _ columns: [ElementColumn], _ scope: QueryScope,
    _ steps: ArraySlice<QueryPathStep>, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> QueryPath.End {
    if case .key(let key)? = steps.first {
      return try value(of: key, in: field, columns, scope, steps.dropFirst(), syntax)
    }
    var steps = steps
    var isKeys = false
    if case .entries(let areKeys)? = steps.first {
      guard columns.haveKeys else { throw error(syntax, "A dictionary has keys; this is none.") }
      guard steps.count > 1 else {
        throw error(syntax, "Keys and values are several: begin with ANY, ALL or NONE.")
      }
      isKeys = areKeys
      steps.removeFirst()
    }
    let (condition, function, argument) = try gathering(steps, syntax)
    let predicate = try condition.map { (part) throws(QueryTextError) in
      try self.predicate(part, scope)
    }
    var part: FieldID = 0
    if let argument {
      guard case .field(let field) = try value(argument, scope).value else {
        throw error(argument, "Of elements, a column is asked for.")
      }
      part = field
    } else if function != .count {
      guard let column = columns.column(isKeys: isKeys) else {
        throw error(syntax, "The elements have several parts: \(function.word) is asked of one.")
      }
      part = column
    }
    return .value(
      .elements(field, function, of: part, where: predicate ?? .always(true)),
      function.type(of: part == 0 ? .int : scope.type(part, in: catalog)))
  }

  /// The value of a dictionary's key: `attributes["kind"]`.
  private func value(
    of key: QuerySyntax, in field: FieldID, _ columns: [ElementColumn], _ scope: QueryScope,
    _ steps: ArraySlice<QueryPathStep>, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> QueryPath.End {
    guard columns.haveKeys else {
      throw error(
        key, "Only a dictionary has values of keys; elements are not asked by their place.")
    }
    guard steps.isEmpty, let part = columns.column(isKeys: false) else {
      throw error(syntax, "Only values that have no parts are asked by a key.")
    }
    guard case .constant(let constant) = try value(key, scope, columns[0].type).value else {
      throw error(key, "In brackets behind a dictionary is a key.")
    }
    let isKey = Predicate.comparison(.field(1), .equal, .constant(constant)).canonical
    return .value(
      .elements(field, .minimum, of: part, where: isKey), scope.type(part, in: catalog))
  }

  /// `.where { condition }.sum { value }`
  private func gathering(
    _ steps: ArraySlice<QueryPathStep>, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> (QuerySyntax?, AggregateFunction, QuerySyntax?) {
    var rest = steps
    var condition: QuerySyntax?
    if case .name("where", let argument?)? = rest.first {
      condition = argument
      rest.removeFirst()
    }
    guard rest.count == 1, case .name(let name, let argument)? = rest.first,
      let function = AggregateFunction(name)
    else {
      throw error(
        syntax,
        """
        These are several: begin with ANY, ALL or NONE, or ask them for count, sum { … }, min { … }, \
        max { … } or average { … }.
        """)
    }
    return (condition, function, argument)
  }
}

extension QueryPath {
  /// Whether what follows the objects or the collection makes one value of them.
  fileprivate var isSingle: Bool {
    switch rest.first {
    case .key?: true
    case .entries?: rest.count > 1
    case .name(let name, let argument)?:
      argument != nil || rest.count == 1 && AggregateFunction(name) != nil
    case .inner?, nil: false
    }
  }
}

extension QuerySyntax {
  /// The path whose objects or elements a comparison with ANY is about: its first operand.
  fileprivate var subject: QuerySyntax? {
    switch form {
    case .binary(let sign, let first, _):
      guard sign.comparison != nil else { return nil }
      if case .folded(_, let text) = first.form { return text }
      return first
    case .match(let first, _, _, _), .membership(let first, _), .between(let first, _, _),
      .holding(let first, _):
      return first
    case .not(let part): return part.subject
    default: return nil
    }
  }

  /// The comparison with another first operand.
  fileprivate func replacing(subject: QuerySyntax) -> QuerySyntax {
    let form: Form
    switch self.form {
    case .binary(let sign, let first, let second):
      if case .folded(let folding, _) = first.form {
        let folded = QuerySyntax(offset: first.offset, form: .folded(folding, subject))
        form = .binary(sign, folded, second)
      } else {
        form = .binary(sign, subject, second)
      }
    case .match(_, let pattern, let folding, let text):
      form = .match(subject, pattern, folding, text)
    case .membership(_, let list): form = .membership(subject, list)
    case .between(_, let lower, let upper): form = .between(subject, lower, upper)
    case .holding(_, let part): form = .holding(subject, part)
    case .not(let part): form = .not(part.replacing(subject: subject))
    default: return self
    }
    return QuerySyntax(offset: offset, form: form)
  }
}
