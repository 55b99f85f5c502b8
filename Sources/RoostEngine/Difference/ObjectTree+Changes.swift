extension ObjectTree {
  /// The difference between this version of the tree and an earlier or later one.
  ///
  /// A field that the earlier version does not have has its default there; one that this version does not have
  /// counts for nothing.
  /// - Complexity: O(n) in the leaves that are not in both versions; not in their number or in that of the versions.
  package func changes(since earlier: ObjectTree) throws(EngineError) -> TableDifference {
    var comparison = LeafComparison(from: earlier, to: self)
    var leaves = DifferingLeaves(from: earlier, to: self)
    while let region = try leaves.next() { try comparison.compare(region) }
    return comparison.changes
  }

  /// The numbers of changes in the table since an earlier version of this tree.
  ///
  /// - Complexity: As ``changes(since:)``, in memory for two leaves.
  func changeCounts(
    since earlier: ObjectTree, _ origins: FieldOrigins
  ) throws(EngineError) -> TableDifferenceCounts {
    var comparison = LeafComparison(from: earlier, to: self, origins)
    comparison.counts = TableDifferenceCounts()
    var leaves = DifferingLeaves(from: earlier, to: self)
    while let region = try leaves.next() { try comparison.compare(region) }
    return comparison.counts ?? TableDifferenceCounts()
  }

  /// What changed since an earlier version of this tree with the same fields, where all objects that did are among some.
  ///
  /// - Parameter keys: Their keys, ascending.
  func changes(of keys: [Int64], since earlier: ObjectTree) throws(EngineError) -> TableDifference {
    var comparison = LeafComparison(from: earlier, to: self)
    for key in keys { try comparison.compare(key, earlier.find(key), find(key)) }
    return comparison.changes
  }
}

/// Which fields of an earlier version those of a later one are compared with: the same ones, unless it says otherwise.
package struct FieldOrigins {
  private var others: [FieldID: FieldID?] = [:]

  package init() {}

  /// Compares a field of the later version with one of the same type, which had its values; with none if that is nil.
  package mutating func compare(_ field: FieldID, with origin: FieldID?) {
    others.updateValue(origin, forKey: field)
  }

  func origin(of field: FieldID) -> FieldID? {
    others.isEmpty ? field : others[field, default: field]
  }
}

/// Compares the rows of differing leaves, and collects the changes.
private struct LeafComparison {
  private(set) var changes = TableDifference()
  /// The counts of changes in the leaves so far, if only counts are requested; otherwise nil.
  var counts: TableDifferenceCounts?
  private let earlier: TreeContext
  private let later: TreeContext
  private let origins: FieldOrigins

  init(
    from earlier: ObjectTree, to later: ObjectTree, _ origins: FieldOrigins = FieldOrigins()
  ) {
    self.later = later.context
    self.origins = origins
    guard earlier.shape != later.shape else {
      self.earlier = earlier.context
      return
    }
    let shape = TableShape(
      later.shape.fields.map { field in
        origins.origin(of: field.id).flatMap { earlier.shape.index(of: $0) }
          .map { earlier.shape.fields[$0] } ?? field
      })
    self.earlier = TreeContext(
      tree: earlier.root.id, shape: shape, reader: earlier.reader, pin: nil, budget: nil)
  }

  /// Adds the changes in leaves of both versions that have no key in common with others.
  mutating func compare(_ region: DifferingLeaves.Region) throws(EngineError) {
    var old = RowSequence(region.earlier, in: earlier)
    var new = RowSequence(region.later, in: later)
    while true {
      try checkCancellation()
      switch (try old.leaf(), try new.leaf()) {
      case (nil, nil): return
      case (let leaf?, nil): old.take(to: leaf.rowCount, of: leaf, into: &changes.deletions)
      case (nil, let leaf?): new.take(to: leaf.rowCount, of: leaf, into: &changes.insertions)
      case (let a?, let b?):
        let runs = pair(a, b, &old, &new)
        if !runs.isEmpty { try compare(LeafPair(earlier: a, later: b, runs: runs)) }
      }
      if counts != nil {
        counts?.add(changes)
        changes = TableDifference()
      }
    }
  }

  /// Takes in what became of an object that both, one or none of the versions have.
  mutating func compare(
    _ key: Int64, _ old: LeafRow?, _ new: LeafRow?
  ) throws(EngineError) {
    switch (old, new) {
    case (nil, nil): break
    case (_?, nil): changes.deletions.append(key)
    case (nil, _?): changes.insertions.append(key)
    case (let a?, let b?):
      let run = LeafPair.Run(earlier: a.row, later: b.row)
      try compare(LeafPair(earlier: a.leaf, later: b.leaf, runs: [run]))
    }
  }

  /// Goes on to the end of one leaf or the other; the objects that only one of them has are taken in.
  private mutating func pair(
    _ a: LeafReference, _ b: LeafReference, _ old: inout RowSequence, _ new: inout RowSequence
  ) -> [LeafPair.Run] {
    var runs: [LeafPair.Run] = []
    while old.row < a.rowCount, new.row < b.rowCount {
      let (oldKey, newKey) = (a.key(old.row), b.key(new.row))
      if oldKey < newKey {
        old.take(to: a.lowerBound(newKey), of: a, into: &changes.deletions)
      } else if newKey < oldKey {
        new.take(to: b.lowerBound(oldKey), of: b, into: &changes.insertions)
      } else {
        let run = LeafPair.Run(a, from: old.row, b, from: new.row)
        old.row += run.count
        new.row += run.count
        runs.append(run)
      }
    }
    return runs
  }

  /// Adds the changed objects that two leaves have in common, and their changed fields.
  private mutating func compare(_ pair: LeafPair) throws(EngineError) {
    var rows = ChangedRows(pair)
    for field in later.shape.fields where !field.isWriteTime {
      guard let origin = origins.origin(of: field.id) else { continue }
      try rows.compare(field.id, with: origin, &changes.sets)
    }
    rows.forEach { changes.append(modified: pair.later.key($0), $1) }
  }
}

extension LeafReference {
  /// The fields in which an object differs from what it was in a row of another version's leaf: ascending.
  ///
  /// Fields missing in either version are ignored.
  func changedFields(
    ofRow row: Int, since earlier: LeafReference, row earlierRow: Int
  ) throws(EngineError) -> [FieldID] {
    let run = LeafPair.Run(earlier: earlierRow, later: row)
    var rows = ChangedRows(LeafPair(earlier: earlier, later: self, runs: [run]))
    var sets = FieldSets()
    for field in shape.fields
    where !field.isWriteTime && earlier.shape.index(of: field.id) != nil {
      try rows.compare(field.id, with: field.id, &sets)
    }
    var fields: [FieldID] = []
    rows.forEach { fields = sets[$1] }
    return fields
  }
}

/// The rows of some leaves, one leaf after the other.
private struct RowSequence {
  private let edges: [TreeEdge]
  private let context: TreeContext
  private var next = 0
  private var current: LeafReference?
  /// The next row of the current leaf.
  var row = 0

  init(_ edges: [TreeEdge], in context: TreeContext) {
    self.edges = edges
    self.context = context
  }

  /// The leaf that has the next row; nil after the last.
  mutating func leaf() throws(EngineError) -> LeafReference? {
    if let current, row < current.rowCount { return current }
    guard next < edges.count else { return nil }
    let leaf = try LeafReference(edges[next], in: context)
    next += 1
    row = 0
    current = leaf
    return leaf
  }

  /// Appends the keys of the rows up to one, and goes there.
  mutating func take(to end: Int, of leaf: LeafReference, into keys: inout [Int64]) {
    keys.reserveCapacity(keys.count + end - row)
    for row in row..<end { keys.append(leaf.key(row)) }
    row = end
  }
}
