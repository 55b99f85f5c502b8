/// One field of a table in the object tree: a number, a storage type, and the value for old leaves.
package struct TableField: Equatable, Sendable {
  /// The field's number, from 1; 0 is the object key and never listed.
  package var id: FieldID
  /// The storage type of the values.
  package var type: PhysicalType
  /// The value of every row of a leaf that is older than the field.
  package var defaultValue: Value
  /// The maximum size in bytes of the parts of a long value, so that it can be changed in place; nil if it is only
  /// ever replaced.
  package var partBytesMax: Int?
  /// Whether a long value is only read in ranges.
  package var isStreamed: Bool
  /// Whether the field records when a row was written, which by itself is no change of the row.
  package var isWriteTime: Bool

  /// A field.
  package init(
    id: FieldID, type: PhysicalType, defaultValue: Value = .null, partBytesMax: Int? = nil,
    isStreamed: Bool = false, isWriteTime: Bool = false
  ) {
    self.id = id
    self.type = type
    self.defaultValue = defaultValue
    self.partBytesMax = partBytesMax
    self.isStreamed = isStreamed
    self.isWriteTime = isWriteTime
  }
}

/// The fields of a table, in ascending order of their numbers.
///
/// Dropped fields are absent: leaves that still store them are read without them, and lose
/// them at their next rewrite.
package struct TableShape: Equatable, Sendable {
  /// The fields.
  package let fields: [TableField]

  /// A shape with these fields, in any order.
  package init(_ fields: [TableField]) {
    self.fields = fields.ascending(by: { Int($0.id) })
    precondition(
      zip(self.fields, self.fields.dropFirst()).allSatisfy { $0.id < $1.id },
      "A field number is used twice.")
    precondition(self.fields.allSatisfy { $0.id > 0 }, "Field 0 is the object key.")
  }

  /// Whether rows of one shape are rows of the other; ignores defaults.
  func hasSameColumns(as other: TableShape) -> Bool {
    // By index: an iterator would copy each field, with its default.
    fields.count == other.fields.count
      && fields.indices.allSatisfy {
        fields[$0].id == other.fields[$0].id && fields[$0].type == other.fields[$0].type
      }
  }

  /// The index of the field in `fields`, or nil if the table has no such field.
  package func index(of field: FieldID) -> Int? {
    // Numbers are mostly 1, 2, 3 …, so the first guess is mostly right.
    let guess = Int(field) - 1
    if guess >= 0, guess < fields.count, fields[guess].id == field { return guess }
    let place = fields.partitioningIndex { $0.id >= field }
    return place < fields.count && fields[place].id == field ? place : nil
  }
}
