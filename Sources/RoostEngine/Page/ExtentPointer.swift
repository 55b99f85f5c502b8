/// The kind of an extent.
package enum ExtentKind: UInt8, Hashable, Sendable {
  case objectInner = 1
  case leafHead = 2
  case leafGroup = 3
  case indexInner = 4
  case indexLeaf = 5
  case valueBytes = 6
  case valueLZ4 = 7
  case valueList = 8
  case freeLog = 9
  case valueNode = 10
  case roots = 11
  case namedVersions = 12
}

/// The sizes that the format fixes.
package enum Unit {
  /// The bytes of one unit; never the system's page.
  package static let bytes = 4096
  /// The most units that one extent may have.
  package static let extentUnitsMax = 256
  /// An extent never crosses a boundary of so many units (64 MiB).
  package static let segmentUnits = 16384
  /// The first unit that an extent may use; the header and the slots lie before it.
  package static let firstExtent: UInt64 = 16
  /// One above the highest unit that a pointer can name.
  package static let limit: UInt64 = 1 << 40
}

/// Where an extent is, which transaction wrote it, and the checksum of what it must contain.
///
/// This one structure gives verification on load, commits with one sync, exact reclamation and
/// structural differences between versions (Format.md §1).
package struct ExtentPointer: Hashable, Sendable, BitwiseCopyable {
  /// Unit, length and kind, as they are stored.
  let place: UInt64
  /// The transaction that wrote the extent.
  package let birth: UInt64
  /// XXH3-64 of all the extent's bytes.
  package let checksum: UInt64

  /// The bytes that a stored pointer takes.
  package static let size = 24
  /// The pointer that points nowhere.
  package static let null = ExtentPointer(place: 0, birth: 0, checksum: 0)

  init(place: UInt64, birth: UInt64, checksum: UInt64) {
    self.place = place
    self.birth = birth
    self.checksum = checksum
  }

  /// A pointer to `units` units from `unit` on.
  package init(unit: UInt64, units: Int, kind: ExtentKind, birth: UInt64, checksum: UInt64) {
    precondition(unit < Unit.limit && units >= 1 && units <= Unit.extentUnitsMax)
    place = unit | UInt64(units - 1) << 40 | UInt64(kind.rawValue) << 48
    self.birth = birth
    self.checksum = checksum
  }

  /// The pointer stored at `offset`.
  package init(_ bytes: ByteView, at offset: Int) {
    place = bytes.uint64(at: offset)
    birth = bytes.uint64(at: offset + 8)
    checksum = bytes.uint64(at: offset + 16)
  }

  /// Stores the pointer's 24 bytes at `offset`.
  package func store(in bytes: MutableByteView, at offset: Int) {
    bytes.store(place, at: offset)
    bytes.store(birth, at: offset + 8)
    bytes.store(checksum, at: offset + 16)
  }

  /// Whether the pointer points nowhere.
  package var isNull: Bool { place == 0 && birth == 0 && checksum == 0 }
  /// The extent's first unit.
  package var unit: UInt64 { place & (Unit.limit - 1) }
  /// How many units the extent has.
  package var units: Int { Int((place >> 40) & 0xFF) + 1 }
  /// The unit after the extent's last.
  package var end: UInt64 { unit + UInt64(units) }
  /// Whether both extents have a unit in common.
  func overlaps(_ other: ExtentPointer) -> Bool { unit < other.end && other.unit < end }
  /// How many bytes the extent has.
  package var byteCount: Int { units * Unit.bytes }
  /// What the extent holds, or nil where the stored kind is unknown.
  package var kind: ExtentKind? { ExtentKind(rawValue: UInt8(truncatingIfNeeded: place >> 48)) }

  /// Throws unless the pointer can be that of an extent of this kind, held by something born in `parentBirth`.
  package func check(
    kind expected: ExtentKind, parentBirth: UInt64
  ) throws(EngineError) {
    guard kind == expected, place >> 56 == 0 else {
      throw .corrupt(Corruption(.pointerKind, unit: unit))
    }
    guard birth <= parentBirth else { throw .corrupt(Corruption(.birthAfterParent, unit: unit)) }
    try checkPlace()
  }

  /// Throws unless the extent can lie where the pointer says.
  func checkPlace() throws(EngineError) {
    let segment = UInt64(Unit.segmentUnits)
    guard unit >= Unit.firstExtent, (end - 1) / segment == unit / segment else {
      throw .corrupt(Corruption(.pointerOutsideFile, unit: unit))
    }
  }
}
