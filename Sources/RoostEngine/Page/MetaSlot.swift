/// The description of one version of the store: one unit, written as a whole (Format.md §2).
package struct MetaSlot: Equatable, Sendable {
  package static let count = 3
  static let inlineRootsMax = 24
  static let inlineFreeMax = 149
  /// The most inline free records that fit into a slot, as older files have them.
  private static let inlineFreePlaces = 151
  private static let magic: UInt64 = 0x7465_4D74_736F_6F52  // "RoostMet"
  private static let pagesSyncedFlag: UInt64 = 1
  private static let everyRootFlag: UInt64 = 2
  private static let closedFlag: UInt64 = 4
  /// The highest transaction number.
  package static let transactionMax: UInt64 = (1 << 62) - 1
  private static let namedVersionsOffset = 176
  private static let ringOffset = 200
  private static let namesOffset = 256
  private static let namesSize = 256
  private static let rootsOffset = 512
  private static let freeOffset = 1664
  private static let checksumOffset = Unit.bytes - 8

  package var transaction: UInt64
  /// A transaction known durable when this slot was written.
  var confirmed: UInt64
  /// Whether the pages were synced before this slot was written.
  var pagesWereSynced = false
  /// Whether each tree of the catalog has a root record. Earlier libraries wrote no record for a tree that had always
  /// been empty, and did not set this flag.
  package var hasEveryRoot = true
  /// Whether the file was closed in order with this slot: no record of the ring follows it.
  package var isClosed = false
  /// No extent of this version lies at or above this unit.
  package var highWater = Unit.firstExtent
  var freeUnits: UInt64 = 0
  package var features = FeatureWords()
  var identity: StoreIdentity
  var catalog = ExtentPointer.null
  var catalogLength: UInt64 = 0
  var rootsExtent = ExtentPointer.null
  var freeLog = ExtentPointer.null
  var freeLogPages: UInt32 = 0
  /// The list of the named versions; null if there are none.
  package var namedVersions = ExtentPointer.null
  /// The ring with the records of the versions that follow this one; nil if there is none.
  package var ring: RingPlace?
  package var inlineRoots: [TreeRoot] = []
  var inlineFree: [FreeRecord] = []

  /// The byte offset of slot `index` in the file.
  package static func offset(of index: Int) -> UInt64 { UInt64(index + 1) * 16384 }

  init(transaction: UInt64, confirmed: UInt64, identity: StoreIdentity) {
    self.transaction = transaction
    self.confirmed = confirmed
    self.identity = identity
  }

  /// Reads a slot; nil if the bytes are not a complete slot of this file.
  ///
  /// A slot with a valid checksum but invalid fields is damage or malice, and throws.
  package init?(_ bytes: ByteView, identity: StoreIdentity) throws(EngineError) {
    guard bytes.uint64(at: 0) == Self.magic,
      bytes.uint64(at: Self.checksumOffset) == XXH3.hash(bytes.slice(0, Self.checksumOffset))
    else { return nil }
    guard Self.identity(in: bytes) == identity else { return nil }
    self.identity = identity
    transaction = bytes.uint64(at: 8)
    confirmed = bytes.uint64(at: 16)
    pagesWereSynced = bytes.uint64(at: 24) & Self.pagesSyncedFlag != 0
    hasEveryRoot = bytes.uint64(at: 24) & Self.everyRootFlag != 0
    isClosed = bytes.uint64(at: 24) & Self.closedFlag != 0
    highWater = bytes.uint64(at: 32)
    freeUnits = bytes.uint64(at: 40)
    features = FeatureWords(
      compatible: bytes.uint64(at: 48), readOnlyCompatible: bytes.uint64(at: 56),
      incompatible: bytes.uint64(at: 64),
      names: Self.readNames(bytes.slice(Self.namesOffset, Self.namesSize)))
    catalog = ExtentPointer(bytes, at: 88)
    catalogLength = bytes.uint64(at: 112)
    rootsExtent = ExtentPointer(bytes, at: 120)
    freeLog = ExtentPointer(bytes, at: 144)
    freeLogPages = bytes.uint32(at: 168)
    namedVersions = ExtentPointer(bytes, at: Self.namedVersionsOffset)
    let roots = Int(bytes.uint16(at: 172))
    let free = Int(bytes.uint16(at: 174))
    guard transaction > 0, transaction <= Self.transactionMax, confirmed < transaction,
      highWater >= Unit.firstExtent, highWater <= Unit.limit, freeUnits <= highWater,
      roots <= Self.inlineRootsMax, free <= Self.inlineFreePlaces,
      freeLog.isNull == (freeLogPages == 0), UInt64(freeLogPages) <= highWater
    else { throw .corrupt(Corruption(.slotField)) }
    if !rootsExtent.isNull { try rootsExtent.check(kind: .roots, parentBirth: transaction) }
    if !namedVersions.isNull {
      try namedVersions.check(kind: .namedVersions, parentBirth: transaction)
    }
    ring = try RingPlace(bytes, at: Self.ringOffset, slotTransaction: transaction)
    guard features.hasRing == (ring != nil), features.hasRing || !features.hasRecordedRows,
      ring?.pointer.end ?? 0 <= highWater
    else {
      throw .corrupt(Corruption(.slotField))
    }
    if !freeLog.isNull { try freeLog.check(kind: .freeLog, parentBirth: transaction) }
    for index in 0..<roots {
      inlineRoots.append(
        try TreeRoot(
          bytes, at: Self.rootsOffset + index * TreeRoot.size, parentBirth: transaction))
    }
    for index in 0..<free {
      inlineFree.append(
        try FreeRecord(
          bytes, at: Self.freeOffset + index * FreeRecord.size, transaction: transaction))
    }
  }

  /// The identity of the file that a slot was written for.
  package static func identity(in bytes: ByteView) -> StoreIdentity {
    StoreIdentity(low: bytes.uint64(at: 72), high: bytes.uint64(at: 80))
  }

  /// Fills one unit and returns the slot's checksum, which identifies the version together with the transaction.
  @discardableResult
  func store(in bytes: MutableByteView) -> UInt64 {
    precondition(
      inlineRoots.count <= Self.inlineRootsMax && inlineFree.count <= Self.inlineFreeMax)
    bytes.zero()
    bytes.store(Self.magic, at: 0)
    bytes.store(transaction, at: 8)
    bytes.store(confirmed, at: 16)
    let flags =
      (pagesWereSynced ? Self.pagesSyncedFlag : 0) | (hasEveryRoot ? Self.everyRootFlag : 0)
      | (isClosed ? Self.closedFlag : 0)
    bytes.store(flags, at: 24)
    bytes.store(highWater, at: 32)
    bytes.store(freeUnits, at: 40)
    bytes.store(features.compatible, at: 48)
    bytes.store(features.readOnlyCompatible, at: 56)
    bytes.store(features.incompatible, at: 64)
    bytes.store(identity.low, at: 72)
    bytes.store(identity.high, at: 80)
    catalog.store(in: bytes, at: 88)
    bytes.store(catalogLength, at: 112)
    rootsExtent.store(in: bytes, at: 120)
    freeLog.store(in: bytes, at: 144)
    bytes.store(freeLogPages, at: 168)
    namedVersions.store(in: bytes, at: Self.namedVersionsOffset)
    ring?.store(in: bytes, at: Self.ringOffset)
    bytes.store(UInt16(inlineRoots.count), at: 172)
    bytes.store(UInt16(inlineFree.count), at: 174)
    Self.storeNames(features.names, in: bytes.slice(Self.namesOffset, Self.namesSize))
    for (index, root) in inlineRoots.enumerated() {
      root.store(in: bytes, at: Self.rootsOffset + index * TreeRoot.size)
    }
    for (index, record) in inlineFree.enumerated() {
      record.store(
        in: bytes, at: Self.freeOffset + index * FreeRecord.size, transaction: transaction)
    }
    let checksum = XXH3.hash(bytes.readOnly.slice(0, Self.checksumOffset))
    bytes.store(checksum, at: Self.checksumOffset)
    return checksum
  }

  private static func readNames(_ bytes: ByteView) -> [String] {
    var names: [String] = []
    var offset = 0
    while offset < bytes.count {
      let length = Int(bytes.uint8(at: offset))
      guard length > 0, let text = bytes.checkedSlice(offset + 1, length) else { break }
      names.append(String(decoding: text.array, as: UTF8.self))
      offset += 1 + length
    }
    return names
  }

  private static func storeNames(_ names: [String], in bytes: MutableByteView) {
    var offset = 0
    for name in names {
      let text = Array(name.utf8.prefix(255))
      guard offset + 1 + text.count < bytes.count else { return }
      bytes.store(UInt8(text.count), at: offset)
      for (index, byte) in text.enumerated() { bytes.store(byte, at: offset + 1 + index) }
      offset += 1 + text.count
    }
  }
}

/// A mark that a slot was durable, stored in the block of the next slot (Format.md §2).
struct ConfirmMark: Equatable, Sendable {
  static let size = 32
  private static let magic: UInt64 = 0x666E_4374_736F_6F52  // "RoostCnf"

  let transaction: UInt64
  let slotChecksum: UInt64

  /// The byte offset of the mark of slot `index` in the file.
  package static func offset(ofSlot index: Int) -> UInt64 {
    MetaSlot.offset(of: (index + 1) % MetaSlot.count) + UInt64(Unit.bytes)
  }

  init(transaction: UInt64, slotChecksum: UInt64) {
    self.transaction = transaction
    self.slotChecksum = slotChecksum
  }

  /// Reads a mark; nil if the bytes are not a complete mark.
  package init?(_ bytes: ByteView) {
    guard bytes.uint64(at: 0) == Self.magic,
      bytes.uint64(at: 24) == XXH3.hash(bytes.slice(0, 24))
    else { return nil }
    transaction = bytes.uint64(at: 8)
    slotChecksum = bytes.uint64(at: 16)
  }

  func store(in bytes: MutableByteView) {
    bytes.store(Self.magic, at: 0)
    bytes.store(transaction, at: 8)
    bytes.store(slotChecksum, at: 16)
    bytes.store(XXH3.hash(bytes.readOnly.slice(0, 24)), at: 24)
  }
}
