/// A point of a write transaction to which it can roll back.
package struct Savepoint: ~Copyable {
  /// The number of savepoints, including this one.
  fileprivate let depth: Int
}

/// The single write transaction: sees its own changes, and commits all of them or none.
///
/// Used only by the thread that began it: on other threads each operation throws `.foreignThread`. An error of
/// a single operation (a duplicate key, a missing object) leaves the transaction as it was before that operation; a
/// full disk or a damaged page rolls it back. After its end every operation throws `.transactionEnded`.
package final class EngineTransaction {
  private let engine: Engine
  /// The thread that began it; other threads may read only this field.
  private let thread = ThreadIdentity.current
  /// The version that it began from.
  let base: Version
  package let writer: PageWriter
  /// The tables and fields, with this transaction's changes.
  package var catalog: Catalog
  private var catalogHasChanged = false
  /// Whether a table without a state may differ from the base version.
  private var tablesHaveChanged = false
  /// The tables that were touched, by their numbers.
  private(set) var states: [TableState] = []
  /// The state that was used last: it is mostly used again.
  private var lastState: (table: UInt32, state: TableState)?
  /// The link checks of dropped states, by table.
  private var linkChecks: [UInt32: LinkChecks] = [:]
  /// The tables whose indexes wait until ``buildDeferredIndexes()``.
  var deferredTables: Set<UInt32> = []
  /// Deletions whose delete rules have not been applied yet.
  var pendingDeletions = PendingDeletions()
  /// The value that was edited in place last.
  var openValue: OpenValue?
  /// Roots of trees that were changed outside a table's state, and of removed trees.
  package var changedRoots = TreeRoots()
  var removedTrees: [UInt32] = []
  /// The named versions after this transaction; nil if unchanged.
  var named: [NamedVersion]?
  /// The state to restore at each savepoint, oldest first.
  private var savedStates: [SavedState] = []
  /// The current operations over many objects, each nested in the one before.
  var undoLogs: [UndoLog] = []
  /// The innermost of them, while it notes each change.
  var notingLog: UndoLog?
  /// The number of changes of tables or fields.
  private var catalogChangeCount = 0
  /// That number when an operation kept its link checks; nil if no operation keeps them.
  private var heldCatalogCount: Int?
  private var hasEnded = false
  /// The write time of its rows, for tables that note it: seconds since 2001. Set before anything is written; nil
  /// if it is not to be noted.
  package var writeTime: Double?
  /// The limits of changes gathered in memory. Set before anything is written.
  package var limits = WriteBufferLimits() {
    didSet { for state in states { state.limits = limits } }
  }
  /// Reused, so that a key needs no allocation.
  var scratchKey = IndexKey()
  /// Whether it has begun to change a table. What was gathered before it is not given back then: an error, or a value that is
  /// still open, may have left entries in an index.
  var hasBegunChanges = false
  /// Whether its commit may leave the trees as they are.
  var mayLeaveChanges = true

  /// - Parameter gathered: The tables with changes that are not applied to the trees of the base.
  init(engine: Engine, base: Version, writer: PageWriter, gathered: [TableState]) {
    self.engine = engine
    self.base = base
    self.writer = writer
    catalog = base.catalog
    states = gathered.ascending { Int($0.definition.id) }
  }

  deinit {
    if !hasEnded { endUncommitted() }
  }

  /// The transaction's number: the number of the version that its commit makes.
  package var number: UInt64 { writer.transaction }

  /// See ``Version/modelsEpoch``; of the version that it began from.
  package var modelsEpoch: UInt64 { base.modelsEpoch }

  /// The number of the version that it began from.
  package var baseNumber: UInt64 { base.transaction }

  /// Throws after the transaction's end, and on another thread.
  @inline(__always)
  package func checkIsOpen() throws(EngineError) {
    guard isOfThisThread else { throw .foreignThread }
    guard !hasEnded else { throw .transactionEnded }
  }

  /// Whether the calling thread is the one that began the transaction.
  @inline(__always)
  private var isOfThisThread: Bool { thread == .current }

  /// A table's state, made when the table is first touched; whatever deletions and open values it waits for.
  func state(_ table: UInt32) throws(EngineError) -> TableState {
    try checkIsOpen()
    if let lastState, lastState.table == table { return lastState.state }
    let state: TableState
    if let known = states.first(where: { $0.definition.id == table }) {
      state = known
    } else {
      guard let definition = catalog.table(table) else { throw .unknownTable(name: "\(table)") }
      // As long as no table or field changed, an untouched table is as the last version has it.
      if !tablesHaveChanged, let spare = engine.takeSpareState(table) {
        try spare.begin(with: base.applied)
        state = spare
      } else {
        state = try TableState(
          definition, view: tablesHaveChanged ? try currentView() : base.applied)
      }
      state.limits = limits
      if deferredTables.contains(table) { state.deferIndexes() }
      if let checks = linkChecks.removeValue(forKey: table) { state.add(checks) }
      state.noteWrites(at: writeTime)
      let place = states.firstIndex { $0.definition.id > table } ?? states.count
      states.insert(state, at: place)
    }
    lastState = (table, state)
    return state
  }

  /// Everything as this transaction sees it; applies the gathered changes first.
  ///
  /// - Complexity: What gathered since the last time. Reading single objects needs no view.
  package func view() throws(EngineError) -> ReadView {
    try checkIsOpen()
    try buildDeferredIndexes()
    try followDeletes()
    try applyAll()
    return try currentView()
  }

  private func applyAll() throws(EngineError) {
    try applying { () throws(EngineError) in
      for state in states { try state.apply(writer) }
    }
  }

  /// Applies a table's gathered changes if they are large.
  func applyIfLarge(_ state: TableState) throws(EngineError) {
    let isLargeAndWaits = !deferredTables.isEmpty && state.isLarge
    if notingLog != nil, state.isLarge {
      try beginSavepointOfUndoLog()
    } else {
      try applying { () throws(EngineError) in try state.applyIfLarge(writer) }
    }
    if isLargeAndWaits { boundGatheredEntries() }
    guard notingLog == nil, state.hasManyLinkChecks else { return }
    // After a rollback to a savepoint a link may be broken again: what was noted before it stays.
    let isInOperation = heldCatalogCount == catalogChangeCount && savedStates.count == 1
    guard savedStates.allSatisfy(\.onlyReads) || isInOperation else { return }
    try applying { () throws(EngineError) in
      try forgetSoundLinks(state, keepsDeleted: isInOperation)
    }
  }

  /// Lets what is noted of links so far stay noted while an operation goes on with a savepoint, which began just now.
  func holdLinkChecks() {
    // Within other savepoints everything stays.
    guard savedStates.count == 1, linkChecks.isEmpty else { return }
    heldCatalogCount = catalogChangeCount
    for state in states { state.holdLinkChecks(true) }
  }

  /// Lets it be forgotten again.
  func releaseLinkChecks() {
    guard heldCatalogCount != nil else { return }
    heldCatalogCount = nil
    for state in states { state.holdLinkChecks(false) }
  }

  /// Applies changes to the trees; an error ends the transaction, which is rolled back.
  ///
  /// Some of what had gathered may be applied then and some lost, so it must never be committed.
  func applying(_ changes: () throws(EngineError) -> Void) throws(EngineError) {
    do { try changes() } catch {
      hasBegunChanges = true
      rollback()
      throw error
    }
  }

  /// The view of the applied changes.
  private func currentView() throws(EngineError) -> ReadView {
    try view(of: currentRoots())
  }

  private func view(of roots: TreeRoots) throws(EngineError) -> ReadView {
    try ReadView(catalog: catalog, roots: roots, reader: writer.reader, pin: nil)
  }

  func currentRoots() -> TreeRoots {
    var roots = base.appliedRoots
    for id in removedTrees { roots.remove(id) }
    for root in changedRoots.all { roots.update(with: root) }
    for state in states {
      state.forEachRoot { roots.update(with: $0) }
    }
    guard catalogHasChanged else { return roots }
    // Added tables and indexes are empty.
    for tree in catalog.trees where roots[tree.id] == nil {
      roots.update(with: TreeRoot(empty: tree.id, kind: tree.kind))
    }
    return roots
  }

  /// The roots that the version after this transaction has instead of those before, by their trees.
  private func rootsThatChanged() -> [TreeRoot] {
    var roots = catalogHasChanged ? currentRoots() : changedRoots
    for state in states { state.forEachRoot { roots.update(with: $0) } }
    return roots.subtracting(base.appliedRoots).all
  }

  /// Notes that tables or fields changed; the states of the tables are made anew.
  package func catalogDidChange() throws(EngineError) {
    try checkIsOpen()
    try buildDeferredIndexes()
    try beginSavepointOfUndoLog()
    writer.onlyDeletes = false
    try followDeletes()
    try applyAll()
    for state in states { state.forEachRoot { changedRoots.update(with: $0) } }
    forgetStates()
    catalogHasChanged = true
    tablesHaveChanged = true
  }

  /// Notes that the roots of tables were changed outside their states, which are made anew.
  func tablesDidChange() {
    forgetStates()
    openValue = nil
    tablesHaveChanged = true
  }

  /// Lets the states of all tables be made anew, with what they have noted of links.
  private func forgetStates() {
    for state in states {
      if let checks = state.linkChecks { linkChecks[state.definition.id] = checks }
    }
    states = []
    lastState = nil
    catalogChangeCount += 1
    pendingDeletions.catalogDidChange()
  }

  // MARK: Savepoints

  /// What the transaction was at a savepoint. What it has noted for the checks of the links stays noted
  /// after a rollback: they look again at what is there.
  private struct SavedState {
    let roots: TreeRoots
    let removedTrees: [UInt32]
    let catalog: Catalog
    let catalogChangeCount: Int
    let named: [NamedVersion]?
    /// Whether it is there for what reads the trees as they are, and is never gone back to.
    let onlyReads: Bool
  }

  /// A point of the transaction to which it can roll back.
  ///
  /// End it by ``release(_:)`` or ``rollback(to:)``; the commit releases what is left. Savepoints within
  /// savepoints end with them.
  ///
  /// Cost: what gathered is applied to the trees, and until its end units that the transaction wrote before
  /// are not written again. So it is for parts of a transaction, not for each of a million objects.
  package func savepoint() throws(EngineError) -> Savepoint {
    // A rollback would empty indexes that were built after it.
    try buildDeferredIndexes()
    return try savepoint(onlyReads: false)
  }

  /// A savepoint that may be there for reading alone: what the trees lie in stays until it is released.
  func savepoint(onlyReads: Bool) throws(EngineError) -> Savepoint {
    try checkIsOpen()
    try beginSavepointOfUndoLog()
    try followDeletes()
    try applyAll()
    savedStates.append(
      SavedState(
        roots: currentRoots(), removedTrees: removedTrees, catalog: catalog,
        catalogChangeCount: catalogChangeCount, named: named, onlyReads: onlyReads))
    writer.beginSavepoint()
    return Savepoint(depth: savedStates.count)
  }

  /// Ends a savepoint and keeps the changes since. Does nothing after the transaction's end, and on another thread.
  package func release(_ savepoint: consuming Savepoint) {
    guard isOfThisThread else { return }
    while !hasEnded, savedStates.count >= savepoint.depth {
      savedStates.removeLast()
      writer.releaseSavepoint()
    }
  }

  /// Ends a savepoint and undoes the changes since. Does nothing after the transaction's end: the error that
  /// ended it has undone everything.
  ///
  /// Cost: what was written since; nothing is read or written.
  package func rollback(to savepoint: consuming Savepoint) throws(EngineError) {
    guard isOfThisThread else { throw .foreignThread }
    var last: SavedState?
    while !hasEnded, savedStates.count >= savepoint.depth {
      last = savedStates.removeLast()
      writer.rollbackToSavepoint()
    }
    guard let last else { return }
    openValue = nil
    pendingDeletions.forgetUnfollowed()
    removedTrees = last.removedTrees
    named = last.named
    writer.setBase(base.transaction, isNamed: namesBase)
    changedRoots = last.roots.subtracting(base.appliedRoots)
    if last.catalogChangeCount != catalogChangeCount {
      forgetStates()
      catalog = last.catalog
      linkChecks = linkChecks.filter { catalog.table($0.key) != nil }
    } else {
      let view = try view(of: last.roots)
      try applying { () throws(EngineError) in
        for state in states { try state.goBack(to: view) }
      }
    }
  }

  /// Checks all links that this transaction may have broken.
  func checkLinks() throws(EngineError) {
    if !linkChecks.isEmpty {
      for table in Array(linkChecks.keys).ascending(by: { Int($0) })
      where catalog.table(table) != nil {
        _ = try state(table)
      }
    }
    try checkLinks(states)
  }

  /// Checks the links and makes everything durable; the transaction has ended, also after an error.
  ///
  /// After an error nothing of it is in the file.
  package func commit(_ durability: SyncPolicy = .full) throws(EngineError) {
    try stage(durability)?.makeDurable()
  }

  /// The first half of ``commit(_:)``: ends the transaction and lets the next one begin, from this one.
  ///
  /// - Returns: The other half; nil where there is nothing to wait for.
  package func stage(_ durability: SyncPolicy) throws(EngineError) -> PendingCommit? {
    try checkIsOpen()
    release(Savepoint(depth: 1))
    if let pending = try stageRows(durability) { return pending }
    var outcome = Committer.Outcome(
      base: base, catalog: catalogHasChanged ? catalog : nil, catalogPointer: .null,
      catalogLength: 0)
    do {
      try buildDeferredIndexes()
      try followDeletes()
      try applyAll()
      try checkLinks()
      try applyAll()
      outcome.roots = rootsThatChanged()
      outcome.removedTrees = removedTrees.filter { base.appliedRoots[$0] != nil }
      (outcome.catalogPointer, outcome.catalogLength) = try writeCatalog()
    } catch {
      rollback()
      throw error
    }
    hasEnded = true
    // Tables that were restored have changed otherwise, too; and what is applied with it may be what others changed.
    for state in states where !tablesHaveChanged && base.unapplied == nil {
      guard let keys = state.touchedKeys else { continue }
      outcome.touched.append(WriteSet(table: state.definition.id, keys: keys))
    }
    outcome.named = named
    outcome.changesModels =
      catalogHasChanged && catalog.modelTables != base.catalog.modelTables
    guard
      !outcome.roots.isEmpty || !outcome.removedTrees.isEmpty || catalogHasChanged || named != nil
        || base.unapplied != nil
    else {
      engine.rollback(writer)
      // The version that it read may not be durable yet.
      return durability == .relaxed ? nil : PendingCommit(nil, of: engine)
    }
    outcome.states = states.filter(\.isSmall)
    states = []
    lastState = nil
    return try engine.stage(writer, outcome, durability)
  }

  /// Commits a few changes by a record of the rows. They are applied to the trees then, unless nobody is likely to read them
  /// soon.
  ///
  /// - Returns: Nil where a record has to say what changed in the trees; what must be made durable yet, as ``stage(_:)`` does.
  private func stageRows(_ durability: SyncPolicy) throws(EngineError) -> PendingCommit?? {
    do { return try stageFewRows(durability) } catch {
      rollback()
      throw error
    }
  }

  private func stageFewRows(_ durability: SyncPolicy) throws(EngineError) -> PendingCommit?? {
    guard mayLeaveChanges, !catalogHasChanged, !tablesHaveChanged, named == nil, writer.isUntouched,
      linkChecks.isEmpty, deferredTables.isEmpty
    else { return nil }
    try followDeletes()
    guard writer.isUntouched else { return nil }
    guard states.contains(where: \.hasChanged) else {
      return base.unapplied == nil ? nil : .some(endUnchanged(durability))
    }
    let leavesThem =
      engine.leaving(after: base).map { leaving in
        base.unapplied?.count ?? 0 < leaving.commits
          && states.allSatisfy { $0.mayLeaveChanges(leaving) }
      } ?? false
    // What others left is applied with the differences of its pages, or written out: the file would grow for more of it.
    let appliesThem = base.unapplied == nil && engine.mayApplyRecordedRows
    guard engine.mayRecordRows(after: base, durability), leavesThem || appliesThem,
      states.allSatisfy(\.mayRecordRows),
      try hasSoundLinks(), let rows = try record()
    else { return nil }
    if rows.changeCount == 0 { return .some(endUnchanged(durability)) }
    hasEnded = true
    let staged = try engine.stage(
      rows, of: writer, states, after: base, durability, leavesThem: leavesThem)
    guard let staged else {
      hasEnded = false
      return nil
    }
    states = []
    lastState = nil
    return .some(staged)
  }

  private func endUnchanged(_ durability: SyncPolicy) -> PendingCommit? {
    hasEnded = true
    engine.rollback(writer, unchanged: states, of: base)
    // The version that it read may not be durable yet.
    return durability == .relaxed ? nil : PendingCommit(nil, of: engine)
  }

  /// What the transaction has changed, for a record; nil where a record cannot say it.
  private func record() throws(EngineError) -> RowWriter? {
    var writer = RowWriter()
    let changed = states.filter(\.hasChanged)
    writer.append(count: changed.count)
    for state in changed { guard try state.record(to: &writer) else { return nil } }
    return writer
  }

  /// Forgets everything; does nothing when the transaction has ended, and on another thread.
  package func rollback() {
    guard isOfThisThread, !hasEnded else { return }
    hasEnded = true
    endUncommitted()
  }

  private func endUncommitted() {
    guard !hasBegunChanges, writer.isUntouched, !tablesHaveChanged,
      !states.contains(where: \.hasChanged)
    else {
      return engine.rollback(writer)
    }
    engine.rollback(writer, unchanged: states, of: base)
  }

  private func writeCatalog() throws(EngineError) -> (ExtentPointer, UInt64) {
    let old = (pointer: base.slot.catalog, length: base.slot.catalogLength)
    guard catalogHasChanged else { return old }
    if !old.pointer.isNull {
      try writer.freeValue(old.pointer, length: old.length, parentBirth: base.transaction)
    }
    let bytes = catalog.encoded()
    guard bytes.count <= Catalog.bytesMax else {
      throw .limit(EngineLimit(.catalogBytes, Catalog.bytesMax))
    }
    let pointer = try bytes.withByteView { (bytes) throws(EngineError) in
      try writer.writeValue(bytes)
    }
    return (pointer, UInt64(bytes.count))
  }
}
