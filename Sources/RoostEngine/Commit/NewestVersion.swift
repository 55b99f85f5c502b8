import Synchronization

/// The newest version of an engine, and what a user of the engine has made to read it.
///
/// Empty once the engine is gone: a holder keeps neither the file open nor a version.
///
/// Threads that read at the same time use different stripes, each with its own lock: one lock for all of
/// them is a queue as soon as there are more threads than processors.
package final class NewestVersion: Sendable {
  private struct State: Sendable {
    var version: Version?
    /// The number of versions that were the newest before.
    var number: UInt64
    /// Released with the version.
    var companion: Attachment?
  }

  private struct Watcher: Sendable {
    weak let watcher: (any VersionWatcher)?
  }

  private struct Attachment: Sendable {
    let owner: ObjectIdentifier
    let object: any AnyObject & Sendable
  }

  /// A copy of the newest version, or of none where it became another's turn.
  private struct Stripe: ~Copyable, Sendable {
    let state: Mutex<State>
    /// Keeps any two stripes out of the same cache line.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
      0, 0, 0, 0, 0, 0, 0, 0
    )

    init(_ state: State) { self.state = Mutex(state) }
  }

  private static let stripeCount = 32
  private let stripes: FixedArray<Stripe>
  /// A bit for each stripe that may hold a version: at first all do.
  private let filled = Atomic<UInt32>(.max)
  /// What the stripes are copies of. Locked within a stripe's lock, never the other way round.
  private let newest: Mutex<State>
  /// The number of the newest version: a stripe with another number is a copy of an older one.
  private let number = Atomic<UInt64>(0)
  /// What uses the engine.
  package let holders = EngineHolders()
  /// The watchers to notify of newer versions.
  private let watchers = Mutex<[Watcher]>([])

  init(_ version: Version) {
    let state = State(version: version, number: 0)
    newest = Mutex(state)
    stripes = FixedArray(count: Self.stripeCount) { _ in Stripe(state) }
  }

  /// The newest version, or nil if the engine is gone.
  package func snapshot() -> EngineSnapshot? {
    withStripe { $0.version }.map(EngineSnapshot.init)
  }

  /// The object that `owner` keeps beside the newest version.
  ///
  /// - Complexity: O(1): a lock and a retain, no allocation. Does not wait for other threads.
  package func companion(of owner: AnyObject) -> (any AnyObject & Sendable)? {
    let owner = ObjectIdentifier(owner)
    return withStripe { state in
      guard let companion = state.companion, companion.owner == owner else { return nil }
      return companion.object
    }
  }

  /// Keeps an object beside a version while it is the newest, for threads that share the caller's stripe.
  ///
  /// Does nothing where it is not the newest any more, or another owner keeps something: one finds room.
  /// - Parameters:
  ///   - companion: May hold the version, and must hold `owner`, so that no other can take its identity.
  ///   - isWanted: Whether the owner has not dropped its companions for good.
  package func keep(
    _ companion: any AnyObject & Sendable, of owner: AnyObject, beside snapshot: EngineSnapshot,
    while isWanted: () -> Bool
  ) {
    let companion = Attachment(owner: ObjectIdentifier(owner), object: companion)
    withStripe { state in
      guard state.version === snapshot.version, state.companion == nil, isWanted() else { return }
      state.companion = companion
    }
  }

  /// Drops the objects that an owner, or every owner, keeps beside the newest version.
  package func dropCompanions(of owner: AnyObject? = nil) {
    let owner = owner.map { ObjectIdentifier($0) }
    for place in 0..<Self.stripeCount {
      let dropped = stripes[place].state.withLock { state -> Attachment? in
        guard owner == nil || state.companion?.owner == owner else { return nil }
        return state.companion.take()
      }
      // Outside the lock.
      withExtendedLifetime(dropped) {}
    }
  }

  /// Tells a watcher from now on that there is a newer version, and that the engine is gone.
  ///
  /// Costs each commit a lock. The watcher is held weakly.
  package func add(_ watcher: any VersionWatcher) {
    watchers.withLock { watchers in
      watchers.removeAll { $0.watcher == nil }
      watchers.append(Watcher(watcher: watcher))
    }
  }

  /// Makes a version the newest, or none.
  func replace(with version: Version?) {
    // The parts that only the old version held are released outside the locks.
    let (number, replaced) = newest.withLock { newest in
      let old = newest
      newest = State(version: version, number: old.number + 1)
      // From here on every thread sees the new version.
      self.number.store(newest.number, ordering: .releasing)
      return (newest.number, old)
    }
    withExtendedLifetime(replaced) {}
    // A thread that sets its stripe's bit afterwards finds the new version.
    var left = filled.exchange(0, ordering: .sequentiallyConsistent)
    while left != 0 {
      let place = left.trailingZeroBitCount
      left &= left - 1
      let old = stripes[place].state.withLock { state -> State? in
        guard state.number != number else { return nil }
        let old = state
        state = State(version: nil, number: old.number)
        return old
      }
      withExtendedLifetime(old) {}
    }
    for watcher in watchers.withLock({ $0 }) { watcher.watcher?.newestVersionChanged() }
  }

  /// Calls `body` with the newest version, in the current thread's stripe.
  @inline(__always)
  private func withStripe<Result>(_ body: (inout State) -> Result) -> Result {
    var old: State?
    let place = Self.place
    let result = stripes[place].state.withLock { state in
      if state.number != number.load(ordering: .acquiring) {
        old = state
        filled.bitwiseOr(1 << UInt32(place), ordering: .sequentiallyConsistent)
        state = newest.withLock { State(version: $0.version, number: $0.number) }
      }
      return body(&state)
    }
    // The parts that only the old version held are released outside the lock.
    withExtendedLifetime(old) {}
    return result
  }

  /// A stripe that concurrent threads mostly do not share: each thread has its own stack.
  @inline(__always)
  private static var place: Int {
    var mark: UInt8 = 0
    let address = unsafe withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
    return Int(truncatingIfNeeded: (UInt64(address) >> 16 &* 0x9E37_79B9_7F4A_7C15) >> 59)
  }
}

/// Is notified of newer versions.
package protocol VersionWatcher: AnyObject, Sendable {
  /// Called behind each commit, within its locks, by the thread that makes it visible: to note it, and to have another
  /// thread look. And once when the engine goes.
  func newestVersionChanged()
}
