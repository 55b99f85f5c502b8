package import RoostEngine

/// The results of a query, observed.
///
/// Not generic over the model, so that it is compiled once. A class, like everything observed: the code that copies a
/// struct would be in every program.
package final class ObservedResults {
  /// The change of the results from one version to another.
  package final class Step: Sendable {
    /// Their difference; nil in the first version.
    package let changes: ResultsDifference?
    /// The previous version and its number of results.
    let before: (version: VersionContext, count: Int)?
    /// The tag of all writes between the versions.
    let tag: WriteTag?
    /// The version.
    let version: VersionContext
    let model: ModelBinding
    let results: ResultSet

    init(
      _ changes: ResultsDifference? = nil,
      from before: (version: VersionContext, count: Int)? = nil,
      tag: WriteTag? = nil, to version: VersionContext, of model: ModelBinding,
      _ results: ResultSet
    ) {
      self.changes = changes
      self.before = before
      self.tag = tag
      self.version = version
      self.model = model
      self.results = results
    }

    /// The results in the version.
    func rows<M: Model>(of type: M.Type) -> Rows<M> {
      Rows(RowsContent(results, of: model, in: version))
    }
  }

  private let query: QueryContent
  private let model: ModelName
  /// The expressions that observers read of each result, whose changes are reported.
  private let read: [ExpressionTerm]
  /// The positions of other fields whose changes are reported; nil for all.
  private let watched: [Int]?
  private var live: LiveResults?
  private var count = 0
  /// The version of the results; nil before the first.
  private var version: VersionContext?

  package init<M: Model>(
    of query: Query<M>, reading read: [ExpressionTerm] = [], watching watched: [Int]? = nil
  ) {
    self.read = read
    self.watched = watched
    self.query = query.content
    model = ModelName(M.self)
  }

  /// Advances to another version; nil if the results are unchanged.
  package func step(_ differences: Differences) throws(StoreError) -> Step? {
    let later = differences.version
    let model = try later.binding.model(model)
    guard let earlier = version, var live else { return try begin(in: later, model) }
    let (changes, results) = try working(on: later.file) { () throws(EngineError) in
      let changes = try live.advance(by: differences.since(earlier))
      return (changes, changes.isEmpty ? nil : try live.results)
    }
    (self.live, version) = (live, later)
    guard let results else { return nil }
    defer { count = results.count }
    return Step(
      changes, from: (earlier, count), tag: differences.tag(since: earlier), to: later, of: model,
      results)
  }

  private func begin(
    in version: VersionContext, _ model: ModelBinding
  ) throws(StoreError) -> Step {
    let lowered = try version.binding.lower(query, model)
    var values: [ColumnExpression] = []
    for term in read { values.append(try version.binding.lower(term, model)) }
    let fields = watched.map { $0.map { model.fields[$0] } }
    let (live, results) = try working(on: version.file) { () throws(EngineError) in
      let live = try LiveResults(
        lowered, reading: values, watching: fields, in: version.snapshot)
      return (live, try live.results)
    }
    (self.live, self.version, count) = (live, version, results.count)
    return Step(to: version, of: model, results)
  }
}
