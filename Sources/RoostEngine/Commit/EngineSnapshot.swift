/// A read-only version of the store: an immutable value that may go to any thread.
package struct EngineSnapshot: Sendable {
  /// The version, pinned while the snapshot lives.
  package let version: Version

  /// The version's tables and trees; see ``Version/view()``.
  package var view: ReadView { get throws(EngineError) { try version.view() } }
  /// The tables and fields.
  package var catalog: Catalog { version.catalog }

  /// The named versions in this one, oldest first.
  package var namedVersions: [NamedVersion] { version.named?.list ?? [] }

  /// The content of the version with this name.
  ///
  /// - Throws: `.version` where none has it.
  package func named(_ name: String) throws(EngineError) -> EngineSnapshot {
    guard let named = namedVersions.first(where: { $0.name == name }) else {
      throw .version(named: name, .unknown)
    }
    return EngineSnapshot(version: try version.content(of: named))
  }

  /// The bytes of the ring that small commits are recorded in; 0 where there is none.
  package var ringBytes: UInt64 { UInt64(version.slot.ring?.byteCount ?? 0) }
  /// The newest version that the file holds without records of the ring.
  package var slotVersion: UInt64 { version.pendingFree?.anchor.transaction ?? version.transaction }
  /// The bytes of extents that only records of the ring have.
  package var recordedBytes: UInt64 {
    let dirty = version.applied.reader.dirty
    return UInt64(dirty.recorded.size.bytes + dirty.bytes)
  }

  /// How many commits have changed no tree yet: their rows are in records of the ring alone.
  package var unappliedCommits: Int { version.unapplied?.count ?? 0 }

  /// A number stored in the file that is almost unique to it.
  package var fileIdentity: UInt64 { version.slot.identity.low }

  /// The bytes of all units that the version uses, including the header and the slots.
  package var usedBytes: UInt64 {
    (version.slot.highWater - version.slot.freeUnits) * UInt64(Unit.bytes)
  }

  /// The bytes of all units that this version or a named version uses, including the header and the slots.
  ///
  /// - Complexity: O(1) where no version has a name; otherwise the free log is read.
  package func usedBytesWithNamed() throws(EngineError) -> UInt64 {
    usedBytes + (try namedBytes().all)
  }

  /// The bytes that named versions use but this version does not: the total, and for each named version, in order, the
  /// bytes that no other named version uses.
  ///
  /// - Complexity: O(1) where no version has a name; otherwise the free log is read.
  package func namedBytes() throws(EngineError) -> (all: UInt64, each: [UInt64]) {
    let named = namedVersions
    var all: UInt64 = 0
    var each = [UInt64](repeating: 0, count: named.count)
    guard !named.isEmpty else { return (all, each) }
    let space = try FreeLog.read(
      version.slot, named: named, pending: version.pendingFree, reader: version.applied.reader
    ).space
    space.forEachKept { extent in
      let bytes = UInt64(extent.units * Unit.bytes)
      all += bytes
      let seeing = named.indices.filter { extent.isSeen(by: named[$0].transaction) }
      if seeing.count == 1 { each[seeing[0]] += bytes }
    }
    return (all, each)
  }
}
