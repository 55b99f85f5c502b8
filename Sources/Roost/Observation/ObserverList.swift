internal import Dispatch
package import RoostEngine
internal import Synchronization

/// Those who wait for changes of a store: behind a commit they are brought up to date, one after the other, on a queue.
///
/// What changed is found once for all who have seen the same version, which are mostly all. Nothing happens while nothing
/// changes.
final class ObserverList: VersionWatcher {
  private struct State {
    var waiting: [Observer] = []
    /// Where there are more, those that do not wait any more are forgotten.
    var waitingMax = 64
    var isWatching = false
    /// Whether somebody is about to look.
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
      state.withLock { $0.isEnded } ? nil : try newest.context(of: binding)
    }
  }

  /// What lies between a version, which is there, and those before.
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

/// What lies between a version and those that its observers have seen.
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

  /// What changed since a version.
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
