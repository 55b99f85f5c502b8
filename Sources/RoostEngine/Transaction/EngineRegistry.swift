import Synchronization

/// The engines of this process by their open file, so that a file opened twice, under
/// any path, is shared.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()

  private struct Entry: Sendable {
    let identity: FileIdentity
    weak let engine: Engine?
    /// The engine's lock.
    let lock: FileLock?

    /// Whether nobody can meet the engine any more, nor the lock that it is about to release.
    var isGone: Bool { engine == nil && lock?.hasEnded != false }
  }

  /// A process has few: comparing with each is faster than hashing, and than the first use of a
  /// dictionary's type in a process that only opens a store.
  private let engines = Mutex<[Entry]>([])
  /// Held while a file is opened, so that two threads do not open it at once.
  let opening = Mutex<Void>(())

  func engine(for identity: FileIdentity) -> Engine? {
    engines.withLock { engines in
      engines.first { $0.identity == identity && $0.engine?.isOfThisProcess == true }?.engine
    }
  }

  /// What has locked a file of this process.
  enum LockHolder {
    case engine(Engine)
    /// An engine that nobody holds any more, and that is about to release the lock.
    case endingEngine
    /// An engine that is not registered, or something else.
    case unknown
  }

  func holder(of lock: FileLock) -> LockHolder {
    engines.withLock { engines in
      guard let entry = engines.first(where: { $0.lock === lock }) else { return .unknown }
      return entry.engine.map { .engine($0) } ?? .endingEngine
    }
  }

  func register(_ engine: Engine, for identity: FileIdentity) {
    engines.withLock { engines in
      // A live engine of the same file is one of the process that this one was forked from.
      engines.removeAll { $0.isGone || ($0.identity == identity && $0.engine != nil) }
      engines.append(Entry(identity: identity, engine: engine, lock: engine.file.lockOfThisProcess))
    }
  }
}
