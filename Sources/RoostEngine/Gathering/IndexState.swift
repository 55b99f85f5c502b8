/// One index as a write transaction sees it.
final class IndexState {
  let field: FieldDefinition
  /// The field's position among the columns of a batch.
  let column: Int
  /// The index with everything applied so far.
  private(set) var tree: IndexTree
  /// The changes not applied yet, except the entries in `added`, which were added later.
  private(set) var changes = IndexChanges()
  /// Entries of inserted rows, if the values are integers that need not be unique.
  private var added = IntegerEntries()
  private let isOfIntegers: Bool
  /// The targets that links got, for the check that they exist.
  let newTargets = KeyLog()
  /// The number of them kept although their targets exist: a rollback may remove those again.
  var heldTargetCount = 0
  /// Rows of the table's tree that are deleted, or get other rows, and whose entries are removed already.
  var removedKeys: Set<Int64> = []
  /// How the index waits, empty, until it is built; nil if it does not.
  private(set) var deferral: IndexDeferral?

  init(field: FieldDefinition, column: Int, tree: IndexTree) {
    self.field = field
    self.column = column
    self.tree = tree
    isOfIntegers = field.type.physical == .integer && !field.isUnique
  }

  /// Notes that an object has the value of a cell.
  ///
  /// - Parameter scratch: A key to be used for the value.
  func add(_ column: ColumnBuffer, row: Int, _ key: Int64, _ scratch: inout IndexKey) {
    guard deferral != .withoutEntries else { return }
    joinAdded()
    let isNew = deferral != nil && field.isUnique && !column.isNull(row)
    field.forEachIndexKey(column, row: row, &scratch) {
      $0.withView { isNew ? changes.addNew($0, key) : changes.add($0, key) }
    }
    // When the index is built, the error says so.
    if isNew, scratch.isTruncated { forgetEntries() }
    switch field.type {
    case .link: if !column.isNull(row) { newTargets.insert(column.integer(row)) }
    case .links: for target in LinkList.targets(column.bytes(row)) { newTargets.insert(target) }
    default: break
    }
  }

  /// Notes that objects have the values of some rows, in an index whose values need not be unique.
  func add(
    _ column: ColumnBuffer, keys: ColumnBuffer, rows: Range<Int>, _ scratch: inout IndexKey
  ) {
    guard deferral != .withoutEntries else { return }
    guard isOfIntegers else {
      for row in rows { add(column, row: row, keys.integer(row), &scratch) }
      return
    }
    added.add(column, keys: keys, rows: rows)
  }

  /// Releases everything that a transaction noted, when it has ended.
  func end() {
    tree = IndexTree(root: tree.root, reader: tree.reader)
    newTargets.removeAll()
    removedKeys = []
    endDeferral()
  }

  /// Restores the index to its state at a savepoint.
  func goBack(to tree: IndexTree) {
    self.tree = tree
    changes.removeAll()
    added = IntegerEntries()
    removedKeys = []
    // Its objects may be others than those whose entries were gathered.
    if deferral != nil { deferral = .withoutEntries }
  }

  /// Begins another transaction after `end()`.
  func begin(with tree: IndexTree) { self.tree = tree }

  // MARK: Waiting

  /// Lets the index wait, which is empty.
  ///
  /// - Parameter gathers: Whether the table is empty, so that the entries of what comes are all.
  func beginDeferral(gathers: Bool) { deferral = gathers ? .gathering : .withoutEntries }

  /// Drops the entries that were gathered, if the index waits: it will be built of the objects.
  func forgetEntries() {
    guard deferral == .gathering else { return }
    deferral = .withoutEntries
    changes = IndexChanges()
    added = IntegerEntries()
  }

  /// Takes the entries that were gathered; nil if the index is to be built of the objects.
  func takeEntries() -> IndexChanges? {
    guard deferral == .gathering else { return nil }
    deferral = .withoutEntries
    joinAdded()
    var taken = IndexChanges()
    swap(&taken, &changes)
    return taken
  }

  /// Whether the index waits, and all its entries are integers.
  var hasOnlyIntegers: Bool { deferral == .gathering && changes.isEmpty && added.count > 0 }

  /// Whether all entries were gathered, and none may be of no use.
  var maySortHere: Bool { deferral == .gathering && !changes.mayHaveTwins }

  /// Builds the index, if it waits and all its entries are integers, which takes no other thread.
  func buildIfOfIntegers(_ writer: PageWriter) throws(EngineError) {
    guard hasOnlyIntegers else { return }
    deferral = nil
    try apply(writer)
  }

  /// Takes the tree that was built.
  func endDeferral(with root: TreeRoot) {
    tree = IndexTree(root: root, reader: tree.reader)
    deferral = nil
  }

  private func endDeferral() {
    forgetEntries()
    deferral = nil
  }

  // MARK: Changes

  /// The memory that the changes take, in bytes.
  var byteCount: Int { changes.byteCount + added.byteCount }

  /// Lets all changes be in one list, so that the next one follows them.
  private func joinAdded() {
    guard added.count > 0 else { return }
    noteTargets()
    added.move(to: &changes)
  }

  /// Notes the targets of all links that were added.
  func noteAddedTargets() { joinAdded() }

  /// Forgets the targets of links that need no check.
  func forgetTargets() {
    joinAdded()
    newTargets.removeAll()
  }

  private func noteTargets() {
    guard field.type == .link else { return }
    added.forEachRunOfValues { newTargets.insert($0) }
  }

  /// Notes that an object no longer has the value of a cell.
  ///
  /// - Parameter scratch: A key to be used for the value.
  func remove(_ column: ColumnBuffer, row: Int, _ key: Int64, _ scratch: inout IndexKey) {
    guard deferral != .withoutEntries else { return }
    joinAdded()
    field.forEachIndexKey(column, row: row, &scratch) { $0.withView { changes.remove($0, key) } }
  }

  /// Notes that an object no longer has its value in a leaf.
  ///
  /// - Parameter scratch: A key to be used for the value.
  func remove(
    _ leaf: LeafReference, row: Int, _ key: Int64, _ scratch: inout IndexKey
  ) throws(EngineError) {
    guard deferral != .withoutEntries else { return }
    joinAdded()
    try field.forEachIndexKey(leaf, row: row, &scratch) { $0.withView { changes.remove($0, key) } }
  }

  /// Notes which links were removed from an object's list, and which were added.
  ///
  /// - Parameter scratch: A key to be used for them.
  func change(
    _ old: [Int64], to new: [Int64], of key: Int64, _ scratch: inout IndexKey
  ) {
    joinAdded()
    LinkList.forEachDifference(from: old, to: new) { target, occurrence, isAddition in
      scratch.set(target, occurrence: occurrence)
      scratch.withView { isAddition ? changes.add($0, key) : changes.remove($0, key) }
      if isAddition { newTargets.insert(target) }
    }
  }

  /// Notes that a list of an object has one more link to a target.
  ///
  /// - Parameter scratch: A key to be used for it.
  func addLink(
    to target: Int64, of key: Int64, _ scratch: inout IndexKey
  ) throws(EngineError) {
    joinAdded()
    scratch.set(target, occurrence: try linkCount(to: target, of: key, &scratch))
    scratch.withView { changes.add($0, key) }
    newTargets.insert(target)
  }

  /// Notes that a list of an object, which has a link to a target, has one less.
  ///
  /// - Parameter scratch: A key to be used for it.
  func removeLink(
    to target: Int64, of key: Int64, _ scratch: inout IndexKey
  ) throws(EngineError) {
    joinAdded()
    let count = try linkCount(to: target, of: key, &scratch)
    guard count > 0 else {
      throw .corrupt(Corruption(.indexEntry, tree: tree.root.id, keys: key...key))
    }
    scratch.set(target, occurrence: count - 1)
    scratch.withView { changes.remove($0, key) }
  }

  /// The number of links to a target in an object's list: twice the logarithm of that many lookups.
  private func linkCount(
    to target: Int64, of key: Int64, _ scratch: inout IndexKey
  ) throws(EngineError) -> UInt64 {
    func has(_ occurrence: UInt64) throws(EngineError) -> Bool {
      scratch.set(target, occurrence: occurrence)
      return try scratch.withView { (value) throws(EngineError) in
        if let isThere = changes.lastChange(of: value, key) { return isThere }
        return try tree.contains(value, key)
      }
    }
    // The count lies from `low` to `high`.
    var (low, high): (UInt64, UInt64) = (0, 0)
    while try has(high) {
      low = high + 1
      high = low * 2
    }
    while low < high {
      let middle = (low + high) / 2
      if try has(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Removes the entries of objects from the tree.
  func sweep(
    _ keys: KeySet, _ writer: PageWriter
  ) throws(EngineError) {
    let root = try tree.removing(keys, hasOneEach: field.type != .links, writer: writer)
    tree = IndexTree(root: root, reader: writer.reader)
  }

  /// Whether so few changes wait that a value is looked up among them rather than applying them.
  var hasFewChanges: Bool { added.count <= Self.lookedThroughMax }

  private static let lookedThroughMax = 256

  /// Gives the keys that have a value to `body`, with what was noted: in the tree, also those of deleted rows.
  func visit(_ value: IndexKey, _ body: (Int64) -> Void) throws(EngineError) {
    joinAdded()
    try value.withView { view throws(EngineError) in
      var changed: Set<Int64> = []
      changes.visit(view) { key, isAddition in
        if changed.insert(key).inserted, isAddition { body(key) }
        return true
      }
      try tree.visit(equal: view) { (run) throws(EngineError) in
        for key in run where !changed.contains(key) { body(key) }
        return true
      }
    }
  }

  /// Applies the changes, unless they wait for the index to be built.
  func apply(_ writer: PageWriter) throws(EngineError) {
    guard deferral == nil else { return }
    if changes.isEmpty, added.count > Self.changedOneByOneMax {
      let run = try IndexRun(&added, tree: tree.root.id)
      noteTargets()
      tree = IndexTree(root: try tree.apply(run, writer: writer), reader: writer.reader)
      added = IntegerEntries()
      return
    }
    joinAdded()
    guard !changes.isEmpty else { return }
    tree = IndexTree(root: try tree.apply(changes, writer: writer), reader: writer.reader)
    changes.removeAll()
  }

  /// So few entries are left to ``IndexChanges``, which has a way of its own for them.
  private static let changedOneByOneMax = 2
}

/// How an index waits, empty, until it is built.
enum IndexDeferral {
  /// Its entries are gathered with each object that is inserted.
  case gathering
  /// They were too many, or not all are known: it will be built of the objects.
  case withoutEntries
}
