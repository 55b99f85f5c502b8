internal import Roost
package import RoostImport

/// A Core Data store to import from: a copy of it, opened.
package final class CoreDataSource: OpenedSource {
  package typealias Object = CoreDataRow

  private let file: CopiedFile
  private let reader: CoreDataReader
  package let definitions: [ImportReport.Definition]
  /// The tables of the app's own, and those of entities that have rows of none.
  private let others: [String]

  /// - Throws: ``SQLiteError/notCoreData(path:)`` for another SQLite file, whose pages may not be checked then.
  package init(_ file: CopiedFile) throws(SQLiteError) {
    self.file = file
    let (schema, reader) = try CoreDataReader.open(file)
    self.reader = reader
    let tables = reader.tables
    let known = Set(reader.schema.entities.map(\.table.name))
    let ownTables = reader.schema.ownTables
    let isOwn = { (name: String) in
      !known.contains(name) && (name.isOfFramework || ownTables.contains(name))
    }
    var others: [String] = []
    for table in tables.tables {
      let isOther =
        known.contains(table.name)
        ? try Self.count(reader, table, reader.conditionOfStrays(in: table)) > 0
        : !isOwn(table.name)
      if isOther { others.append(table.name) }
    }
    self.others = others
    definitions = schema.definitions.filter { $0.table.map { !isOwn($0) } ?? true }
  }

  package var importableClasses: [String] { reader.schema.entities.map(\.name) }

  package var countedClasses: [String] { importableClasses + others }

  package func unknown(_ className: String) -> any Error {
    SQLiteError.unknownEntity(className, entities: importableClasses)
  }

  package func count(of className: String) throws -> Int {
    if let entity = reader.schema.entity(className) {
      return try Self.count(reader, entity.table, CoreDataReader.condition(of: entity))
    }
    let table = try reader.tables.table(className)
    let isOfEntities = !reader.schema.entities(in: table).isEmpty
    return try Self.count(reader, table, isOfEntities ? reader.conditionOfStrays(in: table) : "1")
  }

  private static func count(
    _ reader: CoreDataReader, _ table: Table, _ condition: String
  ) throws(SQLiteError) -> Int {
    let statement = try reader.tables.connection.prepare(
      "SELECT count(*) FROM main.\(table.name.quotedName) NOT INDEXED WHERE \(condition)")
    guard try statement.step() else { return 0 }
    return try statement.integer(at: 0)
  }

  package func forEachObject(of className: String, _ body: (CoreDataRow) throws -> Void) throws {
    let entity = try reader.schema.found(className)
    let cursor = try RowCursor(
      entity.table, reader.tables.connection, where: CoreDataReader.condition(of: entity))
    while let position = try cursor.next() {
      let row = SQLiteRow(reader: reader.tables, cursor: cursor, position: position)
      try body(CoreDataRow(reader: reader, own: entity, row: row))
    }
  }

  package func gathers(_ error: any Error) -> Bool {
    guard let error = error as? SQLiteError else { return false }
    return reader.tables.misfits.add(error, isRead: true)
  }

  package func gathered() -> (any Error)? {
    let misfits = reader.tables.misfits.list(reader.tables)
    return misfits.isEmpty ? nil : SQLiteError.misfits(misfits)
  }

  package static func placed(_ error: any Error, at row: CoreDataRow) -> any Error {
    switch error {
    case is SQLiteError: error
    case let error as StoreError:
      SQLiteError.notStored(table: row.entity, row: row.row.keyInWords, error)
    default:
      SQLiteError.mapping(table: row.entity, row: row.row.keyInWords, reason: "\(error)")
    }
  }

  package var countedRoundings: [ImportReport.Rounding] { reader.tables.countedRoundings }

  package var countedOmissions: [ImportReport.Omission] { reader.tables.countedOmissions }

  package func checkUnchanged() throws { try file.checkUnchanged() }
}

extension String {
  /// Whether a table may be one of Core Data's between two others: `Z_`, a number, and a name.
  package var isJoinTable: Bool {
    let name = caseFolded.utf8
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return name.starts(with: "z_".utf8) && name.dropFirst(2).first.map(digits.contains) ?? false
  }

  /// Whether a table is one of Core Data's own: of its metadata, or of relationships.
  fileprivate var isOfFramework: Bool {
    let name = caseFolded
    return ["z_primarykey", "z_metadata", "z_modelcache"].contains(name) || isJoinTable
  }
}
