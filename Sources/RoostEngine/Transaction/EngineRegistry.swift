import Synchronization

/// The engines of this process by the file that they have open, so that a file opened twice, by
/// whatever path, is shared.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()

  private struct Entry: Sendable {
    weak let engine: Engine?
  }

  private let engines = Mutex<[FileIdentity: Entry]>([:])
  /// Held while a file is opened, so that two threads do not open it at once.
  let opening = Mutex<Void>(())

  func engine(for identity: FileIdentity) -> Engine? {
    engines.withLock { $0[identity]?.engine }
  }

  func register(_ engine: Engine, for identity: FileIdentity) {
    engines.withLock { engines in
      engines = engines.filter { $0.value.engine != nil }
      engines[identity] = Entry(engine: engine)
    }
  }
}
