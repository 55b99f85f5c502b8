internal import RoostEngine

/// Writes a group query as text that reads back as the same query.
struct GroupPrinter {
  private let catalog: Catalog
  private let printer: QueryPrinter

  init(catalog: Catalog) {
    self.catalog = catalog
    printer = QueryPrinter(catalog: catalog)
  }

  func text(_ query: GroupQuery) -> String {
    var text = query.objects.text(in: catalog)
    guard let table = catalog.table(query.objects.table) else { return text }
    let columns = GroupColumns(query, of: table, in: catalog)
    let (keys, aggregates) = (
      columns.texts.prefix(query.keys.count), columns.texts.dropFirst(query.keys.count)
    )
    if !keys.isEmpty { text += " group " + keys.joined(separator: ", ") }
    // A group query needs `group` or `select` to be told from an object query.
    if keys.isEmpty || !aggregates.isEmpty { text += " select" }
    if !aggregates.isEmpty { text += " " + aggregates.joined(separator: ", ") }
    if query.having.canonical != .always(true) {
      text += " having " + condition(query.having, columns)
    }
    if !query.order.isEmpty {
      text += " sort " + query.order.map { sorting($0, columns) }.joined(separator: ", ")
    }
    if let limit = query.limit { text += " limit \(max(limit, 0))" }
    if query.offset > 0 { text += " offset \(query.offset)" }
    return text
  }

  private func sorting(_ key: SortKey, _ columns: GroupColumns) -> String {
    let column =
      if case .field(let column) = key.value { columns.name(column) } else {
        printer.value(key.value, columns.scope, nil)
      }
    let locale = key.collation.map { collation in
      let name = ColumnExpression.constant(.bytes(Array(collation.name.utf8)))
      return " locale " + printer.value(name, columns.scope, .string)
    }
    return column + (locale ?? "") + (key.isDescending ? " desc" : "")
  }

  private func condition(_ predicate: Predicate, _ columns: GroupColumns) -> String {
    let predicate = predicate.canonical
    switch predicate {
    case .compare(let column, _, _), .isNull(let column), .not(.isNull(let column)),
      .oneOf(let column, _), .text(let column, _, _), .matches(.field(let column), _):
      // The text begins with the column.
      let text = printer.predicate(predicate, columns.scope)
      let known = printer.value(.field(column), columns.scope, nil)
      return columns.name(column) + text.dropFirst(known.count)
    case .comparison(.field(let column), let comparison, .field(let other)):
      return "\(columns.name(column)) \(comparison.sign) \(columns.name(other))"
    case .and(let parts): return joined(parts, " && ", columns)
    case .or(let parts): return joined(parts, " || ", columns)
    case .not(let part): return "!(\(condition(part, columns)))"
    // Group queries have no other conditions.
    default: return printer.predicate(predicate, columns.scope)
    }
  }

  private func joined(
    _ parts: [Predicate], _ separator: String, _ columns: GroupColumns
  ) -> String {
    parts.map { part in
      let text = condition(part, columns)
      return switch part.canonical {
      case .and, .or: "(\(text))"
      default: text
      }
    }.joined(separator: separator)
  }
}
