/// What commits changed of rows since the version whose trees there are, each as its record says it.
///
/// A small commit that nobody is likely to read changes no tree: its record makes it durable, and the next transaction finds
/// its rows among those that it has gathered itself. Many such commits are applied to the trees at once, when they are many,
/// when a transaction needs the trees, and at a checkpoint. Who reads the version before that gets trees of their own.
final class UnappliedRows: Sendable {
  /// As in the records, oldest first: of one commit, or of all that there were when the file was opened.
  private let last: [ArraySlice<UInt8>]
  /// What the commits before changed.
  private let earlier: UnappliedRows?

  /// The number of the commits.
  let count: Int

  /// - Parameter last: What records say, oldest first. However many a file has, they are not released one within another.
  private init(_ last: [ArraySlice<UInt8>], after earlier: UnappliedRows?) {
    self.last = last
    self.earlier = earlier
    count = (earlier?.count ?? 0) + last.count
  }

  convenience init(_ bytes: ArraySlice<UInt8>, after earlier: UnappliedRows?) {
    self.init([bytes], after: earlier)
  }

  /// What records say, oldest first; nil for nothing.
  static func of(_ records: [ArraySlice<UInt8>]) -> UnappliedRows? {
    records.isEmpty ? nil : UnappliedRows(records, after: nil)
  }

  /// What the records say, oldest first.
  func records() throws(EngineError) -> [[RecordedRows]] {
    var records: [[RecordedRows]] = []
    var next: UnappliedRows? = self
    while let rows = next {
      for bytes in rows.last.reversed() { records.append(try RecordedRows.all(bytes)) }
      next = rows.earlier
    }
    return records.reversed()
  }

  /// The tables with these changes gathered, on top of the trees of a view.
  ///
  /// - Throws: `.corrupt` where they are no changes of these tables.
  func states(in view: ReadView) throws(EngineError) -> [TableState] {
    var states: [TableState] = []
    var scratch = IndexKey()
    for record in try records() {
      for rows in record {
        let state: TableState
        if let known = states.first(where: { $0.definition.id == rows.table }) {
          state = known
        } else {
          guard let table = view.catalog.table(rows.table) else {
            throw .corrupt(Corruption(.ringRecord))
          }
          state = try TableState(table, view: view)
          states.append(state)
        }
        try state.apply(rows, &scratch)
      }
    }
    for state in states { state.beginRecord() }
    return states
  }

  /// The trees of the version, made for its readers: what they do not have in common with those before lies in memory alone.
  ///
  /// - Parameters:
  ///   - applied: The trees before, of these roots.
  ///   - pin: What keeps their extents.
  func view(
    of version: MetaSlot, over applied: ReadView, _ roots: TreeRoots, pin: any AnyObject & Sendable
  ) throws(EngineError) -> (view: ReadView, roots: TreeRoots) {
    let reader = PageReader(over: applied.reader, transaction: version.transaction)
    let before = try ReadView(catalog: applied.catalog, roots: roots, reader: reader, pin: pin)
    let writer = PageWriter(
      inMemory: reader, transaction: version.transaction, highWater: version.highWater)
    var roots = roots
    for state in try states(in: before) {
      try state.apply(writer)
      state.forEachRoot { roots.update(with: $0) }
    }
    let view = try ReadView(
      catalog: applied.catalog, roots: roots, reader: reader, pin: pin)
    return (view, roots)
  }
}

extension TableState {
  /// Makes the changes of a record, after all that was noted.
  ///
  /// - Throws: `.corrupt` where they are no changes of this table.
  func apply(_ rows: RecordedRows, _ scratch: inout IndexKey) throws(EngineError) {
    let shape = delta.shape
    for key in rows.deletes {
      guard let holder = try holder(of: key) else { throw damaged(key) }
      try remove(key, at: holder, &scratch)
    }
    if !rows.insertedKeys.isEmpty { try insert(rows, &scratch) }
    for (field, changed) in rows.updates {
      guard let position = shape.index(of: field) else { throw damaged(nil) }
      let cell = ColumnBuffer(type: shape.fields[position].type)
      for (key, value) in changed {
        guard canHave(value, position), let holder = try holder(of: key) else {
          throw damaged(key)
        }
        cell.removeAll(keepingCapacity: true)
        cell.append(value)
        try change(position, of: key, at: holder, to: cell, 0, &scratch)
      }
    }
    nextKey = max(1, rows.counter)
  }

  private func insert(_ rows: RecordedRows, _ scratch: inout IndexKey) throws(EngineError) {
    let shape = delta.shape
    guard rows.inserts.map(\.field) == shape.fields.map(\.id) else { throw damaged(nil) }
    let first = delta.batch.count
    for (place, key) in rows.insertedKeys.enumerated() {
      guard try holder(of: key) == nil,
        rows.inserts.indices.allSatisfy({ canHave(rows.inserts[$0].values[place], $0) })
      else { throw damaged(key) }
      if delta.isDeleted(key) { try removeEntriesOfDeleted(key, &scratch) }
      for (position, column) in delta.batch.columns.enumerated() {
        column.append(rows.inserts[position].values[place])
      }
      delta.finishRow(key: key)
    }
    let added = first..<delta.batch.count
    for index in uniqueIndexes {
      for row in added {
        index.add(delta.batch.columns[index.column], row: row, delta.batch.key(row), &scratch)
      }
    }
    addToIndexes(rows: added, &scratch)
    addToTableIndexes(rows: added, isUnique: true, &scratch)
  }

  private func canHave(_ value: Value, _ position: Int) -> Bool {
    value.type.map { $0 == delta.shape.fields[position].type } ?? true
  }

  private func damaged(_ key: Int64?) -> EngineError {
    .corrupt(Corruption(.ringRecord, tree: objects.root.id, keys: key.map { $0...$0 }))
  }
}
