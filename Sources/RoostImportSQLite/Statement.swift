internal import CRoostSQLite
internal import Roost
internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A statement, whose rows are read one after another.
@safe
package final class Statement {
  fileprivate let statement: OpaquePointer?
  // A statement ends before its connection.
  private let handle: DatabaseHandle
  /// The bytes of the texts and blobs that were read.
  private(set) var bytesRead = 0

  package init(_ sql: String, of handle: DatabaseHandle) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let result = unsafe sqlite3_prepare_v2(handle.database, sql, -1, &prepared, nil)
    unsafe statement = unsafe prepared
    self.handle = handle
    try handle.check(result)
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Goes to the next row; false after the last one.
  func step() throws(SQLiteError) -> Bool {
    let result = unsafe sqlite3_step(statement)
    try handle.check(result)
    return result == SQLITE_ROW
  }

  /// Begins again, with a value for its only parameter.
  func begin(with value: SQLiteValue) throws(SQLiteError) { try begin(with: [value]) }

  /// Begins again and runs to the end, with values for its parameters.
  package func run(with values: [SQLiteValue]) throws(SQLiteError) {
    try begin(with: values)
    while try step() {}
  }

  private func begin(with values: [SQLiteValue]) throws(SQLiteError) {
    // Its result is the error of the last step, which was thrown then.
    _ = unsafe sqlite3_reset(statement)
    for (index, value) in values.enumerated() {
      try bind(value, at: Int32(clamping: index + 1))
    }
  }

  private func bind(_ value: SQLiteValue, at place: Int32) throws(SQLiteError) {
    let result: Int32
    switch value {
    case .null: result = unsafe sqlite3_bind_null(statement, place)
    case .integer(let integer): result = unsafe sqlite3_bind_int64(statement, place, integer)
    case .real(let real): result = unsafe sqlite3_bind_double(statement, place, real)
    case .text(let text): result = try bind(text: Array(text.utf8), at: place)
    case .malformedText(let text): result = try bind(text: Array(text), at: place)
    case .blob(let blob):
      let (bytes, count) = try counted(Array(blob))
      result = unsafe roost_sqlite_bind_blob(statement, place, bytes, count)
    }
    try handle.check(result)
  }

  private func bind(text: [UInt8], at place: Int32) throws(SQLiteError) -> Int32 {
    let (bytes, count) = try counted(text)
    return unsafe roost_sqlite_bind_text(statement, place, bytes, count)
  }

  private func counted(_ bytes: [UInt8]) throws(SQLiteError) -> ([UInt8], Int32) {
    guard let count = Int32(exactly: bytes.count) else {
      throw .tooLarge(path: handle.path, bytesMax: handle.valueBytesMax)
    }
    return (bytes, count)
  }

  /// A column's value in this row.
  func value(at column: Int) throws(SQLiteError) -> SQLiteValue {
    let stored = StoredValue(of: self, at: column)
    switch stored.type {
    case SQLITE_INTEGER: return .integer(stored.integer)
    case SQLITE_FLOAT: return .real(stored.real)
    case SQLITE_TEXT:
      let bytes = try bytes(of: stored)
      bytesRead &+= bytes.count
      return bytes.validString.map { .text($0) } ?? .malformedText(bytes.data)
    case SQLITE_BLOB:
      let bytes = try bytes(of: stored)
      bytesRead &+= bytes.count
      return .blob(bytes.data)
    default: return .null
    }
  }

  /// What a column's value in this row is, without making it.
  func kind(at column: Int) throws(SQLiteError) -> SQLiteKind {
    let stored = StoredValue(of: self, at: column)
    switch stored.type {
    case SQLITE_INTEGER: return .integer(stored.integer)
    case SQLITE_FLOAT: return .real(stored.real)
    case SQLITE_TEXT:
      let bytes = try bytes(of: stored)
      return bytes.isASCII || bytes.validString != nil ? .text : .malformedText
    case SQLITE_BLOB: return .blob
    default: return .null
    }
  }

  /// The time in a column whose value is a text of a form, without making the text; nil for another value.
  func date(
    at column: Int, as form: SQLiteDateForm
  ) throws(SQLiteError) -> SQLiteDateReading? {
    let stored = StoredValue(of: self, at: column)
    guard stored.type == SQLITE_TEXT else { return nil }
    let bytes = try bytes(of: stored)
    guard let reading = form.read(text: bytes) else { return nil }
    bytesRead &+= bytes.count
    return reading
  }

  /// The bytes of a text or a blob, which SQLite keeps until the next step.
  private func bytes(of stored: StoredValue) throws(SQLiteError) -> ByteView {
    guard let bytes = stored.bytes else {
      // An empty blob has no bytes. Any text has.
      if stored.type == SQLITE_TEXT { try handle.check(SQLITE_NOMEM) }
      return ByteView()
    }
    return bytes
  }

  /// A column's value as a number; 0 for another value.
  func integer(at column: Int) throws(SQLiteError) -> Int {
    if case .integer(let integer) = try value(at: column) { Int(clamping: integer) } else { 0 }
  }

  /// A column's value as text; nil for another value.
  func text(at column: Int) throws(SQLiteError) -> String? {
    switch try value(at: column) {
    case .text(let text): text
    case .malformedText(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }
}

extension DatabaseHandle {
  /// Runs a statement, whose rows do not matter.
  package func run(_ sql: String) throws(SQLiteError) {
    let statement = try Statement(sql, of: self)
    while try statement.step() {}
  }
}

/// SQLite's own value of a column, until the next step.
///
/// "Unprotected", which is enough: no other thread uses the connection.
@safe
private struct StoredValue {
  private let value: OpaquePointer?

  init(of row: Statement, at column: Int) {
    unsafe value = unsafe sqlite3_column_value(row.statement, Int32(clamping: column))
  }

  var type: Int32 { unsafe sqlite3_value_type(value) }
  var integer: Int64 { unsafe sqlite3_value_int64(value) }
  var real: Double { unsafe sqlite3_value_double(value) }

  /// The bytes of a text or a blob; nil where there are none, or no memory.
  var bytes: ByteView? {
    var count: Int32 = 0
    guard let start = unsafe roost_sqlite_value_bytes(value, &count) else { return nil }
    return unsafe ByteView(base: start, count: Int(count))
  }
}
