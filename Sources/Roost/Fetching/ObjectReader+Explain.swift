internal import RoostEngine

/// How a query was answered, for finding out why it is slow. Its description has a line for each step.
public struct QueryExplanation: Equatable, Sendable, CustomStringConvertible {
  /// A line for each step, and some lines for the data read.
  public let lines: [String]
  /// The number of matching objects found, including those skipped by the query's offset.
  ///
  /// If the search could end early, as with a limit, this is often less than all matches. A scan continues to the
  /// end of a leaf, and sorting finds all matches.
  public let matchCount: Int
  /// The number of leaves whose head was read to find objects by their fields, also related objects.
  public let leavesVisited: Int
  /// The number of those whose smallest and largest values decided that all or none of their objects match: no column was read
  /// for it.
  public let leavesSkipped: Int
  /// The number of objects tested for a match: all objects of a leaf that was visited and not skipped, and objects
  /// looked up one by one because an index or the query named them; of the query's model, and of those behind links and
  /// inverses. 0 if indexes alone answered.
  public let rowsExamined: Int
  /// What to declare in the model, or in a model that its conditions lead to, so that the query looks at fewer objects or sorts
  /// none; nil if no index would help much.
  ///
  /// It is also the line before the last, or a few lines. Only where thousands of objects were looked at or sorted for much fewer results, and
  /// the entries that the index would have are counted before it is advised. An index costs time in each write that changes
  /// its fields, so a query that is asked now and then may do without.
  public let advice: String?

  /// The lines.
  public var description: String { lines.joined(separator: "\n") }
}

extension ObjectReader {
  /// Answers a query, and reports how: by an index or a scan, in which order, and the data read for it.
  ///
  /// ```swift
  /// print(try snapshot.explain(Person.where { $0.age > 90 }.order(by: \.name).limit(10)))
  /// ```
  ///
  /// Each search for the objects behind links and inverses has a line with its figures. The line after the steps has those
  /// of the query's own model, and the next lines have the bytes read of each field.
  /// The last line tells how ``Store/changes(of:)`` keeps its results up to date.
  /// Costs as much as the query, and where it scanned, up to as much again for the ``QueryExplanation/advice``.
  public func explain<M: Model>(_ query: Query<M>) throws(StoreError) -> QueryExplanation {
    let context = try _reader.context
    let model = try context.model(M.self)
    let lowered = try context.binding.lower(query.content, model)
    let view = try context.view()
    let plan = try working(on: context.file) { () throws(EngineError) in
      try view.explain(lowered) { field in
        model.fields.firstIndex(of: field).flatMap { M.schema.fields[$0].propertyText }
      }
    }
    let searches = plan.related.map(\.statistics) + [plan.statistics]
    return QueryExplanation(
      lines: plan.lines + [LiveResults.explanation(of: lowered)],
      matchCount: plan.statistics.rowsMatched,
      leavesVisited: searches.reduce(0) { $0 + $1.leavesVisited },
      leavesSkipped: searches.reduce(0) { $0 + $1.leavesSkipped },
      rowsExamined: searches.reduce(plan.relatedReads) { $0 + $1.rowsExamined },
      advice: plan.adviceText)
  }
}
