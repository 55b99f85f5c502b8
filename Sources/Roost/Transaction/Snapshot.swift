internal import RoostEngine

/// One version of a store, to read for as long as it is held.
///
/// Taking one waits for nothing and costs next to nothing. It may go to any thread or actor, and always
/// shows the same objects. What it alone still shows is kept in the file until the snapshot, and
/// all ``Rows`` read from it, are gone.
public struct Snapshot: ObjectReader, Sendable {
  private let context: VersionContext?

  /// A version, or none where the store was closed.
  init(_ context: VersionContext?) { self.context = context }

  /// The number of the version: each commit makes a higher one.
  public var version: UInt64 {
    get throws(StoreError) { try open().snapshot.version.transaction }
  }

  /// Where reads go. For the store's own use.
  public var _reader: _Reader {
    get throws(StoreError) { _Reader(context: try open()) }
  }

  func open() throws(StoreError) -> VersionContext {
    guard let context else { throw .closed }
    return context
  }
}
