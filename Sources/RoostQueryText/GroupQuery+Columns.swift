package import RoostEngine

/// A column of groups, for display in tools.
package struct GroupColumn {
  /// The column's expression, as in the group query's text.
  package let name: String
  /// The field whose values the column has; nil for a calculated column.
  package let field: FieldDefinition?
  /// The type of the values, if it is known.
  package let type: FieldType?
}

extension GroupQuery {
  /// The columns of the result, keys first.
  package func columns(in catalog: Catalog) -> [GroupColumn] {
    guard let table = catalog.table(objects.table) else { return [] }
    let names = GroupColumns(self, of: table, in: catalog)
    let values: [(function: AggregateFunction?, value: ColumnExpression)] =
      keys.map { (nil, $0) } + aggregates.map { ($0.function, $0.value) }
    return zip(names.texts, values).enumerated().map { place, column in
      let (name, (function, value)) = column
      let isValue = function == nil || function == .minimum || function == .maximum
      return GroupColumn(
        name: name, field: isValue ? value.field(of: table, in: catalog) : nil,
        type: names.type(FieldID(place + 1)))
    }
  }

  /// Whether a text is a group query: it has `group` or `select` after the objects.
  package static func isAsked(by text: String) -> Bool { QueryParser.asksForGroups(text) }
}

extension ColumnExpression {
  /// The field that the expression refers to, directly or through links.
  fileprivate func field(of table: TableDefinition, in catalog: Catalog) -> FieldDefinition? {
    switch self {
    case .field(let field): return table.field(field)
    case .target(let link, let inner):
      guard let link = table.field(link), let target = catalog.table(link.target) else {
        return nil
      }
      return inner.field(of: target, in: catalog)
    default: return nil
    }
  }
}
