/// Who is measured.
enum Subject: String, CaseIterable {
  case roost = "Roost"
  case sqlite = "SQLite"
  case lmdb = "LMDB"
  #if GRDB
  case grdb = "GRDB"
  case grdbRows = "GRDB rows"
  #endif

  /// Its version and settings.
  var description: String {
    switch self {
    case .roost: "Roost, typed API: defaults"
    case .sqlite: SQLiteDatabase.description
    case .lmdb: LMDBEnvironment.description
    #if GRDB
    case .grdb: GRDBFile.description + "; records"
    case .grdbRows: GRDBFile.description + "; raw rows of cached statements"
    #endif
    }
  }

  /// The files of its database at a path.
  func files(at path: String) -> [String] {
    switch self {
    case .roost: [path]
    case .lmdb: [path, path + "-lock"]
    default: [path, path + "-wal", path + "-shm"]
    }
  }

  /// With more people than this it would take too much of everybody's time.
  var peopleMax: Int {
    switch self {
    case .roost, .sqlite, .lmdb: .max
    #if GRDB
    case .grdb, .grdbRows: 100_000
    #endif
    }
  }
}
