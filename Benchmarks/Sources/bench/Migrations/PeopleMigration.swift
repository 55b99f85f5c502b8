/// A change that a program's second release makes of the people of its first.
enum PeopleMigration: String, CaseIterable {
  /// A text with a default.
  case add
  /// `email` becomes `mail`.
  case rename
  /// `score`.
  case drop
  /// `name`, with its index.
  case dropIndexed = "drop-indexed"
  /// `age` becomes a text.
  case convert
  /// `name`, with its index, becomes `first` and `last`.
  case split

  var title: String {
    switch self {
    case .add: "add a field with a default"
    case .rename: "rename a field"
    case .drop: "drop a field"
    case .dropIndexed: "drop an indexed field"
    case .convert: "make a number a text"
    case .split: "split a text in two"
    }
  }
}

/// A database of people that the first release made.
protocol MigratingPeople: AnyObject {
  /// Opens it as the second release does; its change is durable when this returns.
  init(migrating path: String, by change: PeopleMigration) throws
  /// What the second release finds: so many people, and so many of them with what the change made.
  func answer(after change: PeopleMigration) throws -> Answer
  func close() throws
}

extension Subject {
  /// Nil for LMDB, whose records are the program's own.
  var migratingPeople: (any MigratingPeople.Type)? {
    switch self {
    case .roost: RoostMigratingPeople.self
    case .sqlite: SQLiteMigratingPeople.self
    #if GRDB
    case .grdb: GRDBMigratingPeople.self
    #endif
    default: nil
    }
  }
}
