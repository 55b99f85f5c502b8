package import RoostEngine

extension EngineTransaction {
  /// Adds a table, and returns its id.
  package func addTable(_ draft: TableDraft) throws(EngineError) -> UInt32 {
    try addTables([draft])
    guard let table = catalog.table(named: draft.name) else {
      throw .unknownTable(name: draft.name)
    }
    return table.id
  }

  /// Inserts an object.
  ///
  /// - Parameter append: Appends a cell to each column of the table.
  package func insert(
    into table: UInt32, key: Int64, _ append: ([ColumnBuffer]) -> Void
  ) throws(EngineError) {
    append(try batch(for: table).columns)
    try insertRow(into: table, key: key)
  }
}
