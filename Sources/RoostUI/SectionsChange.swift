public import Roost
internal import RoostEngine

/// The change of a query's results, in sections, to those of a later version.
///
/// Apply it in this order: remove the deleted and moved rows, at their old positions; remove the deleted
/// sections with all their rows; insert the inserted sections with all their rows; insert the
/// inserted and moved rows at their new positions, ascending. UIKit and AppKit lists require
/// this order. Rows of deleted or inserted sections are not reported by themselves.
public struct SectionsChange<M: Model, Key: Hashable & Sendable>: Sendable {
  /// Consecutive results with the same key.
  public struct Section: Sendable {
    /// The key of all its results.
    public let key: Key
    /// The indices of its results among all results; never empty.
    public let range: Range<Int>
  }

  /// The change of the results, regardless of sections.
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
  /// The results, in the new version.
  public var results: Rows<M> { change.results }
  /// The new version, to read other objects that belong to the results.
  public var snapshot: Snapshot { change.snapshot }
  /// Whether these are the initial results; no changes are reported then.
  public var isInitial: Bool { change.isInitial }

  /// The deleted sections, ascending by old index.
  public var sectionDeletions: [Int] { rows.sectionDeletions }
  /// The inserted sections, ascending by new index.
  public var sectionInsertions: [Int] { rows.sectionInsertions }
  /// The deleted rows of sections that are still there, ascending by old position.
  public var rowDeletions: [SectionPlace] { rows.deletions }
  /// The inserted rows of sections that were there before, ascending by new position.
  public var rowInsertions: [SectionPlace] { rows.insertions }
  /// The rows that moved, within or between sections that are in both versions, ascending by new position.
  public var rowMoves: [SectionMove] { rows.moves }
  /// The rows whose values changed, whether they moved or not, ascending by new position.
  public var rowModifications: [SectionMove] { rows.modifications }
}

/// The sectioned results of a query, kept up to date.
final class ObservedSections<M: Model, Key: Hashable & Sendable> {
  private let key: @Sendable (Row<M>, Snapshot) throws -> Key
  private let results: ObservedResults
  private var runs = SectionRuns<Key>()

  init(
    of query: Query<M>, by key: @escaping @Sendable (Row<M>, Snapshot) throws -> Key,
    reading read: [ExpressionTerm]
  ) {
    self.key = key
    results = ObservedResults(of: query, reading: read)
  }

  /// Advances to another version; nil if nothing changed.
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
      // A deleted or inserted section implies the modifications of its results.
      guard !changes.isEmpty || !rows.isEmpty else { return nil }
      return .success(SectionsChange(change, in: runs, rows))
    } catch {
      return .failure(error)
    }
  }
}

extension ResultsDifference {
  /// The results whose section may have changed: their old positions, and their new ones, ascending.
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
