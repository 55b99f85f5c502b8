internal import RoostEngine

extension TableDefinition {
  /// The beginning of the names of tables that keep values under names.
  static var valuePrefix: String { "value:" }

  /// The name under which a table of this name keeps a value; nil if it keeps objects of a model.
  static func valueName(of table: String) -> Substring? {
    table.hasPrefix(valuePrefix) ? table.dropFirst(valuePrefix.count) : nil
  }
}
