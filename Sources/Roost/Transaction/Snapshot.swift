package import RoostEngine

/// One version of a store, to read for as long as it is held.
///
/// Taking one waits for nothing and costs next to nothing. It may go to any thread or actor, and always
/// shows the same objects. What it alone still shows is kept in the file until the snapshot, and
/// all ``Rows`` read from it, are gone.
///
/// The closure of ``Store/read(_:)`` gets one, and ``Store/snapshot()`` returns one to keep.
public struct Snapshot: ObjectReader, Sendable {
  /// All that a snapshot is: one reference, so that passing a snapshot costs what passing an object costs.
  let held: HeldVersion

  init(_ held: HeldVersion) { self.held = held }

  init(_ context: VersionContext) { held = HeldVersion(context) }

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

  func open() throws(StoreError) -> VersionContext { try held.open() }
}
