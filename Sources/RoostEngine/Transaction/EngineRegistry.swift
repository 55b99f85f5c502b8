import Synchronization

/// The engines of this process by their open file, so that a file opened twice, under
/// any path, is shared.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()

  private struct Entry: Sendable {
    let identity: FileIdentity
    weak let engine: Engine?
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

  func register(_ engine: Engine, for identity: FileIdentity) {
    engines.withLock { engines in
      engines.removeAll { $0.engine == nil || $0.identity == identity }
      engines.append(Entry(identity: identity, engine: engine))
    }
  }
}
