/// Who is measured.
enum Subject: String, CaseIterable {
  case roost = "Roost"
  case sqlite = "SQLite"
  case lmdb = "LMDB"

  /// Its version and settings.
  var description: String {
    switch self {
    case .roost: "Roost, typed API: defaults"
    case .sqlite: SQLiteDatabase.description
    case .lmdb: LMDBEnvironment.description
    }
  }

  /// The files of its database at a path.
  func files(at path: String) -> [String] {
    switch self {
    case .roost: [path]
    case .sqlite: [path, path + "-wal", path + "-shm"]
    case .lmdb: [path, path + "-lock"]
    }
  }
}
