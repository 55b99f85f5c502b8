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
      self.init(error.messageWithoutMapping)
      if case .damaged = error { isDamage = true }
      namesFile = true
    case let error as ImportError: self.init(error.message)
    default: self.init("\(error)")
    }
  }
}

extension SQLiteError {
  /// The message for the user of a tool, who has no mapping to paste a line into.
  fileprivate var messageWithoutMapping: String {
    guard case .dangling(let table, let column, let row, let found, let target, let line) = self
    else { return message }
    return
      "\(table).\(column) is \(found) in the row \(row), and \"\(target)\" has no such row. Mend a copy of the file, and "
      + "import that: `PRAGMA foreign_key_check` in sqlite3 lists all such rows, in which the column can be set to NULL, or which "
      + "can be deleted. A program that imports the file with the mapping of `roost models` can leave such links out instead: "
      + line
  }
}
