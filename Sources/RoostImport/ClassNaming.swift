internal import RealmFile

/// Which tables are classes, and how these are named.
package enum ClassNaming: Sendable {
  /// Those that an app declared, under its names.
  case classes
  /// All, under the names of the tables.
  case tables

  /// The name of the class whose objects a table has; nil for a table that is none.
  func className(of table: StoredTable) -> String? {
    if self == .tables { return table.name }
    let prefix = "class_"
    return table.name.hasPrefix(prefix) ? String(table.name.dropFirst(prefix.count)) : nil
  }
}
