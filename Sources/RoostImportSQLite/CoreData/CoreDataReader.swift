/// An open Core Data store: its entities, and what was found out about their properties.
final class CoreDataReader {
  let tables: TableReader
  let schema: CoreDataSchema
  let external: ExternalDataFolder
  private let columns: CoreDataColumns
  private var found: [PropertyName: CoreDataColumns.Column] = [:]
  private var relations: [RelationName: CoreDataRelation] = [:]

  private struct PropertyName: Hashable {
    var entity: Int
    var property: String
  }

  private struct RelationName: Hashable {
    var entity: Int
    var path: CoreDataRelation.Path
  }

  init(_ tables: TableReader, _ external: ExternalDataFolder) throws(SQLiteError) {
    self.tables = tables
    self.external = external
    schema = try CoreDataSchema(tables, path: external.source)
    columns = CoreDataColumns(schema: schema, tables: tables)
  }

  /// What a file defines, and a reader of its entities, once its pages are checked.
  ///
  /// - Throws: ``SQLiteError/notCoreData(path:)`` for another SQLite file; that is found out first.
  static func open(
    _ file: CopiedFile
  ) throws(SQLiteError) -> (schema: FileSchema, reader: CoreDataReader) {
    let schema: FileSchema
    let reader: CoreDataReader
    do throws(SQLiteError) {
      schema = try FileSchema(file.connection)
      reader = try CoreDataReader(
        TableReader(schema.tables, file.connection),
        ExternalDataFolder(besides: file.path, bytesMax: file.valueBytesMax))
    } catch {
      if case .notCoreData = error { throw error }
      // Damage may be the reason.
      try file.check.wait()
      throw error
    }
    try file.check.wait()
    return (schema, reader)
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

  /// The columns of a table that no property is named after, such as those of the elements of composite attributes.
  func elements(in table: Table) -> [String] {
    columns.columnsOfNoProperty(table).filter { name in
      // A relationship without an inverse has a column that begins with its entity's number.
      !(name.dropFirst().first?.isNumber ?? false)
    }
  }

  /// How the targets of a relationship are found.
  func relation(
    _ path: CoreDataRelation.Path, from entity: CoreDataEntity
  ) throws(SQLiteError) -> CoreDataRelation {
    let name = RelationName(entity: entity.number, path: path)
    if let relation = relations[name] { return relation }
    let relation = try CoreDataRelationFinder(columns: columns, entity: entity).relation(path)
    relations[name] = relation
    return relation
  }

  /// Whether a row is an object of an entity, and not of a subentity.
  static func condition(of entity: CoreDataEntity) -> String { "Z_ENT = \(entity.number)" }

  /// Whether a row of a table is an object of no entity.
  func conditionOfStrays(in table: Table) -> String {
    let numbers = schema.entities(in: table).map(\.number)
    return "Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.sqlList))"
  }
}
