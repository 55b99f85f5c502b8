internal import Roost
package import RoostImport

/// An SQLite file to import from: a copy of it, opened.
package final class SQLiteSource: OpenedSource {
  package typealias Object = SQLiteRow

  private let file: CopiedFile
  private let reader: TableReader
  private var cursor: RowCursor?
  /// The numbers of rows that were asked for: SQLite goes through all pages of a table.
  private var counts: [String: Int] = [:]
  package let definitions: [ImportReport.Definition]

  package init(_ file: CopiedFile) throws {
    self.file = file
    let schema = try file.check.whileReading { try FileSchema(file.connection) }
    reader = TableReader(schema.tables, file.connection)
    definitions = schema.definitions
  }

  package var importableClasses: [String] { reader.tables.map(\.name) }

  package var countedClasses: [String] {
    reader.tables.map(\.name).filter { !reader.joined.contains($0) }
  }

  package func unknown(_ className: String) -> any Error {
    for definition in definitions where definition.name == className {
      switch definition.kind {
      case .view: return SQLiteError.notATable(className, kind: "view")
      case .virtualTable: return SQLiteError.notATable(className, kind: "virtual table")
      case .shadowTable:
        return SQLiteError.notATable(className, kind: "table of a virtual table's own")
      default: continue
      }
    }
    return SQLiteError.unknownTable(className, tables: reader.tables.map(\.name))
  }

  package func count(of className: String) throws -> Int {
    if let known = counts[className] { return known }
    let count = try file.check.whileReading { try rowCount(of: className) }
    counts[className] = count
    return count
  }

  private func rowCount(of className: String) throws -> Int {
    let name = try reader.table(className).name.quotedName
    let statement = try reader.connection.prepare("SELECT count(*) FROM main.\(name) NOT INDEXED")
    guard try statement.step() else { return 0 }
    return try statement.integer(at: 0)
  }

  package func forEachObject(of className: String, _ body: (SQLiteRow) throws -> Void) throws {
    try file.check.whileReading { try forEachRow(of: className, body) }
  }

  private func forEachRow(of className: String, _ body: (SQLiteRow) throws -> Void) throws {
    let table = try reader.table(className)
    let cursor = try RowCursor(table, reader.connection)
    self.cursor = cursor
    // How far the mapping got in rows that it could read, and in others.
    var readsOfWhole = -1
    var readsOfFailed = -1
    while let position = try cursor.next() {
      // Damaged pages may have rows without end.
      if position.isMultiple(of: 256) { try file.check.throwIfDamaged() }
      let misfits = reader.misfits.total
      try body(SQLiteRow(reader: reader, cursor: cursor, position: position))
      if reader.misfits.total == misfits {
        readsOfWhole = max(readsOfWhole, cursor.reads)
      } else {
        readsOfFailed = max(readsOfFailed, cursor.reads)
      }
    }
    try reader.countOrphans(of: table)
    // What the mapping would have read next is not known if each row ended there.
    if readsOfWhole < readsOfFailed {
      Survey(table, cursor.unread, reader).run()
    }
  }

  package var bytesRead: Int? { (cursor?.bytesRead ?? 0) &+ reader.otherBytes }

  package func gathers(_ error: any Error) -> Bool {
    guard let error = error as? SQLiteError else { return false }
    return reader.misfits.add(error, isRead: true)
  }

  package func gathered() -> (any Error)? {
    do { try file.check.wait() } catch { return error }
    let misfits = reader.misfits.list(reader)
    return misfits.isEmpty ? nil : SQLiteError.misfits(misfits)
  }

  package static func placed(_ error: any Error, at row: SQLiteRow) -> any Error {
    switch error {
    case is SQLiteError: error
    case let error as StoreError:
      SQLiteError.notStored(table: row.table, row: row.keyInWords, error)
    default:
      SQLiteError.mapping(table: row.table, row: row.keyInWords, reason: "\(error)")
    }
  }

  package var countedRoundings: [ImportReport.Rounding] { reader.countedRoundings }

  package var countedOmissions: [ImportReport.Omission] { reader.countedOmissions }

  package func checkUnchanged() throws { try file.checkUnchanged() }
}
