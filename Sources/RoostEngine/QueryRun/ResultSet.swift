/// The objects that a query found, in order: immutable, usable from any thread.
///
/// It stores the places of the objects and retains the version, but no bytes of leaves: a leaf is acquired
/// on request, which may throw. Later versions do not change a result.
package struct ResultSet: Sendable {
  /// The places of the results.
  enum Storage: Sendable {
    /// Consecutive objects of the tree, from this position on.
    case positions(UInt64)
    /// Objects by their keys.
    case keys([Int64])
    /// Objects by their keys, for results that are kept up to date.
    case sequence(KeySequence)
    /// Rows of leaves, in key order.
    case leaves(LeafMatches)
    /// Rows of leaves in any order.
    case sorted(SortedPlaces)
  }

  /// The number of objects.
  package let count: Int
  let tree: ObjectTree
  let storage: Storage
  /// The index of the first object in the storage.
  let first: Int

  /// The part of a storage that a window selects.
  init(_ tree: ObjectTree, _ storage: Storage, window: Range<Int>) {
    self.tree = tree
    self.storage = storage
    first = window.lowerBound
    count = window.count
  }

  /// Whether the objects are stored by their keys: each is then looked up separately.
  package var isByKeys: Bool {
    switch storage {
    case .keys, .sequence: true
    case .positions, .leaves, .sorted: false
    }
  }
  /// Whether there are no objects.
  package var isEmpty: Bool { count == 0 }
  /// The fields of the table.
  package var shape: TableShape { tree.shape }

  /// The place of the object at a position.
  ///
  /// Acquires the leaf: for many consecutive objects use ``cursor(from:)`` or ``forEachLeaf(_:)``.
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

  /// The object of an index entry, which must exist.
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

  /// Passes the results to `body` in order, all consecutive results in one leaf at a time.
  ///
  /// The leaf may be kept while the results are retained, and its columns while the leaf is. A sorted result
  /// usually passes one row at a time.
  package func forEachLeaf(
    _ body: (LeafReference, LeafRows) throws(EngineError) -> Void
  ) throws(EngineError) {
    var cursor = cursor()
    while let batch = try cursor.next() { try body(batch.leaf, batch.rows) }
  }

  /// The next results from a position whose leaves the tree has in memory, as many as `rows` has room for.
  ///
  /// For results by keys, which usually lie in different leaves. Does no reference counting: the tree, and so
  /// the result, retains the leaves.
  /// - Returns: The number of results. 0 if a cursor must be used: for other results, or if a leaf
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
  /// The objects of a table with the given keys, which must exist, in the given order.
  ///
  /// - Throws: `.unknownTable` where there is no such table.
  package func objects(_ keys: [Int64], in table: UInt32) throws(EngineError) -> ResultSet {
    ResultSet(try objects(table), .keys(keys), window: 0..<keys.count)
  }
}

/// Consecutive results that lie in one leaf.
package struct ResultBatch: Sendable {
  /// The leaf, retained; retain the results while using it.
  package let leaf: LeafReference
  /// The rows, in the order of the results.
  package let rows: LeafRows
  /// The position of the first row among the results.
  package let position: Int
}
