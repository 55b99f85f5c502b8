/// One version of the store, to read: a value that may go to any thread and stays as it is.
public struct Snapshot: Sendable {
  /// The version, pinned while the snapshot lives.
  public let version: Version

  /// The version's tables and trees.
  public var view: ReadView { version.view }
  /// The tables and fields.
  public var catalog: Catalog { version.view.catalog }

  /// A number that the file keeps, and that hardly any other file has.
  package var fileIdentity: UInt64 { version.slot.identity.low }

  /// The bytes of the units that the version uses, the header and the slots included.
  public var usedBytes: UInt64 {
    (version.slot.highWater - version.slot.freeUnits) * UInt64(Unit.bytes)
  }
}
