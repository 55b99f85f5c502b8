internal import RoostEngine

/// How a query was answered, for people who wonder why one takes so long. It prints as a line for each step.
public struct QueryExplanation: Equatable, Sendable, CustomStringConvertible {
  /// A line for each step, and some for what was touched.
  public let lines: [String]
  /// How many matching objects were found, before the query's offset left out the first of them.
  ///
  /// Those that were needed, where the search could end early: with a limit, often not all that there are. A scan goes to the
  /// end of a leaf, and all matches are found that are to be sorted.
  public let matchCount: Int
  /// The leaves whose head was looked at, to find objects by what their fields are.
  public let leavesVisited: Int
  /// Those of them whose smallest and largest values said that all or none of their objects match: no column was read to
  /// know it.
  public let leavesSkipped: Int
  /// The objects that were looked at to know whether they match: all of a leaf that was visited and not skipped, and those
  /// that were looked up one by one, for an index named them, or the query did. None where an index alone answered.
  public let rowsExamined: Int

  /// The lines.
  public var description: String { lines.joined(separator: "\n") }
}

extension ObjectReader {
  /// Answers a query, and says how: by which index, or by a scan, in which order, and what was touched for it.
  ///
  /// ```swift
  /// print(try snapshot.explain(Person.where { $0.age > 90 }.order(by: \.name).limit(10)))
  /// ```
  ///
  /// The line behind the steps has the figures of ``QueryExplanation``, and the next ones the bytes that were read of each field.
  /// The last line says how its results are kept up to date for those who follow them with ``Store/changes(of:)``.
  /// Costs what the query does.
  public func explain<M: Model>(_ query: Query<M>) throws(StoreError) -> QueryExplanation {
    let context = try _reader.context
    let lowered = try context.binding.lower(query.content, try context.model(M.self))
    let view = try context.view()
    let plan = try working(on: context.file) { () throws(EngineError) in try view.explain(lowered) }
    return QueryExplanation(
      lines: plan.lines + [LiveResults.explanation(of: lowered)],
      matchCount: plan.statistics.rowsMatched,
      leavesVisited: plan.statistics.leavesVisited, leavesSkipped: plan.statistics.leavesSkipped,
      rowsExamined: plan.statistics.rowsExamined)
  }
}
