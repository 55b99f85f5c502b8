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

  /// Throws where an object has a value of a field that is to become a part of an optional struct, and not the struct: the value
  /// would not be read, and removed by the object's next change.
  ///
  /// - Parameters:
  ///   - field: The name that the field, or the struct, has so far.
  ///   - parts: The field, or the parts of the struct.
  ///   - presence: The field that says which objects have the struct.
  func checkIsSeen(
    _ field: String, _ parts: [FieldDefinition], behind presence: FieldDefinition,
    of table: TableDefinition
  ) throws(StoreError) {
    // Nothing of an optional struct is seen where that is absent.
    let mark = parts.first { $0.name == field && parts.count > 1 }
    let values = mark.map { [$0] } ?? parts
    var hidden = 0
    var first: Int64?
    try working { transaction throws(EngineError) in
      try transaction.forEachLeaf(of: table.id) { (leaf) throws(EngineError) in
        let isPresent = try leaf.cells(of: presence)
        let cells = try values.map { (part) throws(EngineError) in try leaf.cells(of: part) }
        for row in 0..<leaf.rowCount where !isPresent.holdsTrue(row) {
          guard cells.contains(where: { mark == nil ? !$0.isNull(row) : $0.holdsTrue(row) })
          else { continue }
          hidden += 1
          if first == nil { first = leaf.key(row) }
        }
        return true
      }
    }
    guard let first else { return }
    var edit = "try $1.set(\"\(presence.name)\", to: true)"
    if parts.count == 1, parts[0].isOptional {
      let value =
        parts[0].type.isLink
        ? "object(\"\(field)\")" : "value(\"\(field)\", as: \(describe(parts[0])).self)"
      edit = "if try $0.\(value) != nil { \(edit) }"
    }
    throw failure(
      table, key: first, field,
      "It has a value and no \"\(presence.name)\", so that nobody would see the value there; so have \(hidden) objects. Give them "
        + "one before, by `try $0.rewrite(\"\(table.name)\") { \(edit) }`; of its other parts, set those that "
        + "are not optional, too.")
  }
}

extension LeafReference {
  fileprivate func cells(of field: FieldDefinition) throws(EngineError) -> ColumnBuffer {
    let cells = ColumnBuffer(type: field.type.physical)
    try append(field.id, to: cells)
    return cells
  }
}

extension ColumnBuffer {
  fileprivate func holdsTrue(_ row: Int) -> Bool { !isNull(row) && integer(row) != 0 }
}
