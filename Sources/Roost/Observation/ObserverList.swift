internal import Dispatch
internal import RoostEngine
internal import Synchronization

/// Those who wait for changes of a store: behind a commit they are brought up to date, one after the other, on a queue.
///
/// What changed is found once for all who have seen the same version, which are mostly all. Nothing happens while nothing
/// changes.
final class ObserverList: VersionWatcher {
  private struct State {
    var waiting: [any WaitingObserver] = []
    /// Where there are more, those that do not wait any more are forgotten.
    var waitingMax = 64
    var isWatching = false
    /// Whether somebody is about to look.
    var isScheduled = false
    var isEnded = false
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
  var version: VersionContext? {
    state.withLock { $0.isEnded } ? nil : newest.context(of: binding)
  }

  /// Lets an observer wait that has seen a version.
  func add(_ observer: any WaitingObserver, at version: VersionContext) {
    var known: [any WaitingObserver] = []
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
    guard let version else { return observers.forEach { $0.end() } }
    let differences = Differences(to: version)
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

/// What lies between a version and those that its observers have seen.
final class Differences {
  /// The version that they come to.
  let version: VersionContext
  private var known: [VersionDifference] = []

  init(to version: VersionContext) { self.version = version }

  /// What changed since a version.
  func since(_ earlier: VersionContext) -> VersionDifference {
    if let known = known.first(where: { $0.earlier.version === earlier.snapshot.version }) {
      return known
    }
    let difference = VersionDifference(from: earlier.snapshot, to: version.snapshot)
    known.append(difference)
    return difference
  }
}

/// An observer in a list, whatever it observes.
protocol WaitingObserver: AnyObject, Sendable {
  /// Whether it still waits.
  var isWaiting: Bool { get }
  /// Goes on to a version.
  ///
  /// - Returns: Whether it waits for a later one, in the list; one that does not may have come into it again.
  func advance(by differences: Differences) -> Bool
  /// There are no more changes.
  func end()
}
