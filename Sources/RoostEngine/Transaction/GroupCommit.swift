internal import Dispatch
import Synchronization

/// Makes staged versions durable: one slot and one sync for all that were staged meanwhile (Format.md §7).
///
/// A transaction is staged under the write lock, and made durable outside of it: while a sync is under
/// way the next ones write. Who gets the turn next writes the slot of the newest version, so that its
/// sync covers all before it; those never get a slot of their own. Readers see a version when it is
/// durable. (Group commit: Gawlick, Kinkade, "Varieties of concurrency control in IMS/VS Fast Path", 1985.)
final class GroupCommit: Sendable {
  /// Used by whose turn it is.
  @safe nonisolated(unsafe) private let slots: SlotStore
  private let newest: NewestVersion
  private let writeLock: WriteLock
  private let state: Mutex<State>
  /// One thread at a time writes a slot and syncs.
  private let turn = DispatchSemaphore(value: 1)
  /// The transaction in each slot; 0 for a slot that holds nothing. Used by whose turn it is.
  @safe nonisolated(unsafe) private var slotTransactions: [UInt64]

  private struct State {
    /// The newest version that is durable: the one that readers see.
    var durable: CommitState
    /// The newest version of all: the next transaction begins from it.
    var staged: CommitState
    /// How many transactions are staged and do not know yet what became of them.
    var waiting = 0
    /// Why staged versions were dropped, for those who do not know it yet.
    var failures: [(transactions: ClosedRange<UInt64>, error: EngineError)] = []
    /// A sync failed, or a failed commit could not be taken back: nothing more is written.
    var refusesWrites = false
  }

  /// Recovery reads at most so many bytes: before more are written to a slot's versions, they are synced.
  private static let unverifiedBytesMax = 4 << 20

  /// - Parameters:
  ///   - newest: Where durable versions are published.
  ///   - writeLock: Under which versions are staged.
  init(
    slots: SlotStore, slotTransactions: [UInt64], from state: CommitState, newest: NewestVersion,
    writeLock: WriteLock
  ) {
    self.slots = slots
    self.slotTransactions = slotTransactions
    self.newest = newest
    self.writeLock = writeLock
    self.state = Mutex(State(durable: state, staged: state))
  }

  /// What a transaction begins from, and the newest durable version. Called under the write lock.
  func base() throws(EngineError) -> (staged: CommitState, confirmed: UInt64) {
    let (base, confirmed, refuses) = state.withLock {
      ($0.staged, $0.durable.transaction, $0.refusesWrites)
    }
    guard !refuses else { throw .writesRefused }
    return (base, confirmed)
  }

  /// Lets the next transaction begin from a version whose extents are in the file. Called under the
  /// write lock.
  ///
  /// ``makeDurable(_:)`` must follow.
  func stage(_ next: CommitState) {
    state.withLock { state in
      state.staged = next
      state.waiting += 1
    }
  }

  /// Returns when the version that a transaction has staged is durable and published.
  ///
  /// - Throws: Why it is not; then nothing of it is left, nor of those staged before or after it.
  func makeDurable(_ transaction: UInt64) throws(EngineError) {
    turn.wait()
    defer { turn.signal() }
    let (staged, durable, failure) = state.withLock { state in
      let failure = state.failures.first { $0.transactions.contains(transaction) }
      state.waiting -= 1
      if state.waiting == 0 { state.failures = [] }
      return (state.staged, state.durable, failure)
    }
    if let failure { throw failure.error }
    if durable.transaction >= transaction { return }
    var slot = staged.version.slot
    slot.confirmed = durable.transaction
    slot.pagesWereSynced =
      staged.writtenBytes - durable.writtenBytes > Self.unverifiedBytesMax
    let index = freeSlot(confirmed: durable.transaction)
    let checksum: UInt64
    do { checksum = try write(slot, at: index) } catch {
      dropStaged(because: error)
      throw error
    }
    slotTransactions[index] = slot.transaction
    state.withLock { $0.durable = staged }
    newest.replace(with: staged.version)
    // Only a help for the next recovery: without the mark it would walk what the slot covers.
    try? slots.confirm(slot: index, transaction: slot.transaction, checksum: checksum)
  }

  /// Writes a slot and syncs; returns the slot's checksum.
  private func write(_ slot: MetaSlot, at index: Int) throws(EngineError) -> UInt64 {
    if slot.pagesWereSynced { try synchronize() }
    do {
      let checksum = try slots.write(slot, at: index)
      try synchronize()
      return checksum
    } catch {
      // It must not be found by a later opening.
      slotTransactions[index] = 0
      do { try slots.invalidate(index) } catch { refuseWrites() }
      throw error
    }
  }

  /// The slot with the oldest transaction that is not the confirmed one.
  private func freeSlot(confirmed: UInt64) -> Int {
    slotTransactions.indices
      .filter { slotTransactions[$0] != confirmed }
      .min { slotTransactions[$0] < slotTransactions[$1] } ?? 0
  }

  /// A sync is never retried: after a failed one nobody knows what the disk holds.
  private func synchronize() throws(EngineError) {
    do { try slots.file.synchronize() } catch {
      refuseWrites()
      throw .file(error)
    }
  }

  private func refuseWrites() { state.withLock { $0.refusesWrites = true } }

  /// Forgets the versions that are staged and not durable: the next transaction begins from the durable one.
  private func dropStaged(because error: EngineError) {
    // Who writes now has begun from such a version: it is staged, or given up, before this goes on.
    writeLock.wait()
    state.withLock { state in
      if state.waiting > 0 {
        state.failures.append(
          (state.durable.transaction + 1...state.staged.transaction, error))
      }
      state.staged = state.durable
    }
    writeLock.unlock()
  }
}
