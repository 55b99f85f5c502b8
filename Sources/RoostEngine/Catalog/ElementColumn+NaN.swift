/// Values that equal nothing, where bytes alone would say that they equal themselves.
extension ElementColumn {
  /// What a field's values are made of.
  init(_ field: FieldDefinition) {
    self.init(
      name: field.name, type: field.type, isOptional: field.isOptional, parts: field.parts)
  }

  /// Whether one of the values is NaN, or a collection or a compound value with one in it at any depth.
  fileprivate func hasNaN(_ column: ColumnBuffer) -> Bool {
    switch type.physical {
    case .double: (0..<column.count).contains { column.double($0).isNaN }
    case .float: (0..<column.count).contains { column.float($0).isNaN }
    case .bytes: mayHaveNaN && (0..<column.count).contains { hasNaN(column.bytes($0)) }
    case .integer, .uuid: false
    }
  }

  /// Whether a value, which is stored as bytes, is NaN, or a collection or a compound value with one in it.
  func hasNaN(_ bytes: ByteView) -> Bool {
    switch type {
    case .decimal: return DecimalBytes.isNaN(bytes)
    case .list, .set, .dictionary:
      // Nil is no bytes, and those are no collection.
      guard let packed = PackedColumns(bytes, as: parts.map(\.shape)) else { return false }
      return parts.haveNaN(packed.columns)
    case .compound:
      return CompoundBytes.columns(bytes, as: parts.map(\.shape)).map(parts.haveNaN) ?? false
    default: return false
    }
  }

  /// Whether there are values of the type that equal nothing.
  var mayHaveNaN: Bool {
    switch type {
    case .double, .float, .date, .decimal: true
    case .list, .set, .dictionary, .compound: parts.contains(where: \.mayHaveNaN)
    default: false
    }
  }
}

extension [ElementColumn] {
  /// Whether a value in one of the columns that these describe is NaN, or a collection with one in it at any depth.
  package func haveNaN(_ columns: [ColumnBuffer]) -> Bool {
    zip(columns, self).contains { column, part in part.hasNaN(column) }
  }
}
