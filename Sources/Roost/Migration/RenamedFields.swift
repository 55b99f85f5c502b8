internal import RoostEngine

/// The fields that a migration step has renamed: who reads one by its older name finds nothing.
struct RenamedFields {
  /// The new names, by the older ones, each behind its table's number.
  private var newNames: [String: String] = [:]

  /// Notes that a field, or the parts of a struct, have another name from here on.
  mutating func note(_ field: String, of table: UInt32, to name: String) {
    newNames["\(table) \(field)"] = name
  }

  /// The name of what was called so; nil if nothing was.
  func newName(of name: String, in table: UInt32) -> String? {
    var owner = Substring(name)
    while true {
      if let newName = newNames["\(table) \(owner)"] {
        return newName + name.dropFirst(owner.count)
      }
      guard let point = owner.lastIndex(of: ".") else { return nil }
      owner = owner[..<point]
    }
  }
}

extension TableDefinition {
  /// The fields that say whether the optional structs are present which a part lies in.
  func presences(around part: String) -> [FieldDefinition] {
    fields.filter { $0.type == .bool && part.hasPrefix($0.name + ".") }
  }
}

extension MigrationContext {
  /// Whether no object has a value of a field, so that a renamed one may take its place.
  func isUnused(
    _ field: FieldDefinition, of table: TableDefinition
  ) throws(StoreError) -> Bool {
    guard !field.isIdentifier else { return false }
    return try working { transaction throws(EngineError) in
      try transaction.view().isUnused(field, of: table)
    }
  }
}
