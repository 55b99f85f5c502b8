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
  case ring = 13

  /// Whether it is part of a version's content. The others are what the file says of itself: they are written with slots only,
  /// and a name does not keep them.
  var isContent: Bool {
    switch self {
    case .freeLog, .namedVersions, .ring: false
    case .objectInner, .leafHead, .leafGroup, .indexInner, .indexLeaf, .valueBytes, .valueLZ4,
      .valueList, .valueNode, .roots:
      true
    }
  }
}

/// The sizes that the format fixes.
package enum Unit {
  /// The bytes of one unit, independent of the system's page size.
  package static let bytes = 4096
  /// The most units that one extent may have.
  package static let extentUnitsMax = 256
  /// The bytes that what is written leaves free at the end of each extent that has a fixed capacity: encryption will
  /// need them.
  package static let trailerBytes = 32
  /// The units of a segment (64 MiB); an extent never crosses a segment boundary.
  package static let segmentUnits = 16384
  /// The first unit that an extent may use, after the header and the slots.
  package static let firstExtent: UInt64 = 16
  /// One above the highest unit that a pointer can name.
  package static let limit: UInt64 = 1 << 40
}

/// The place of an extent, the transaction that wrote it, and the checksum of its bytes.
///
/// This structure enables verification on load, commits with one sync, exact reclamation and
/// structural differences between versions (Format.md §1).
package struct ExtentPointer: Hashable, Sendable, BitwiseCopyable {
  /// The stored word of unit, length and kind.
  let place: UInt64
  /// The transaction that wrote the extent.
  package let birth: UInt64
  /// XXH3-64 of all the extent's bytes.
  package let checksum: UInt64

  /// The bytes that a stored pointer takes.
  package static let size = 24
  /// The null pointer.
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

  /// Whether the pointer is null.
  package var isNull: Bool { place == 0 && birth == 0 && checksum == 0 }
  /// The extent's first unit.
  package var unit: UInt64 { place & (Unit.limit - 1) }
  /// The number of units of the extent.
  package var units: Int { Int((place >> 40) & 0xFF) + 1 }
  /// The unit after the extent's last.
  package var end: UInt64 { unit + UInt64(units) }
  /// Whether the extents have a unit in common.
  func overlaps(_ other: ExtentPointer) -> Bool { unit < other.end && other.unit < end }
  /// The number of bytes of the extent.
  package var byteCount: Int { units * Unit.bytes }
  /// The kind of the extent; nil if the stored kind is unknown.
  package var kind: ExtentKind? { ExtentKind(rawValue: UInt8(truncatingIfNeeded: place >> 48)) }

  /// Throws unless the pointer is valid for an extent of this kind, in a parent born in `parentBirth`.
  package func check(
    kind expected: ExtentKind, parentBirth: UInt64
  ) throws(EngineError) {
    guard kind == expected, place >> 56 == 0 else {
      throw .corrupt(Corruption(.pointerKind, unit: unit))
    }
    guard birth <= parentBirth else { throw .corrupt(Corruption(.birthAfterParent, unit: unit)) }
    try checkPlace()
  }

  /// Throws unless an extent may have the pointer's place.
  func checkPlace() throws(EngineError) {
    let segment = UInt64(Unit.segmentUnits)
    guard unit >= Unit.firstExtent, (end - 1) / segment == unit / segment else {
      throw .corrupt(Corruption(.pointerOutsideFile, unit: unit))
    }
  }
}
