internal import CRoostSQLite

/// A connection to a file that nobody else uses, which cannot be written through.
@safe
final class Connection {
  private let database: OpaquePointer
  // It is removed after the connection was closed.
  private let copy: SourceCopy
  /// The file that it is a copy of, for errors.
  private let path: String
  private let valueBytesMax: Int

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
    try secure()
  }

  deinit { unsafe sqlite3_close_v2(database) }

  /// Has SQLite trust nothing in the file.
  private func secure() throws(SQLiteError) {
    try check(unsafe roost_sqlite_harden(database))
    let limits = [
      (SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytesMax)), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
      (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    ]
    for (limit, value) in limits { _ = unsafe sqlite3_limit(database, limit, value) }
    // An exclusive lock, so that a log needs no shared memory.
    for pragma in [
      "locking_mode = EXCLUSIVE", "cell_size_check = ON", "mmap_size = 0",
      "ignore_check_constraints = ON", "query_only = ON",
    ] {
      try run("PRAGMA " + pragma)
    }
  }

  /// Throws if the file's pages do not fit together.
  func checkPages() throws(SQLiteError) {
    let statement = try prepare("PRAGMA quick_check")
    while try statement.step() {
      guard case .text(let words) = try statement.value(at: 0), words != "ok" else { continue }
      // Rules of the schema that values break are no damage.
      let isRule =
        words.hasPrefix("NULL value in ") || words.hasPrefix("non-")
        || words.hasPrefix("NUMERIC value in ") || words.hasPrefix("TEXT value in ")
        || words.hasPrefix("CHECK constraint failed")
      if !isRule { throw .damaged(path: path, reason: words.firstLine) }
    }
  }

  /// Runs a statement, whose rows do not matter.
  func run(_ sql: String) throws(SQLiteError) {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  /// Runs a statement that changes the file.
  func change(_ sql: String) throws(SQLiteError) {
    try run("PRAGMA query_only = OFF")
    let result = Result { () throws(SQLiteError) in try run(sql) }
    try run("PRAGMA query_only = ON")
    try result.get()
  }

  func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var prepared: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(database, sql, -1, &prepared, nil))
    guard let statement = unsafe prepared else {
      throw .failed(path: path, reason: "no statement in \(sql)")
    }
    return unsafe Statement(statement, of: self)
  }

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

extension String {
  /// The first line, of those that the first line of a report of SQLite's is only the title of, the second one.
  fileprivate var firstLine: String {
    let lines = split(whereSeparator: \.isNewline)
    let line = lines.first { !$0.hasPrefix("***") } ?? lines.first ?? ""
    return String(line)
  }

  /// The text as a name in SQL.
  var quotedName: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
