public import Roost
internal import RoostImport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error in reading an SQLite file, or in what a mapping makes of its rows.
@nonexhaustive
public enum SQLiteError: Error, Equatable, Sendable {
  /// The file could not be opened or copied; the reason.
  case cannotOpen(path: String, reason: String)
  /// The file was written to while it was imported.
  case changed(path: String)
  /// The file has no byte.
  case empty(path: String)
  /// The file is not one of SQLite's, or is encrypted.
  case notSQLite(path: String)
  /// A transaction over several files ended unfinished, as a crash leaves it.
  case unfinishedTransaction(path: String)
  /// The file is damaged; what SQLite says.
  case damaged(path: String, reason: String)
  /// A row takes more memory than allowed.
  case tooLarge(path: String, bytesMax: Int)
  /// SQLite refused something; what it says.
  case failed(path: String, reason: String)
  /// The file has no table of this name, but these.
  case unknownTable(String, tables: [String])
  /// The file is not a store of Core Data or SwiftData: it has no table of entities.
  case notCoreData(path: String)
  /// The Core Data store has no entity of this name, but these.
  case unknownEntity(String, entities: [String])
  /// The entity has no property of this name, but these.
  case unknownProperty(entity: String, property: String, properties: [String])
  /// The entity has the property, but it is not known where its values are, or the file has none; the reason.
  case unreadableProperty(entity: String, property: String, reason: String)
  /// A view or a virtual table, which is not read.
  case notATable(String, kind: String)
  /// The table has no column of this name, but these.
  case unknownColumn(table: String, column: String, columns: [String])
  /// A generated column cannot be calculated; what SQLite says.
  case notCalculated(table: String, column: String, reason: String)
  /// Values that the mapping cannot read, or that lead to no row, by column. An import ends with all of them together.
  case misfits([SQLiteMisfit])
  /// A column was read as a Swift type that cannot hold its value. An import has it in ``misfits(_:)``.
  ///
  /// - Parameters:
  ///   - row: The row, by its key.
  ///   - declared: The type that the column declares.
  ///   - found: What the value is.
  ///   - asked: The Swift type, or the form of a date.
  ///   - line: What reads it, to be pasted into the mapping.
  case mismatch(
    table: String, column: String, row: String, declared: String, found: String, asked: String,
    line: String)
  /// A column was read as a `Date` without saying in which form it has dates. An import has it in ``misfits(_:)``.
  ///
  /// - Parameters:
  ///   - found: What the value is.
  ///   - lines: What reads it, each with the date that it would be. One of them is to be pasted into the mapping.
  case dateWithoutForm(
    table: String, column: String, row: String, found: String, lines: [String])
  /// A foreign key leads to no row. An import has it in ``misfits(_:)``.
  ///
  /// - Parameters:
  ///   - found: The key.
  ///   - target: The table that has no such row.
  ///   - line: What leaves the link out, to be pasted into the mapping.
  case dangling(
    table: String, column: String, row: String, found: String, target: String, line: String)
  /// The column is read as a link and has no foreign key.
  case noForeignKey(table: String, column: String, line: String)
  /// The table's key has several columns, so its id is made of them in the mapping.
  case compoundKey(table: String, columns: [String], line: String)
  /// A row was kept until another one was read.
  case rowIsGone(table: String)
  /// What makes the objects of a table threw an error: the row, and the error in words.
  case mapping(table: String, row: String, reason: String)
  /// The store refused the object of a row: the store's error.
  case notStored(table: String, row: String, StoreError)
}

extension SQLiteError: CustomStringConvertible, LocalizedError {
  /// The same as ``message``.
  public var description: String { message }

  /// The same as ``message``, for code that shows errors through Foundation.
  public var errorDescription: String? { message }

  /// What happened, and what to do next.
  ///
  /// Control characters in names are escaped for terminals: `\u001B`.
  public var message: String {
    guard case .misfits(let misfits) = self else { return words.withoutControlCharacters }
    return ([words] + misfits.map { "- " + $0.words.withoutControlCharacters })
      .joined(separator: "\n")
  }

  // A switch without a default, so that a case without a message does not compile.
  private var words: String {
    switch self {
    case .cannotOpen(let path, let reason): "\"\(path)\" could not be opened: \(reason)."
    case .changed(let path):
      "\"\(path)\" was written to while it was imported. Close it in the program that uses it, and import it again."
    case .empty(let path): "\"\(path)\" is empty."
    case .notSQLite(let path):
      "\"\(path)\" is not an SQLite file, or is encrypted. Decrypt it first, with the library that encrypted it."
    case .unfinishedTransaction(let path):
      "A transaction over \"\(path)\" and another file was interrupted. Open both with SQLite once, which ends it."
    case .damaged(let path, let reason):
      "\"\(path)\" is damaged: \(reason). `sqlite3 FILE .recover` may save what can be read."
    case .tooLarge(let path, let bytesMax):
      "\"\(path)\" has a row of more than \(bytesMax) bytes. Import it with a larger `valueBytesMax`, unless it may be damaged."
    case .failed(let path, let reason): "\"\(path)\" could not be read: \(reason)."
    case .unknownTable(let name, let tables):
      "The file has no table \"\(name)\". It has: \(tables.joined(separator: ", "))."
    case .notCoreData(let path):
      "\"\(path)\" is not a store of Core Data or SwiftData. To read it as an SQLite file, use `.sqlite` and `rows`."
    case .unknownEntity(let name, let entities):
      "The store has no entity \"\(name)\". It has: \(entities.joined(separator: ", "))."
    case .unknownProperty(let entity, let property, let properties):
      "The entity \"\(entity)\" has no property \"\(property)\". It has: \(properties.joined(separator: ", "))."
    case .unreadableProperty(let entity, let property, let reason):
      "\(entity).\(property) cannot be read: \(reason)."
    case .notATable(let name, let kind):
      "\"\(name)\" is a \(kind), which is not read. Map the tables that it is made of."
    case .unknownColumn(let table, let column, let columns):
      "The table \"\(table)\" has no column \"\(column)\". It has: \(columns.joined(separator: ", "))."
    case .notCalculated(let table, let column, let reason):
      "The generated column \(table).\(column) cannot be calculated: \(reason). Calculate it in the mapping."
    case .misfits: "The mapping does not fit these columns, and nothing was imported:"
    case .mismatch(let table, let column, let row, let declared, let found, let asked, let line):
      "\(table).\(column)\(declared.isEmpty ? "" : ", declared \(declared),") was read as \(asked), "
        + "but holds \(found) in the row \(row). To read it: \(line)"
    case .dateWithoutForm(let table, let column, let row, let found, let lines):
      "\(table).\(column) was read as a Date, and holds \(found) in the row \(row). Say which form its dates have: "
        + (lines.isEmpty ? "no form that is known reads this one." : lines.joined(separator: "; "))
    case .dangling(let table, let column, let row, let found, let target, let line):
      "\(table).\(column) is \(found) in the row \(row), and \"\(target)\" has no such row. To leave such links out: \(line)"
    case .noForeignKey(let table, let column, let line):
      "\(table).\(column) has no foreign key that leads to one column. Say which table it leads to: \(line); "
        + "or, where its objects are not in this file, read it as their id: `try row[\"\(column)\"]`"
    case .compoundKey(let table, let columns, let line):
      "The key of \"\(table)\" has the columns \(columns.joined(separator: ", ")). Make the id of them: \(line)"
    case .rowIsGone(let table):
      "A row of \"\(table)\" was kept after the mapping had returned. Read its values before."
    case .mapping(let table, let row, let reason):
      "Making an object of the row \(row) of \"\(table)\" failed: \(reason). Nothing was imported."
    case .notStored(let table, let row, let error):
      "The row \(row) of \"\(table)\" could not be stored. \(error.message)"
    }
  }
}

/// A column with values that a mapping cannot read, or that lead to no row.
public struct SQLiteMisfit: Equatable, Sendable {
  /// The table.
  public let table: String
  /// The column.
  public let column: String
  /// How many rows the mapping ended at such a value of the column. In a row that has several, it ends at the first.
  public let count: Int
  /// Whether the mapping has read the column. If not, as each row ended before, the column's values are unlike what the table
  /// declares; that does not matter if the mapping does not read it, or reads it in such a way already.
  public let isRead: Bool
  /// The error of the first of these rows.
  public let first: SQLiteError
  /// What reads the column, to be pasted into the mapping: one of these.
  public let lines: [String]

  /// The misfit in one line.
  var words: String {
    let place = "\(table).\(column)"
    let times = count == 1 ? "1 row" : "\(count) rows"
    let line = (isRead ? ": " : ", if the mapping reads it: ") + lines.joined(separator: "; ")
    switch first {
    case .mismatch(_, _, let row, let declared, let found, let asked, _):
      return
        "\(place)\(declared.isEmpty ? "" : " (\(declared))"), \(times) not \(asked), as \(found) in \(row)"
        + line
    case .dateWithoutForm(_, _, let row, let found, _):
      return "\(place), \(times) a Date without a form, as \(found) in \(row)"
        + (lines.isEmpty ? ", which no form that is known reads" : line)
    case .dangling(_, _, let row, let found, let target, _):
      return "\(place), \(times) without a row of \"\(target)\", as \(found) in \(row)" + line
    default: return "\(place), \(times): \(first.message)"
    }
  }
}
