internal import RoostEngine

extension QueryBinder {
  /// A path as a value.
  func member(_ syntax: QuerySyntax, _ scope: QueryScope) throws(QueryTextError) -> Typed {
    try member(try path(syntax, scope), syntax)
  }

  /// The end of a path as a value.
  func member(
    _ path: QueryPath, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> Typed {
    switch path.end {
    case .value(let value, let type): return (path.value(value), type)
    case .link(let field, let target):
      return (path.value(.field(field), behind: path.links.dropLast()), target.linkType)
    case .collection(let field, _): return (path.value(.field(field)), nil)
    case .objects(.links(let field), _): return (path.value(.field(field)), .links)
    case .objects:
      throw error(syntax, "Ask these objects for count, sum, min, max or average, or contains.")
    }
  }

  // MARK: Scopes

  /// The binder for a scope within, whose names are looked up there.
  var within: QueryBinder {
    var binder = self
    binder.nameDepth = nil
    return binder
  }

  /// The binder for what begins some scopes further out: variables of the scopes between are unknown there.
  func leaving(_ scope: QueryScope, _ hops: Int) -> QueryBinder {
    guard hops > 0 else { return self }
    var binder = self
    let depth = scope.depth - hops
    binder.variables = variables.filter { $0.value <= depth }
    return binder
  }

  /// Where a path begins: how many scopes further out, and that scope.
  private func start(
    _ base: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> (hops: Int, scope: QueryScope) {
    let depth: Int?
    if case .variable(let name) = base.form {
      guard let known = variables[name] else {
        throw error(base, "There is no object $\(name) here.")
      }
      depth = known
    } else {
      depth = nameDepth
    }
    guard let depth else { return (0, scope) }
    let hops = scope.depth - depth
    guard hops >= 0, let start = scope.outside(hops) else {
      throw error(base, "Nothing leads here from the object that has this.")
    }
    return (hops, start)
  }

  // MARK: Paths

  /// The objects of a table that link to the current object.
  private func inverse(
    of field: QuerySyntax, in name: String, _ base: QuerySyntax
  ) throws(QueryTextError) -> QueryPath.End {
    guard let source = catalog.table(named: name) else {
      throw error(base, unknownModel(name))
    }
    switch try within.walk(field, .table(source)).end {
    case .link(let field, _), .objects(.links(let field), _):
      return .objects(.inverse(table: source.id, field: field), source)
    default: throw error(field, "This is no link.")
    }
  }

  /// Resolves a path to its end, with what is asked of objects and elements on it.
  func path(_ syntax: QuerySyntax, _ scope: QueryScope) throws(QueryTextError) -> QueryPath {
    var path = try walk(syntax, scope)
    guard !path.rest.isEmpty, let inner = innerScope(of: path) else { return path }
    let outer = leaving(scope, path.hops).within
    switch path.end {
    case .objects(let relation, _):
      path.end = try outer.gathered(relation, inner, path.rest, syntax)
    case .collection(let field, let columns):
      path.end = try outer.gathered(field, columns, inner, path.rest, syntax)
    case .link, .value: break
    }
    path.rest = []
    return path
  }

  /// The scope of the objects or elements at the end of a path; nil if there are none.
  func innerScope(of path: QueryPath) -> QueryScope? {
    switch path.end {
    case .objects(_, let table): .table(table, outside: path.owner)
    case .collection(_, let columns): .elements(columns, outside: path.owner)
    case .link, .value: nil
    }
  }

  /// Resolves a path through its links to its end, or to the first objects or collection on it.
  func walk(_ syntax: QuerySyntax, _ scope: QueryScope) throws(QueryTextError) -> QueryPath {
    let (base, steps) = syntax.unwound
    var rest = steps[...]
    if case .outer = base.form {
      let typed = try value(outside: rest, scope, base)
      return QueryPath(hops: 0, end: .value(.outside(typed.value), typed.type), owner: scope)
    }
    let (hops, owner) = try start(base, scope)
    var path = QueryPath(hops: hops, end: .value(.field(0), .int), owner: owner)
    switch base.form {
    case .name(let name):
      rest = [.name(name, nil)] + rest
      path.end = try field(&rest, owner, base)
    case .place(let number): path.end = try place(number, owner, base)
    case .inverse(let name, let field): path.end = try inverse(of: field, in: name, base)
    case .variable:
      if rest.isEmpty {
        path.end = try whole(owner, base)
      } else {
        path.end = try field(&rest, owner, syntax)
      }
    default: throw error(base, "Only fields and links have something behind a dot.")
    }
    return try follow(rest, path, syntax)
  }

  /// Follows the steps behind the first.
  private func follow(
    _ steps: ArraySlice<QueryPathStep>, _ first: QueryPath, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> QueryPath {
    var path = first
    path.rest = steps
    while true {
      switch path.end {
      case .objects, .collection: return path
      case .value:
        guard path.rest.isEmpty else { throw error(syntax, "There is nothing behind this field.") }
        return path
      case .link(let field, let target):
        path.links.append(field)
        path.owner = .table(target, outside: path.owner)
        guard let step = path.rest.first else { return path }
        guard case .inner(let inner) = step else {
          path.end = try self.field(&path.rest, path.owner, syntax)
          continue
        }
        path.rest.removeFirst()
        // A field by number continues the path like a field by name.
        if case .place(let number) = inner.form {
          path.end = try place(number, path.owner, inner)
          continue
        }
        guard path.rest.isEmpty else {
          throw error(inner, "What is in parentheses behind a link is the end of the path.")
        }
        let typed = try within.value(inner, path.owner)
        path.end = .value(typed.value, typed.type)
        return path
      }
    }
  }

  /// A path from the outer object, as a value.
  private func value(
    outside steps: ArraySlice<QueryPathStep>, _ scope: QueryScope, _ base: QuerySyntax
  ) throws(QueryTextError) -> Typed {
    guard let outside = scope.outside else {
      throw error(base, "Nothing is outside here: outer is for what is in braces.")
    }
    var path: QuerySyntax?
    for step in steps {
      switch (path, step) {
      case (let before?, _): path = before.followed(by: step)
      case (nil, .inner(let inner)): path = inner
      case (nil, .name(let name, nil)): path = QuerySyntax(offset: base.offset, form: .name(name))
      case (nil, _): throw error(base, "Here comes a field of the object outside.")
      }
    }
    guard let path else { throw error(base, "Of outer, a field is asked: outer.name.") }
    return try leaving(scope, 1).within.value(path, outside)
  }

  /// The object or element that a variable names, as a value.
  private func whole(
    _ scope: QueryScope, _ base: QuerySyntax
  ) throws(QueryTextError) -> QueryPath.End {
    switch scope {
    case .table(let table, _):
      let key = table.identifier?.id ?? 0
      return .value(.field(key), scope.type(key, in: catalog))
    case .elements(let columns, _):
      guard let column = columns.column(isKeys: false), let end = pathEnd(column, scope) else {
        throw error(base, "The elements have several parts: name one of them.")
      }
      return end
    }
  }

  private func place(
    _ number: UInt32, _ scope: QueryScope, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> QueryPath.End {
    guard let number = FieldID(exactly: number), let found = pathEnd(number, scope) else {
      throw error(syntax, "There is no field $\(number) of \(scope.description).")
    }
    return found
  }

  /// The field that the next names denote, joined or single: names of struct parts contain dots.
  private func field(
    _ rest: inout ArraySlice<QueryPathStep>, _ scope: QueryScope, _ syntax: QuerySyntax
  ) throws(QueryTextError) -> QueryPath.End {
    var names: [String] = []
    for step in rest {
      guard case .name(let name, nil) = step else { break }
      names.append(name)
    }
    for count in stride(from: names.count, to: 0, by: -1) {
      let name = names.prefix(count).joined(separator: ".")
      guard let field = scope.field(name) ?? part(name, scope), let end = pathEnd(field, scope)
      else { continue }
      rest = rest.dropFirst(count)
      return end
    }
    if let first = names.first, let end = inverse(named: first, scope) {
      rest = rest.dropFirst()
      return end
    }
    throw QueryTextError(
      message: unknownField(names, scope), offset: syntax.offset(ofLast: rest.count))
  }

  /// A part of the elements, without the word before it.
  private func part(_ name: String, _ scope: QueryScope) -> FieldID? {
    guard case .elements(let columns, _) = scope else { return nil }
    return scope.field((columns.haveKeys ? "value." : "element.") + name)
  }

  private func inverse(named name: String, _ scope: QueryScope) -> QueryPath.End? {
    guard case .table(let table, _) = scope,
      let known = inverses.first(where: { $0.target == table.name && $0.name == name }),
      let source = catalog.table(named: known.source),
      let link = QueryScope.table(source).field(known.link)
    else { return nil }
    return .objects(.inverse(table: source.id, field: link), source)
  }

  func pathEnd(_ field: FieldID, _ scope: QueryScope) -> QueryPath.End? {
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
}
