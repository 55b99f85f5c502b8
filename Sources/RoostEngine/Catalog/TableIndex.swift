/// An index of a table that is not just that of a field: of several fields, or only of some objects.
package struct TableIndex: Equatable, Sendable {
  /// The fields whose values are ordered, the most significant one first.
  package var fields: [FieldID]
  /// Whether two objects of the index may not have the same values; those with a null among them may.
  package var isUnique: Bool
  /// What an object must fulfil to be in the index: all of these.
  package var condition: [IndexCondition]
  /// The index's tree.
  package internal(set) var tree: UInt32 = 0

  /// The most fields that an index may have.
  package static let fieldsMax = 16
  /// The most conditions that an index may have.
  package static let conditionsMax = 16

  /// An index; the catalog gives it a tree when it is added to a table.
  package init(of fields: [FieldID], isUnique: Bool = false, where condition: [IndexCondition] = [])
  {
    self.fields = fields
    self.isUnique = isUnique
    self.condition = condition
  }

  /// Whether both hold the same entries under the same rule.
  package func isLike(_ other: TableIndex) -> Bool {
    fields == other.fields && isUnique == other.isUnique && condition == other.condition
  }

  /// All fields that say whether an object has an entry, and which.
  var usedFields: [FieldID] {
    condition.reduce(into: fields) { fields, test in
      if !fields.contains(test.field) { fields.append(test.field) }
    }
  }

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

/// What the value of a field must be for an object to be in an index.
package struct IndexCondition: Equatable, Sendable {
  /// What is asked of a value.
  package enum Test: Equatable, Sendable {
    /// The constant is neither null nor NaN.
    case compare(Comparison, Value)
    case isNull
    case isNotNull
  }

  /// The field.
  package var field: FieldID
  /// What its value must be.
  package var test: Test

  /// A condition.
  package init(_ field: FieldID, _ test: Test) {
    self.field = field
    self.test = test
  }
}

extension TableDefinition {
  /// What an index is called: its fields, and the condition if it has one.
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
  /// Whether an index of a table may be of the field or ask for its value: it has one value that can be ordered.
  package var canBeInTableIndex: Bool { !isObjectKey && (type.canBeCompounded || type == .link) }

  /// How the field's values are among those of an entry.
  var entryShape: PackedColumns.Shape { PackedColumns.Shape(type.physical, isOptional: true) }
}
