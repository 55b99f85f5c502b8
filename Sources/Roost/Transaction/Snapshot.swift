package import RoostEngine

/// One version of a store, readable while it is retained.
///
/// Taking a snapshot never waits and costs next to nothing. It may be passed to any thread or actor, and always
/// shows the same objects. The file keeps data that only this version has until the snapshot, and
/// all ``Rows`` read from it, are released.
///
/// The closure of ``Store/read(_:fileID:line:)`` receives a snapshot, and ``Store/snapshot(fileID:line:)`` returns one to keep.
public struct Snapshot: ObjectReader, Sendable {
  /// The only field: a single reference, so that passing a snapshot costs as much as passing an object.
  let held: HeldVersion

  init(_ held: HeldVersion) { self.held = held }

  init(_ context: VersionContext) { held = HeldVersion(context) }

  /// The number of the version; each commit has a higher number.
  public var version: UInt64 {
    get throws(StoreError) { try open().snapshot.version.transaction }
  }

  /// The source of reads. For the store's own use.
  public var _reader: _Reader {
    get throws(StoreError) { _Reader(context: try open()) }
  }

  /// The engine's snapshot of the version.
  package var content: EngineSnapshot {
    get throws(StoreError) { try open().snapshot }
  }

  func open() throws(StoreError) -> VersionContext { try held.open() }
}
