/// A range of units that becomes free or used: 16 bytes in the free log (Format.md §5).
package struct FreeRecord: Equatable, Sendable {
  /// The first unit.
  package let unit: UInt64
  /// The number of units, at most those of a segment.
  package let units: Int
  /// Whether the range becomes free.
  package let isFree: Bool
  /// The transaction that wrote the content of the range.
  package let birth: UInt64
  /// The transaction that freed the range.
  package let death: UInt64

  static let size = 16

  /// The unit after the last.
  package var end: UInt64 { unit + UInt64(units) }

  /// The record stored at `offset` in bytes that `transaction` wrote.
  init(_ bytes: ByteView, at offset: Int, transaction: UInt64) throws(EngineError) {
    let word = bytes.uint64(at: offset)
    unit = word & (Unit.limit - 1)
    units = Int((word >> 40) & 0x3FFF) + 1
    isFree = word >> 63 == 1
    let ages = (birth: bytes.uint32(at: offset + 8), death: bytes.uint32(at: offset + 12))
    birth = FreeRecord.transaction(aged: ages.birth, at: transaction)
    // The time of freeing is unknown, long ago: any version may have seen the range.
    death =
      ages.death == .max ? transaction : FreeRecord.transaction(aged: ages.death, at: transaction)
    let segment = UInt64(Unit.segmentUnits)
    guard unit >= Unit.firstExtent, unit / segment == (end - 1) / segment else {
      throw .corrupt(Corruption(.freeLog, unit: unit))
    }
  }

  /// A range.
  package init(unit: UInt64, units: Int, isFree: Bool, birth: UInt64, death: UInt64) {
    self.unit = unit
    self.units = units
    self.isFree = isFree
    self.birth = birth
    self.death = death
  }

  func store(in bytes: MutableByteView, at offset: Int, transaction: UInt64) {
    bytes.store(unit | UInt64(units - 1) << 40 | (isFree ? 1 << 63 : 0), at: offset)
    bytes.store(UInt32(clamping: transaction - min(birth, transaction)), at: offset + 8)
    bytes.store(UInt32(clamping: transaction - min(death, transaction)), at: offset + 12)
  }

  private static func transaction(aged age: UInt32, at transaction: UInt64) -> UInt64 {
    age == .max ? 0 : transaction - min(UInt64(age), transaction)
  }

  /// A test for the versions that see only one of two ranges that the same transaction freed.
  func isSeen(otherwiseThan other: FreeRecord) -> (UInt64) -> Bool {
    let births = min(birth, other.birth)..<max(birth, other.birth)
    return { births.contains($0) }
  }
}

/// One page of the free log: the ranges that became free or used, followed by older pages.
struct FreeLogPage {
  /// The most records of a page that is written: they leave ``Unit/trailerBytes`` free.
  static let capacity = 250
  /// The most records that fit into a page, as older files have them.
  private static let places = 252
  private static let recordsOffset = 64

  let transaction: UInt64
  let older: ExtentPointer
  let records: [FreeRecord]

  init(_ bytes: ByteView, pointer: ExtentPointer) throws(EngineError) {
    let count = Int(bytes.uint32(at: 4))
    transaction = bytes.uint64(at: 8)
    older = ExtentPointer(bytes, at: 16)
    guard bytes.uint8(at: 0) == ExtentKind.freeLog.rawValue, count <= Self.places,
      transaction == pointer.birth
    else { throw .corrupt(Corruption(.freeLog, unit: pointer.unit)) }
    if !older.isNull { try older.check(kind: .freeLog, parentBirth: pointer.birth) }
    var records: [FreeRecord] = []
    records.reserveCapacity(count)
    for index in 0..<count {
      records.append(
        try FreeRecord(
          bytes, at: Self.recordsOffset + index * FreeRecord.size, transaction: transaction))
    }
    self.records = records
  }

  /// Fills a page's bytes, which must be zero.
  static func store(
    _ records: ArraySlice<FreeRecord>, older: ExtentPointer, transaction: UInt64,
    in bytes: MutableByteView
  ) {
    precondition(records.count <= capacity)
    bytes.store(ExtentKind.freeLog.rawValue, at: 0)
    bytes.store(UInt32(records.count), at: 4)
    bytes.store(transaction, at: 8)
    older.store(in: bytes, at: 16)
    for (index, record) in records.enumerated() {
      record.store(
        in: bytes, at: recordsOffset + index * FreeRecord.size, transaction: transaction)
    }
  }
}
