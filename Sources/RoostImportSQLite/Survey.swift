#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads columns that the mapping did not get to as the table declares them, so that an error lists them too.
struct Survey {
  private let table: Table
  private let columns: [Table.Column]
  private let reader: TableReader

  /// - Parameters:
  ///   - table: The table.
  ///   - columns: The places of the columns.
  init(_ table: Table, _ columns: [Int], _ reader: TableReader) {
    self.table = table
    self.columns = columns.map { table.columns[$0] }
    self.reader = reader
  }

  /// Reads all rows. The import fails in any case, so an error of SQLite only ends this.
  func run() {
    do throws(SQLiteError) {
      let cursor = try RowCursor(table, reader.connection)
      while let position = try cursor.next() {
        let row = SQLiteRow(reader: reader, cursor: cursor, position: position)
        for column in columns {
          do throws(SQLiteError) { try read(column, of: row) } catch {
            _ = reader.misfits.add(error, isRead: false)
          }
        }
      }
    } catch {}
  }

  private func read(_ column: Table.Column, of row: SQLiteRow) throws(SQLiteError) {
    let name = column.name
    if table.foreignKey(of: name) != nil {
      let _: SQLiteValue = try row.link(name)
      return
    }
    switch column.kind {
    case .date: let _: Date? = try row[name]
    case .bool: let _: Bool? = try row[name]
    case .integer: let _: Int64? = try row[name]
    case .text: let _: String? = try row[name]
    case .real: let _: Double? = try row[name]
    case .other: break
    }
  }
}

extension Table.Column {
  fileprivate enum Kind { case date, bool, integer, text, real, other }

  /// What the declared type says, by SQLite's rules; and dates and truth values, which it has no types for.
  fileprivate var kind: Kind {
    let words = declared.caseFolded
    func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if has("date", "time") { return .date }
    if has("bool") { return .bool }
    if has("int") { return .integer }
    if has("char", "clob", "text") { return .text }
    return has("real", "floa", "doub") ? .real : .other
  }
}
