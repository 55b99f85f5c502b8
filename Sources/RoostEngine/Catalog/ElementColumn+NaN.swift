/// Finds values that equal nothing although their bytes are equal.
extension ElementColumn {
  /// The column that describes a field's values.
  init(_ field: FieldDefinition) {
    self.init(
      name: field.name, type: field.type, isOptional: field.isOptional, parts: field.parts)
  }

  /// Whether any value is NaN, or a collection or a compound value that contains NaN at any depth.
  fileprivate func hasNaN(_ column: ColumnBuffer) -> Bool {
    switch type.physical {
    case .double: (0..<column.count).contains { column.double($0).isNaN }
    case .float: (0..<column.count).contains { column.float($0).isNaN }
    case .bytes: mayHaveNaN && (0..<column.count).contains { hasNaN(column.bytes($0)) }
    case .integer, .uuid: false
    }
  }

  /// Whether a value stored as bytes is NaN, or a collection or a compound value that contains NaN.
  func hasNaN(_ bytes: ByteView) -> Bool {
    switch type {
    case .decimal: return DecimalBytes.isNaN(bytes)
    case .list, .set, .dictionary:
      // Nil has no bytes, which is not a valid collection.
      guard let packed = PackedColumns(bytes, as: parts.map(\.shape)) else { return false }
      return parts.haveNaN(packed.columns)
    case .compound:
      return CompoundBytes.columns(bytes, as: parts.map(\.shape)).map(parts.haveNaN) ?? false
    default: return false
    }
  }

  /// Whether the type has values that equal nothing.
  @inline(never)
  var mayHaveNaN: Bool {
    switch type {
    case .double, .float, .date, .decimal: true
    case .list, .set, .dictionary, .compound: parts.contains(where: \.mayHaveNaN)
    default: false
    }
  }
}

extension [ElementColumn] {
  /// Whether any value in the columns is NaN, or contains NaN at any depth.
  package func haveNaN(_ columns: [ColumnBuffer]) -> Bool {
    zip(columns, self).contains { column, part in part.hasNaN(column) }
  }
}
