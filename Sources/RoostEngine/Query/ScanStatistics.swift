/// What a query touched: for tests, for `roost query --explain`, and to see where time goes.
public struct ScanStatistics: Equatable, Sendable {
  /// The leaves whose head was looked at.
  public var leavesVisited = 0
  /// Those of them of which zone maps said that all rows match, or none: no column was read to know it.
  public var leavesSkipped = 0
  /// The rows that were looked at to know whether they match: all of a leaf that zone maps did not answer, and objects that
  /// were looked up one by one.
  public var rowsExamined = 0
  /// The rows that matched.
  public var rowsMatched = 0
  /// The bytes of the columns that were read, by field.
  public var bytesByField: [FieldID: Int] = [:]
  /// The index that gave the candidates, by its field; nil where the leaves were scanned.
  public var index: FieldID?
  /// The index of the table that gave the candidates, where it was none of a field.
  public var tableIndex: TableIndex?

  /// What was done, in this order.
  public internal(set) var steps: [PlanStep] = []

  /// Nothing touched yet.
  public init() {}
}

extension ScanLeaf {
  /// Adds to the statistics which columns were read.
  func report(to statistics: inout ScanStatistics) {
    for field in touched { statistics.bytesByField[field.field, default: 0] += field.byteCount }
  }
}
