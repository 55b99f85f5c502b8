import CLMDB

/// A result code of LMDB with its message.
struct LMDBError: Error, CustomStringConvertible {
  let code: Int32

  var description: String { "LMDB: \(String(cString: mdb_strerror(code))) (\(code))" }

  /// Throws for any code but success.
  static func check(_ code: Int32) throws {
    guard code == MDB_SUCCESS else { throw LMDBError(code: code) }
  }
}

/// A transaction of LMDB.
struct LMDBTransaction {
  let handle: OpaquePointer

  func put(_ table: MDB_dbi, _ key: MDB_val, _ value: MDB_val, flags: Int32 = 0) throws {
    var key = key
    var value = value
    try LMDBError.check(mdb_put(handle, table, &key, &value, UInt32(flags)))
  }

  /// The value in place, or nil where there is none.
  @inline(__always)
  func get(_ table: MDB_dbi, _ key: MDB_val) throws -> MDB_val? {
    var key = key
    var value = MDB_val()
    let code = mdb_get(handle, table, &key, &value)
    if code == MDB_NOTFOUND { return nil }
    try LMDBError.check(code)
    return value
  }

  /// Removes a key, or of several values of a key this one.
  func delete(_ table: MDB_dbi, _ key: MDB_val, value: MDB_val? = nil) throws {
    var key = key
    if var value {
      try LMDBError.check(mdb_del(handle, table, &key, &value))
    } else {
      try LMDBError.check(mdb_del(handle, table, &key, nil))
    }
  }

  func withCursor<R>(_ table: MDB_dbi, _ body: (LMDBCursor) throws -> R) throws -> R {
    var cursor: OpaquePointer?
    try LMDBError.check(mdb_cursor_open(handle, table, &cursor))
    defer { mdb_cursor_close(cursor) }
    return try body(LMDBCursor(handle: cursor))
  }
}

/// A place in a table of LMDB.
struct LMDBCursor {
  let handle: OpaquePointer?

  /// Moves; false where there is nothing.
  @inline(__always)
  func move(_ operation: MDB_cursor_op, _ key: inout MDB_val, _ value: inout MDB_val) throws -> Bool
  {
    let code = mdb_cursor_get(handle, &key, &value, operation)
    if code == MDB_NOTFOUND { return false }
    try LMDBError.check(code)
    return true
  }

  /// How many values the key has.
  func valueCount() throws -> Int {
    var count = 0
    try LMDBError.check(mdb_cursor_count(handle, &count))
    return count
  }
}

extension MDB_val {
  /// Bytes that stay in place while LMDB looks at them; it does not change them.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  var firstByte: UInt8 { mv_data.load(as: UInt8.self) }
}

extension UnsafeRawBufferPointer {
  init(_ value: MDB_val) {
    self.init(start: value.mv_data, count: value.mv_size)
  }
}

/// An integer as a key or a value.
@inline(__always)
func withKey<R>(_ integer: Int, _ body: (MDB_val) throws -> R) rethrows -> R {
  try withUnsafeBytes(of: integer) { try body(MDB_val($0)) }
}

/// An environment of LMDB in a single file, as an expert uses it: compact records, integer keys, sorted duplicates.
final class LMDBEnvironment {
  static let description =
    "\(version), map of 16 GiB, no WRITEMAP, every commit synced; compact records"

  /// "LMDB 0.9.24", with its date.
  private static var version: String {
    String(cString: mdb_version(nil, nil, nil)).replacing(":", with: "")
  }

  private let path: String
  private var handle: OpaquePointer?

  init(path: String) throws {
    self.path = path
    try LMDBError.check(mdb_env_create(&handle))
    try LMDBError.check(mdb_env_set_maxdbs(handle, 8))
    try LMDBError.check(mdb_env_set_mapsize(handle, 16 << 30))
    try LMDBError.check(mdb_env_open(handle, path, UInt32(MDB_NOSUBDIR), 0o600))
  }

  /// Whether commits sync; after those that did not, one sync.
  func setSyncs(_ syncs: Bool) throws {
    try LMDBError.check(mdb_env_set_flags(handle, UInt32(MDB_NOSYNC), syncs ? 0 : 1))
    if syncs { try LMDBError.check(mdb_env_sync(handle, 1)) }
  }

  /// Opens tables, and makes those that are not there, by name and flags.
  func open(_ tables: [(name: String, flags: Int32)]) throws -> [MDB_dbi] {
    try write { transaction in
      try tables.map { name, flags in
        var table: MDB_dbi = 0
        try LMDBError.check(
          mdb_dbi_open(transaction.handle, name, UInt32(flags | MDB_CREATE), &table))
        return table
      }
    }
  }

  func close() {
    mdb_env_close(handle)
    handle = nil
  }

  func begin(readOnly: Bool) throws -> LMDBTransaction {
    var transaction: OpaquePointer?
    try LMDBError.check(
      mdb_txn_begin(handle, nil, readOnly ? UInt32(MDB_RDONLY) : 0, &transaction))
    guard let transaction else { throw LMDBError(code: MDB_BAD_TXN) }
    return LMDBTransaction(handle: transaction)
  }

  func read<R>(_ body: (LMDBTransaction) throws -> R) throws -> R {
    let transaction = try begin(readOnly: true)
    defer { mdb_txn_abort(transaction.handle) }
    return try body(transaction)
  }

  func write<R>(_ body: (LMDBTransaction) throws -> R) throws -> R {
    let transaction = try begin(readOnly: false)
    let result: R
    do {
      result = try body(transaction)
    } catch {
      mdb_txn_abort(transaction.handle)
      throw error
    }
    // A commit that fails has ended the transaction, too.
    try LMDBError.check(mdb_txn_commit(transaction.handle))
    return result
  }

  /// Makes a compacted copy beside the file, and closes this one; returns the path of the copy.
  func compactAndClose() throws -> String {
    let compacted = path + "-compacted"
    try DatabaseFiles.remove(Subject.lmdb.files(at: compacted))
    try LMDBError.check(mdb_env_copy2(handle, compacted, UInt32(MDB_CP_COMPACT)))
    close()
    return compacted
  }
}
