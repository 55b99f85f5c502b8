import CRoostSQLite
import Foundation
import RoostImport
import RoostImportSQLite

/// A folder with a database that SQLite itself makes.
@safe
final class SQLiteFile: @unchecked Sendable {
  let folder: URL
  let url: URL
  private var database: OpaquePointer?

  struct Failure: Error { var message: String }

  init(_ sql: String = "") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "roost-sqlite-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    url = folder.appendingPathComponent("app.sqlite")
    if !sql.isEmpty {
      try run(sql)
      close()
    }
  }

  deinit {
    close()
    try? FileManager.default.removeItem(at: folder)
  }

  var source: ImportSource { .sqlite(url) }

  /// Runs statements, over a connection that stays open until `close()`.
  func run(_ sql: String) throws {
    if unsafe database == nil {
      guard unsafe sqlite3_open(url.path, &database) == SQLITE_OK else {
        throw Failure(message: "not opened")
      }
    }
    guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: unsafe String(cString: sqlite3_errmsg(database)))
    }
  }

  /// The rows of `item`, as SQLite reads them; nil if it finds damage.
  func items() throws -> [String]? {
    try run("PRAGMA trusted_schema = OFF")
    guard let check = rows("PRAGMA quick_check"), check == ["ok"] else { return nil }
    return rows("SELECT text FROM item NOT INDEXED ORDER BY id")
  }

  /// The first column of a statement's rows as text; nil if SQLite reports an error.
  private func rows(_ sql: String) -> [String]? {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [String] = []
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "")
      case SQLITE_DONE: return rows
      default: return nil
      }
    }
  }

  func close() {
    unsafe sqlite3_close_v2(database)
    unsafe database = nil
  }

  /// All files with their content and times of modification.
  func contents() throws -> [String: String] {
    var contents: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.appendingPathComponent(name)
      let date = try FileManager.default.attributesOfItem(atPath: path.path)[.modificationDate]
      contents[name] =
        try Data(contentsOf: path).base64EncodedString() + " \(String(describing: date))"
    }
    return contents
  }

  /// A folder with copies of the files of this one as they are now, as a crash leaves them; without the shared memory.
  func crashed() throws -> SQLiteFile {
    let other = try SQLiteFile()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.hasSuffix("-shm") {
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(name), to: other.folder.appendingPathComponent(name))
    }
    return other
  }
}

/// The folders in the system's temporary folder with copies of sources that have a text, which those of other tests do not have.
func leftCopies(with text: String) throws -> Set<String> {
  let folder = FileManager.default.temporaryDirectory
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
    $0.hasPrefix("roost-sqlite-") && !$0.hasPrefix("roost-sqlite-tests-")
  }
  return Set(
    names.filter { name in
      let copy = folder.appendingPathComponent(name)
      // Another test may remove its own at any time.
      let files = (try? FileManager.default.contentsOfDirectory(atPath: copy.path)) ?? []
      return files.contains {
        let bytes = try? Data(contentsOf: copy.appendingPathComponent($0))
        return bytes?.range(of: Data(text.utf8)) != nil
      }
    })
}

extension SQLiteError {
  /// The error of the only row that an import could not read; nil where there are several.
  var only: SQLiteError? {
    guard case .misfits(let misfits) = self, misfits.count == 1, let misfit = misfits.first,
      misfit.count == 1, misfit.isRead
    else { return nil }
    return misfit.first
  }

  /// The columns that an import could not read, each with the number of rows, and whether the mapping got there.
  var columns: [String] {
    guard case .misfits(let misfits) = self else { return [] }
    return misfits.map { "\($0.table).\($0.column) \($0.count)\($0.isRead ? "" : " not read")" }
  }
}
