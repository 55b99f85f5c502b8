/// Iterates over a result from front to back, leaf by leaf. Not thread safe.
package struct ResultCursor {
  private let result: ResultSet
  /// The position of the next result.
  package private(set) var position: Int
  /// The leaves after the current one, for consecutive results in the tree.
  private var leaves: LeafCursor?
  /// Recently used leaves of a sorted result, each at its number modulo the array's length.
  private var recent: [LeafReference?] = []
  /// The leaf of the last key, for results by keys.
  private var last: LeafReference?

  /// The number of leaves of a sorted result that are retained at once.
  private static let recentCountMax = 512

  init(_ result: ResultSet, from position: Int) {
    precondition(position >= 0, "No such result.")
    self.result = result
    self.position = position
  }

  /// The next results that lie in one leaf; nil behind the last result.
  @inline(never)
  package mutating func next() throws(EngineError) -> ResultBatch? {
    guard position < result.count else { return nil }
    try checkCancellation()
    let (leaf, rows) = try rows(from: result.first + position, to: result.first + result.count)
    defer { position += rows.count }
    return ResultBatch(leaf: leaf, rows: rows, position: position)
  }

  /// Moves to another result.
  package mutating func move(to position: Int) {
    guard position != self.position else { return }
    precondition(position >= 0, "No such result.")
    self.position = position
    leaves = nil
  }

  /// The results from an index of the storage on that lie in one leaf.
  private mutating func rows(
    from place: Int, to end: Int
  ) throws(EngineError) -> (LeafReference, LeafRows) {
    switch result.storage {
    case .positions(let start):
      return try contiguousRows(from: start + UInt64(place), count: UInt64(end - place))
    case .keys(let keys): return try keyedRows(keys[place..<end])
    case .sequence(let keys): return try keyedRows(keys.run(from: place, to: end))
    case .leaves(let matches):
      let leaf = matches.leaf(at: place)
      let reference = try LeafReference(matches.edge(leaf), in: result.tree.context)
      return (reference, matches.rows(leaf, at: place..<min(end, matches.start(leaf + 1))))
    case .sorted(let places): return try sortedRows(places, place..<end)
    }
  }

  private mutating func contiguousRows(
    from position: UInt64, count: UInt64
  ) throws(EngineError) -> (LeafReference, LeafRows) {
    var cursor: LeafCursor
    if let leaves { cursor = leaves } else { cursor = try result.tree.leaves(from: position) }
    let before = cursor.position
    guard let leaf = try cursor.next(), position >= before,
      position - before < UInt64(leaf.rowCount)
    else { throw .corrupt(Corruption(.objectCount, tree: result.tree.root.id)) }
    leaves = cursor
    let row = Int(position - before)
    return (leaf, LeafRows(row..<row + Int(min(count, UInt64(leaf.rowCount - row)))))
  }

  /// The rows of the first keys that lie in one leaf.
  private mutating func keyedRows(
    _ keys: ArraySlice<Int64>
  ) throws(EngineError) -> (LeafReference, LeafRows) {
    let (leaf, first) = try place(of: keys[keys.startIndex])
    var end = first + 1
    // Allocates nothing for consecutive rows, or for a single row.
    var rows: [UInt16] = []
    for key in keys.dropFirst() {
      if rows.isEmpty, end < leaf.rowCount, leaf.key(end) == key {
        end += 1
        continue
      }
      guard let row = leaf.row(of: key) else { break }
      if rows.isEmpty { rows = (first..<end).map { UInt16($0) } }
      rows.append(UInt16(row))
    }
    return (leaf, rows.isEmpty ? LeafRows(first..<end) : LeafRows(rows[...]))
  }

  /// The place of an object; ascending keys are often in the leaf of the previous key.
  private mutating func place(of key: Int64) throws(EngineError) -> (LeafReference, row: Int) {
    if let last, let row = last.row(of: key) { return (last, row) }
    let found = try result.find(key)
    last = found.leaf
    return (found.leaf, found.row)
  }

  private mutating func sortedRows(
    _ places: SortedPlaces, _ range: Range<Int>
  ) throws(EngineError) -> (LeafReference, LeafRows) {
    let (leaf, row) = places[range.lowerBound]
    var rows: [UInt16] = []
    for place in range.dropFirst() {
      let next = places[place]
      guard next.leaf == leaf else { break }
      if rows.isEmpty { rows.append(UInt16(row)) }
      rows.append(UInt16(next.row))
    }
    let found = rows.isEmpty ? LeafRows(row..<row + 1) : LeafRows(rows[...])
    let edge = places.edges[leaf]
    if recent.isEmpty {
      recent = Array(repeating: nil, count: min(places.edges.count, Self.recentCountMax))
    }
    let slot = leaf % recent.count
    if let known = recent[slot], known.pointer == edge.pointer { return (known, found) }
    let reference = try LeafReference(edge, in: result.tree.context)
    recent[slot] = reference
    return (reference, found)
  }
}

extension ResultSet {
  /// A cursor before the result at a position.
  package func cursor(from position: Int = 0) -> ResultCursor {
    ResultCursor(self, from: position)
  }
}
