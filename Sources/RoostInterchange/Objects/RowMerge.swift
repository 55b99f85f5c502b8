internal import RoostEngine

/// Appends a row to the columns of given rows: the text's values, and for what it does not give, the stored object's values or
/// those of a new object.
struct RowMerge {
  /// A member that a new object needs and the text does not give.
  struct Missing: Error {
    var path: String
    let shape: ValueShape
  }

  private let given: GivenRows
  private let row: Int
  /// The row of the stored object; nil for a new one.
  private let old: Int?
  /// The column of the link to the owner, and the owner's key.
  private let owner: (column: Int, key: Value)?
  /// The columns that are not the stored object's.
  private(set) var written: [Int] = []

  /// The column of the key, which a stored object keeps.
  private let keyColumn: Int

  init(
    _ given: GivenRows, _ row: Int, _ old: Int?, _ owner: (column: Int, key: Value)?, key: Int
  ) {
    keyColumn = key
    self.given = given
    self.row = row
    self.old = old
    self.owner = owner
  }

  /// Appends the row.
  mutating func append(_ shape: RecordShape) throws(Missing) { try append(shape, old) }

  private mutating func append(_ shape: RecordShape, _ old: Int?) throws(Missing) {
    for member in shape.members {
      do { try append(member.content, old) } catch {
        var missing = error
        missing.path = missing.path.isEmpty ? member.name : "\(member.name).\(missing.path)"
        throw missing
      }
    }
  }

  private mutating func append(_ content: RecordShape.Content, _ old: Int?) throws(Missing) {
    let columns = given.columns.columns
    switch content {
    case .value(let column, let shape):
      if column == keyColumn, let old {
        return columns[column].append(columns[column].value(old))
      } else if let owner, owner.column == column {
        appendLink(owner.key, shape, to: columns[column])
      } else if given.isGiven(column, row) {
        columns[column].append(columns[column].value(row))
      } else if let old {
        columns[column].append(columns[column].value(old))
        return
      } else if let value = shape.valueWhenMissing {
        columns[column].append(value)
      } else {
        throw Missing(path: "", shape: shape)
      }
      written.append(column)
    case .record(let record, let presence):
      guard let presence else { return try append(record, old) }
      let column = columns[presence.column]
      guard given.isGiven(presence.column, row) else {
        guard let old else { return try appendMissing(record, presence) }
        column.append(column.value(old))
        for part in record.columns { columns[part].append(columns[part].value(old)) }
        return
      }
      column.append(column.value(row))
      written.append(presence.column)
      guard column.integer(row) != 0 else { return appendNull(record) }
      let wasThere = old.map { !column.isNull($0) && column.integer($0) != 0 } ?? false
      try append(record, wasThere ? old : nil)
    }
  }

  /// Appends a struct that the text of a new object does not give.
  private mutating func appendMissing(
    _ record: RecordShape, _ presence: RecordShape.Presence
  ) throws(Missing) {
    let isThere = presence.shape.defaultValue == .integer(1)
    given.columns.columns[presence.column].append(isThere ? 1 : 0 as Int64)
    written.append(presence.column)
    guard isThere else { return appendNull(record) }
    try append(record, nil)
  }

  private mutating func appendNull(_ record: RecordShape) {
    for part in record.columns { given.columns.columns[part].appendNull() }
    written += record.columns
  }

  private func appendLink(_ key: Value, _ shape: ValueShape, to column: ColumnBuffer) {
    guard shape.isLookedUp else { return column.append(key) }
    column.append(Int64(given.columns.identifiers.count))
    given.columns.identifiers.append(key)
  }
}
