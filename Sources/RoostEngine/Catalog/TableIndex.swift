/// An index of a table beyond those of single fields: of several fields, or of some objects only.
package struct TableIndex: Equatable, Sendable {
  /// The fields whose values are ordered, most significant first.
  package var fields: [FieldID]
  /// Whether objects of the index must have different values; objects with a null among the values are exempt.
  package var isUnique: Bool
  /// The conditions for an object to have an entry; all must hold.
  package var condition: [IndexCondition]
  /// The index's tree.
  package internal(set) var tree: UInt32 = 0

  /// The most fields that an index may have.
  package static let fieldsMax = 16
  /// The most conditions that an index may have.
  package static let conditionsMax = 16

  /// An index; the catalog assigns its tree when it adds the index to a table.
  package init(of fields: [FieldID], isUnique: Bool = false, where condition: [IndexCondition] = [])
  {
    self.fields = fields
    self.isUnique = isUnique
    self.condition = condition
  }

  /// Whether both have the same fields, uniqueness and conditions.
  package func isLike(_ other: TableIndex) -> Bool {
    fields == other.fields && isUnique == other.isUnique && condition == other.condition
  }

  /// All fields that the entries and the conditions depend on.
  var usedFields: [FieldID] {
    condition.reduce(into: fields) { fields, test in
      if !fields.contains(test.field) { fields.append(test.field) }
    }
  }

}

/// A condition on a field for an object to have an entry in an index.
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
