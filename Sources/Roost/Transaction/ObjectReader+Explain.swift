internal import RoostEngine

/// How a query was answered, for people who wonder why one takes so long. It prints as a line for each step.
public struct QueryExplanation: Equatable, Sendable, CustomStringConvertible {
  /// A line for each step, and some for what was touched.
  public let lines: [String]
  /// How many objects matched.
  public let matchCount: Int
  /// The leaves whose head was looked at.
  public let leavesVisited: Int
  /// Those of them that their smallest and largest values answered, so that no column of them was read.
  public let leavesSkipped: Int

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
      leavesVisited: plan.statistics.leavesVisited, leavesSkipped: plan.statistics.leavesSkipped)
  }
}
