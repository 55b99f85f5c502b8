/// Indexes that are built in one pass after many objects were inserted, instead of growing with each.
extension EngineTransaction {
  /// Lets the indexes of tables without objects wait until ``buildDeferredIndexes()``, except for those of identifiers and links.
  ///
  /// For a transaction that inserts many objects: reading by queries, deletions, savepoints and the commit build them first.
  /// Until then no value is found not to be unique.
  package func deferIndexes() throws(EngineError) {
    for table in catalog.tables
    where !table.indexes.isEmpty || table.fields.contains(where: { $0.indexTree != 0 }) {
      let state = try settledState(table.id)
      guard state.hasNoObjects else { continue }
      hasBegunChanges = true
      deferredTables.insert(table.id)
      state.deferIndexes()
    }
  }

  /// Builds the indexes that wait.
  ///
  /// - Complexity: Sorts the entries in memory, in parts if they are many; those of one index on another thread while the one
  ///   before is written. Where they were too many to be gathered with the objects, these are read once for each index.
  /// - Throws: `.duplicate` and `.tooLong` for values that must be unique and cannot be; the transaction has ended then.
  package func buildDeferredIndexes() throws(EngineError) {
    guard !deferredTables.isEmpty else { return }
    try checkIsOpen()
    let tables = Array(deferredTables).ascending(by: { Int($0) })
    deferredTables = []
    try applying { () throws(EngineError) in
      for table in tables {
        let state = try settledState(table)
        // What is built reads the objects.
        try state.apply(writer)
        try buildDeferred(of: state)
      }
    }
  }

  /// Builds the indexes of a table that wait: those of unique values in their order, of which the error names the first, then
  /// those with the most entries. While these are sorted on another thread, this one writes those that are sorted, and builds
  /// some of few entries.
  private func buildDeferred(of state: TableState) throws(EngineError) {
    let all = state.waitingIndexes.filter { !$0.index.hasOnlyIntegers }
    // The last one is next.
    var waiting =
      all.filter { !$0.rule.isUnique }.ascending { $0.index.byteCount }
      + all.filter(\.rule.isUnique).reversed()
    var last: (build: IndexBuild, index: any WaitingIndex)?
    while let (rule, index) = waiting.popLast() {
      var bytes = index.byteCount
      let build = try gathered(rule, of: state, index)
      build.beginSorting(limits)
      for index in state.indexes { try index.buildIfOfIntegers(writer) }
      // Entries of as many bytes take about as long.
      while let (rule, index) = waiting.first, index.maySortHere, index.byteCount <= bytes {
        bytes -= index.byteCount
        waiting.removeFirst()
        index.endDeferral(with: try finished(try gathered(rule, of: state, index)))
      }
      if let last { last.index.endDeferral(with: try finished(last.build)) }
      last = (build, index)
    }
    if let last { last.index.endDeferral(with: try finished(last.build)) }
    for index in state.indexes { try index.buildIfOfIntegers(writer) }
    state.updateUniqueIndexes()
  }

  private func gathered(
    _ rule: IndexRule, of state: TableState, _ index: any WaitingIndex
  ) throws(EngineError) -> IndexBuild {
    try gathered(
      rule, table: state.definition.id, partBytes: limits.indexBytes, index.takeEntries())
  }

  /// Forgets the entries of the indexes with the most, where all that was gathered takes more memory than one index may.
  func boundGatheredEntries() {
    var byteCount = gatheredBytes
    let largestFirst = gatheringIndexes.ascending { -$0.byteCount }
    for index in largestFirst where byteCount > limits.indexBytes {
      byteCount -= index.byteCount
      index.forgetEntries()
    }
  }

  /// The memory of all entries that were gathered for indexes that wait, in bytes.
  package var gatheredBytes: Int { gatheringIndexes.reduce(0) { $0 + $1.byteCount } }

  private var gatheringIndexes: [any WaitingIndex] { states.flatMap(\.waitingIndexes).map(\.index) }
}

/// An index that waits, empty, until it is built.
protocol WaitingIndex: AnyObject {
  /// The memory of the entries that were gathered, in bytes.
  var byteCount: Int { get }
  /// Whether all entries were gathered and are integers, which are sorted in no time.
  var hasOnlyIntegers: Bool { get }
  /// Whether all entries were gathered, and none may be of no use.
  var maySortHere: Bool { get }
  /// Takes the entries that were gathered; nil if the index is to be built of the objects.
  func takeEntries() -> IndexChanges?
  /// Drops the entries that were gathered: the index will be built of the objects.
  func forgetEntries()
  /// Takes the tree that was built.
  func endDeferral(with root: TreeRoot)
}

extension IndexState: WaitingIndex {}
extension TableIndexState: WaitingIndex {}

extension TableState {
  /// Whether the table has no objects, and none are waiting.
  var hasNoObjects: Bool { objects.root.count == 0 && delta.isEmpty && delta.batch.count == 0 }

  /// Lets the indexes wait, except for those that are looked up while objects are inserted.
  func deferIndexes() {
    let isComplete = hasNoObjects
    for index in indexes
    where !index.field.isIdentifier && !index.field.type.isLink && index.tree.root.count == 0 {
      index.beginDeferral(gathers: isComplete)
    }
    for index in tableIndexes where index.tree.root.count == 0 {
      index.beginDeferral(gathers: isComplete)
    }
    updateUniqueIndexes()
  }

  /// The indexes that wait.
  var waitingIndexes: [(rule: IndexRule, index: any WaitingIndex)] {
    var waiting: [(rule: IndexRule, index: any WaitingIndex)] = []
    for index in indexes where index.deferral != nil {
      waiting.append((.field(index.field), index))
    }
    for index in tableIndexes where index.deferral != nil {
      waiting.append((.table(index.keys, definition), index))
    }
    return waiting
  }
}
