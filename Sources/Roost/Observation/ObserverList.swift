internal import Dispatch
package import RoostEngine
internal import Synchronization

/// The observers of a store that wait for changes: after a commit they are updated, one after the other, on a queue.
///
/// What changed is found once for all who have seen the same version, which are mostly all. Nothing happens while nothing
/// changes.
final class ObserverList: VersionWatcher {
  private struct State {
    var waiting: [Observer] = []
    /// Where there are more, those that do not wait any more are forgotten.
    var waitingMax = 64
    var isWatching = false
    /// Whether a look at the newest version is scheduled.
    var isScheduled = false
    var isEnded = false
    var tags = WriteTags()
  }

  private let newest: NewestVersion
  private let binding: StoreBinding
  private let queue = DispatchQueue(label: "roost.observe")
  private let state = Mutex(State())

  init(_ newest: NewestVersion, of binding: StoreBinding) {
    self.newest = newest
    self.binding = binding
  }

  /// The newest version; nil where the store is closed.
  ///
  /// - Throws: ``StoreError/modelsChanged``.
  var version: VersionContext? {
    get throws(StoreError) {
      state.withLock { $0.isEnded } ? nil : try newest.held(for: binding)?.open()
    }
  }

  /// The differences between a version and earlier ones.
  func differences(to version: VersionContext) -> Differences {
    Differences(to: version, state.withLock { $0.tags })
  }

  /// Notes the tag of a write before it makes a version of another.
  func note(_ tag: WriteTag, of version: UInt64, from base: UInt64) {
    state.withLock { $0.tags.note(tag, of: version, from: base) }
  }

  /// Lets an observer wait that has seen a version.
  func add(_ observer: Observer, at version: VersionContext) {
    var known: [Observer] = []
    let (isFirst, isEnded) = state.withLock { state in
      guard !state.isEnded else { return (false, true) }
      if state.waiting.count >= state.waitingMax {
        // Let go outside of the lock.
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

  /// Has the list looked at where there is a newer version than one that observers were brought to before they were in
  /// the list: nobody was told of it then.
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

  /// Brings those who wait up to date.
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

  /// Ends all observers that wait; the others end when they ask again.
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
  /// The version that they come to.
  let version: VersionContext
  /// The engine's snapshot of the version.
  package var later: EngineSnapshot { version.snapshot }
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

  /// The tag of all writes since a version; nil where they have none or not the same.
  func tag(since earlier: VersionContext) -> WriteTag? {
    tags.tag(
      behind: earlier.snapshot.version.transaction, to: version.snapshot.version.transaction)
  }
}

/// Iterates over the changes of something.
///
/// Between two changes the observer is at the version that was seen last, and holds it. Who asks for the next one gets
/// what changed since then, however much was committed meanwhile, or waits.
///
/// The changes are of any type here, so that a program has this once, whatever it observes.
final class Observer: Sendable {
  /// A change, of any type.
  typealias Change = any Sendable
  private typealias Waiter = CheckedContinuation<Result<Change?, StoreError>, Never>

  /// Goes on to a version from the one before, and says what became of what is observed: nil where nothing did. In the
  /// first version it says what there is.
  ///
  /// A closure, no protocol: what conforms to one is in every program, whether it observes or not.
  typealias Advance = @Sendable (Differences) throws(StoreError) -> Change?

  private enum State {
    /// Nobody asks; at the version that was seen last, nil before the first.
    case idle(VersionContext?, Advance)
    /// A caller waits, and nothing has changed yet.
    case waiting(VersionContext, Advance, Waiter)
    /// It is being brought up to date, for who waits for it or is at it.
    case advancing(Waiter?)
    /// There are no more changes, and no version is held.
    case ended
  }

  private let list: ObserverList
  private let readers: QueueExecutor
  private let state: Mutex<State>

  init(in list: ObserverList, readers: QueueExecutor, advance: @escaping Advance) {
    self.list = list
    self.readers = readers
    state = Mutex(.idle(nil, advance))
  }

  /// The next change; nil behind the last one, which is there where the store was closed or the task is cancelled.
  func next(isolation: isolated (any Actor)?) async throws(StoreError) -> Change? {
    guard !Task.isCancelled else {
      end()
      return nil
    }
    if let change = try await catchUp(isolation: isolation) { return change }
    let outcome = await withTaskCancellationHandler(
      operation: {
        // Resumed where the caller runs: no other thread lies between.
        await withCheckedContinuation(isolation: isolation) { wait($0) }
      }, onCancel: { end() }, isolation: isolation)
    return try outcome.get()
  }

  // MARK: For who asks

  /// The change since the version that was seen last; nil where there is none, or the object is gone.
  private func catchUp(
    isolation: isolated (any Actor)?
  ) async throws(StoreError) -> Change? {
    // Nothing to do, in most cases: what comes is waited for.
    let newest: VersionContext?
    do { newest = try list.version } catch {
      end()
      throw error
    }
    guard let version = newest else {
      end()
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
    let outcome = await withTaskExecutorPreference(readers) { () -> Result<Change?, StoreError> in
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
      // A query that ends with its task is no error: the sequence ends.
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

  /// Goes on to a version.
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
    // Who is resumed may wait again before this returns.
    waiter?.resume(returning: outcome)
    return waits
  }

  /// There are no more changes.
  ///
  /// - Parameter error: The error that waiting callers get.
  func end(throwing error: StoreError? = nil) {
    // What it observed is let go outside of the lock.
    let last = state.withLock { state in
      defer { state = .ended }
      return state
    }
    switch last {
    case .waiting(_, _, let waiter), .advancing(let waiter?):
      waiter.resume(returning: error.map { .failure($0) } ?? .success(nil))
    case .idle, .advancing(nil), .ended: break
    }
  }
}

extension VersionContext? {
  /// Whether a version is later than this one, or there is none yet.
  fileprivate func isBefore(_ version: VersionContext) -> Bool {
    map { $0.snapshot.version.transaction < version.snapshot.version.transaction } ?? true
  }
}
