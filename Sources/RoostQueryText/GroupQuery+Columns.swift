package import RoostEngine

/// A column of groups, as a tool shows it.
package struct GroupColumn {
  /// What it is of, as the text of the groups calls it.
  package let name: String
  /// The field whose values it has; nil for what is calculated.
  package let field: FieldDefinition?
  /// What its values mean, where that is known.
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

  /// Whether a text asks for groups, and not for objects: `group` or `select` comes behind the objects.
  package static func isAsked(by text: String) -> Bool { QueryParser.asksForGroups(text) }
}

extension ColumnExpression {
  /// The field that this is, behind links or not.
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
