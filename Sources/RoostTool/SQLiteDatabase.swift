internal import CRoostSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value as SQLite stores it.
enum SQLValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A new SQLite file that is written to.
@safe
final class SQLiteDatabase {
  private let database: OpaquePointer

  init(_ path: String) throws(ExportError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let result = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let database = unsafe opened else { throw ExportError("SQLite has no memory.") }
    unsafe self.database = unsafe database
    try check(result)
  }

  deinit { unsafe sqlite3_close_v2(database) }

  /// Runs statements without values.
  func run(_ sql: String) throws(ExportError) {
    try check(unsafe sqlite3_exec(database, sql, nil, nil, nil))
  }

  /// Prepares a statement.
  func prepare(_ sql: String) throws(ExportError) -> SQLiteInsertion {
    var statement: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil))
    guard let statement = unsafe statement else { throw ExportError("SQLite has no memory.") }
    return unsafe SQLiteInsertion(statement, of: self)
  }

  func check(_ result: Int32) throws(ExportError) {
    switch result & 0xff {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
    case SQLITE_FULL: throw ExportError("the disk is full; make room and try again.")
    case SQLITE_TOOBIG: throw ExportError("an object is too large for SQLite.")
    default:
      throw ExportError("SQLite says: \(unsafe String(cString: sqlite3_errmsg(database)))")
    }
  }
}

/// A prepared statement that is run with many rows of values.
@safe
final class SQLiteInsertion {
  private let statement: OpaquePointer
  // A statement ends before its connection.
  private let database: SQLiteDatabase

  @unsafe
  fileprivate init(_ statement: OpaquePointer, of database: SQLiteDatabase) {
    unsafe self.statement = unsafe statement
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Runs it with the values of a row.
  func run(_ values: [SQLValue]) throws(ExportError) {
    for (place, value) in values.enumerated() {
      try bind(value, at: Int32(clamping: place + 1))
    }
    try database.check(unsafe sqlite3_step(statement))
    try database.check(unsafe sqlite3_reset(statement))
  }

  private func bind(_ value: SQLValue, at place: Int32) throws(ExportError) {
    let result: Int32
    switch value {
    case .null: result = unsafe sqlite3_bind_null(statement, place)
    case .integer(let number): result = unsafe sqlite3_bind_int64(statement, place, number)
    case .real(let number): result = unsafe sqlite3_bind_double(statement, place, number)
    case .text(let text):
      let bytes = Array(text.utf8)
      let count = try Self.count(bytes)
      result = unsafe bytes.withUnsafeBytes { bytes in
        unsafe roost_sqlite_bind_text(
          statement, place, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count)
      }
    case .blob(let bytes):
      let count = try Self.count(bytes)
      result = unsafe bytes.withUnsafeBytes { bytes in
        unsafe roost_sqlite_bind_blob(statement, place, bytes.baseAddress, count)
      }
    }
    try database.check(result)
  }

  private static func count(_ bytes: [UInt8]) throws(ExportError) -> Int32 {
    guard let count = Int32(exactly: bytes.count) else {
      throw ExportError("a value of \(bytes.count) bytes is too large for SQLite.")
    }
    return count
  }
}

/// Why an export failed.
package struct ExportError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, and what to do.
  package let description: String

  init(_ description: String) { self.description = description }
}
