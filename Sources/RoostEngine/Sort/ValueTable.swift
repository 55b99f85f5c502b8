/// Values in rows and columns: the result of a query for values instead of objects.
package struct ValueTable: @unchecked Sendable {  // nothing changes the columns
  /// The columns.
  package let columns: [ColumnBuffer]
  /// The number of rows.
  package let count: Int

  /// One value.
  package func value(row: Int, column: Int) -> Value { columns[column].value(row) }
}
