internal import RoostEngine

extension QueryBinder {
  /// The end of a path.
  enum PathEnd {
    case value(ColumnExpression, FieldType?)
    /// A link, which is also the last of the path's `links`.
    case link(FieldID, TableDefinition)
    case objects(Relation, TableDefinition)
    case collection(FieldID, [ElementColumn])
  }

  /// The links along a path, its end, and the owner of the end.
  typealias Path = (links: [FieldID], end: PathEnd, owner: QueryScope)

  /// A part of a path.
  private enum PathStep {
    case name(String, QuerySyntax?)
    case inner(QuerySyntax)
  }

  /// A path as a value.
  func member(_ syntax: QuerySyntax, _ scope: QueryScope) throws(QueryTextError) -> Typed {
    try member(try links(syntax, scope), syntax)
  }

  /// The end of a path as a value.
  func member(
    _ path: Path, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> Typed {
    let links = path.links
    switch path.end {
    case .value(let value, let type): return (behind(links, value), type)
    case .link(let field, let target):
      return (behind(Array(links.dropLast()), .field(field)), target.linkType)
    case .collection(let field, _):
      return (behind(links, .field(field)), nil)
    case .objects(.links(let field), _): return (behind(links, .field(field)), .links)
    case .objects:
      throw error(syntax, "Ask these objects for count, sum, min, max or average, or contains.")
    }
  }

  /// The base of a path, and the steps after it.
  private func unwound(_ syntax: QuerySyntax) -> (base: QuerySyntax, steps: [PathStep]) {
    var steps: [PathStep] = []
    var base = syntax
    while true {
      if case .member(let before, let name, let argument) = base.form {
        steps.append(.name(name, argument))
        base = before
      } else if case .behind(let before, let inner) = base.form {
        steps.append(.inner(inner))
        base = before
      } else {
        return (base, steps.reversed())
      }
    }
  }

  /// The objects of a table that link to the current object.
  private func inverse(
    of field: QuerySyntax, in name: String, _ base: QuerySyntax
  ) throws(QueryTextError) -> PathEnd {
    guard let source = catalog.table(named: name) else {
      throw error(base, "There is no model \(name) in the store.")
    }
    switch try links(field, .table(source)).end {
    case .link(let field, _), .objects(.links(let field), _):
      return .objects(.inverse(table: source.id, field: field), source)
    default: throw error(field, "This is no link.")
    }
  }

  /// Resolves a path, through its links to its end.
  ///
  /// If the end is a link, the owner is the link's target.
  func links(_ syntax: QuerySyntax, _ scope: QueryScope) throws(QueryTextError) -> Path {
    let (base, steps) = unwound(syntax)
    var rest = steps[...]
    var links: [FieldID] = []
    var owner = scope
    var end: PathEnd
    switch base.form {
    case .name(let name):
      rest = [.name(name, nil)] + rest
      end = try field(&rest, scope, base)
    case .place(let number):
      guard let number = FieldID(exactly: number), let found = pathEnd(number, scope) else {
        throw error(base, "There is no field $\(number) of \(scope.description).")
      }
      end = found
    case .inverse(let name, let field): end = try inverse(of: field, in: name, base)
    case .outer:
      let typed = try value(outside: rest, scope, base)
      return ([], .value(.outside(typed.value), typed.type), scope)
    default: throw error(base, "Only fields and links have something behind a dot.")
    }
    while true {
      switch end {
      case .value:
        guard rest.isEmpty else { throw error(syntax, "There is nothing behind this field.") }
        return (links, end, owner)
      case .link(let field, let target):
        links.append(field)
        owner = .table(target, outside: owner)
        guard let step = rest.first else { return (links, end, owner) }
        if case .inner(let inner) = step {
          rest.removeFirst()
          // A field by number continues the path like a field by name.
          if case .place(let number) = inner.form {
            guard let number = FieldID(exactly: number),
              let found = pathEnd(number, owner)
            else { throw error(inner, "There is no field $\(number) of \(target.name).") }
            end = found
            continue
          }
          guard rest.isEmpty else {
            throw error(inner, "What is in parentheses behind a link is the end of the path.")
          }
          let typed = try value(inner, owner)
          return (links, .value(typed.value, typed.type), owner)
        }
        end = try self.field(&rest, owner, syntax)
      case .objects(let relation, let table):
        guard !rest.isEmpty else { return (links, end, owner) }
        let inner = QueryScope.table(table, outside: owner)
        return (links, try gathered(relation, inner, rest, syntax), owner)
      case .collection(let field, let columns):
        guard !rest.isEmpty else { return (links, end, owner) }
        let inner = QueryScope.elements(columns, outside: owner)
        return (links, try gathered(field, inner, rest, syntax), owner)
      }
    }
  }

  /// A path from the outer object, as a value.
  private func value(
    outside steps: ArraySlice<PathStep>, _ scope: QueryScope, _ base: QuerySyntax
  ) throws(QueryTextError) -> Typed {
    guard let outside = scope.outside else {
      throw error(base, "Nothing is outside here: outer is for what is in braces.")
    }
    var path: QuerySyntax?
    for step in steps {
      let form: QuerySyntax.Form
      switch (path, step) {
      case (nil, .inner(let inner)):
        path = inner
        continue
      case (nil, .name(let name, nil)): form = .name(name)
      case (let before?, .name(let name, let argument)): form = .member(before, name, argument)
      case (let before?, .inner(let inner)): form = .behind(before, inner)
      case (nil, .name): throw error(base, "Here comes a field of the object outside.")
      }
      path = QuerySyntax(offset: base.offset, form: form)
    }
    guard let path else { throw error(base, "Of outer, a field is asked: outer.name.") }
    return try value(path, outside)
  }

  /// The field that the next names denote, joined or single: names of struct parts contain dots.
  private func field(
    _ rest: inout ArraySlice<PathStep>, _ scope: QueryScope, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> PathEnd {
    var names: [String] = []
    for step in rest {
      guard case .name(let name, nil) = step else { break }
      names.append(name)
    }
    for count in stride(from: names.count, to: 0, by: -1) {
      let name = names.prefix(count).joined(separator: ".")
      guard let field = scope.field(name), let end = pathEnd(field, scope) else { continue }
      rest = rest.dropFirst(count)
      return end
    }
    throw error(syntax, "\(scope.description) has no field \(names.first ?? "of this kind").")
  }

  func pathEnd(_ field: FieldID, _ scope: QueryScope) -> PathEnd? {
    guard let type = scope.type(field, in: catalog) else { return nil }
    guard case .table(let table, _) = scope, let definition = table.field(field), field != 0 else {
      return .value(.field(field), type)
    }
    if definition.type.isLink, let target = catalog.table(definition.target) {
      return definition.type == .link ? .link(field, target) : .objects(.links(field), target)
    }
    return type.isCollection
      ? .collection(field, definition.parts) : .value(.field(field), type)
  }

  /// An aggregate over related objects.
  private func gathered(
    _ relation: Relation, _ scope: QueryScope, _ steps: ArraySlice<PathStep>,
    _ syntax: QuerySyntax
  ) throws(QueryTextError) -> PathEnd {
    let (condition, function, argument) = try gathering(steps, syntax)
    let predicate = try condition.map { (part) throws(QueryTextError) in
      try self.predicate(part, scope)
    }
    let value: Typed =
      if let argument { try self.value(argument, scope) } else { (.field(0), .int) }
    return .value(
      .related(relation, function, value.value, where: predicate ?? .always(true)),
      function.type(of: value.type))
  }

  /// An aggregate over elements.
  private func gathered(
    _ field: FieldID, _ scope: QueryScope, _ steps: ArraySlice<PathStep>,
    _ syntax: QuerySyntax
  ) throws(QueryTextError) -> PathEnd {
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
    }
    return .value(
      .elements(field, function, of: part, where: predicate ?? .always(true)),
      function.type(of: part == 0 ? .int : scope.type(part, in: catalog)))
  }

  /// `.where { condition }.sum { value }`
  private func gathering(
    _ steps: ArraySlice<PathStep>, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> (QuerySyntax?, AggregateFunction, QuerySyntax?) {
    var rest = steps
    var condition: QuerySyntax?
    if case .name("where", let argument?)? = rest.first {
      condition = argument
      rest.removeFirst()
    }
    guard rest.count == 1, case .name(let name, let argument)? = rest.first,
      let function = AggregateFunction(name), argument != nil || function == .count
    else {
      throw error(
        syntax, "Ask these for count, sum { … }, min { … }, max { … } or average { … }.")
    }
    return (condition, function, argument)
  }

  // MARK: Links

  func behind(_ links: [FieldID], _ value: ColumnExpression) -> ColumnExpression {
    links.reversed().reduce(value) { .target($1, $0) }
  }
}
