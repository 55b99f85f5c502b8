/// Values in rows and columns: what a query gives that asks for values, and not for objects.
package struct ValueTable: @unchecked Sendable {  // nothing changes the columns
  /// The columns.
  package let columns: [ColumnBuffer]
  /// How many rows there are.
  package let count: Int

  /// One value.
  package func value(row: Int, column: Int) -> Value { columns[column].value(row) }
}
