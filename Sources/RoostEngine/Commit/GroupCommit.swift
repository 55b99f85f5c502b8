internal import Dispatch
import Synchronization

/// Makes staged versions durable: one slot and one sync for all that were staged meanwhile (Format.md §7).
///
/// A transaction is staged under the write lock, and made durable outside it: during a sync the next
/// transactions write. The next thread to get the turn writes the slot of the newest version, so that its
/// sync covers all versions before it; those never get their own slot. Readers see a version when it is
/// durable, but a ``SyncPolicy/relaxed`` version at once. (Group commit: Gawlick, Kinkade,
/// "Varieties of concurrency control in IMS/VS Fast Path", 1985.)
final class GroupCommit: Sendable {
  private let file: any StorageFile
  private let reader: PageReader
  private let ring: Ring
  private let newest: NewestVersion
  private let writeLock: WriteLock
  private let state: Mutex<State>
  private let rotation: Mutex<SlotRotation>
  /// Schedules the syncs of versions that no caller waits for.
  private let timer: any SyncTimer
  private let dueSyncs = DueSyncs()

  private struct State {
    /// The newest durable version.
    var durable: CommitState
    /// The newest staged version: the next transaction begins from it.
    var staged: CommitState
    /// The version that readers see.
    var published: UInt64
    /// The version of the confirmed slot: recovery would begin from it.
    var confirmed: SlottedVersion
    /// The version whose slot the sync under way covers.
    var covered: SlottedVersion?
    /// The last versions whose slots were written and are not confirmed: recovery may begin from any.
    var unconfirmed: [UInt64] = []
    /// The newest version whose slot was written.
    var slotWritten: UInt64
    /// Up to this version, extents are synced before a slot is written.
    var syncedFirst: UInt64 = 0
    /// Whether a thread has its turn to sync: one at a time has.
    var isLed = false
    /// The version whose record is being made durable, as a turn that nobody has taken yet.
    var begun: CommitState?
    /// Those that wait until a version is durable, or for their turn.
    var waiters: [(transaction: UInt64, wake: DispatchSemaphore)] = []
    /// The number of staged transactions that do not know their outcome yet.
    var waiting = 0
    /// Why staged versions were dropped, for waiting transactions that do not know it yet.
    var failures: [(transactions: ClosedRange<UInt64>, error: EngineError)] = []
    /// Whether the file's name is surely durable. The process that made the file, or replaced it with a compacted copy, may
    /// have died before it was.
    var hasDurableName = false
    /// A sync failed, or a failed commit could not be taken back: nothing more is written.
    var refusesWrites = false
    /// The scheduled sync that no caller waits for.
    var due = DueSync.none

    /// The versions whose extents must be kept though no reader may see them, in any order, and some more than once.
    var protected: [UInt64] {
      var versions: [UInt64] = []
      versions.reserveCapacity(4 + unconfirmed.count)
      versions.append(durable.transaction)
      versions.append(confirmed.transaction)
      versions.append(staged.slotted.transaction)
      if let covered { versions.append(covered.transaction) }
      versions.append(contentsOf: unconfirmed)
      return versions
    }

    /// Whether a staged version is durable, or was dropped.
    func hasEnded(_ transaction: UInt64) -> Bool {
      durable.transaction >= transaction || staged.transaction <= durable.transaction
        || failures.contains { $0.transactions.contains(transaction) }
    }
  }

  private enum DueSync {
    case none, soon, now
  }

  /// The maximum that recovery reads, in bytes: before more are written to a slot's versions, they are synced.
  private static let unverifiedBytesMax = 4 << 20
  /// A sync that no caller waits for begins when this many bytes wait for it.
  private static let unsyncedBytes = 1 << 20
  /// Otherwise it begins after this time.
  private static let syncDelayMilliseconds = 20

  /// - Parameters:
  ///   - newest: Where versions are published.
  ///   - writeLock: Under which versions are staged.
  ///   - timer: When versions that nobody waits for are synced.
  init(
    slots: SlotStore, slotTransactions: [UInt64], from state: CommitState, reader: PageReader,
    newest: NewestVersion, writeLock: WriteLock, timer: any SyncTimer
  ) {
    file = slots.file
    self.reader = reader
    ring = Ring(file: slots.file, tail: state.slotted.place)
    self.timer = timer
    rotation = Mutex(
      SlotRotation(slots, transactions: slotTransactions, confirmed: state.slotted.transaction))
    self.newest = newest
    self.writeLock = writeLock
    self.state = Mutex(
      State(
        durable: state, staged: state, published: state.transaction, confirmed: state.slotted,
        slotWritten: state.slotted.transaction))
    dueSyncs.begin(for: self)
  }

  /// No reader sees the versions that are staged from now on.
  func endPublishing() { state.withLock { $0.published = .max } }

  /// Returns when no scheduled sync runs or will run; then none of them holds the file any more.
  func end() { dueSyncs.end() }

  // MARK: Staging, under the write lock

  /// The version that a transaction begins from, and those whose extents must be kept though no reader may see them: the
  /// newest durable version, and those that recovery may begin from.
  func base() throws(EngineError) -> (staged: CommitState, protected: [UInt64]) {
    let (base, protected, refuses) = state.withLock { state in
      (state.staged, state.protected, state.refusesWrites)
    }
    guard !refuses else { throw .writesRefused }
    return (base, protected)
  }

  /// The versions that ``base()`` gives.
  var protected: [UInt64] { state.withLock { $0.protected } }

  /// The newest durable version, and the version of the confirmed slot.
  var durable: (newest: UInt64, confirmed: UInt64) {
    state.withLock { ($0.durable.transaction, $0.confirmed.transaction) }
  }

  /// The newest staged version. Also used without the write lock.
  var newestStaged: CommitState { state.withLock { $0.staged } }

  /// Lets the next transaction begin from a version whose extents are in the file.
  ///
  /// - Returns: Whether ``makeDurable(_:)`` must follow: the version is neither durable nor published.
  func stage(_ next: CommitState, _ durability: SyncPolicy) throws(EngineError) -> Bool {
    let (unverified, refuses) = state.withLock { state in
      let mayBeUnsynced = state.durable.transaction >= state.syncedFirst
      let unverified = next.writtenBytes - state.confirmed.writtenBytes
      return (mayBeUnsynced ? unverified : .max, state.refusesWrites)
    }
    guard !refuses else { throw .writesRefused }
    guard durability == .relaxed, unverified <= Self.unverifiedBytesMax else {
      state.withLock { state in
        state.staged = next
        state.waiting += 1
        if durability == .paranoid { state.syncedFirst = next.transaction }
      }
      return true
    }
    // The process may crash from here on.
    try writeSlot(of: next.slotted, pagesWereSynced: false, isCovered: false)
    state.withLock { state in
      state.unconfirmed = state.unconfirmed.suffix(MetaSlot.count - 1) + [next.transaction]
      publishUnsynced(next, &state)
    }
    return false
  }

  /// Lets the next transaction begin from a version whose changes are a record of the ring: the last that can fail is writing
  /// it.
  ///
  /// - Parameters:
  ///   - place: Where the record goes.
  ///   - makeState: Makes the version's state when the record is written, for the place behind it. The disk may be writing
  ///     the record meanwhile, so this takes little of a commit's time. Where it throws, the record is taken back.
  /// - Returns: As ``stage(_:_:)``; nil where the ring has no room.
  func journal(
    _ record: ByteView, _ transaction: UInt64, at place: RingPlace, _ durability: SyncPolicy,
    makeState: (RingPlace) throws(EngineError) -> CommitState
  ) throws(EngineError) -> Bool? {
    let (refuses, isLed) = state.withLock { ($0.refusesWrites, $0.isLed) }
    guard !refuses else { throw .writesRefused }
    // During a sync, other records may come to the same unit before the next one.
    let following: Ring.Following =
      durability == .relaxed || isLed ? .nothing : takeTurn() ? .syncOfIt : .sync
    var isBegun = false
    defer { if following == .syncOfIt, !isBegun { endTurn() } }
    let written = try ring.append(
      record, of: transaction, at: place, following, refuse: { refuseWrites() })
    guard let written else { return nil }
    isBegun = written.isBegun
    let next: CommitState
    do { next = try makeState(written.next) } catch {
      takeBack(transaction, isDurable: isBegun)
      isBegun = false
      throw error
    }
    return state.withLock { state in
      // Without its slot, the process's end would take the version too.
      if durability == .relaxed, next.slotted.transaction <= state.slotWritten {
        publishUnsynced(next, &state)
        return false
      }
      state.staged = next
      state.waiting += 1
      if isBegun { state.begun = next }
      return true
    }
  }

  /// Makes sure that the record of a transaction that failed after it was written is not found.
  ///
  /// - Parameter isDurable: Whether it is being made durable; then nothing else waits for a sync.
  private func takeBack(_ transaction: UInt64, isDurable: Bool) {
    do throws(EngineError) {
      if isDurable {
        do { try file.finishDurableWrite() } catch { throw .file(error) }
      }
      try ring.drop(after: transaction - 1)
      if isDurable { try synchronizeFile() }
    } catch { refuseWrites() }
  }

  /// Takes the turn to sync for a record that is about to be written, if nothing but the record would have to be synced with it.
  private func takeTurn() -> Bool {
    state.withLock { state in
      guard !state.isLed, state.hasDurableName, !state.refusesWrites,
        state.staged.transaction == state.durable.transaction,
        state.staged.slotted.transaction == state.confirmed.transaction
      else { return false }
      state.isLed = true
      return true
    }
  }

  /// Lets readers see a version before it is durable, and schedules its sync.
  private func publishUnsynced(_ next: CommitState, _ state: inout State) {
    state.staged = next
    publish(next, &state)
    if next.writtenBytes - state.durable.writtenBytes > Self.unsyncedBytes, state.due != .now {
      state.due = .now
      timer.schedule(afterMilliseconds: 0) { [dueSyncs] in dueSyncs.run() }
    } else if state.due == .none {
      state.due = .soon
      timer.schedule(afterMilliseconds: Self.syncDelayMilliseconds) { [dueSyncs] in
        dueSyncs.run()
      }
    }
  }

  // MARK: Making durable, not under the write lock

  /// Returns when the version that a transaction has staged is durable and published.
  ///
  /// - Throws: Why it is not; then nothing of it is left, nor of those staged after it, nor of those before it that were not
  ///   durable by then.
  func makeDurable(_ transaction: UInt64) throws(EngineError) {
    let failure = Result { () throws(EngineError) in try takePart(until: transaction) }
    let drop = state.withLock { state in
      let drop = state.failures.first { $0.transactions.contains(transaction) }
      state.waiting -= 1
      if state.waiting == 0 { state.failures = [] }
      return drop
    }
    try failure.get()
    if let drop { throw drop.error }
  }

  /// Returns when every version that was staged before is durable.
  func synchronize() throws(EngineError) {
    let (staged, refuses) = state.withLock { ($0.staged.transaction, $0.refusesWrites) }
    guard !refuses else { throw .writesRefused }
    try takePart(until: staged)
  }

  /// Waits until a staged version is durable or was dropped, or syncs where it is this thread's turn.
  ///
  /// - Throws: Why this thread's own sync failed.
  private func takePart(until transaction: UInt64) throws(EngineError) {
    while true {
      let part = state.withLock { state -> Part in
        if state.hasEnded(transaction) { return .none }
        if let begun = state.begun {
          state.begun = nil
          return .end(begun)
        }
        guard state.isLed else {
          state.isLed = true
          return .lead
        }
        let wake = DispatchSemaphore(value: 0)
        state.waiters.append((transaction, wake))
        return .wait(wake)
      }
      switch part {
      case .none: return
      case .wait(let wake): wake.wait()
      case .lead:
        defer { endTurn() }
        return try lead()
      case .end(let begun):
        defer { endTurn() }
        try end(begun)
      }
    }
  }

  /// What a thread does until its version is durable.
  private enum Part {
    case none, lead
    case end(CommitState)
    case wait(DispatchSemaphore)
  }

  /// Wakes all whose versions are durable now or were dropped, at once, and before them one of the others: the next sync need
  /// not wait until they have run.
  private func endTurn() {
    let woken = state.withLock { state -> [(transaction: UInt64, wake: DispatchSemaphore)] in
      state.isLed = false
      guard !state.waiters.isEmpty else { return [] }
      let waiters = state.waiters
      let left = waiters.filter { !state.hasEnded($0.transaction) }
      state.waiters = Array(left.dropFirst())
      return left.prefix(1) + waiters.filter { state.hasEnded($0.transaction) }
    }
    for waiter in woken { waiter.wake.signal() }
  }

  /// The sync that no caller waits for: the next writer gets its error.
  fileprivate func synchronizeStaged() {
    state.withLock { $0.due = .none }
    try? synchronize()
  }

  /// Makes the newest version durable. Called by the thread that has the turn.
  private func lead() throws(EngineError) {
    let (staged, syncsFirst) = state.withLock { state in
      let slotted = state.staged.slotted
      let unverified = slotted.writtenBytes - state.confirmed.writtenBytes
      state.covered = slotted
      return (
        state.staged,
        unverified > Self.unverifiedBytesMax || state.durable.transaction < state.syncedFirst
      )
    }
    let sync: UInt64
    do {
      try synchronizeName()
      if syncsFirst { try synchronizeFile() }
      // Of a version whose record is in the ring, the slot before it may be written already.
      try writeSlot(of: staged.slotted, pagesWereSynced: syncsFirst, isCovered: true)
      ring.close()
      sync = reader.dirty.beginSync()
      try synchronizeFile()
    } catch {
      dropStaged(because: error)
      throw error
    }
    reader.dirty.endSync(sync)
    noteDurable(staged)
  }

  /// Waits until a record is durable that is being made so. Called by the thread that has the turn.
  private func end(_ begun: CommitState) throws(EngineError) {
    do { try file.finishDurableWrite() } catch {
      refuseWrites()
      dropStaged(because: .file(error))
      throw .file(error)
    }
    noteDurable(begun)
  }

  /// Notes that a version is durable, and lets readers see it.
  private func noteDurable(_ staged: CommitState) {
    state.withLock { state in
      state.durable = staged
      state.confirmed = staged.slotted
      if !state.unconfirmed.isEmpty {
        state.unconfirmed.removeAll { $0 <= staged.slotted.transaction }
      }
      state.covered = nil
      publish(staged, &state)
    }
    rotation.withLock { $0.confirm() }
    ring.noteDurable(staged.transaction, tail: staged.slotted.place)
  }

  private func writeSlot(
    of version: SlottedVersion, pagesWereSynced: Bool, isCovered: Bool
  ) throws(EngineError) {
    var slot = version.slot
    slot.pagesWereSynced = pagesWereSynced
    try rotation.withLock { (rotation) throws(EngineError) in
      do throws(EngineError) { try rotation.write(slot, isCovered: isCovered) } catch {
        do { try rotation.dropFailed() } catch { refuseWrites() }
        throw error
      }
    }
    state.withLock { $0.slotWritten = max($0.slotWritten, slot.transaction) }
  }

  /// Lets readers see a version, unless they see a newer one.
  private func publish(_ next: CommitState, _ state: inout State) {
    guard next.transaction > state.published else { return }
    state.published = next.transaction
    newest.replace(with: next.version)
  }

  /// A sync is never retried: after a failed sync the content of the disk is unknown.
  private func synchronizeFile() throws(EngineError) {
    do { try file.synchronize() } catch {
      refuseWrites()
      throw .file(error)
    }
  }

  /// Makes the file's name durable, once: commits to a file that disappears in a crash are lost.
  private func synchronizeName() throws(EngineError) {
    guard state.withLock({ !$0.hasDurableName }) else { return }
    try file.makeNameDurable()
    state.withLock { $0.hasDurableName = true }
  }

  private func refuseWrites() { state.withLock { $0.refusesWrites = true } }

  /// Drops the versions that are staged and not durable: the next transaction begins from the durable one.
  private func dropStaged(because error: EngineError) {
    dropUnconfirmed()
    // Who writes now has begun from such a version: it is staged, or given up, before this goes on.
    writeLock.wait()
    dropUnconfirmed()
    state.withLock { state in
      if state.waiting > 0 {
        state.failures.append(
          (state.durable.transaction + 1...state.staged.transaction, error))
      }
      // A version that readers already see cannot be taken back.
      if state.published > state.durable.transaction {
        state.refusesWrites = true
      } else {
        reader.dropDirty(bornAfter: state.durable.transaction)
      }
      state.staged = state.durable
      state.covered = nil
      state.unconfirmed = []
      state.slotWritten = state.confirmed.transaction
    }
    writeLock.unlock()
  }

  private func dropUnconfirmed() {
    let durable = durable.newest
    do { try ring.drop(after: durable) } catch { refuseWrites() }
    rotation.withLock { rotation in
      do { try rotation.dropUnconfirmed() } catch { refuseWrites() }
    }
  }
}

/// The way from a timer to whom it is to sync.
///
/// The timer has this and not the file: or else a file that was let go would stay open, and locked, until a thread
/// that has just synced it gets around to letting go of it too.
private final class DueSyncs: Sendable {
  private struct Receiver {
    weak var group: GroupCommit?
  }

  /// Held while a sync runs.
  private let receiver = Mutex(Receiver())

  func begin(for group: GroupCommit) { receiver.withLock { $0.group = group } }

  func run() {
    receiver.withLock { $0.group?.synchronizeStaged() }
  }

  func end() { receiver.withLock { $0.group = nil } }
}
