/// How a query was answered, for diagnosing slow queries.
package struct QueryPlan: Equatable, Sendable {
  /// The steps, in execution order.
  package let steps: [PlanStep]
  /// What the query read.
  package let statistics: ScanStatistics
  /// The index that is missing; nil if none would have helped.
  package let advice: IndexAdvice?
  /// The advice in words.
  package let adviceText: String?
  /// A line for each step, one for the statistics, one for each field that was read, and the advice.
  package let lines: [String]
}

extension ReadView {
  /// Answers a query, and returns its plan.
  ///
  /// - Parameter property: The property of a field, for the advice.
  /// - Throws: As ``count(_:)``.
  package func explain(
    _ query: ObjectQuery, _ property: (FieldID) -> String? = { _ in nil }
  ) throws(EngineError) -> QueryPlan {
    var statistics = ScanStatistics()
    let result = try matches(query, &statistics)
    guard let table = catalog.table(query.table) else {
      throw .unknownTable(name: "\(query.table)")
    }
    var lines = statistics.steps.map { $0.words(table) }
    lines.append(
      "\(result.count) results; \(statistics.leavesVisited) leaves visited, "
        + "\(statistics.leavesSkipped) of them by their zone maps (least and greatest values) alone; "
        + "\(statistics.rowsExamined) rows looked at")
    for field in Array(statistics.bytesByField.keys).ascending(by: { Int($0) }) {
      let bytes = statistics.bytesByField[field] ?? 0
      lines.append("\(bytes) bytes of \(table.field(field)?.name ?? "computed values") read")
    }
    let advice = try IndexAdvice(query, answeredAs: statistics, in: self)
    let adviceText = advice?.words(table, property)
    if let adviceText { lines.append(adviceText) }
    return QueryPlan(
      steps: statistics.steps, statistics: statistics, advice: advice, adviceText: adviceText,
      lines: lines)
  }
}
