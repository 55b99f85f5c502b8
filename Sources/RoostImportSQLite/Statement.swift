internal import CRoostSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A statement, whose rows are read one after another.
@safe
final class Statement {
  private let statement: OpaquePointer
  // A statement ends before its connection.
  private let handle: DatabaseHandle
  /// The bytes of the texts and blobs that were read.
  private(set) var bytesRead = 0

  @unsafe
  init(_ statement: OpaquePointer, of handle: DatabaseHandle) {
    unsafe self.statement = unsafe statement
    self.handle = handle
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Goes to the next row; false after the last one.
  func step() throws(SQLiteError) -> Bool {
    let result = unsafe sqlite3_step(statement)
    try handle.check(result)
    return result == SQLITE_ROW
  }

  /// Begins again, with a value for its only parameter.
  func begin(with value: SQLiteValue) throws(SQLiteError) {
    // Its result is the error of the last step, which was thrown then.
    _ = unsafe sqlite3_reset(statement)
    let result =
      switch value {
      case .null: unsafe sqlite3_bind_null(statement, 1)
      case .integer(let integer): unsafe sqlite3_bind_int64(statement, 1, integer)
      case .real(let real): unsafe sqlite3_bind_double(statement, 1, real)
      case .text(let text): bind(text: Array(text.utf8))
      case .malformedText(let bytes): bind(text: Array(bytes))
      case .blob(let bytes):
        unsafe Array(bytes).withUnsafeBytes { bytes in
          unsafe roost_sqlite_bind_blob(
            statement, 1, bytes.baseAddress, Int32(clamping: bytes.count))
        }
      }
    try handle.check(result)
  }

  private func bind(text bytes: [UInt8]) -> Int32 {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe roost_sqlite_bind_text(
        statement, 1, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(clamping: bytes.count))
    }
  }

  /// A column's value in this row.
  func value(at column: Int) throws(SQLiteError) -> SQLiteValue {
    // "Unprotected", which is enough: no other thread uses the connection.
    let stored = unsafe sqlite3_column_value(statement, Int32(clamping: column))
    switch unsafe sqlite3_value_type(stored) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(stored))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_value_double(stored))
    case SQLITE_TEXT:
      return try unsafe withText(stored) { bytes in
        bytesRead &+= bytes.count
        // Most texts are, and need no other check.
        if unsafe Self.isASCII(bytes) {
          return .text(unsafe String(decoding: bytes, as: UTF8.self))
        }
        if let text = unsafe String(validating: bytes, as: UTF8.self) { return .text(text) }
        return .malformedText(unsafe Data(bytes))
      }
    case SQLITE_BLOB:
      let start = unsafe sqlite3_value_blob(stored)
      let count = Int(unsafe sqlite3_value_bytes(stored))
      guard let start = unsafe start else { return .blob(Data()) }
      bytesRead &+= count
      return .blob(unsafe Data(bytes: start, count: count))
    default: return .null
    }
  }

  /// What a column's value in this row is, without making it.
  func kind(at column: Int) throws(SQLiteError) -> SQLiteKind {
    let stored = unsafe sqlite3_column_value(statement, Int32(clamping: column))
    switch unsafe sqlite3_value_type(stored) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(stored))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_value_double(stored))
    case SQLITE_TEXT:
      return try unsafe withText(stored) { bytes in
        if unsafe Self.isASCII(bytes) { return .text }
        return unsafe String(validating: bytes, as: UTF8.self) == nil ? .malformedText : .text
      }
    case SQLITE_BLOB: return .blob
    default: return .null
    }
  }

  /// Calls `body` with the bytes of a text.
  private func withText<Result>(
    _ stored: OpaquePointer?, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(SQLiteError) -> Result {
    let start = unsafe sqlite3_value_text(stored)
    // After the text, which may be made of UTF-16.
    let count = Int(unsafe sqlite3_value_bytes(stored))
    guard let start = unsafe start else {
      try handle.check(SQLITE_NOMEM)
      return unsafe body(UnsafeBufferPointer(start: nil, count: 0))
    }
    return unsafe body(UnsafeBufferPointer(start: start, count: count))
  }

  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var all: UInt64 = 0
    var place = 0
    while place + 8 <= raw.count {
      all |= unsafe raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < raw.count {
      all |= UInt64(unsafe raw[place])
      place += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
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
