/// Searches for the objects behind links and inverses, which a query's conditions ask for.
final class RelatedSearches {
  /// Them, in execution order.
  var list: [RelatedSearch] = []
  /// The tables whose objects are read one by one, for each object that leads to them.
  private var reads: [(table: TableDefinition, reads: RelatedReads)] = []

  /// A count of such objects of a table.
  func noteReads(of table: TableDefinition) -> RelatedReads {
    let made = RelatedReads()
    reads.append((table, made))
    return made
  }

  /// How many such objects were read.
  var readCount: Int { reads.reduce(0) { $0 + $1.reads.count } }

  /// The searches and the reads in words.
  fileprivate var words: [String] {
    let read = reads.filter { $0.reads.count > 0 }.map { table, reads in
      "behind links, \(table.name): read one by one, for each object what it leads to; \(reads.count) rows looked at"
    }
    return list.map(\.words) + read
  }
}

/// A search for the objects that links or inverses lead to.
package struct RelatedSearch: Equatable, Sendable {
  /// The table of the objects.
  let table: TableDefinition
  /// What they must be like.
  let predicate: Predicate
  /// What the search read.
  package let statistics: ScanStatistics

  /// The search in words.
  fileprivate var words: String {
    let steps = statistics.steps.map { $0.words(table) }.joined(separator: ", ")
    var words =
      "behind links, \(statistics.rowsMatched) of \(table.name): \(steps); "
      + "\(statistics.rowsExamined) rows looked at"
    for field in Array(statistics.bytesByField.keys).ascending(by: { Int($0) }) {
      words += ", \(statistics.bytesByField[field] ?? 0) bytes of "
      words += "\(table.field(field)?.name ?? "computed values") read"
    }
    return words
  }
}

/// How a query was answered, for diagnosing slow queries.
package struct QueryPlan: Equatable, Sendable {
  /// The steps, in execution order.
  package let steps: [PlanStep]
  /// What the query read.
  package let statistics: ScanStatistics
  /// The searches for related objects before, in execution order.
  package let related: [RelatedSearch]
  /// How many related objects were read one by one.
  package let relatedReads: Int
  /// The index of the query's own table that is missing; nil if none would have helped.
  package let advice: IndexAdvice?
  /// The advice in words, with that for related tables; nil for none.
  package let adviceText: String?
  /// A line for each search for related objects and each step, one for the statistics, one for each field that was read, and
  /// the advice.
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
    let searches = RelatedSearches()
    let result = try matches(query, &statistics, notingIn: searches)
    guard let table = catalog.table(query.table) else {
      throw .unknownTable(name: "\(query.table)")
    }
    var lines = searches.words + statistics.steps.map { $0.words(table) }
    lines.append(
      "\(result.count) results; \(statistics.leavesVisited) leaves visited, "
        + "\(statistics.leavesSkipped) of them by their zone maps (least and greatest values) alone; "
        + "\(statistics.rowsExamined) rows looked at")
    for field in Array(statistics.bytesByField.keys).ascending(by: { Int($0) }) {
      let bytes = statistics.bytesByField[field] ?? 0
      lines.append("\(bytes) bytes of \(table.field(field)?.name ?? "computed values") read")
    }
    let advice = try IndexAdvice(query, answeredAs: statistics, in: self)
    var texts = advice.map { [$0.words(table, property)] } ?? []
    for search in searches.list {
      let asked = ObjectQuery(table: search.table.id, predicate: search.predicate)
      guard let advice = try IndexAdvice(asked, answeredAs: search.statistics, in: self) else {
        continue
      }
      let text = advice.words(search.table) { _ in nil }
      if !texts.contains(text) { texts.append(text) }
    }
    return QueryPlan(
      steps: statistics.steps, statistics: statistics, related: searches.list,
      relatedReads: searches.readCount, advice: advice,
      adviceText: texts.isEmpty ? nil : texts.joined(separator: "\n"), lines: lines + texts)
  }
}
