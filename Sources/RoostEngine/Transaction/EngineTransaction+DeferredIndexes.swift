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
      deferredTables.insert(table.id)
      state.deferIndexes()
    }
  }

  /// Builds the indexes that wait.
  ///
  /// - Complexity: Reads the indexed fields of all objects once for each index, and sorts them in memory, in parts if they are
  ///   many; on another thread while it reads those of the next one.
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

  /// Builds the indexes of a table that wait: while the entries of one are gathered, those of the one before are sorted on
  /// another thread.
  private func buildDeferred(of state: TableState) throws(EngineError) {
    var last: (build: IndexBuild, end: (TreeRoot) -> Void)?
    for (rule, end) in state.deferredIndexes {
      let build = try gathered(rule, table: state.definition.id, partBytes: limits.indexBytes)
      let isRefused = build.filler.hasRepetition
      if !isRefused { build.beginSorting(limits) }
      if let last { last.end(try finished(last.build)) }
      last = isRefused ? nil : (build, end)
      if isRefused { end(try finished(build)) }
    }
    if let last { last.end(try finished(last.build)) }
    state.updateUniqueIndexes()
  }
}

extension TableState {
  /// Whether the table has no objects, and none are waiting.
  var hasNoObjects: Bool { objects.root.count == 0 && delta.isEmpty && delta.batch.count == 0 }

  /// Lets the indexes wait, except for those that are looked up while objects are inserted.
  func deferIndexes() {
    for index in indexes
    where !index.field.isIdentifier && !index.field.type.isLink && index.tree.root.count == 0 {
      index.isDeferred = true
    }
    for index in tableIndexes where index.tree.root.count == 0 { index.isDeferred = true }
    updateUniqueIndexes()
  }

  /// The indexes that wait, each with what takes its tree once it is built.
  var deferredIndexes: [(rule: IndexRule, end: (TreeRoot) -> Void)] {
    var waiting: [(rule: IndexRule, end: (TreeRoot) -> Void)] = []
    for index in indexes where index.isDeferred {
      waiting.append((.field(index.field), { index.endDeferral(with: $0) }))
    }
    for index in tableIndexes where index.isDeferred {
      waiting.append((.table(index.keys, definition), { index.endDeferral(with: $0) }))
    }
    return waiting
  }
}
