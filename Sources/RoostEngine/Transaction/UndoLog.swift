/// The undo log of an operation over many objects.
///
/// Inserted keys and replaced values are noted as they come, which costs an append each; a savepoint would apply all
/// gathered changes. When the gathered changes are so many that they are applied anyway, or more than rows changes, a savepoint
/// begins, and nothing more is noted: so the log is no larger than a transaction's gathered changes.
final class UndoLog {
  /// The changes before the savepoint, by table.
  private(set) var tables: [TableUndoLog] = []
  private var savepoint: Savepoint?

  /// The log of a table.
  func table(_ id: UInt32) -> TableUndoLog {
    for table in tables where table.id == id { return table }
    let made = TableUndoLog(id: id)
    tables.append(made)
    return made
  }

  /// Uses a savepoint to undo all further changes.
  func begin(_ savepoint: consuming Savepoint) { self.savepoint = consume savepoint }

  /// Hands the savepoint over, if there is one.
  func takeSavepoint() -> Savepoint? { savepoint.take() }
}

/// The undo log of one table's rows.
final class TableUndoLog {
  let id: UInt32
  /// The keys of the rows that were inserted.
  let insertedKeys = ColumnBuffer(type: .integer)
  /// The values that were replaced.
  private(set) var replaced: [ReplacedValues] = []

  /// Values of one field, in the order in which they were replaced.
  final class ReplacedValues {
    /// The place of the field in the table's shape.
    let position: Int
    let keys = ColumnBuffer(type: .integer)
    let values: ColumnBuffer

    init(_ position: Int, _ type: PhysicalType) {
      self.position = position
      values = ColumnBuffer(type: type)
    }
  }

  init(id: UInt32) { self.id = id }

  /// The replaced values of a field.
  func replaced(_ position: Int, _ type: PhysicalType) -> ReplacedValues {
    for field in replaced where field.position == position { return field }
    let made = ReplacedValues(position, type)
    replaced.append(made)
    return made
  }
}
