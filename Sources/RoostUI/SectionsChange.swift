public import Roost
internal import RoostEngine

/// How the results of a query, in sections, became those of a later version.
///
/// First the rows that are deleted or move are taken out, by the places that they had, and then the sections that are
/// deleted, with all that is in them; then the sections that are inserted are put in, with all that is in them, and the
/// rows that are inserted or moved, by the places that they have, in ascending order. That is what the lists of UIKit
/// and AppKit ask for. Rows of sections that come or go are not named by themselves.
public struct SectionsChange<M: Model, Key: Hashable & Sendable>: Sendable {
  /// Results that follow one another, and have the same key.
  public struct Section: Sendable {
    /// What is the same in all of them.
    public let key: Key
    /// Where they are among all results; there is at least one.
    public let range: Range<Int>
  }

  /// What became of the results, without regard to sections.
  public let change: ResultsChange<M>
  private let runs: SectionRuns<Key>
  private let rows: SectionedRows

  fileprivate init(
    _ change: ResultsChange<M>, in runs: SectionRuns<Key>, _ rows: SectionedRows = SectionedRows()
  ) {
    self.change = change
    self.runs = runs
    self.rows = rows
  }

  /// The sections, in the order of the results.
  public var sections: [Section] {
    runs.keys.indices.map { Section(key: runs.keys[$0], range: runs.range(of: $0)) }
  }
  /// The results, in the version that they changed to.
  public var results: Rows<M> { change.results }
  /// The version, to read whatever belongs to the results.
  public var snapshot: Snapshot { change.snapshot }
  /// Whether this is what there was to begin with; nothing is said to have changed then.
  public var isInitial: Bool { change.isInitial }

  /// The sections that are gone, ascending by the index that they had.
  public var sectionDeletions: [Int] { rows.sectionDeletions }
  /// The sections that are new, ascending by the index that they have.
  public var sectionInsertions: [Int] { rows.sectionInsertions }
  /// The rows that are gone from sections that are still there, ascending by the place that they had.
  public var rowDeletions: [SectionPlace] { rows.deletions }
  /// The rows that are new in sections that were there, ascending by the place that they have.
  public var rowInsertions: [SectionPlace] { rows.insertions }
  /// The rows that moved, in or between sections that are still there, ascending by the place that they have.
  public var rowMoves: [SectionMove] { rows.moves }
  /// The rows with other values, whether they moved or not, ascending by the place that they have.
  public var rowModifications: [SectionMove] { rows.modifications }
}

/// The results of a query, in sections, observed.
final class ObservedSections<M: Model, Key: Hashable & Sendable> {
  private let key: @Sendable (Row<M>, Snapshot) throws -> Key
  private let results: ObservedResults
  private var runs = SectionRuns<Key>()

  init(of query: Query<M>, by key: @escaping @Sendable (Row<M>, Snapshot) throws -> Key) {
    self.key = key
    results = ObservedResults(of: query)
  }

  /// Goes on to another version; nil where all is as it was.
  func step(
    _ differences: Differences
  ) throws(StoreError) -> Result<SectionsChange<M, Key>, any Error>? {
    guard let step = try results.step(differences) else { return nil }
    let change = try ResultsChange<M>(step)
    do {
      guard let changes = step.changes else {
        for row in change.results { runs.append(try key(row, change.snapshot)) }
        return .success(SectionsChange(change, in: runs))
      }
      let (taken, put) = changes.looked
      let later = try runs.edited(taking: taken, putting: put) {
        try key(change.results[$0], change.snapshot)
      }
      let (before, after) = runs.pairs(with: later)
      runs = later
      let rows = SectionedRows(changes, from: before, to: after)
      // What modified a result of a section that came or went is told with it.
      guard !changes.isEmpty || !rows.isEmpty else { return nil }
      return .success(SectionsChange(change, in: runs, rows))
    } catch {
      return .failure(error)
    }
  }
}

extension ResultsDifference {
  /// The results that may be in another section: where they were, and, ascending, where they are.
  fileprivate var looked: (before: [Int], after: [Int]) {
    let both = moves + unmoved
    let known = Set(both.map(\.to))
    let modified = modifications.filter { !known.contains($0.to) }
    return (
      deletions.map(\.position) + both.map(\.from) + modified.map(\.from),
      (insertions.map(\.position) + both.map(\.to) + modified.map(\.to)).ascending { $0 }
    )
  }
}
