/// Rows to insert: their object keys, and one column for each field of the table.
///
/// Rows are appended field by field; after each row every column has as many cells as there are keys.
/// Not thread safe.
package final class RecordBatch {
  /// The fields, in the order of `columns`.
  package let shape: TableShape
  /// The object keys, in any order.
  package let keys: ColumnBuffer
  /// The values of each field of the shape.
  package let columns: [ColumnBuffer]

  /// An empty batch.
  package init(shape: TableShape) {
    self.shape = shape
    keys = ColumnBuffer(type: .integer)
    columns = shape.fields.map { ColumnBuffer(type: $0.type) }
  }

  /// The number of rows.
  package var count: Int { keys.count }

  /// The object key of a row.
  package func key(_ row: Int) -> Int64 { keys.integer(row) }

  /// The column of a field of the shape.
  package func column(_ field: FieldID) -> ColumnBuffer? {
    shape.index(of: field).map { columns[$0] }
  }

  /// Appends a row from values in the order of the shape; for tools and tests.
  package func append(key: Int64, _ values: [Value]) {
    precondition(values.count == columns.count, "A row has one value for each field.")
    keys.append(key)
    for (column, value) in zip(columns, values) { column.append(value) }
  }

  /// Removes all rows.
  package func removeAll(keepingCapacity: Bool) {
    keys.removeAll(keepingCapacity: keepingCapacity)
    for column in columns { column.removeAll(keepingCapacity: keepingCapacity) }
  }

  /// Whether every column has as many rows as there are keys, as the engine expects.
  var isRectangular: Bool { columns.allSatisfy { $0.count == keys.count } }
}
