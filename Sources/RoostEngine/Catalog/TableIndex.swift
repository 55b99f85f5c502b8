/// An index of a table that is not just that of a field: of several fields, or only of some objects.
package struct TableIndex: Equatable, Sendable {
  /// The fields whose values are ordered, the most significant one first.
  package var fields: [FieldID]
  /// Whether two objects of the index may not have the same values; those with a null among them may.
  package var isUnique: Bool
  /// The conditions under which an object has an entry, all of which must hold.
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

}

/// A condition on a field under which an object has an entry in an index.
package struct IndexCondition: Equatable, Sendable {
  /// A test of a value.
  package enum Test: Equatable, Sendable {
    /// The constant is neither null nor NaN.
    case compare(Comparison, Value)
    case isNull
    case isNotNull
  }

  /// The field.
  package var field: FieldID
  /// The test of its value.
  package var test: Test

  /// A condition.
  package init(_ field: FieldID, _ test: Test) {
    self.field = field
    self.test = test
  }
}
