/// One index of a table, not of a single field, as a write transaction sees it.
final class TableIndexState {
  let keys: TableIndexKeys
  /// The index with everything applied so far.
  private(set) var tree: IndexTree
  /// The changes that are not applied yet.
  private(set) var changes = IndexChanges()
  /// Rows of the table's tree that are deleted, or get other rows, and whose entries are removed already.
  var removedKeys: Set<Int64> = []
  /// How the index waits, empty, until it is built; nil if it does not.
  private(set) var deferral: IndexDeferral?

  var index: TableIndex { keys.index }

  /// Whether values are found that are not unique, and must be.
  var checksUnique: Bool { index.isUnique && deferral == nil }

  init?(_ index: TableIndex, of shape: TableShape, tree: IndexTree) {
    guard let keys = TableIndexKeys(index, of: shape) else { return nil }
    self.keys = keys
    self.tree = tree
  }

  /// The memory that the changes take, in bytes.
  var byteCount: Int { changes.byteCount }

  /// Notes that an object has an entry.
  ///
  /// - Parameter hasNull: Whether it may be equal to others in an index of unique values.
  func add(_ value: IndexKey, _ object: Int64, hasNull: Bool = true) {
    guard deferral != .withoutEntries else { return }
    let isNew = deferral != nil && index.isUnique && !hasNull
    value.withView { isNew ? changes.addNew($0, object) : changes.add($0, object) }
    // When the index is built, the error says so.
    if isNew, value.isTruncated { forgetEntries() }
  }

  /// Notes that an object no longer has an entry.
  func remove(_ value: IndexKey, _ object: Int64) {
    guard deferral != .withoutEntries else { return }
    value.withView { changes.remove($0, object) }
  }

  /// An object that has an entry.
  ///
  /// - Parameter isCounted: Whether an entry of the tree counts.
  func first(
    _ value: IndexKey, where isCounted: (Int64) -> Bool
  ) throws(EngineError) -> Int64? {
    try value.withView { (view) throws(EngineError) in
      try changes.first(equal: view, over: tree, where: isCounted)
    }
  }

  /// Applies the changes, unless they wait for the index to be built.
  func apply(_ writer: PageWriter) throws(EngineError) {
    guard deferral == nil, !changes.isEmpty else { return }
    tree = IndexTree(root: try tree.apply(changes, writer: writer), reader: writer.reader)
    changes.removeAll()
  }

  /// Removes the entries of objects from the tree.
  func sweep(
    _ objects: KeySet, _ writer: PageWriter
  ) throws(EngineError) {
    let hasOneEach = index.condition.isEmpty
    let root = try tree.removing(objects, hasOneEach: hasOneEach, writer: writer)
    tree = IndexTree(root: root, reader: writer.reader)
  }

  /// Releases everything that a transaction noted, when it has ended.
  func end() {
    tree = IndexTree(root: tree.root, reader: tree.reader)
    removedKeys = []
    forgetEntries()
    deferral = nil
  }

  /// Begins another transaction after `end()`.
  func begin(with tree: IndexTree) { self.tree = tree }

  // MARK: Waiting

  /// No: a table's index has values of several fields, or of a part of the objects.
  var hasOnlyIntegers: Bool { false }

  /// Whether all entries were gathered, and none may be of no use.
  var maySortHere: Bool { deferral == .gathering && !changes.mayHaveTwins }

  /// Lets the index wait, which is empty.
  ///
  /// - Parameter gathers: Whether the table is empty, so that the entries of what comes are all.
  func beginDeferral(gathers: Bool) { deferral = gathers ? .gathering : .withoutEntries }

  /// Drops the entries that were gathered, if the index waits: it will be built of the objects.
  func forgetEntries() {
    guard deferral == .gathering else { return }
    deferral = .withoutEntries
    changes = IndexChanges()
  }

  /// Takes the entries that were gathered; nil if the index is to be built of the objects.
  func takeEntries() -> IndexChanges? {
    guard deferral == .gathering else { return nil }
    deferral = .withoutEntries
    var taken = IndexChanges()
    swap(&taken, &changes)
    return taken
  }

  /// Takes the tree that was built.
  func endDeferral(with root: TreeRoot) {
    tree = IndexTree(root: root, reader: tree.reader)
    deferral = nil
  }

  /// Restores the index to its state at a savepoint.
  func goBack(to tree: IndexTree) {
    self.tree = tree
    changes.removeAll()
    removedKeys = []
    // Its objects may be others than those whose entries were gathered.
    if deferral != nil { deferral = .withoutEntries }
  }
}

// MARK: The objects of a table in its indexes

extension TableState {
  /// Sets the key of an object's current entry in an index.
  ///
  /// - Parameter new: The cell that a field is about to get instead of what it has, by its place.
  func set(
    _ value: inout IndexKey, of object: Int64, at holder: RowHolder, in index: TableIndexState,
    with new: (_ position: Int) -> (values: ColumnBuffer, row: Int)? = { _ in nil }
  ) throws(EngineError) -> TableIndexKeys.Entry {
    try index.keys.set(&value) { (field, position, target) throws(EngineError) in
      if let cell = new(position) { return target.append(cell.values, row: cell.row) }
      switch holder {
      case .batch(let row): target.append(delta.batch.columns[position], row: row)
      case .leaf(let leaf, let row):
        if let update = delta.updated(position, of: object) {
          target.append(update.values, row: update.row)
        } else {
          try RowPlace.leaf(leaf, row).append(field, to: target)
        }
      }
    }
  }

  /// Removes an object's current entry from an index.
  func removeEntry(
    of object: Int64, at holder: RowHolder, from index: TableIndexState,
    _ scratch: inout IndexKey
  ) throws(EngineError) {
    if try set(&scratch, of: object, at: holder, in: index) != .none {
      index.remove(scratch, object)
    }
  }

  /// Adds an object's current entry to an index.
  func addEntry(
    of object: Int64, at holder: RowHolder, to index: TableIndexState, _ scratch: inout IndexKey
  ) throws(EngineError) {
    if try set(&scratch, of: object, at: holder, in: index) != .none { index.add(scratch, object) }
  }

  /// Notes the entries of rows that came, in indexes of values that must be unique, or in the others and those that wait.
  func addToTableIndexes(
    rows: Range<Int>, isUnique: Bool, _ scratch: inout IndexKey
  ) {
    for index in tableIndexes where index.checksUnique == isUnique {
      for row in rows {
        let entry = index.keys.set(&scratch, delta.batch.columns, row: row)
        guard entry != .none else { continue }
        index.add(scratch, delta.batch.key(row), hasNull: entry == .ofNull)
      }
    }
  }

  /// Notes that a row of the tree is deleted, where it has other entries than its leaf says.
  func removeUpdatedEntries(
    of object: Int64, at holder: RowHolder, _ scratch: inout IndexKey
  ) throws(EngineError) {
    for index in tableIndexes where index.deferral == nil {
      let isUpdated = delta.shape.fields.indices.contains { position in
        index.keys.uses(position) && delta.updated(position, of: object) != nil
      }
      guard isUpdated else { continue }
      try removeEntry(of: object, at: holder, from: index, &scratch)
      index.removedKeys.insert(object)
    }
  }

  /// Removes the entries of a deleted row of the tree at once, because its key gets a row again.
  func removeTableEntries(of object: Int64, _ scratch: inout IndexKey) throws(EngineError) {
    for index in tableIndexes
    where index.deferral == nil && index.removedKeys.insert(object).inserted {
      guard let found = try objects.find(object) else { throw .missingKey(object) }
      if try index.keys.set(&scratch, found.leaf, row: found.row) != .none {
        index.remove(scratch, object)
      }
    }
  }

  /// Removes the entries of rows of the tree that are about to be deleted, whose keys ascend.
  func removeTableEntries(
    of deleted: [Int64], sweptShare: UInt64, _ writer: PageWriter
  ) throws(EngineError) {
    guard !tableIndexes.isEmpty else { return }
    var leaf: LeafReference?
    var scratch = IndexKey()
    for index in tableIndexes where index.deferral == nil {
      let deleted =
        index.removedKeys.isEmpty
        ? deleted : deleted.filter { !index.removedKeys.contains($0) }
      index.removedKeys = []
      if UInt64(deleted.count) * sweptShare >= index.tree.root.count {
        if hasEarlyRows { try index.apply(writer) }
        try index.sweep(KeySet(ascending: deleted), writer)
        continue
      }
      for object in deleted {
        if leaf?.row(of: object) == nil { leaf = try objects.leaf(for: object) }
        guard let leaf, let row = leaf.row(of: object) else { throw .missingKey(object) }
        if try index.keys.set(&scratch, leaf, row: row) != .none { index.remove(scratch, object) }
      }
    }
  }

  /// Whether another object has the entry that an object is about to get in an index of unique values.
  ///
  /// - Parameters:
  ///   - object: The object; nil for a new one.
  ///   - entry: What the key was set to.
  func isTaken(
    _ value: IndexKey, _ entry: TableIndexKeys.Entry, of object: Int64?,
    in index: TableIndexState
  ) throws(EngineError) -> Bool {
    guard entry != .none else { return false }
    guard !value.isTruncated else { throw definition.tooLong(index.index) }
    guard entry == .ofValues else { return false }
    let other = try index.first(value) { !delta.isDeleted($0) }
    return other != nil && other != object
  }
}
