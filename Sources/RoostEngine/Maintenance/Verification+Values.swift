/// The values of objects' fields.
extension Verification {
  /// Checks that no object of a leaf has a value that its field cannot have.
  func checkValues(
    of leaf: LeafReference, _ table: TableDefinition
  ) throws(EngineError) {
    for field in table.fields where !field.isObjectKey {
      let column = try leaf.column(field.id)
      // A dictionary entry is checked once, even if it is in many rows.
      let isDictionary = column.entry.encoding == .dictionary
      var known = [Bool?](repeating: nil, count: isDictionary ? Int(column.entry.parameter) : 0)
      let wrong = (0..<leaf.rowCount).filter { row in
        guard isDictionary, !column.isNull(row) else { return !field.canHold(row: row, of: column) }
        let code = column.code(row)
        if let holds = known[code] { return !holds }
        let holds = field.canHold(row: row, of: column)
        known[code] = holds
        return !holds
      }
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
    switch type.physical {
    case .integer: return type.canHold(column.integer(row))
    case .bytes: return column.external(row) != nil || type.canHold(column.bytes(row), parts)
    default: return true
    }
  }

  /// Whether the default is a value that the field can have, or none.
  var canDefault: Bool {
    switch defaultValue {
    case .integer(let number): type.canHold(number)
    case .bytes(let bytes):
      bytes.withByteView { type.canHold($0, parts) }
    default: true
    }
  }
}

extension FieldType {
  func canHold(_ number: Int64) -> Bool { self != .bool || (0...1).contains(number) }

  /// Whether bytes are a value of this type; of a collection, also each of its elements, and of a compound value each of its parts.
  func canHold(_ bytes: ByteView, _ parts: [ElementColumn]) -> Bool {
    switch self {
    case .string, .json: return bytes.isUTF8
    case .decimal: return DecimalBytes.text(bytes) != nil
    case .list, .set, .dictionary:
      guard let packed = PackedColumns(bytes, as: parts.map(\.shape)) else { return false }
      return zip(parts, packed.columns).allSatisfy { part, column in
        (0..<packed.count).allSatisfy { part.canHold(row: $0, of: column) }
      }
    case .links: return LinkList.canHave(UInt64(bytes.count))
    case .compound:
      guard let columns = CompoundBytes.columns(bytes, as: parts.map(\.shape)) else {
        return false
      }
      return zip(parts, columns).allSatisfy { part, column in part.canHold(row: 0, of: column) }
    default: return true
    }
  }
}

extension ElementColumn {
  fileprivate func canHold(row: Int, of column: ColumnBuffer) -> Bool {
    if column.isNull(row) { return isOptional }
    switch column.type {
    case .integer: return type.canHold(column.integer(row))
    case .bytes: return type.canHold(column.bytes(row), parts)
    default: return true
    }
  }
}
