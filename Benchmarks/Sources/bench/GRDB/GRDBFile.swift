#if GRDB
import Foundation
import GRDB

/// A pool of GRDB's connections with the settings of ``SQLiteDatabase``.
enum GRDBFile {
  /// The version that `Package.swift` asks for.
  static let description =
    "GRDB 7.10.0, DatabasePool: \(SQLiteDatabase.settings.joined(separator: ", "))"

  static func open(_ path: String) throws -> DatabasePool {
    SQLiteDatabase.configureLibrary()
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      for setting in SQLiteDatabase.settings { try database.execute(sql: "PRAGMA \(setting)") }
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    // The pool has put its own default in place of this one.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return pool
  }

  static func create(_ path: String) throws -> DatabasePool {
    let pool = try open(path)
    try pool.write { database in
      try database.create(table: "grp") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
      }
      try database.create(table: "person") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
        table.column("email", .text).notNull()
        table.column("age", .integer).notNull()
        table.column("score", .double).notNull()
        table.column("createdAt", .integer).notNull()
        table.column("isActive", .boolean).notNull()
        table.column("grp", .integer).notNull().references("grp")
      }
    }
    return pool
  }

  static func addIndexes(_ pool: DatabasePool) throws {
    try pool.write { database in
      try database.create(index: "person_name", on: "person", columns: ["name"])
      try database.create(index: "person_group", on: "person", columns: ["grp"])
    }
  }

  static func checkpoint(_ pool: DatabasePool) throws {
    _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  static func compactAndClose(_ pool: DatabasePool) throws -> String {
    try pool.vacuum()
    try checkpoint(pool)
    let path = pool.path
    try pool.close()
    return path
  }
}
#endif
