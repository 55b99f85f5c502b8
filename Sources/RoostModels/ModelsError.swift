internal import RoostImport
internal import RoostImportSQLite

/// Why models cannot be printed.
package struct ModelsError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, and what to do.
  package let description: String
  /// Whether the file is damaged.
  package private(set) var isDamage = false
  /// Whether the description says which file it is.
  package private(set) var namesFile = false

  init(_ description: String) { self.description = description }

  /// The error for an error of the importers, which read the files of other libraries.
  init(_ error: any Error) {
    switch error {
    case let error as ModelsError: self = error
    case let error as RealmError:
      self.init(error.message)
      if case .damaged = error { isDamage = true }
      namesFile = true
    case let error as SQLiteError:
      self.init(error.message)
      if case .damaged = error { isDamage = true }
      namesFile = true
    case let error as ImportError: self.init(error.message)
    default: self.init("\(error)")
    }
  }
}
