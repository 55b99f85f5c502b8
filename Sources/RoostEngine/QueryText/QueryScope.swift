/// The scope in which names are looked up.
package indirect enum QueryScope {
  /// The fields of objects, and the enclosing scope.
  case table(TableDefinition, outside: QueryScope? = nil)
  /// The columns of a collection's elements, numbered from 1.
  case elements([ElementColumn], outside: QueryScope? = nil)

  /// The enclosing scope, behind the word `outer`; nil for the outermost.
  package var outside: QueryScope? {
    switch self {
    case .table(_, let outside), .elements(_, let outside): outside
    }
  }

  /// The type of a field's constants, by its number; nil if there is no such field.
  package func type(_ field: FieldID, in catalog: Catalog) -> FieldType? {
    switch self {
    case .table(let table, _):
      guard let definition = table.field(field) else { return field == 0 ? .int : nil }
      guard definition.type == .link else { return definition.type }
      return catalog.table(definition.target)?.linkType ?? .link
    case .elements(let columns, _):
      return field > 0 && Int(field) <= columns.count ? columns[Int(field) - 1].type : nil
    }
  }

  /// The number of a field by its name.
  package func field(_ name: String) -> FieldID? {
    switch self {
    case .table(let table, _):
      guard let field = table.fields.first(where: { $0.name == name }) else { return nil }
      return field.id
    case .elements(let columns, _):
      return columns.firstIndex { $0.name == name }.map { FieldID($0 + 1) }
    }
  }

  /// The name of a field by its number; nil if there is no such field.
  func name(_ field: FieldID) -> String? {
    switch self {
    case .table(let table, _): table.field(field)?.name
    case .elements(let columns, _):
      field > 0 && Int(field) <= columns.count ? columns[Int(field) - 1].name : nil
    }
  }

  /// The names of the parts of an optional struct, by the field that marks whether it is there; empty for other fields.
  package func parts(ofStruct field: FieldID) -> [String] {
    guard let name = name(field) else { return [] }
    let prefix = name + "."
    switch self {
    case .table(let table, _):
      guard table.field(field)?.type == .bool else { return [] }
      return table.fields.map(\.name).filter { $0.hasPrefix(prefix) }
    case .elements(let columns, _):
      guard columns[Int(field) - 1].type == .bool else { return [] }
      return columns.map(\.name).filter { $0.hasPrefix(prefix) }
    }
  }

  /// The owner of the fields, for errors.
  package var description: String {
    switch self {
    case .table(let table, _): table.name
    case .elements: "the elements"
    }
  }
}

extension TableDefinition {
  /// The type of the constants that a link to the table is compared with: its key's type, if that is the object key itself.
  package var linkType: FieldType {
    identifier?.isObjectKey == true && identifier?.type == .uint ? .uint : .link
  }
}
