/// The result of a query, maintained incrementally from version to version.
///
/// Re-evaluates only objects that changed, or whose related objects changed, and finds their positions in the order by
/// binary search, among the earlier and the later results. The query runs again only where that does not suffice
/// (``reruns``).
///
/// A result has changed where its fields have, or where a field has that the query or its observer reads through links.
/// In the second case only the change is reported, not its kind: the value may be the same.
package struct LiveResults: Sendable {
  private let query: ObjectQuery
  /// What observers read of each result besides.
  private let read: [ColumnExpression]
  /// The fields whose changes are reported; nil for all.
  private let watched: Set<FieldID>?
  private var dependencies: QueryDependencies
  /// The version of the results.
  package private(set) var snapshot: EngineSnapshot
  /// The matches in the order of the query: all of them, or the first ones.
  private var matches = KeySequence()
  private var hasAllMatches = true
  /// The part of the condition that tests single fields.
  private var tests: [FieldTest] = []
  /// How often the query was answered anew, after the first time.
  package private(set) var reruns = 0

  /// The maximum of matches kept beyond the limit: this many may leave before the query runs again.
  private static let reserve = 256
  /// Where more objects changed, and more than this part of all, the query is answered anew.
  private static let changesMin = 1024
  private static let changesShare = 8

  /// Answers a query.
  ///
  /// - Parameters:
  ///   - read: What is read of each result, whose changes are told of it.
  ///   - watched: The fields of a result whose changes are told, beside those that are read of it; nil for all.
  /// - Throws: As `ReadView.count(_:)`.
  package init(
    _ query: ObjectQuery, reading read: [ColumnExpression] = [], watching watched: [FieldID]? = nil,
    in snapshot: EngineSnapshot
  ) throws(EngineError) {
    self.query = query
    self.read = read
    let all = ObjectQuery(table: query.table)
    let fields = QueryDependencies(all, reading: read, in: snapshot.catalog).fields
    self.watched = watched.map { fields.union($0) }
    self.snapshot = snapshot
    dependencies = QueryDependencies(query, reading: read, in: snapshot.catalog)
    try answer()
  }

  /// The results: the matches within offset and limit.
  package var results: ResultSet {
    get throws(EngineError) {
      ResultSet(
        try snapshot.view.objects(query.table), .sequence(matches),
        window: query.window(of: matches.count))
    }
  }

  /// Finds the matches to keep, in the version.
  private mutating func answer() throws(EngineError) {
    var wanted = query
    wanted.offset = 0
    wanted.limit = query.neededCount.map { needed in
      let (sum, overflow) = needed.addingReportingOverflow(Self.reserve)
      return overflow ? .max : sum
    }
    let found = try snapshot.view.matches(wanted).keys()
    matches = KeySequence(found)
    hasAllMatches = found.count < wanted.limit ?? .max
    tests = try query.testsOfFields(in: snapshot.view)
  }

  /// Advances to another version.
  ///
  /// - Parameter difference: From the version that the results are of.
  /// - Returns: The changes of the results.
  /// - Throws: `.corrupt` where the file is damaged, `.unknownTable` where the table is gone; the results stay as they were.
  package mutating func advance(by difference: VersionDifference) throws(EngineError)
    -> ResultsDifference
  {
    precondition(difference.earlier.version === snapshot.version, "Changes since another version.")
    guard try mayChange(by: difference) else {
      snapshot = difference.later
      return ResultsDifference()
    }
    let related = try dependencies.related(by: difference)
    let objects = try difference.changes(of: query.table).adding(unchanged: related)
    var changes: ResultsDifference
    if let edit = try edit(difference, objects, related) {
      changes = try edit.changes(
        from: query.window(of: matches.count), to: query.window(of: edit.matches.count))
      snapshot = difference.later
      matches = edit.matches
      hasAllMatches = edit.hasAllMatches
    } else {
      changes = try rerun(difference, objects)
    }
    if let watched { changes.keepModifications(ofAny: watched, of: Set(related)) }
    return changes
  }

  /// How the results of a query are kept up to date, in words.
  package static func explanation(of query: ObjectQuery) -> String {
    guard query.order.allSatisfy({ $0.collation == nil }) else {
      return "observed: if it is, answered anew when an object changed that it has to do with"
    }
    let words =
      "observed: if it is, updated by what changed; answered anew when more than an eighth did"
    return query.limit == nil ? words : words + ", or \(reserve) results are gone"
  }

  // MARK: What changed

  /// Whether some match may have come, gone or changed: not where no object that changed was or is one, which a test of
  /// a field says at once, for any number of observers.
  private func mayChange(by difference: VersionDifference) throws(EngineError) -> Bool {
    guard difference.isOfOneCatalog else { return true }
    if try dependencies.concernOthers(difference) { return true }
    if try difference.changes(of: query.table).isEmpty { return false }
    for test in tests {
      guard let values = try difference.values(of: test.field, in: query.table) else { return true }
      if !values.contains(where: test.holds) { return false }
    }
    return true
  }

  /// The update of the matches; nil where the query must run again.
  ///
  /// - Parameters:
  ///   - changes: What became of the objects; the related ones are modified, too.
  ///   - related: Objects whose related objects changed.
  private func edit(
    _ difference: VersionDifference, _ changes: TableDifference, _ related: [Int64]
  ) throws(EngineError) -> MatchListUpdate? {
    guard difference.isOfOneCatalog else { return nil }
    let objectCount = Int(clamping: try difference.later.view.objects(query.table).count)
    let most = max(Self.changesMin, objectCount / Self.changesShare)
    guard changes.count <= most else { return nil }
    let affected = try dependencies.affected(by: difference, related)
    guard affected.count <= most else { return nil }
    let gone = changes.deletions + changes.replacements.map(\.earlierKey)
    if affected.isEmpty, gone.isEmpty, changes.isEmpty {
      return MatchListUpdate(matches, hasAllMatches: hasAllMatches, changes)
    }
    // A locale's order of texts is computed for all of them at once.
    guard !query.order.contains(where: { $0.collation != nil }) else { return nil }

    var orders = (
      earlier: try RowOrder(query, in: snapshot.view),
      later: try RowOrder(query, in: difference.later.view)
    )
    var edit = MatchListUpdate(matches, hasAllMatches: hasAllMatches, changes)
    for key in gone {
      guard let position = try orders.earlier.position(of: key, in: matches) else { continue }
      edit.remove(key, at: position)
    }
    let matching = try matching(affected, in: difference.later.view)
    var next = 0
    var entering: [RowOrder.Place] = []
    for key in affected {
      let isMatch = next < matching.count && matching[next] == key
      if isMatch { next += 1 }
      // A changed object may have linked to this object, now deleted.
      if edit.isRemoved(key) { continue }
      let position = try orders.earlier.position(of: key, in: matches)
      if let position {
        // In key order its position stays.
        if isMatch, query.order.isEmpty { continue }
        edit.remove(key, at: position)
      }
      if isMatch, let place = try orders.later.place(of: key) { entering.append(place) }
    }
    try edit.insert(entering) { (place, keys) throws(EngineError) in
      try orders.later.position(of: place, in: keys)
    }
    guard edit.hasAllMatches || edit.matches.count >= query.neededCount ?? 0 else { return nil }
    if let needed = query.neededCount { edit.keep(first: needed, and: 2 * Self.reserve) }
    for (place, key) in changes.modifications.enumerated() where !edit.isRemoved(key) {
      guard let position = try orders.earlier.position(of: key, in: matches) else { continue }
      edit.note(modified: place, at: position)
    }
    return edit
  }

  /// The given objects that match in a version, in key order.
  private func matching(
    _ keys: [Int64], in view: ReadView
  ) throws(EngineError) -> [Int64] {
    guard !keys.isEmpty else { return [] }
    let compiler = try PredicateCompiler(view, table: query.table)
    let condition = try compiler.condition(query.predicate)
    var statistics = ScanStatistics()
    return try compiler.objects().fulfilling(condition, keys, areEntries: false, &statistics)
  }

  // MARK: Anew

  /// Answers the query in another version, and compares the results.
  private mutating func rerun(
    _ difference: VersionDifference, _ changes: TableDifference
  ) throws(EngineError) -> ResultsDifference {
    let before = matches.keys(query.window(of: matches.count))
    let earlier = self
    snapshot = difference.later
    dependencies = QueryDependencies(query, reading: read, in: snapshot.catalog)
    do { try answer() } catch {
      self = earlier
      throw error
    }
    reruns += 1
    let after = matches.keys(query.window(of: matches.count))
    return ResultsDifference(from: before, to: after, changes)
  }
}

extension ObjectQuery {
  /// The parts of the condition, all of which must hold, that are about a field of the object.
  fileprivate func testsOfFields(in view: ReadView) throws(EngineError) -> [FieldTest] {
    let parts = if case .and(let parts) = predicate { parts } else { [predicate] }
    let ofFields = parts.filter { part in
      switch part {
      case .compare, .isNull, .oneOf, .text: true
      default: false
      }
    }
    let condition = try PredicateCompiler(view, table: table).condition(.and(ofFields))
    return condition.conjuncts.compactMap { if case .field(let test) = $0 { test } else { nil } }
  }
}

extension TableDifference {
  /// The number of changed objects.
  var count: Int {
    insertions.count + deletions.count + modifications.count + replacements.count
  }

  /// With objects among the modified ones of whose own fields none may have changed.
  fileprivate func adding(unchanged keys: [Int64]) -> TableDifference {
    guard !keys.isEmpty else { return self }
    var changes = self
    let known = Set(modifications)
    for key in keys where !known.contains(key) { changes.append(modified: key, 0) }
    return changes
  }
}

extension ResultsDifference {
  /// The difference of two complete lists of results.
  init(from before: [Int64], to after: [Int64], _ changes: TableDifference) {
    let replaced = changes.replacedKeys
    var positions: [Int64: Int] = [:]
    positions.reserveCapacity(before.count)
    for (position, key) in before.enumerated() { positions[replaced.key(of: key)] = position }
    var both: [Move] = []
    for (position, key) in after.enumerated() {
      if let from = positions.removeValue(forKey: key) {
        both.append(Move(from: from, to: position, key: key))
      } else {
        insertions.append(Entry(position: position, key: key))
      }
    }
    for (position, key) in before.enumerated()
    where positions[replaced.key(of: key)] != nil {
      deletions.append(Entry(position: position, key: key))
    }
    keepMoves(of: both) { _ in true }
    keepModifications(changes, of: both)
    sort()
  }
}
