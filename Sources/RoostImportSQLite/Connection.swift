internal import CRoostSQLite

/// A connection to a file that nobody else uses, which cannot be written through.
final class Connection {
  private let handle: DatabaseHandle
  /// Waits for what another connection reads, before this one writes.
  var willChange: (() throws(SQLiteError) -> Void)?

  /// Opens a copy, and keeps it.
  ///
  /// - Parameter valueBytesMax: The most bytes of a row.
  init(_ copy: SourceCopy, valueBytesMax: Int) throws(SQLiteError) {
    handle = try DatabaseHandle(
      copy: copy.file, of: copy.path, keeping: copy, valueBytesMax: valueBytesMax)
    try secure()
  }

  /// Opens a copy of a file that may be removed meanwhile.
  init(borrowing copy: String, of path: String, valueBytesMax: Int) throws(SQLiteError) {
    handle = try DatabaseHandle(copy: copy, of: path, keeping: nil, valueBytesMax: valueBytesMax)
    try secure()
  }

  /// Has SQLite trust nothing in the file.
  private func secure() throws(SQLiteError) {
    try handle.check(unsafe roost_sqlite_harden(handle.database))
    let limits = [
      (SQLITE_LIMIT_LENGTH, Int32(clamping: handle.valueBytesMax)), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
      (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    ]
    for (limit, value) in limits { _ = unsafe sqlite3_limit(handle.database, limit, value) }
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
      if !isRule { throw .damaged(path: handle.path, reason: words.firstLine) }
    }
  }

  /// Runs a statement, whose rows do not matter.
  func run(_ sql: String) throws(SQLiteError) { try handle.run(sql) }

  /// Runs a statement that changes the file.
  func change(_ sql: String) throws(SQLiteError) {
    try willChange?()
    try run("PRAGMA query_only = OFF")
    let result = Result { () throws(SQLiteError) in try run(sql) }
    try run("PRAGMA query_only = ON")
    try result.get()
  }

  func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, of: handle) }
}

extension String {
  /// The first line of a report of SQLite's; the second where the first is only a title.
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
