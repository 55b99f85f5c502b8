internal import CRoostSQLite

/// SQLite's own connection to a file: it is closed when nothing uses it any more.
@safe
package final class DatabaseHandle {
  let database: OpaquePointer?
  /// The copy that the file is, which is removed after the connection was closed; nil for another file.
  private let copy: SourceCopy?
  /// The file that it is, or is a copy of, for errors.
  let path: String
  let valueBytesMax: Int

  /// Opens a copy.
  ///
  /// - Parameters:
  ///   - file: The copy.
  ///   - path: The file that it is a copy of.
  ///   - copy: The copy, if the connection keeps it.
  ///   - valueBytesMax: The most bytes of a row.
  convenience init(
    copy file: String, of path: String, keeping copy: SourceCopy?, valueBytesMax: Int
  ) throws(SQLiteError) {
    // Writable, so that SQLite can end a transaction that a crash has interrupted.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    try self.init(file, flags, path: path, copy, valueBytesMax: valueBytesMax)
  }

  /// Makes a file.
  package convenience init(newFile path: String) throws(SQLiteError) {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    try self.init(path, flags, path: path, nil, valueBytesMax: Int(Int32.max))
  }

  private init(
    _ file: String, _ flags: Int32, path: String, _ copy: SourceCopy?, valueBytesMax: Int
  ) throws(SQLiteError) {
    var opened: OpaquePointer?
    let result = unsafe sqlite3_open_v2(file, &opened, flags, nil)
    // There is a connection after most errors too, and it must be closed. SQLite accepts that there is none.
    unsafe database = unsafe opened
    self.copy = copy
    self.path = path
    self.valueBytesMax = valueBytesMax
    guard result == SQLITE_OK else { throw .cannotOpen(path: path, reason: message) }
  }

  deinit { unsafe sqlite3_close_v2(database) }

  /// What SQLite says of the last error.
  private var message: String { unsafe String(cString: sqlite3_errmsg(database)) }

  /// Throws the error that a result code stands for.
  func check(_ result: Int32) throws(SQLiteError) {
    switch result & 0xff {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
    case SQLITE_NOTADB: throw .notSQLite(path: path)
    case SQLITE_CORRUPT: throw .damaged(path: path, reason: message)
    case SQLITE_TOOBIG: throw .tooLarge(path: path, bytesMax: valueBytesMax)
    case SQLITE_FULL:
      throw .failed(path: path, reason: "the disk is full; make room and try again")
    default: throw .failed(path: path, reason: message)
    }
  }
}
