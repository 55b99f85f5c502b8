/// What commits changed of rows since the version whose trees there are, each as its record says it.
///
/// A small commit that nobody is likely to read changes no tree: its record makes it durable, and the next transaction finds
/// its rows among those that it has gathered itself. Many such commits are applied to the trees at once, when they are many,
/// when a transaction needs the trees, and at a checkpoint. Who reads the version before that gets trees of their own.
final class UnappliedRows: Sendable {
  /// As in the records, oldest first: of one commit, or of all that there were when the file was opened.
  private let last: [ArraySlice<UInt8>]
  /// What the commits before changed.
  let earlier: UnappliedRows?

  /// The number of the commits.
  let count: Int

  /// What the last commits changed, oldest first: those of a few commits, so that who looks for an object goes through fewer
  /// arrays. Nil for what there was when the file was opened.
  let changes: [RecordedChange]?
  /// The last of the commits before those.
  let before: UnappliedRows?
  /// What the last commit says, once somebody has looked one of its objects up.
  private let read = PublishedReference<CommittedRows>()

  private final class CommittedRows: Sendable {
    let tables: [RecordedRows]

    init(_ tables: [RecordedRows]) { self.tables = tables }
  }

  /// How many changes are together in one array, if no commit has more.
  private static let changesTogether = 32

  /// What a commit changed, after those before it.
  ///
  /// - Parameter bytes: As its record says it.
  init(_ bytes: ArraySlice<UInt8>, _ changes: [RecordedChange], after earlier: UnappliedRows?) {
    last = [bytes]
    self.earlier = earlier
    count = (earlier?.count ?? 0) + 1
    var known: [RecordedChange] = []
    var before = earlier
    if let earlier, let changes = earlier.changes, changes.count < Self.changesTogether {
      (known, before) = (changes, earlier.before)
    }
    known.reserveCapacity(known.count + changes.count)
    for var change in changes {
      change.commit = Int32(truncatingIfNeeded: count)
      known.append(change)
    }
    self.changes = known
    self.before = before
  }

  /// However many records a file has, they are not released one within another.
  private init(opened records: [ArraySlice<UInt8>]) {
    last = records
    earlier = nil
    count = records.count
    changes = nil
    before = nil
  }

  /// What records say, oldest first; nil for nothing.
  static func of(_ records: [ArraySlice<UInt8>]) -> UnappliedRows? {
    records.isEmpty ? nil : UnappliedRows(opened: records)
  }

  /// What the last commit changed of a table; nil for nothing.
  func rows(of table: UInt32) throws(EngineError) -> RecordedRows? {
    let rows: CommittedRows
    if let known = read.reference {
      rows = known.object
    } else {
      guard changes != nil, let bytes = last.first else { return nil }
      rows = read.publish(CommittedRows(try RecordedRows.all(bytes)))
    }
    return rows.tables.first { $0.table == table }
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
