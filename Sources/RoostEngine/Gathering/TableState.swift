/// One table as a write transaction sees it: its trees so far, and the changes not applied to them yet.
final class TableState {
  let definition: TableDefinition
  let delta: TableDelta
  /// The object tree with everything applied so far.
  private(set) var objects: ObjectTree
  /// The indexes, in the order of their fields.
  let indexes: [IndexState]
  /// The fields whose values must be unique, except for those whose indexes wait.
  private(set) var uniqueIndexes: [IndexState]
  /// The indexes of links.
  let linkIndexes: [IndexState]
  /// The indexes that are not of a single field.
  let tableIndexes: [TableIndexState]
  /// Whether some values must be unique, besides the object key.
  private(set) var hasUniqueValues: Bool
  /// The index of the identifier, where the object keys are surrogates.
  let identifierIndex: IndexState?
  /// For each field of the shape whether it may be null.
  let isOptional: [Bool]
  /// Identifiers that links asked for before their objects were there, with the keys they will get.
  var reserved: [[UInt8]: Int64] = [:]
  /// The next surrogate key, or the next number that may be given to an object.
  var nextKey: UInt64
  /// What it was when the running transaction began.
  private var earlierNextKey: UInt64
  /// The object keys that were deleted, for the check of the links to them, also of those that have objects again;
  /// empty where no link denies that.
  private(set) var deletedKeys: Set<Int64> = []
  private let isDenied: Bool
  /// The links into the table whose rule says what a deletion does.
  let inboundLinks: [InboundLink]
  /// The keys of deleted objects whose rules are not followed yet.
  private let unfollowedKeys = KeyLog()
  /// How much gathers before some of it is applied.
  var limits = WriteBufferLimits() { didSet { linkChecksMax = limits.linkChecks } }
  /// More deleted keys and new targets than this are looked through.
  private var linkChecksMax = WriteBufferLimits().linkChecks
  /// Whether rows were applied whose indexes' entries may still wait.
  private(set) var hasEarlyRows = false
  /// The highest object key in the tree, once it was asked for.
  private(set) var knownLastKey: Int64?
  /// The keys of the objects that were changed in the tree; nil where there are many.
  private(set) var touchedKeys: [Int64]? = []

  /// The place of the field that notes when a row was written, where the table has one.
  private let writeTimePosition: Int?
  /// What rows get there when this transaction writes them; nil where it notes nothing.
  private(set) var writeTime: WriteTime?

  init(_ definition: TableDefinition, view: ReadView) throws(EngineError) {
    self.definition = definition
    objects = try view.objects(definition.id)
    delta = TableDelta(shape: objects.shape)
    nextKey = max(1, objects.root.counter)
    earlierNextKey = nextKey
    let shape = objects.shape
    let links = view.catalog.links(into: definition.id)
    isDenied = links.contains { $0.field.deleteRule == .deny }
    inboundLinks = links.filter { $0.field.deleteRule != .deny }
      .map { InboundLink(table: $0.table.id, field: $0.field.id, rule: $0.field.deleteRule) }
    isOptional = shape.fields.map { definition.field($0.id)?.isOptional ?? false }
    writeTimePosition = shape.fields.firstIndex(where: \.isWriteTime)
    var indexes: [IndexState] = []
    for field in definition.fields where field.indexTree != 0 {
      guard let column = shape.index(of: field.id) else { continue }
      indexes.append(IndexState(field: field, column: column, tree: try view.index(field)))
    }
    self.indexes = indexes
    uniqueIndexes = indexes.filter(\.field.isUnique)
    linkIndexes = indexes.filter { $0.field.type.isLink }
    identifierIndex = indexes.first { $0.field.isIdentifier }
    var tableIndexes: [TableIndexState] = []
    for index in definition.indexes {
      let tree = try view.index(tree: index.tree)
      if let state = TableIndexState(index, of: shape, tree: tree) { tableIndexes.append(state) }
    }
    self.tableIndexes = tableIndexes
    hasUniqueValues = !uniqueIndexes.isEmpty || tableIndexes.contains { $0.index.isUnique }
  }

  /// Notes which unique indexes are asked when an object is inserted.
  func updateUniqueIndexes() {
    uniqueIndexes = indexes.filter { $0.field.isUnique && $0.deferral == nil }
    hasUniqueValues =
      !uniqueIndexes.isEmpty || tableIndexes.contains(where: \.checksUnique)
  }

  /// Releases everything that a transaction read and noted, when it has ended.
  func end() {
    // The tree that the transaction began from holds its version, and one that was read holds what was.
    if objects.isPinned || !objects.nodes.isEmpty {
      objects = ObjectTree(root: objects.root, changing: objects)
    }
    for index in indexes { index.end() }
    for index in tableIndexes { index.end() }
    reserved = [:]
    deletedKeys = []
    hasEarlyRows = false
    linkChecksMax = limits.linkChecks
    knownLastKey = nil
  }

  /// Begins another transaction after `end()`, where the tables and fields are the same.
  func begin(with view: ReadView) throws(EngineError) {
    objects = try view.objects(definition.id)
    nextKey = max(1, objects.root.counter)
    beginRecord()
    for index in indexes { try index.begin(with: view.index(index.field)) }
    for index in tableIndexes { try index.begin(with: view.index(tree: index.index.tree)) }
  }

  // MARK: Records

  /// Lets what the next transaction changes begin here, behind what those before it have left to be applied.
  func beginRecord() {
    delta.beginRecord()
    earlierNextKey = nextKey
    touchedKeys = []
    for index in linkIndexes { index.forgetTargets() }
  }

  /// Whether the transaction has changed anything; what it has noted of links is no change.
  var hasChanged: Bool {
    !delta.isWhole || delta.hasRecordedChanges || nextKey != earlierNextKey
  }

  /// Whether what transactions before the running one have changed is not all applied.
  var hasGathered: Bool { delta.changeCount > 0 || nextKey != max(1, objects.root.counter) }

  /// Whether a record of rows may have what the transaction changed: it has applied none of that, and nothing is noted that
  /// only it can look at.
  var mayRecordRows: Bool {
    // The time of a transaction is noted when its changes are applied.
    delta.isWhole && writeTimePosition == nil && delta.changeCount <= Self.recordedChangesMax
      && delta.byteCount <= Self.recordedBytesMax
      && reserved.isEmpty && deletedKeys.isEmpty && unfollowedKeys.isEmpty
      && indexes.allSatisfy { $0.deferral == nil }
      && tableIndexes.allSatisfy { $0.deferral == nil }
  }

  /// Of more, no record is tried. What earlier transactions left counts, too.
  private static let recordedChangesMax = 4096
  private static let recordedBytesMax = 1 << 20

  /// Whether the transaction may leave its changes here, to be applied later: they are no more than a few.
  func mayLeaveChanges(_ leaving: ChangeLeaving) -> Bool {
    delta.changeCount <= leaving.values && delta.rowCount <= leaving.rows
      && delta.byteCount <= leaving.bytes
  }

  /// Writes what the transaction has changed, without new values that a row has already.
  ///
  /// - Returns: Whether it could.
  func record(to writer: inout RowWriter) throws(EngineError) -> Bool {
    writer.begin(definition.id)
    writer.append(nextKey)
    if nextKey != earlierNextKey { writer.changeCount += 1 }
    return try delta.record(to: &writer) { (position, key, values, row) throws(EngineError) in
      guard let found = try objects.find(key) else { return false }
      return try found.leaf.hasSame(
        delta.shape.fields[position].id, row: found.row, as: values, row)
    }
  }

  /// The units of leaves that applying what has gathered writes anew at most, about: each row may lie in a leaf of its own, and
  /// so may each of its entries.
  var unitsToApply: Int {
    delta.changeCount * (1 + indexes.count + tableIndexes.count) * Self.unitsOfLeaf
  }

  /// The same, if the values of a row lie in one leaf: what applying writes anew, of a few rows.
  var unitsOfRows: Int {
    delta.rowCount * (1 + indexes.count + tableIndexes.count) * Self.unitsOfLeaf
  }

  /// The units of values that get extents of their own then, at most: none is shorter than a quarter of a unit.
  var unitsOfValues: Int { delta.byteCount / (Unit.bytes / 8) }

  private static let unitsOfLeaf = 4

  /// Notes this time with each row that is written from now on, if the table has a field for it; nil for none.
  func noteWrites(at time: Double?) {
    guard time != writeTime?.time else { return }
    writeTime = time.flatMap { time in
      writeTimePosition.map { WriteTime(time, at: $0, delta.shape.fields[$0]) }
    }
  }

  /// Notes that a row of the tree is written, even if none of its values changes.
  func noteWrite(of key: Int64) {
    if let writeTime { delta.update(writeTime.position, of: key, to: writeTime.cell, 0) }
  }

  /// Notes that the rows are written whose cells were appended.
  func noteWrites(ofNew rows: Range<Int>) {
    guard let writeTime else { return }
    let column = delta.batch.columns[writeTime.position]
    for row in rows { column.set(row, writeTime.time) }
  }

  /// Restores the table to its state at a savepoint.
  ///
  /// Keys that were taken are not assigned again, and the notes for the link checks stay.
  func goBack(to view: ReadView) throws(EngineError) {
    objects = try view.objects(definition.id)
    for index in indexes { try index.goBack(to: view.index(index.field)) }
    for index in tableIndexes { try index.goBack(to: view.index(tree: index.index.tree)) }
    delta.forget()
    unfollowedKeys.removeAll()
    knownLastKey = nil
    hasEarlyRows = false
  }

  /// Whether its memory use is small.
  var isSmall: Bool { delta.changeCountMax <= Self.keptChangesMax }

  private static let keptChangesMax = 256

  /// The name of the table, for errors.
  var name: String { definition.name }
  /// The index of a field.
  func index(of field: FieldID) -> IndexState? { indexes.first { $0.field.id == field } }

  /// The index of the field at a place of the shape.
  func index(column: Int) -> IndexState? {
    for index in indexes where index.column == column { return index }
    return nil
  }

  /// The indexes of the table that use the field at a place of the shape.
  func tableIndexes(using position: Int) -> [TableIndexState] {
    tableIndexes.isEmpty ? [] : tableIndexes.filter { $0.keys.uses(position) }
  }

  /// Whether a row of the tree has this key, and was not deleted.
  func isStored(_ key: Int64) throws(EngineError) -> Bool {
    if let knownLastKey, key > knownLastKey { return false }
    guard !delta.isDeleted(key) else { return false }
    return try objects.contains(key)
  }

  /// Gives the roots, with everything that was noted applied, to `body`.
  func forEachRoot(_ body: (TreeRoot) -> Void) {
    var root = objects.root
    root.counter = nextKey
    body(root)
    for index in indexes { body(index.tree.root) }
    for index in tableIndexes { body(index.tree.root) }
  }

  /// Whether keys ascend from above the key of every object on.
  func ascends(_ keys: ColumnBuffer) throws(EngineError) -> Bool {
    guard delta.isAscending, keys.count > 0 else { return false }
    var previous = keys.integer(0)
    if knownLastKey == nil { knownLastKey = try objects.last()?.key }
    if let knownLastKey, previous <= knownLastKey { return false }
    let waiting = delta.batch.count
    if waiting > 0, previous <= delta.batch.key(waiting - 1) { return false }
    for row in 1..<keys.count {
      let key = keys.integer(row)
      if key <= previous { return false }
      previous = key
    }
    return true
  }

  /// Takes numbers for the identifiers of objects; returns the first.
  func takeNumbers(_ count: UInt64, max limit: UInt64) throws(EngineError) -> UInt64 {
    guard let type = definition.identifier?.type, type.canBeObjectKey else {
      throw .wrongType(table: name, field: definition.identifier?.name ?? "")
    }
    // Objects may be older than the giving of numbers.
    if knownLastKey == nil { knownLastKey = try objects.last()?.key }
    if let knownLastKey { noteNumber(type.number(ofObjectKey: knownLastKey)) }
    if let gathered = delta.highestEarlierKey { noteNumber(type.number(ofObjectKey: gathered)) }
    let first = nextKey
    let (end, overflows) = first.addingReportingOverflow(count)
    guard !overflows, end - 1 <= limit else {
      throw .limit(EngineLimit(.objectNumber, limit, in: name))
    }
    nextKey = end
    return first
  }

  /// Ensures that a number is not assigned.
  func noteNumber(_ number: UInt64) {
    // The highest of all stays the next one: it is beyond every limit.
    nextKey = max(nextKey, number == .max ? .max : number + 1)
  }

  /// Takes in rows whose cells were appended, as far as their keys are known to be new and nothing is asked of
  /// their values; returns the place of the first other one.
  func takeInNewRows(_ keys: ColumnBuffer, from first: Int) throws(EngineError) -> Int {
    guard !hasUniqueValues else { return first }
    if knownLastKey == nil { knownLastKey = try objects.last()?.key }
    return delta.finishRows(new: keys, from: first, behind: knownLastKey)
  }

  /// Notes that an object is deleted, whose entries in the indexes are dealt with.
  func didDelete(_ key: Int64) {
    if isDenied { deletedKeys.insert(key) }
    if !inboundLinks.isEmpty { unfollowedKeys.append(key) }
  }

  /// Hands over the keys of deleted objects whose rules are pending, ascending.
  func takeUnfollowedKeys() -> [Int64] {
    defer { unfollowedKeys.removeAll() }
    return unfollowedKeys.sorted().keys
  }

  /// The number of deleted objects whose rules are pending.
  var unfollowedCount: Int { unfollowedKeys.count }

  /// The identifier of an object, where links may lead to it still when a rule has deleted it; else nil.
  func identifierOfDenied(_ holder: RowHolder) throws(EngineError) -> Value? {
    guard isDenied, let identifier = identifierIndex else { return nil }
    switch holder {
    case .batch(let row): return delta.batch.columns[identifier.column].value(row)
    case .leaf(let leaf, let row):
      // The identifier of an object never changes.
      return try RowPlace.leaf(leaf, row).value(of: identifier.field.id)
    }
  }

  /// Whether so much is noted for the check of links that what is sound should be forgotten.
  var hasManyLinkChecks: Bool { linkCheckCount > linkChecksMax }

  private var linkCheckCount: Int {
    var count = deletedKeys.count
    for index in linkIndexes { count += index.newTargets.count }
    return count
  }

  /// Keeps the new targets that are noted so far, until it is called again with false.
  func holdLinkChecks(_ isHeld: Bool) {
    for index in linkIndexes { index.heldTargetCount = isHeld ? index.newTargets.count : 0 }
  }

  /// Forgets the deleted keys and the new targets that need no check.
  ///
  /// - Parameters:
  ///   - isLinked: Whether some link leads to a deleted object; nil where all deleted keys stay.
  ///   - exists: Whether the target of an index's link is there.
  func forgetLinkChecks(
    unless isLinked: ((Int64) throws(EngineError) -> Bool)?,
    orExists exists: (IndexState, Int64) throws(EngineError) -> Bool
  ) throws(EngineError) {
    if let isLinked {
      for key in Array(deletedKeys).ascending() where try !isLinked(key) { deletedKeys.remove(key) }
    }
    for index in linkIndexes {
      let noted = (0..<index.newTargets.count).map(index.newTargets.keys.integer)
      let held = noted.prefix(index.heldTargetCount)
      index.newTargets.removeAll()
      for target in held { index.newTargets.append(target) }
      for target in Array(noted.dropFirst(held.count)).ascending() where try !exists(index, target)
      {
        index.newTargets.append(target)
      }
    }
    linkChecksMax = max(limits.linkChecks, linkCheckCount * 2)
  }

  /// What is noted of links and keys, for a state that is made anew when fields change; nil for nothing.
  var linkChecks: LinkChecks? {
    var checks = LinkChecks(reserved: reserved, deletedKeys: deletedKeys)
    for index in linkIndexes where !index.newTargets.isEmpty {
      checks.newTargets[index.field.id] = index.newTargets.sorted().keys
    }
    return checks.isEmpty ? nil : checks
  }

  /// Takes over what the state before it had noted.
  func add(_ checks: LinkChecks) {
    reserved = checks.reserved
    if let last = reserved.values.max() { nextKey = max(nextKey, UInt64(last) + 1) }
    deletedKeys = checks.deletedKeys
    for index in linkIndexes {
      for target in checks.newTargets[index.field.id] ?? [] { index.newTargets.append(target) }
    }
  }

  /// Whether a field of an object has another value than a cell, or may have: one that was changed twice counts.
  func differs(
    _ position: Int, of key: Int64, at holder: RowHolder, from cells: ColumnBuffer, _ cell: Int
  ) throws(EngineError) -> Bool {
    switch holder {
    case .batch(let row):
      return !delta.batch.columns[position].isIdentical(row, to: cells, row: cell)
    case .leaf(let leaf, let row):
      let field = delta.shape.fields[position].id
      return try !leaf.hasSame(field, row: row, as: cells, cell)
        || delta.updated(position, of: key) != nil
    }
  }

  /// Notes the values of rows that came in the indexes of fields that need not be unique, and in those that wait.
  func addToIndexes(rows: Range<Int>, _ scratch: inout IndexKey) {
    for index in indexes where !index.field.isUnique || index.deferral != nil {
      index.add(delta.batch.columns[index.column], keys: delta.batch.keys, rows: rows, &scratch)
    }
    addToTableIndexes(rows: rows, isUnique: false, &scratch)
  }

  /// Whether so much has gathered that some of it should be applied.
  var isLarge: Bool {
    hasManyChanges || indexes.contains { $0.byteCount > limits.indexBytes }
      || tableIndexes.contains { $0.byteCount > limits.indexBytes }
  }

  private var hasManyChanges: Bool {
    let bytesMax = delta.onlyAppends ? limits.ascendingBytes : limits.scatteredBytes
    return delta.byteCount > bytesMax || delta.changeCount > limits.changes
  }

  /// Applies the gathered changes if they are large.
  func applyIfLarge(_ writer: PageWriter) throws(EngineError) {
    if hasManyChanges {
      try applyObjects(writer)
      hasEarlyRows = true
    }
    for index in indexes where index.byteCount > limits.indexBytes {
      try index.apply(writer)
    }
    for index in tableIndexes where index.byteCount > limits.indexBytes {
      try index.apply(writer)
    }
  }

  /// Applies everything to the trees.
  func apply(_ writer: PageWriter) throws(EngineError) {
    try applyObjects(writer)
    for index in indexes { try index.apply(writer) }
    for index in tableIndexes { try index.apply(writer) }
    hasEarlyRows = false
  }

  private func applyObjects(_ writer: PageWriter) throws(EngineError) {
    guard !delta.isEmpty else { return }
    var changes = delta.takeChanges()
    if !changes.deletes.isEmpty { try removeEntries(of: changes.deletes, writer) }
    try changes.dropUnchanged(in: objects)
    if let writeTime { changes.note(writeTime) }
    changes.appendKeys(to: &touchedKeys)
    objects = ObjectTree(
      root: try objects.apply(changes, writer: writer), changing: objects)
    knownLastKey = nil
    delta.didApply()
  }

  // MARK: Entries of deleted rows

  // A row of the tree that is deleted keeps its entries in the indexes until the delta is applied: then
  // each is looked up, or each index is gone through once and left without them.

  /// Notes that a row of the tree is deleted.
  func deleteStored(
    _ key: Int64, at holder: RowHolder, _ scratch: inout IndexKey
  ) throws(EngineError) {
    try removeUpdatedEntries(of: key, at: holder, &scratch)
    for index in indexes where index.deferral == nil {
      // The entry of the old value was removed when the field got a new value.
      guard let update = delta.updated(index.column, of: key) else { continue }
      index.remove(update.values, row: update.row, key, &scratch)
      index.removedKeys.insert(key)
    }
    delta.delete(key)
  }

  /// Removes the entries of a deleted row of the tree at once, because its key gets a row again.
  func removeEntriesOfDeleted(_ key: Int64, _ scratch: inout IndexKey) throws(EngineError) {
    for index in indexes where index.deferral == nil && index.removedKeys.insert(key).inserted {
      guard let found = try objects.find(key) else { throw .missingKey(key) }
      try index.remove(found.leaf, row: found.row, key, &scratch)
    }
    try removeTableEntries(of: key, &scratch)
  }

  /// Removes the entries of rows of the tree that are about to be deleted, whose keys ascend.
  private func removeEntries(of keys: [Int64], _ writer: PageWriter) throws(EngineError) {
    var leaf: LeafReference?
    var scratch = IndexKey()
    for index in indexes where index.deferral == nil {
      let keys =
        index.removedKeys.isEmpty ? keys : keys.filter { !index.removedKeys.contains($0) }
      index.removedKeys = []
      if UInt64(keys.count) * Self.sweptShare >= index.tree.root.count {
        if hasEarlyRows { try index.apply(writer) }
        try index.sweep(KeySet(ascending: keys), writer)
        continue
      }
      for key in keys {
        if leaf?.row(of: key) == nil { leaf = try objects.leaf(for: key) }
        guard let leaf, let row = leaf.row(of: key) else { throw .missingKey(key) }
        try index.remove(leaf, row: row, key, &scratch)
      }
    }
    try removeTableEntries(of: keys, sweptShare: Self.sweptShare, writer)
  }

  /// An index is scanned if the deleted rows times this are at least its entries.
  private static let sweptShare: UInt64 = 16

  /// Whether an object has this key; the key is one that a row of the tree had, or has.
  func isLive(_ key: Int64) -> Bool { !delta.isDeleted(key) || delta.insertedRow(key) != nil }

  /// An object that has the value, with what was noted.
  func first(_ value: IndexKey, in index: IndexState) throws(EngineError) -> Int64? {
    try value.withView { view throws(EngineError) in
      try index.changes.first(equal: view, over: index.tree) { !delta.isDeleted($0) }
    }
  }
}

/// When a transaction writes, for the field of a table that notes it.
struct WriteTime {
  let time: Double
  /// The field's place in the table's shape.
  let position: Int
  let field: FieldID
  /// The time as the only cell of a column.
  let cell: ColumnBuffer

  init(_ time: Double, at position: Int, _ field: TableField) {
    self.time = time
    self.position = position
    self.field = field.id
    cell = ColumnBuffer(type: .double)
    cell.append(time)
  }
}

extension TableChanges {
  /// Gives all rows that get new values the time of it, too.
  fileprivate mutating func note(_ time: WriteTime) {
    guard !updates.isEmpty else { return }
    let keys = updates.flatMap(\.keys).ascending().withoutRepetitions
    updates.removeAll { $0.field == time.field }
    let place = updates.firstIndex { $0.field > time.field } ?? updates.endIndex
    updates.insert(
      FieldUpdates(
        field: time.field, keys: keys, rows: [Int32](repeating: 0, count: keys.count),
        values: time.cell), at: place)
  }
}

/// A link into a table, and what becomes of it when its target is deleted.
struct InboundLink {
  let table: UInt32
  let field: FieldID
  let rule: ReferentialAction
}

/// What the commit must look at of a table's links, whatever becomes of its fields until then.
struct LinkChecks {
  /// See ``TableState/reserved``.
  var reserved: [[UInt8]: Int64]
  var deletedKeys: Set<Int64>
  /// The targets that links got, by their fields.
  var newTargets: [FieldID: [Int64]] = [:]

  var isEmpty: Bool { reserved.isEmpty && deletedKeys.isEmpty && newTargets.isEmpty }
}
