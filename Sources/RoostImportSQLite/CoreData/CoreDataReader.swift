/// An open Core Data store: its entities, and what was found out about their properties.
final class CoreDataReader {
  let tables: TableReader
  let schema: CoreDataSchema
  let external: ExternalDataFolder
  private let columns: CoreDataColumns
  private var found: [PropertyName: CoreDataColumns.Column] = [:]

  private struct PropertyName: Hashable {
    var entity: Int
    var property: String
  }

  init(_ tables: TableReader, _ external: ExternalDataFolder) throws(SQLiteError) {
    self.tables = tables
    self.external = external
    schema = try CoreDataSchema(tables, path: external.source)
    columns = CoreDataColumns(schema: schema, tables: tables)
  }

  /// The column of an attribute, or of a to-one relationship.
  func column(
    of property: String, in entity: CoreDataEntity
  ) throws(SQLiteError) -> CoreDataColumns.Column {
    let name = PropertyName(entity: entity.number, property: property)
    if let column = found[name] { return column }
    let column = try columns.column(of: property, in: entity)
    found[name] = column
    return column
  }

  /// Whether a row is an object of an entity, and not of a subentity.
  static func condition(of entity: CoreDataEntity) -> String { "Z_ENT = \(entity.number)" }

  /// Whether a row of a table is an object of no entity.
  func conditionOfStrays(in table: Table) -> String {
    let numbers = schema.entities(in: table).map(\.number)
    return "Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.sqlList))"
  }
}
