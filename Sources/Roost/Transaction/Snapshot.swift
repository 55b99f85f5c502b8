package import RoostEngine

/// One version of a store, to read for as long as it is held.
///
/// Taking one waits for nothing and costs next to nothing. It may go to any thread or actor, and always
/// shows the same objects. What it alone still shows is kept in the file until the snapshot, and
/// all ``Rows`` read from it, are gone.
public struct Snapshot: ObjectReader, Sendable {
  private let state: State

  private enum State {
    case version(VersionContext)
    case closed
    /// Taken behind a restored version that has other models than the store was opened with.
    case modelsChanged
    /// Taken in a process that was forked since the store was opened.
    case forked(StoreBinding)
  }

  init(_ context: VersionContext) { state = .version(context) }

  /// No version, of a store that was closed.
  static let ofClosedStore = Snapshot(.closed)

  /// No version, of a store that must be opened again.
  static let ofOtherModels = Snapshot(.modelsChanged)

  /// No version, in a process that was forked since a store of these models was opened.
  init(inForkOf binding: StoreBinding) { state = .forked(binding) }

  private init(_ state: State) { self.state = state }

  /// The number of the version: each commit makes a higher one.
  public var version: UInt64 {
    get throws(StoreError) { try open().snapshot.version.transaction }
  }

  /// Where reads go. For the store's own use.
  public var _reader: _Reader {
    get throws(StoreError) { _Reader(context: try open()) }
  }

  /// The engine's snapshot of the version.
  package var content: EngineSnapshot {
    get throws(StoreError) { try open().snapshot }
  }

  func open() throws(StoreError) -> VersionContext {
    switch state {
    case .version(let context):
      try context.checkProcess()
      return context
    case .closed: throw .closed
    case .modelsChanged: throw .modelsChanged
    case .forked(let binding): throw .forked(path: binding.file.path)
    }
  }
}
