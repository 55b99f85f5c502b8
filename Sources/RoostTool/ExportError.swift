internal import RoostImportSQLite

/// Why an export failed.
package struct ExportError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, and what to do.
  package let description: String

  init(_ description: String) { self.description = description }

  /// What SQLite says of a file that is written.
  init(_ error: SQLiteError) {
    description =
      switch error {
      case .tooLarge: "an object is too large for SQLite."
      case .cannotOpen(_, let reason), .damaged(_, let reason), .failed(_, let reason):
        "SQLite says: \(reason)."
      default: error.message
      }
  }
}
