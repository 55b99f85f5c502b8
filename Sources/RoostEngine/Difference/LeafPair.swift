/// Two leaves with objects in common.
struct LeafPair {
  /// Rows of both leaves with the same keys, one after the other.
  struct Run {
    var earlier: Int
    var later: Int
    var count: Int

    /// Two rows of one object, whatever their keys.
    init(earlier: Int, later: Int) {
      self.earlier = earlier
      self.later = later
      count = 1
    }

    /// The rows of the later leaf.
    var rows: Range<Int> { later..<later + count }

    /// The run that begins with two rows of the same key.
    init(_ a: LeafReference, from earlier: Int, _ b: LeafReference, from later: Int) {
      self.earlier = earlier
      self.later = later
      let most = min(a.rowCount - earlier, b.rowCount - later)
      let isRegular = a.head.keyStride != 0 && a.head.keyStride == b.head.keyStride
      if isRegular || earlier == later && a.keys.hasSameBytes(as: b.keys) {
        count = most
        return
      }
      count = 1
      while count < most, a.key(earlier + count) == b.key(later + count) { count += 1 }
    }
  }

  let earlier: LeafReference
  let later: LeafReference
  let runs: [Run]

  /// Whether all objects that both have are in the same rows.
  let isAligned: Bool

  /// The rows of the later leaf from the first that is also in the earlier leaf to the last.
  var rows: Range<Int> { (runs.first?.later ?? 0)..<(runs.last?.rows.upperBound ?? 0) }

  init(earlier: LeafReference, later: LeafReference, runs: [Run]) {
    self.earlier = earlier
    self.later = later
    self.runs = runs
    isAligned = runs.allSatisfy { $0.earlier == $0.later }
  }

  /// Whether a field is the same in all objects that both have, as far as that is told without reading it.
  func sharesColumn(of field: FieldID) -> Bool {
    guard isAligned else { return false }
    let places = (earlier.head.place(of: field), later.head.place(of: field))
    guard let a = places.0, let b = places.1 else { return false }
    var entry = earlier.head.entries[a]
    entry.group = later.head.entries[b].group
    return earlier.extent(of: field) == later.extent(of: field) && entry == later.head.entries[b]
  }
}

/// The rows of the later of two leaves that changed, and their changed fields.
struct ChangedRows {
  private let pair: LeafPair
  /// The rows of the later leaf that are compared, and those between.
  private let rows: Range<Int>
  /// For each of them the changed fields; empty until a row has changed.
  private var sets: [FieldSets.Place] = []

  init(_ pair: LeafPair) {
    self.pair = pair
    rows = pair.rows
  }

  /// Finds the rows with another value of a field.
  ///
  /// - Parameter origin: The field that has its values in the earlier leaf.
  mutating func compare(
    _ field: FieldID, with origin: FieldID, _ known: inout FieldSets
  ) throws(EngineError) {
    guard field != origin || !pair.sharesColumn(of: field) else { return }
    let (old, new) = (pair.earlier, pair.later)
    let (oldColumn, newColumn) = (try old.column(origin), try new.column(field))
    defer { withExtendedLifetime((old, new)) {} }
    // For a single row, comparing the value is enough.
    let isSame = rows.count > 1 && pair.isAligned && newColumn.hasSameBytes(as: oldColumn)
    guard !isSame else { return }
    for run in pair.runs {
      try newColumn.forEachDifference(run.rows, from: oldColumn, at: run.earlier) {
        (newValue, oldValue) throws(EngineError) in
        try new.hasSameValue(field, newValue, as: old, origin, oldValue)
      } _: { row in
        if sets.isEmpty { sets = [FieldSets.Place](repeating: 0, count: rows.count) }
        sets[row - rows.lowerBound] = known.adding(field, to: sets[row - rows.lowerBound])
      }
    }
  }

  /// Calls `body` with each changed row.
  func forEach(_ body: (_ row: Int, FieldSets.Place) -> Void) {
    for (place, set) in sets.enumerated() where set != 0 { body(rows.lowerBound + place, set) }
  }
}
