/// The objects that a query found, in order: immutable, to be used from any thread.
///
/// It says where the objects are and holds the version, but no bytes of leaves: a leaf is acquired when
/// it is asked for, and may throw then. Later versions do not change a result.
package struct ResultSet: Sendable {
  /// Where results are.
  enum Storage: Sendable {
    /// Objects that follow one another in the tree, from this position on.
    case positions(UInt64)
    /// Objects by their keys.
    case keys([Int64])
    /// Objects by their keys, of results that are kept up to date.
    case sequence(KeySequence)
    /// Rows of leaves, in the order of keys.
    case leaves(LeafMatches)
    /// Rows of leaves in any order.
    case sorted(SortedPlaces)
  }

  /// How many objects there are.
  package let count: Int
  let tree: ObjectTree
  let storage: Storage
  /// The place in the storage of the first object.
  let first: Int

  /// The part of a storage that a window leaves.
  init(_ tree: ObjectTree, _ storage: Storage, window: Range<Int>) {
    self.tree = tree
    self.storage = storage
    first = window.lowerBound
    count = window.count
  }

  /// Whether the objects are known by their keys: each is then looked for by itself.
  package var isByKeys: Bool {
    switch storage {
    case .keys, .sequence: true
    case .positions, .leaves, .sorted: false
    }
  }
  /// Whether there is no object.
  package var isEmpty: Bool { count == 0 }
  /// The fields of the table.
  package var shape: TableShape { tree.shape }

  /// Where the object at a position is.
  ///
  /// Acquires the leaf: for many objects in a row use ``cursor(from:)`` or ``forEachLeaf(_:)``.
  package func place(at position: Int) throws(EngineError) -> LeafRow {
    precondition(position >= 0 && position < count, "No such result.")
    let place = first + position
    switch storage {
    case .positions(let start):
      guard let found = try tree.object(at: start + UInt64(place)) else {
        throw .corrupt(Corruption(.objectCount, tree: tree.root.id))
      }
      return found
    case .keys(let keys): return try find(keys[place])
    case .sequence(let keys): return try find(keys[place])
    case .leaves(let matches):
      let leaf = matches.leaf(at: place)
      return LeafRow(
        leaf: try LeafReference(matches.edge(leaf), in: tree.context),
        row: matches.row(at: place, in: leaf), context: tree.context)
    case .sorted(let places):
      let (leaf, row) = places[place]
      return LeafRow(
        leaf: try LeafReference(places.edges[leaf], in: tree.context), row: row,
        context: tree.context)
    }
  }

  /// The object key of the object at a position.
  package func key(at position: Int) throws(EngineError) -> Int64 {
    precondition(position >= 0 && position < count, "No such result.")
    switch storage {
    case .keys(let keys): return keys[first + position]
    case .sequence(let keys): return keys[first + position]
    case .positions, .leaves, .sorted: return try place(at: position).key
    }
  }

  /// The object of an index entry, which must be there.
  func find(_ key: Int64) throws(EngineError) -> LeafRow {
    guard let found = try tree.find(key) else {
      throw .corrupt(Corruption(.indexEntry, tree: tree.root.id, keys: key...key))
    }
    return found
  }

  /// The object keys, in order.
  package func keys() throws(EngineError) -> [Int64] {
    switch storage {
    case .keys(let keys): return Array(keys[first..<first + count])
    case .sequence(let keys): return keys.keys(first..<first + count)
    case .positions, .leaves, .sorted: break
    }
    var keys: [Int64] = []
    keys.reserveCapacity(count)
    try forEachLeaf { (leaf, rows) throws(EngineError) in
      for row in rows { keys.append(leaf.key(row)) }
    }
    return keys
  }

  /// Gives the results to `body` in order, as many at a time as lie in one leaf.
  ///
  /// The leaf may be kept as long as the results are, and its columns while it is. A sorted result has
  /// mostly one row at a time.
  package func forEachLeaf(
    _ body: (LeafReference, LeafRows) throws(EngineError) -> Void
  ) throws(EngineError) {
    var cursor = cursor()
    while let batch = try cursor.next() { try body(batch.leaf, batch.rows) }
  }

  /// Results from a position on whose leaves the tree has in memory, as many as there is room for.
  ///
  /// For results by keys, which mostly lie in a leaf each. Counts no references: the leaves are held by the
  /// tree, and so by the results.
  /// - Returns: How many there are. None where a cursor is to be asked: for other results, and where a leaf
  ///   must be read or lacks a key.
  /// - Throws: `.cancelled` when the task was cancelled.
  package func held(
    from position: Int, into rows: UnsafeMutableBufferPointer<CachedRow>
  ) throws(EngineError) -> Int {
    guard case .keys(let keys) = storage else { return 0 }
    try checkCancellation()
    let end = min(count, position + rows.count)
    return unsafe tree.nodes.find(keys[first + position..<first + end], rows)
  }

}

extension ReadView {
  /// The objects of a table with some keys, which are there, in their order.
  ///
  /// - Throws: `.unknownTable` where there is no such table.
  package func objects(_ keys: [Int64], in table: UInt32) throws(EngineError) -> ResultSet {
    ResultSet(try objects(table), .keys(keys), window: 0..<keys.count)
  }
}

/// Results that follow one another and lie in one leaf.
package struct ResultBatch: Sendable {
  /// The leaf, which is held; the results are to be held while it is used.
  package let leaf: LeafReference
  /// The rows, in the order of the results.
  package let rows: LeafRows
  /// The position of the first of them among the results.
  package let position: Int
}
