internal import RoostEngine

extension QueryBinder {
  func groups(_ sentence: GroupSentence) throws(QueryTextError) -> GroupQuery {
    let table = try table(of: sentence.objects)
    let scope = QueryScope.table(table)
    var query = GroupQuery(try self.query(sentence.objects), by: [])
    for key in sentence.keys { query.keys.append(try value(key, scope).value) }
    for part in sentence.aggregates { query.aggregates.append(try aggregate(part, scope)) }
    let columns = GroupColumns(query, of: table, in: catalog)
    if let condition = sentence.groups.condition {
      query.having = try predicate(try placed(condition, columns, scope), columns.scope)
    }
    query.order = try order(sentence.groups, columns.scope) { (value) throws(QueryTextError) in
      try column(value, columns, scope)
    }
    query.limit = sentence.groups.limit
    query.offset = sentence.groups.objectsLeftOut
    return query
  }

  /// An aggregate over the objects of each group.
  private func aggregate(
    _ syntax: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> Aggregate {
    guard case .aggregate(let function, let value) = syntax.form else {
      throw error(syntax, "Here comes count, sum(…), min(…), max(…) or average(…).")
    }
    guard let value else { return Aggregate(.count, of: 0) }
    let typed = try self.value(value, scope)
    if function == .sum || function == .average, let type = typed.type {
      guard type == .decimal || type.physical != .bytes && type.physical != .uuid else {
        throw error(value, "There is no \(function.word) of values of type \(type.name).")
      }
    }
    return Aggregate(function, of: typed.value)
  }

  /// A condition on groups, with column numbers in place of the column texts.
  private func placed(
    _ syntax: QuerySyntax, _ columns: GroupColumns, _ scope: QueryScope
  ) throws(QueryTextError) -> QuerySyntax {
    func parts(_ parts: [QuerySyntax]) throws(QueryTextError) -> [QuerySyntax] {
      var placed: [QuerySyntax] = []
      for part in parts { placed.append(try self.placed(part, columns, scope)) }
      return placed
    }
    let form: QuerySyntax.Form
    switch syntax.form {
    case .literal(.bool): return syntax
    case .and(let conditions): form = .and(try parts(conditions))
    case .or(let conditions): form = .or(try parts(conditions))
    case .not(let condition): form = .not(try placed(condition, columns, scope))
    case .binary(let sign, let value, let constant)
    where sign.comparison != nil && constant.isConstant:
      form = .binary(sign, try column(value, columns, scope), constant)
    case .binary(let sign, let value, let other) where sign.comparison != nil:
      let first = try column(value, columns, scope)
      let second = try column(other, columns, scope)
      // Both are stored as integers, but with different orders.
      guard columns.isUnsigned(first) == columns.isUnsigned(second) else {
        throw error(other, "An unsigned number is compared with another, or with a constant.")
      }
      form = .binary(sign, first, second)
    case .membership(let value, let list):
      form = .membership(try column(value, columns, scope), list)
    case .between(let value, let lower, let upper) where lower.isConstant && upper.isConstant:
      form = .between(try column(value, columns, scope), lower, upper)
    case .match(let text, let pattern, let folding, let bytes):
      form = .match(try column(text, columns, scope), pattern, folding, bytes)
    case .holding(let text, let part):
      form = .holding(try column(text, columns, scope), part)
    default:
      throw error(syntax, "Of groups, columns are compared, or texts are matched.")
    }
    return QuerySyntax(offset: syntax.offset, form: form)
  }

  /// A column by its number, given the column's text or number.
  private func column(
    _ syntax: QuerySyntax, _ columns: GroupColumns, _ scope: QueryScope
  ) throws(QueryTextError) -> QuerySyntax {
    let place: FieldID?
    switch syntax.form {
    case .place(let number): place = 0 < number && Int(number) <= columns.texts.count ? number : nil
    case .name("count") where columns.place(of: "count") != nil: place = columns.place(of: "count")
    case .aggregate:
      let aggregate = try aggregate(syntax, scope)
      place = columns.place(of: QueryPrinter(catalog: catalog).text(aggregate, scope))
    default:
      guard !syntax.isConstant else {
        throw error(syntax, "Here comes a column of the groups; a constant comes second.")
      }
      let value = try value(syntax, scope).value
      place = columns.place(of: QueryPrinter(catalog: catalog).value(value, scope, nil))
    }
    guard let place else {
      throw error(
        syntax,
        "This is no column of the groups: these are \(columns.texts.joined(separator: ", ")).")
    }
    return QuerySyntax(offset: syntax.offset, form: .place(place))
  }
}
