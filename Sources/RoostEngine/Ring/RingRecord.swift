/// One record of the ring: what a transaction changed (Format.md §7).
package struct RingRecord: Equatable, Sendable {
  /// The kinds of records.
  package enum Kind: Sendable {
    /// A transaction.
    case commit
    /// A transaction whose changes are not applied to the trees: it says which rows they concern.
    case rows
    /// A transaction that wrote no objects, only a slot with a free log of its own.
    case checkpoint
    /// No transaction: it says only what is durable and confirmed.
    case idle
  }

  package var kind = Kind.commit
  /// The version's number; of an idle mark the highest number that was given.
  package var transaction: UInt64
  /// The checksum of the record before, or the slot's chain value.
  package var chain: UInt64
  /// The newest version that was durable when the record was written.
  package var durable: UInt64
  /// The version of the newest confirmed slot when the record was written.
  package var confirmed: UInt64
  /// No extent of the version lies at or above this unit.
  package var highWater: UInt64
  /// The free units of the version.
  package var freeUnits: UInt64
  /// The changed roots, ascending.
  package var roots: [TreeRoot] = []
  /// The units that became free or used, in order.
  package var free: [FreeRecord] = []
  package var extents: [RecordedExtent] = []
  /// Of a record of rows: what a ``RowWriter`` wrote.
  package var rows: ArraySlice<UInt8> = []

  package init(
    _ kind: Kind = .commit, transaction: UInt64, chain: UInt64, durable: UInt64,
    confirmed: UInt64, highWater: UInt64, freeUnits: UInt64
  ) {
    self.kind = kind
    self.transaction = transaction
    self.chain = chain
    self.durable = durable
    self.confirmed = confirmed
    self.highWater = highWater
    self.freeUnits = freeUnits
  }

  /// The most bytes of a record; it has also at most half the bytes of the ring.
  package static let bytesMax = 65_536
  /// The most units by which a record raises the high-water mark.
  package static let newUnitsMax: UInt64 = 65_536

  /// The bytes of the record.
  package var byteCount: Int {
    extents.reduce(
      Layout.header + rowBytes + roots.count * TreeRoot.size + free.count * FreeRecord.size
        + Layout.checksum
    ) { $0 + Layout.extent + $1.opsBytes }
  }

  private var rowBytes: Int {
    (rows.count + RingPlace.alignment - 1) / RingPlace.alignment * RingPlace.alignment
  }

  /// Fills bytes, ``byteCount`` of them, and returns the record's checksum: the chain value of the next one.
  ///
  /// - Parameter key: The ring's.
  @discardableResult
  package func store(in bytes: MutableByteView, key: UInt64) -> UInt64 {
    precondition(bytes.count == byteCount && bytes.count <= Self.bytesMax)
    bytes.zero()
    bytes.store(Layout.magic, at: 0)
    bytes.store(UInt32(bytes.count), at: 4)
    for (index, word) in [transaction, chain, durable, confirmed, highWater, freeUnits].enumerated()
    {
      bytes.store(word, at: 8 + 8 * index)
    }
    for (index, count) in [roots.count, free.count, extents.count].enumerated() {
      bytes.store(UInt16(count), at: Layout.counts + 2 * index)
    }
    bytes.store(kind.flags, at: Layout.flags)
    var offset = Layout.header
    for root in roots {
      root.store(in: bytes, at: offset)
      offset += TreeRoot.size
    }
    for record in free {
      record.store(in: bytes, at: offset, transaction: transaction)
      offset += FreeRecord.size
    }
    for extent in extents {
      extent.pointer.store(in: bytes, at: offset)
      let base = extent.base.map { $0.unit | UInt64($0.units - 1) << 40 } ?? 0
      let words = UInt64(extent.opsBytes / RingPlace.alignment)
      bytes.store(base | words << 48, at: offset + ExtentPointer.size)
      offset += Layout.extent
      extent.delta.ops.withByteView { bytes.copy($0, at: offset) }
      offset += extent.opsBytes
    }
    rows.withByteView { bytes.copy($0, at: offset) }
    offset += rowBytes
    let checksum = XXH3.hash(bytes.readOnly.slice(0, offset)) ^ key
    bytes.store(checksum, at: offset)
    return checksum
  }
}

/// The layout of a record.
private enum Layout {
  static let magic: UInt32 = 0x6352_7352  // "RsRc"
  static let counts = 56
  static let flags = 62
  static let header = 64
  /// The bytes of an extent before its operations.
  static let extent = 32
  static let checksum = 8
  /// Bit 0 is reserved for encryption.
  static let checkpointFlag: UInt16 = 2
  static let idleFlag: UInt16 = 4
  static let rowsFlag: UInt16 = 8
}

extension RingRecord.Kind {
  fileprivate var flags: UInt16 {
    switch self {
    case .commit: 0
    case .rows: Layout.rowsFlag
    case .checkpoint: Layout.checkpointFlag
    case .idle: Layout.idleFlag
    }
  }
}

// MARK: Reading

/// What a whole record says before its roots.
struct RingRecordHeader: Equatable {
  let transaction: UInt64
  let chain: UInt64
  let durable: UInt64
  let confirmed: UInt64
  let highWater: UInt64
  let freeUnits: UInt64
  /// Where the record begins in the ring, and its bytes.
  let offset: Int
  let byteCount: Int
  let flags: UInt16
  let checksum: UInt64

  /// The offset behind the record.
  var end: Int { offset + byteCount }
  /// Whether the record is an idle mark, which no chain goes through.
  var isIdleMark: Bool { flags & Layout.idleFlag != 0 }

  /// The record that begins at an offset of a ring; nil where there is none that is whole.
  init?(_ ring: ByteView, at offset: Int, key: UInt64) {
    guard let start = ring.checkedSlice(offset, Layout.header), start.uint32(at: 0) == Layout.magic
    else { return nil }
    byteCount = Int(start.uint32(at: 4))
    guard byteCount >= Layout.header + Layout.checksum,
      byteCount <= min(RingRecord.bytesMax, ring.count / 2),
      byteCount.isMultiple(of: RingPlace.alignment),
      let bytes = ring.checkedSlice(offset, byteCount)
    else { return nil }
    let end = byteCount - Layout.checksum
    checksum = bytes.uint64(at: end)
    guard XXH3.hash(bytes.slice(0, end)) ^ key == checksum else { return nil }
    self.offset = offset
    transaction = bytes.uint64(at: 8)
    chain = bytes.uint64(at: 16)
    durable = bytes.uint64(at: 24)
    confirmed = bytes.uint64(at: 32)
    highWater = bytes.uint64(at: 40)
    freeUnits = bytes.uint64(at: 48)
    flags = bytes.uint16(at: Layout.flags)
    guard 1...MetaSlot.transactionMax ~= transaction, confirmed <= durable, durable <= transaction
    else { return nil }
  }
}

extension RingRecord {
  /// Reads and checks a record that is whole and follows another version.
  ///
  /// - Throws: `.corrupt` where it is not what Format.md says.
  init(_ ring: ArraySlice<UInt8>, _ header: RingRecordHeader) throws(EngineError) {
    let whole = ring[
      ring.startIndex + header.offset..<ring.startIndex + header.end - Layout.checksum]
    kind =
      switch header.flags {
      case Layout.checkpointFlag: .checkpoint
      case Layout.rowsFlag: .rows
      default: .commit
      }
    transaction = header.transaction
    chain = header.chain
    durable = header.durable
    confirmed = header.confirmed
    highWater = header.highWater
    freeUnits = header.freeUnits
    guard header.flags == kind.flags, durable < transaction,
      Unit.firstExtent...Unit.limit ~= highWater, freeUnits <= highWater
    else { throw .corrupt(Corruption(.ringRecord)) }
    try whole.withByteView { bytes throws(EngineError) in try readParts(bytes, of: whole) }
    guard kind == .commit || (roots.isEmpty && extents.isEmpty),
      kind != .rows || free.isEmpty
    else { throw .corrupt(Corruption(.ringRecord)) }
  }

  private mutating func readParts(
    _ bytes: ByteView, of whole: ArraySlice<UInt8>
  ) throws(EngineError) {
    let counts = (0..<3).map { Int(bytes.uint16(at: Layout.counts + 2 * $0)) }
    let rootsEnd = Layout.header + counts[0] * TreeRoot.size
    let freeEnd = rootsEnd + counts[1] * FreeRecord.size
    guard counts[0] <= MetaSlot.inlineRootsMax, freeEnd <= bytes.count else {
      throw .corrupt(Corruption(.ringRecord))
    }
    for offset in stride(from: Layout.header, to: rootsEnd, by: TreeRoot.size) {
      let root = try TreeRoot(bytes, at: offset, parentBirth: transaction)
      guard root.id > roots.last?.id ?? 0, root.pointer.isNull || root.pointer.end <= highWater
      else { throw .corrupt(Corruption(.ringRecord, tree: root.id)) }
      roots.append(root)
    }
    for offset in stride(from: rootsEnd, to: freeEnd, by: FreeRecord.size) {
      let record = try FreeRecord(bytes, at: offset, transaction: transaction)
      guard record.end <= highWater else {
        throw .corrupt(Corruption(.ringRecord, unit: record.unit))
      }
      free.append(record)
    }
    var offset = freeEnd
    for _ in 0..<counts[2] {
      guard let head = bytes.checkedSlice(offset, Layout.extent) else {
        throw .corrupt(Corruption(.ringRecord))
      }
      let word = head.uint64(at: ExtentPointer.size)
      let count = Int(word >> 48) * RingPlace.alignment
      offset += Layout.extent
      guard bytes.checkedSlice(offset, count) != nil else {
        throw .corrupt(Corruption(.ringRecord))
      }
      let start = whole.startIndex + offset
      try addExtent(ExtentPointer(head, at: 0), base: word, ops: whole[start..<start + count])
      offset += count
    }
    if kind == .rows {
      rows = whole[(whole.startIndex + offset)...]
      offset = bytes.count
      _ = try RecordedRows.all(rows)
    }
    guard offset == bytes.count else { throw .corrupt(Corruption(.ringRecord)) }
  }

  private mutating func addExtent(
    _ pointer: ExtentPointer, base word: UInt64, ops: ArraySlice<UInt8>
  ) throws(EngineError) {
    let unit = word & (Unit.limit - 1)
    let units = Int(word >> 40 & 0xFF) + 1
    guard let kind = pointer.kind, kind.isContent, pointer.birth == transaction,
      pointer.end <= highWater, unit == 0 || unit + UInt64(units) <= highWater,
      unit != 0 || units == 1
    else { throw .corrupt(Corruption(.ringRecord, unit: pointer.unit)) }
    try pointer.check(kind: kind, parentBirth: transaction)
    let base = unit == 0 ? nil : RecordedExtent.Base(unit: unit, units: units)
    if let base {
      let place = ExtentPointer(
        unit: base.unit, units: base.units, kind: kind, birth: 0, checksum: 0)
      try place.checkPlace()
    }
    extents.append(try RecordedExtent(pointer: pointer, base: base, ops: ops))
  }
}
