/// A type for values that a file has and Swift has no type for, with its text.
enum Helper: Equatable {
  /// A value in JSON.
  case json
  /// A value of any type in a Realm file.
  case realmValue
  /// A value of any type in an SQLite file.
  case sqliteValue

  /// The modules that it uses.
  var modules: [String] {
    switch self {
    case .json: []
    case .realmValue: ["Foundation", "RoostImport"]
    case .sqliteValue: ["Foundation", "RoostImportSQLite"]
    }
  }
}
