import Synchronization

/// The newest version of an engine, and what a user of the engine has made to read it.
///
/// Empty once the engine is gone: who holds this keeps neither the file open nor a version.
public final class NewestVersion: Sendable {
  private struct State: Sendable {
    var version: Version?
    /// Goes with the version.
    var companion: Companion?
  }

  private struct Companion: Sendable {
    let owner: ObjectIdentifier
    let object: any AnyObject & Sendable
  }

  private let state: Mutex<State>

  init(_ version: Version) { state = Mutex(State(version: version)) }

  /// The newest version, or nil where the engine is gone.
  public func snapshot() -> Snapshot? {
    state.withLock { $0.version }.map(Snapshot.init)
  }

  /// What `owner` keeps beside the newest version.
  ///
  /// - Complexity: O(1): a lock and a retain, nothing is allocated. Waits for nobody.
  public func companion(of owner: AnyObject) -> (any AnyObject & Sendable)? {
    let owner = ObjectIdentifier(owner)
    return state.withLock { state in
      guard let companion = state.companion, companion.owner == owner else { return nil }
      return companion.object
    }
  }

  /// Keeps an object beside a version for as long as it is the newest.
  ///
  /// Does nothing where it is not the newest any more, or another owner keeps something: one finds room.
  /// - Parameters:
  ///   - companion: May hold the version, and must hold `owner`, so that no other can take its identity.
  public func keep(
    _ companion: any AnyObject & Sendable, of owner: AnyObject, beside snapshot: Snapshot
  ) {
    let companion = Companion(owner: ObjectIdentifier(owner), object: companion)
    state.withLock { state in
      guard state.version === snapshot.version, state.companion == nil else { return }
      state.companion = companion
    }
  }

  /// Makes a version the newest, or none.
  func replace(with version: Version?) {
    let next = State(version: version)
    // What the old version alone held is let go outside of the lock.
    let old = state.withLock { state in
      let old = state
      state = next
      return old
    }
    withExtendedLifetime(old) {}
  }
}
