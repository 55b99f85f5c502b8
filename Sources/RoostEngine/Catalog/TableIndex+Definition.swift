extension TableIndex {
  /// Whether a table can have the index.
  func isSound(in table: TableDefinition) -> Bool { isSound { table.field($0) } }

  /// Whether a table with these fields can have the index.
  func isSound(_ field: (FieldID) -> FieldDefinition?) -> Bool {
    guard (1...Self.fieldsMax).contains(fields.count), Set(fields).count == fields.count,
      condition.count <= Self.conditionsMax,
      usedFields.allSatisfy({ field($0)?.canBeInTableIndex == true })
    else { return false }
    return condition.allSatisfy { test in
      guard case .compare(_, let value) = test.test else { return true }
      if case .bytes(let bytes) = value, bytes.count > Catalog.defaultBytesMax { return false }
      return !value.isNaN && value.type == field(test.field)?.type.physical
    }
  }
}

extension TableDefinition {
  /// The name of an index: its fields, and the condition if it has one.
  package func name(of index: TableIndex) -> String {
    let fields = fieldNames(of: index)
    guard !index.condition.isEmpty else { return fields }
    let tests = index.condition.map { test in
      let field = field(test.field)
      return "\(field?.name ?? "\(test.field)") \(text(test.test, of: field))"
    }
    return "\(fields) where \(tests.joined(separator: " && "))"
  }

  /// The names of an index's fields.
  package func fieldNames(of index: TableIndex) -> String {
    index.fields.map { field($0)?.name ?? "\($0)" }.joined(separator: ", ")
  }

  private func text(_ test: IndexCondition.Test, of field: FieldDefinition?) -> String {
    switch test {
    case .isNull: "== nil"
    case .isNotNull: "!= nil"
    case .compare(let comparison, let value):
      "\(comparison.sign) \(field?.text(value) ?? "\(value)")"
    }
  }

  /// The trees of all indexes.
  var indexTrees: [UInt32] {
    fields.compactMap { $0.indexTree != 0 ? $0.indexTree : nil } + indexes.map(\.tree)
  }
}

extension FieldDefinition {
  /// Whether a table index may use the field, as key or in its condition: the field has one value that can be ordered.
  package var canBeInTableIndex: Bool { !isObjectKey && (type.canBeCompounded || type == .link) }

  /// The shape of the field's values in an index entry.
  var entryShape: PackedColumns.Shape { PackedColumns.Shape(type.physical, isOptional: true) }
}
