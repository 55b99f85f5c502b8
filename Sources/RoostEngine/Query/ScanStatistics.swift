/// What a query read: for tests, for `roost query --explain`, and for finding slow parts.
package struct ScanStatistics: Equatable, Sendable {
  /// The leaves whose head was read.
  package var leavesVisited = 0
  /// Of these, the leaves that zone maps decided (all rows match, or none) without reading a column.
  package var leavesSkipped = 0
  /// The rows tested for a match: all rows of leaves that zone maps did not decide, and objects that
  /// were looked up one by one.
  package var rowsExamined = 0
  /// The rows that matched.
  package var rowsMatched = 0
  /// The bytes read from columns, by field.
  package var bytesByField: [FieldID: Int] = [:]
  /// The index that gave the candidates, by its field; nil if the leaves were scanned.
  package var index: FieldID?
  /// The table index that gave the candidates, if no field's index did.
  package var tableIndex: TableIndex?

  /// The steps, in execution order.
  package internal(set) var steps: [PlanStep] = []

  /// Empty statistics.
  package init() {}
}

extension ScanLeaf {
  /// Adds the columns read to the statistics.
  func report(to statistics: inout ScanStatistics) {
    for field in touched { statistics.bytesByField[field.field, default: 0] += field.byteCount }
  }
}
