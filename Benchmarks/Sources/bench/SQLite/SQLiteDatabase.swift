import CSQLite

/// A result code of SQLite with its message.
struct SQLiteError: Error, CustomStringConvertible {
  let code: Int32
  let message: String

  var description: String { "SQLite: \(message) (\(code))" }
}

/// A connection of SQLite's C API as an expert uses it: write-ahead log, prepared statements, memory map, a large cache.
///
/// `synchronous = FULL` makes each commit durable, as Roost's default does.
final class SQLiteDatabase {
  static let description =
    "SQLite \(String(cString: sqlite3_libversion())), C API: \(settings.joined(separator: ", "))"

  static let settings = [
    "busy_timeout = 10000", "journal_mode = WAL", "synchronous = FULL", "mmap_size = 2147418112",
    "cache_size = -1048576", "temp_store = MEMORY", "secure_delete = OFF",
  ]

  /// Counting its allocations slows SQLite down; it must be told before the first connection.
  private static let memoryStatusIsOff = roost_sqlite_disable_memory_status() == SQLITE_OK

  private let path: String
  private var handle: OpaquePointer?
  private var statements: [String: SQLiteStatement] = [:]

  /// Must come before anybody's first connection.
  static func configureLibrary() {
    precondition(memoryStatusIsOff, "SQLite was in use before it was configured.")
  }

  init(path: String) throws {
    Self.configureLibrary()
    self.path = path
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    try check(sqlite3_open_v2(path, &handle, flags, nil))
    for setting in Self.settings { try execute("PRAGMA \(setting)") }
  }

  func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// The statement for this text, prepared once.
  func prepare(_ sql: String) throws -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    var prepared: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    let statement = SQLiteStatement(handle: prepared, database: self)
    statements[sql] = statement
    return statement
  }

  /// A write transaction; where the body throws, the harness ends, so nothing rolls back here.
  func transaction<R>(_ body: () throws -> R) throws -> R {
    try prepare("BEGIN IMMEDIATE").run()
    let result = try body()
    try prepare("COMMIT").run()
    return result
  }

  /// A read transaction.
  func reading<R>(_ body: () throws -> R) throws -> R {
    try prepare("BEGIN").run()
    let result = try body()
    try prepare("COMMIT").run()
    return result
  }

  /// Moves all of the write-ahead log into the file and empties the log.
  func checkpoint() throws {
    try check(sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
  }

  /// Gives unused space back; returns the path of the file.
  func compactAndClose() throws -> String {
    try execute("VACUUM")
    try checkpoint()
    try close()
    return path
  }

  func close() throws {
    for statement in statements.values { statement.finalize() }
    statements = [:]
    try check(sqlite3_close(handle))
    handle = nil
  }

  fileprivate func check(_ code: Int32) throws {
    guard code != SQLITE_OK else { return }
    throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// A prepared statement. Columns count from 0, parameters from 1, as in SQLite.
final class SQLiteStatement {
  private let handle: OpaquePointer?
  private unowned let database: SQLiteDatabase

  fileprivate init(handle: OpaquePointer?, database: SQLiteDatabase) {
    self.handle = handle
    self.database = database
  }

  func bind(_ value: Int, at parameter: Int32) {
    sqlite3_bind_int64(handle, parameter, Int64(value))
  }

  func bind(_ value: Double, at parameter: Int32) {
    sqlite3_bind_double(handle, parameter, value)
  }

  /// Binds text without a copy: it must stay in place until the statement has run.
  func bind(_ value: UnsafeBufferPointer<UInt8>, at parameter: Int32) {
    value.withMemoryRebound(to: CChar.self) { characters in
      _ = sqlite3_bind_text(handle, parameter, characters.baseAddress, Int32(value.count), nil)
    }
  }

  func bind(_ value: Int?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { sqlite3_bind_null(handle, parameter) }
  }

  func bind(_ value: Double?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { sqlite3_bind_null(handle, parameter) }
  }

  /// Binds a copy of a text.
  func bind(_ value: String?, at parameter: Int32) {
    let isTransient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    guard var value else {
      sqlite3_bind_null(handle, parameter)
      return
    }
    value.withUTF8 { value in
      value.withMemoryRebound(to: CChar.self) { characters in
        _ = sqlite3_bind_text(
          handle, parameter, characters.baseAddress, Int32(value.count), isTransient)
      }
    }
  }

  /// Binds bytes without a copy: they must stay in place until the statement has run.
  func bind(_ value: UnsafeRawBufferPointer, at parameter: Int32) {
    sqlite3_bind_blob(handle, parameter, value.baseAddress, Int32(value.count), nil)
  }

  /// Goes to the next row; false after the last one.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      try database.check(code)
      return false
    }
  }

  /// Runs the statement to its end.
  func run() throws {
    while try step() {}
    reset()
  }

  func reset() {
    sqlite3_reset(handle)
  }

  func integer(_ column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  func number(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  /// A text where SQLite keeps it, until the next step.
  func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// A copy of a text.
  func string(_ column: Int32) -> String { String(decoding: text(column), as: UTF8.self) }

  /// Bytes where SQLite keeps them, until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The first column of the first row.
  func scalar() throws -> Int {
    defer { reset() }
    return try step() ? integer(0) : 0
  }

  fileprivate func finalize() {
    sqlite3_finalize(handle)
  }
}
