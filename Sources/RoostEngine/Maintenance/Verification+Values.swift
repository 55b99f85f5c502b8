/// What the fields of objects hold.
extension Verification {
  /// Checks that no object of a leaf has a value that its field cannot have.
  func checkValues(
    of leaf: LeafReference, _ table: TableDefinition
  ) throws(EngineError) {
    for field in table.fields where !field.isObjectKey {
      let column = try leaf.column(field.id)
      let wrong = (0..<leaf.rowCount).filter { !field.canHold(row: $0, of: column) }
      guard let first = wrong.first, let last = wrong.last else { continue }
      note(
        Corruption(
          .fieldValue, unit: (leaf.extent(of: field.id) ?? leaf.pointer).unit,
          tree: leaf.context.tree, keys: leaf.key(first)...leaf.key(last)))
    }
    withExtendedLifetime(leaf) {}
  }
}

extension FieldDefinition {
  /// Whether a cell of a column is one that the field can have; one that lies outside of its leaf is
  /// looked at where it is read.
  fileprivate func canHold(row: Int, of column: ColumnChunk) -> Bool {
    if column.isNull(row) { return isOptional }
    switch type {
    case .bool: return (0...1).contains(column.integer(row))
    case .string: return column.external(row) != nil || column.bytes(row).isUTF8
    default: return true
    }
  }

  /// Whether the default is a value that the field can have, or none.
  var canDefault: Bool {
    switch (type, defaultValue) {
    case (.bool, .integer(let number)): (0...1).contains(number)
    case (.string, .bytes(let text)): String(validating: text, as: UTF8.self) != nil
    default: true
    }
  }
}
