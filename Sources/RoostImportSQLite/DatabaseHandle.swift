internal import CRoostSQLite

/// SQLite's own connection to a copy: it is closed when nothing uses it any more, and the copy is removed then.
@safe
final class DatabaseHandle {
  let database: OpaquePointer
  // It is removed after the connection was closed.
  private let copy: SourceCopy
  /// The file that it is a copy of, for errors.
  let path: String
  let valueBytesMax: Int

  /// - Parameters:
  ///   - copy: The copy to open.
  ///   - valueBytesMax: The most bytes of a row.
  init(_ copy: SourceCopy, valueBytesMax: Int) throws(SQLiteError) {
    let path = copy.path
    var opened: OpaquePointer?
    // Writable, so that SQLite can end a transaction that a crash has interrupted.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    let result = unsafe sqlite3_open_v2(copy.file, &opened, flags, nil)
    guard let database = unsafe opened else {
      throw .cannotOpen(path: path, reason: "no memory")
    }
    guard result == SQLITE_OK else {
      let reason = unsafe String(cString: sqlite3_errmsg(database))
      unsafe sqlite3_close_v2(database)
      throw .cannotOpen(path: path, reason: reason)
    }
    unsafe self.database = unsafe database
    self.copy = copy
    self.path = path
    self.valueBytesMax = valueBytesMax
  }

  deinit { unsafe sqlite3_close_v2(database) }

  /// Throws the error that a result code stands for.
  func check(_ result: Int32) throws(SQLiteError) {
    switch result & 0xff {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
    case SQLITE_NOTADB: throw .notSQLite(path: path)
    case SQLITE_CORRUPT:
      throw .damaged(path: path, reason: unsafe String(cString: sqlite3_errmsg(database)))
    case SQLITE_TOOBIG: throw .tooLarge(path: path, bytesMax: valueBytesMax)
    default: throw .failed(path: path, reason: unsafe String(cString: sqlite3_errmsg(database)))
    }
  }
}
