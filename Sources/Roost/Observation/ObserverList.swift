internal import Dispatch
internal import RoostEngine
internal import Synchronization

/// The observers of a store that wait for changes: after a commit they are updated in order, on a queue.
///
/// Changes are computed once for all observers of the same version, usually all observers. Without a commit there is no
/// work.
final class ObserverList: VersionWatcher {
  private struct State {
    var waiting: [Observer] = []
    /// If there are more, observers that no longer wait are removed.
    var waitingMax = 64
    var isWatching = false
    /// Whether a check for a newer version is scheduled.
    var isScheduled = false
    var isEnded = false
    var tags = WriteTags()
  }

  fileprivate let newest: NewestVersion
  private let binding: StoreBinding
  private let queue = DispatchQueue(label: "roost.observe")
  private let state = Mutex(State())

  init(_ newest: NewestVersion, of binding: StoreBinding) {
    self.newest = newest
    self.binding = binding
  }

  /// The newest version; nil if the store is closed.
  ///
  /// - Throws: ``StoreError/modelsChanged``.
  var version: VersionContext? {
    get throws(StoreError) {
      state.withLock { $0.isEnded } ? nil : try newest.held(for: binding)?.open()
    }
  }

  /// Whether the store is closed.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// The differences between a version and earlier ones.
  func differences(to version: VersionContext) -> Differences {
    Differences(to: version, state.withLock { $0.tags })
  }

  /// Notes the tag of a write before the write makes a version from another.
  func note(_ tag: WriteTag, of version: UInt64, from base: UInt64) {
    state.withLock { $0.tags.note(tag, of: version, from: base) }
  }

  /// Adds a waiting observer that has seen a version.
  func add(_ observer: Observer, at version: VersionContext) {
    var known: [Observer] = []
    let (isFirst, isEnded) = state.withLock { state in
      guard !state.isEnded else { return (false, true) }
      if state.waiting.count >= state.waitingMax {
        // Released outside the lock.
        known = state.waiting
        state.waiting = known.filter(\.isWaiting)
        state.waitingMax = max(64, 2 * state.waiting.count)
      }
      state.waiting.append(observer)
      defer { state.isWatching = true }
      return (!state.isWatching, false)
    }
    withExtendedLifetime(known) {}
    if isEnded { return observer.end() }
    if isFirst { newest.add(self) }
    lookAgain(after: version)
  }

  /// Schedules a check if there is a newer version than the one seen by observers before they were added: no observer
  /// was notified of it.
  private func lookAgain(after version: VersionContext) {
    if newest.snapshot()?.version !== version.snapshot.version { newestVersionChanged() }
  }

  func newestVersionChanged() {
    let isFirst = state.withLock { state in
      guard !state.waiting.isEmpty, !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    if isFirst { queue.async { [weak self] in self?.advance() } }
  }

  /// Advances the waiting observers to the newest version.
  private func advance() {
    let observers = state.withLock { state in
      state.isScheduled = false
      defer { state.waiting = [] }
      return state.waiting
    }
    let newest: VersionContext?
    do { newest = try version } catch { return observers.forEach { $0.end(throwing: error) } }
    guard let version = newest else { return observers.forEach { $0.end() } }
    let differences = differences(to: version)
    let waiting = observers.filter { $0.advance(by: differences) }
    let isEnded = state.withLock { state in
      state.waiting += waiting
      return state.isEnded
    }
    if isEnded { end() } else { lookAgain(after: version) }
  }

  /// Ends all waiting observers; the others end when they are called next.
  func end() {
    let observers = state.withLock { state in
      state.isEnded = true
      defer { state.waiting = [] }
      return state.waiting
    }
    observers.forEach { $0.end() }
  }
}

/// The differences between a version and those that its observers have seen.
package final class Differences: Sendable {
  /// The later version.
  let version: VersionContext
  /// The version, to be kept.
  package var later: Snapshot { Snapshot(version) }
  private let tags: WriteTags
  private let known = Mutex<[VersionDifference]>([])

  fileprivate init(to version: VersionContext, _ tags: WriteTags) {
    self.version = version
    self.tags = tags
  }

  /// The difference since a version.
  func since(_ earlier: VersionContext) -> VersionDifference {
    known.withLock { known in
      if let found = known.first(where: { $0.earlier.version === earlier.snapshot.version }) {
        return found
      }
      let difference = VersionDifference(from: earlier.snapshot, to: version.snapshot)
      known.append(difference)
      return difference
    }
  }

  /// The tag of all writes since a version; nil if they have none or different tags.
  func tag(since earlier: VersionContext) -> WriteTag? {
    tags.tag(
      behind: earlier.snapshot.version.transaction, to: version.snapshot.version.transaction)
  }
}

/// Iterates over the changes of something.
///
/// Between two changes the observer retains the version seen last. A caller gets all changes since then as one, however many
/// commits there were, or waits.
///
/// The changes are type-erased here, so that the code is compiled once for everything observed.
final class Observer: Sendable {
  /// A change, of any type.
  typealias Change = any Sendable
  private typealias Waiter = CheckedContinuation<Result<Change?, StoreError>, Never>

  /// Advances from the previous version to a later one and returns the change of the observed thing: nil if there is none.
  /// In the first version it returns the current state.
  ///
  /// A closure instead of a protocol: conforming types are in every program, even if it observes nothing.
  typealias Advance = @Sendable (Differences) throws(StoreError) -> Change?

  private enum State {
    /// No caller waits; the version seen last, nil before the first.
    case idle(VersionContext?, Advance)
    /// A caller waits, and nothing has changed yet.
    case waiting(VersionContext, Advance, Waiter)
    /// An advance is in progress, for a waiting caller or in the caller itself.
    case advancing(Waiter?)
    /// There are no more changes, and no version is retained.
    case ended
  }

  private let list: ObserverList
  private let mark: HolderMark
  private let state: Mutex<State>
  /// Whether the store was closed before.
  private let isTooLate: Bool

  init(in list: ObserverList, advance: @escaping Advance) {
    self.list = list
    mark = list.newest.holders.markObservation()
    state = Mutex(.idle(nil, advance))
    isTooLate = list.isEnded
  }

  /// The next change; nil after the last, when the store is closed or the task is cancelled.
  ///
  /// - Throws: ``StoreError/closed`` where the store was closed before the observer was made.
  func next(isolation: isolated (any Actor)?) async throws(StoreError) -> Change? {
    guard !Task.isCancelled else {
      end()
      return nil
    }
    if let change = try await catchUp(isolation: isolation) { return change }
    let outcome = await withTaskCancellationHandler(
      operation: {
        // Resumed on the caller's actor, without switching threads.
        await withCheckedContinuation(isolation: isolation) { wait($0) }
      }, onCancel: { end() }, isolation: isolation)
    return try outcome.get()
  }

  // MARK: For who asks

  /// The change since the version seen last; nil if there is none, or the object is gone.
  private func catchUp(
    isolation: isolated (any Actor)?
  ) async throws(StoreError) -> Change? {
    // Usually there is nothing to do: the caller waits.
    let newest: VersionContext?
    do { newest = try list.version } catch {
      end()
      throw error
    }
    guard let version = newest else {
      let hasEnded = state.withLock { if case .ended = $0 { true } else { false } }
      end()
      guard hasEnded || !isTooLate else { throw .closed }
      return nil
    }
    let isCurrent = state.withLock { state in
      if case .idle(let seen, _) = state {
        seen?.snapshot.version === version.snapshot.version
      } else {
        true
      }
    }
    if isCurrent { return nil }
    let outcome = await withTaskExecutorPreference(QueueExecutor.readers) {
      () -> Result<Change?, StoreError> in
      Result { () throws(StoreError) in try change(to: version) }
    }
    return try outcome.get()
  }

  private func change(to version: VersionContext) throws(StoreError) -> Change? {
    let taken = state.withLock { state -> Advance? in
      guard case .idle(let seen, let advance) = state, seen.isBefore(version) else { return nil }
      state = .advancing(nil)
      return advance
    }
    guard let advance = taken else { return nil }
    do {
      let change = try advance(list.differences(to: version))
      state.withLock { if case .advancing = $0 { $0 = .idle(version, advance) } }
      return change
    } catch {
      end()
      // A query cancelled with its task is not an error: the sequence ends.
      if case .cancelled = error { return nil }
      throw error
    }
  }

  private func wait(_ waiter: Waiter) {
    let version = state.withLock { state -> VersionContext? in
      guard case .idle(let version?, let advance) = state else { return nil }
      state = .waiting(version, advance, waiter)
      return version
    }
    guard let version else { return waiter.resume(returning: .success(nil)) }
    list.add(self, at: version)
  }

  // MARK: For the list

  /// Whether it still waits.
  var isWaiting: Bool {
    state.withLock { if case .waiting = $0 { true } else { false } }
  }

  /// Advances to a version.
  ///
  /// - Returns: Whether it waits for a later one, in the list; one that does not may have come into it again.
  func advance(by differences: Differences) -> Bool {
    let version = differences.version
    let taken = state.withLock { state -> Advance? in
      guard case .waiting(let seen, let advance, let waiter) = state,
        Optional(seen).isBefore(version)
      else { return nil }
      state = .advancing(waiter)
      return advance
    }
    guard let advance = taken else { return isWaiting }
    let outcome = Result { () throws(StoreError) in try advance(differences) }
    let (waiter, waits) = state.withLock { state -> (Waiter?, Bool) in
      guard case .advancing(let waiter?) = state else { return (nil, false) }
      switch outcome {
      case .success(nil):
        state = .waiting(version, advance, waiter)
        return (nil, true)
      case .success: state = .idle(version, advance)
      case .failure: state = .ended
      }
      return (waiter, false)
    }
    if case .failure = outcome { mark.end() }
    // The resumed caller may wait again before this returns.
    waiter?.resume(returning: outcome)
    return waits
  }

  /// There are no more changes.
  ///
  /// - Parameter error: The error that waiting callers get.
  func end(throwing error: StoreError? = nil) {
    // Its content is released outside the lock.
    let last = state.withLock { state in
      defer { state = .ended }
      return state
    }
    mark.end()
    switch last {
    case .waiting(_, _, let waiter), .advancing(let waiter?):
      waiter.resume(returning: error.map { .failure($0) } ?? .success(nil))
    case .idle, .advancing(nil), .ended: break
    }
  }
}

extension VersionContext? {
  /// Whether a version is later than this version, or this is nil.
  fileprivate func isBefore(_ version: VersionContext) -> Bool {
    map { $0.snapshot.version.transaction < version.snapshot.version.transaction } ?? true
  }
}
