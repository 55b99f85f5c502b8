/// The ring of a file as a slot describes it, and the place of the records that follow the slot's version (Format.md §2).
package struct RingPlace: Equatable, Sendable {
  /// The extent. In place of a checksum it has the ring's key.
  package let pointer: ExtentPointer
  /// The offset in the ring behind the version's own record, or where the first record after it may begin.
  package var start: UInt32
  /// The chain value that the first record after the version names.
  package var chain: UInt64

  /// The bytes that a slot has for it.
  static let size = 40
  /// Records begin at multiples of this, in bytes.
  package static let alignment = 8

  /// The number that all checksums of the ring's records are combined with: records of an older ring, and bytes that
  /// a user wrote to units that became the ring, never look whole.
  package var key: UInt64 { pointer.checksum }
  /// The bytes of the ring.
  package var byteCount: Int { pointer.byteCount }

  /// A ring.
  package init(
    unit: UInt64, units: Int, birth: UInt64, key: UInt64, start: UInt32, chain: UInt64
  ) {
    pointer = ExtentPointer(unit: unit, units: units, kind: .ring, birth: birth, checksum: key)
    self.start = start
    self.chain = chain
  }

  /// Reads the ring's place from a slot; nil where all bytes are zero.
  init?(_ bytes: ByteView, at offset: Int, slotTransaction: UInt64) throws(EngineError) {
    let fields = bytes.slice(offset, Self.size)
    pointer = ExtentPointer(fields, at: 0)
    start = fields.uint32(at: 24)
    chain = fields.uint64(at: 32)
    guard !pointer.isNull || start != 0 || chain != 0 else { return nil }
    try pointer.check(kind: .ring, parentBirth: slotTransaction)
    guard key != 0, Int(start) <= byteCount, Int(start).isMultiple(of: Self.alignment) else {
      throw .corrupt(Corruption(.slotField))
    }
  }

  /// Stores the fields in a slot.
  func store(in bytes: MutableByteView, at offset: Int) {
    pointer.store(in: bytes, at: offset)
    bytes.store(start, at: offset + 24)
    bytes.store(UInt32(0), at: offset + 28)
    bytes.store(chain, at: offset + 32)
  }
}
