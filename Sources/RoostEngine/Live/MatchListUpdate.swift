/// Updates the matches of a query from one version to the next, and reports the changes.
///
/// The matches that keep their order are the base. Its positions before and after follow from the numbers of matches
/// removed and inserted before each.
struct MatchListUpdate {
  private struct Change {
    let position: Int
    let key: Int64
    /// The number of matches of the base that precede it.
    var slot: Int
  }

  /// The matches of the earlier version.
  private let before: KeySequence
  /// The earlier matches that keep their order.
  private var base: KeySequence
  /// The matches of the later version.
  private(set) var matches: KeySequence
  /// Whether there are no others behind them.
  private(set) var hasAllMatches: Bool
  private let changes: TableDifference
  /// Removals from the earlier matches and insertions into the later ones, ascending by position once complete.
  private var removed: [Change] = []
  private var inserted: [Change] = []
  private var removedKeys: Set<Int64> = []
  /// The places of modifications whose objects stay, and where they were.
  private var modified: [(place: Int, position: Int)] = []

  init(_ matches: KeySequence, hasAllMatches: Bool, _ changes: TableDifference) {
    before = matches
    base = matches
    self.matches = matches
    self.hasAllMatches = hasAllMatches
    self.changes = changes
  }

  /// Removes a match of the earlier version.
  mutating func remove(_ key: Int64, at position: Int) {
    removed.append(Change(position: position, key: key, slot: 0))
    removedKeys.insert(key)
  }

  /// Whether a match was removed, even if it was inserted elsewhere.
  func isRemoved(_ key: Int64) -> Bool { removedKeys.contains(key) }

  /// Inserts matches of the later version, after all matches outside the base were removed.
  ///
  /// - Parameter position: Where a place lies among keys.
  mutating func insert(
    _ places: [RowOrder.Place],
    at position: (RowOrder.Place, KeySequence) throws(EngineError) -> Int
  ) throws(EngineError) {
    removed = removed.ascending(by: \.position)
    for index in removed.indices { removed[index].slot = removed[index].position - index }
    if !removed.isEmpty { base = before.edited(removing: removed.map(\.position), inserting: []) }
    for place in places.ascendingPlaces().map({ places[$0] }) {
      let slot = try position(place, base)
      // Its order relative to the matches after the last known one is unknown.
      guard hasAllMatches || slot < base.count else { break }
      inserted.append(Change(position: slot + inserted.count, key: place.key, slot: slot))
    }
    matches =
      inserted.isEmpty
      ? base : base.edited(removing: [], inserting: inserted.map { ($0.position, $0.key) })
  }

  /// Drops matches after the first ones, if there are too many.
  mutating func keep(first needed: Int, and reserve: Int) {
    guard matches.count - reserve > needed else { return }
    matches = KeySequence(matches.keys(0..<needed + reserve / 2))
    hasAllMatches = false
  }

  /// Notes that a remaining match has other values.
  mutating func note(modified place: Int, at position: Int) { modified.append((place, position)) }

  // MARK: What became of the results

  /// The difference of the part of the matches that is shown.
  func changes(from shown: Range<Int>, to showing: Range<Int>) throws(EngineError)
    -> ResultsDifference
  {
    var outcome = ResultsDifference()
    let replaced = changes.replacedKeys
    // The places of what is put in.
    var entering: [Int64: Int] = [:]
    for (place, change) in inserted.enumerated() where showing.contains(change.position) {
      entering[change.key] = place
    }

    var both: [(move: ResultsDifference.Move, isInSlot: Bool)] = []
    for change in removed where shown.contains(change.position) {
      let key = replaced.key(of: change.key)
      guard let target = entering.removeValue(forKey: key).map({ inserted[$0] }) else {
        outcome.deletions.append(
          .init(position: change.position - shown.lowerBound, key: change.key))
        continue
      }
      let move = ResultsDifference.Move(
        from: change.position - shown.lowerBound, to: target.position - showing.lowerBound, key: key
      )
      both.append((move, change.slot == target.slot))
    }
    for change in inserted where entering[change.key] != nil {
      outcome.insertions.append(
        .init(position: change.position - showing.lowerBound, key: change.key))
    }
    both = both.ascending(by: \.move.to)
    outcome.keepMoves(of: both.map(\.move)) { both[$0].isInSlot }

    // What stays in its order and comes into the part that is shown, or leaves it.
    let old = slots(shown, removed)
    let new = slots(showing, inserted)
    for slot in old.parts(outside: new).joined() {
      outcome.deletions.append(
        .init(position: position(of: slot, removed) - shown.lowerBound, key: base[slot]))
    }
    for slot in new.parts(outside: old).joined() {
      outcome.insertions.append(
        .init(position: position(of: slot, inserted) - showing.lowerBound, key: base[slot]))
    }

    if !both.isEmpty { outcome.keepModifications(changes, of: both.map(\.move)) }
    for (place, from) in modified {
      let slot = from - removed.partitioningIndex { $0.position >= from }
      let to = position(of: slot, inserted)
      guard shown.contains(from), showing.contains(to) else { continue }
      outcome.modifications.append(
        .init(
          from: from - shown.lowerBound, to: to - showing.lowerBound,
          key: changes.modifications[place], fields: changes.fields(ofModification: place)))
    }
    outcome.sort()
    return outcome
  }

  /// The part of the base that lies in a part of the matches.
  private func slots(_ part: Range<Int>, _ changes: [Change]) -> Range<Int> {
    func before(_ position: Int) -> Int {
      position - changes.partitioningIndex { $0.position >= position }
    }
    return before(part.lowerBound)..<before(part.upperBound)
  }

  /// The position of a match of the base among all matches.
  private func position(of slot: Int, _ changes: [Change]) -> Int {
    slot + changes.partitioningIndex { $0.slot > slot }
  }
}

extension TableDifference {
  /// The earlier and later keys of replaced objects.
  struct ReplacedKeys {
    private let replacements: [Replacement]
    private var places: [Int64: Int] = [:]

    fileprivate init(_ replacements: [Replacement]) {
      self.replacements = replacements
      for (place, replacement) in replacements.enumerated() {
        places[replacement.earlierKey] = place
      }
    }

    /// The later key of an object, by its earlier key.
    func key(of earlier: Int64) -> Int64 {
      places[earlier].map { replacements[$0].laterKey } ?? earlier
    }
  }

  /// The earlier and later keys of replaced objects.
  var replacedKeys: ReplacedKeys { ReplacedKeys(replacements) }

  /// The place, by its key, of each object that both versions have and that changed.
  var changedPlaces: [Int64: Int] {
    var places: [Int64: Int] = [:]
    places.reserveCapacity(modifications.count + replacements.count)
    for (place, key) in modifications.enumerated() { places[key] = place }
    for (place, replacement) in replacements.enumerated() where !replacement.fields.isEmpty {
      places[replacement.laterKey] = modifications.count + place
    }
    return places
  }

  /// The fields that changed of the object at one of ``changedPlaces``.
  func fields(ofChanged place: Int) -> [FieldID] {
    place < modifications.count
      ? fields(ofModification: place) : replacements[place - modifications.count].fields
  }
}

extension Range<Int> {
  /// The parts before and behind another range.
  fileprivate func parts(outside other: Range<Int>) -> [Range<Int>] {
    let before = lowerBound..<Swift.max(lowerBound, Swift.min(upperBound, other.lowerBound))
    let behind = Swift.min(upperBound, Swift.max(before.upperBound, other.upperBound))..<upperBound
    return [before, behind]
  }
}
