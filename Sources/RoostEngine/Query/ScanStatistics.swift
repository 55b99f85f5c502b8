/// What a query read: for tests, for `roost query --explain`, and to see where time goes.
package struct ScanStatistics: Equatable, Sendable {
  /// The leaves whose head was looked at.
  package var leavesVisited = 0
  /// Those of them of which zone maps said that all rows match, or none: no column was read to know it.
  package var leavesSkipped = 0
  /// The rows that were looked at to know whether they match: all of a leaf that zone maps did not answer, and objects that
  /// were looked up one by one.
  package var rowsExamined = 0
  /// The rows that matched.
  package var rowsMatched = 0
  /// The bytes of the columns that were read, by field.
  package var bytesByField: [FieldID: Int] = [:]
  /// The index that gave the candidates, by its field; nil where the leaves were scanned.
  package var index: FieldID?
  /// The index of the table that gave the candidates, where it was none of a field.
  package var tableIndex: TableIndex?

  /// The steps, in execution order.
  package internal(set) var steps: [PlanStep] = []

  /// Nothing touched yet.
  package init() {}
}

extension ScanLeaf {
  /// Adds to the statistics which columns were read.
  func report(to statistics: inout ScanStatistics) {
    for field in touched { statistics.bytesByField[field.field, default: 0] += field.byteCount }
  }
}
