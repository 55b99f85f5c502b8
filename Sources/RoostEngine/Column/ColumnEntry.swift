/// The representation of a column's values as bytes; the raw values are those of the file.
@usableFromInline
package enum ColumnEncoding: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// Every row is null.
  case allNull = 0
  /// Integers as the distance from the smallest one.
  case frameOfReference = 1
  /// Integers at equal distances: only the first and the last are stored.
  case stride = 2
  /// Doubles and floats, unchanged.
  case raw = 3
  /// Doubles and floats that are whole multiples of a negative power of ten.
  case scaled = 4
  /// Offsets and bytes.
  case plain = 5
  /// Codes into a sorted list of distinct texts.
  case dictionary = 6
  /// UUIDs, unchanged.
  case rawUUID = 7
}

/// The flags of a column's directory entry.
@usableFromInline
package struct ColumnFlags: OptionSet, Sendable, Hashable, BitwiseCopyable {
  /// The bits.
  @usableFromInline package let rawValue: UInt8
  /// Flags with these bits.
  @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// At least one row is null; unless all are, a bitmap marks the rows that have a value.
  package static let nulls = ColumnFlags(rawValue: 1)
  /// Minimum and maximum are present.
  package static let zoneMap = ColumnFlags(rawValue: 2)
  /// Some value is NaN.
  package static let nan = ColumnFlags(rawValue: 4)
  /// Some cell is a reference to a value outside the leaf.
  package static let external = ColumnFlags(rawValue: 8)
}

/// A column's entry in the directory of its leaf: the position of its bytes, and its zone map.
@usableFromInline
package struct ColumnEntry: Sendable, Equatable, BitwiseCopyable {
  /// The bytes of a stored entry.
  package static let byteCount = 40

  /// The field's stable id; 0 is the object key.
  package var field: UInt32
  /// The type of the cells.
  @usableFromInline package var type: PhysicalType
  /// The representation of the cells.
  @usableFromInline package var encoding: ColumnEncoding
  /// Bits of a code, an offset or a raw value.
  @usableFromInline package var width: UInt8
  /// Nulls, zone map, NaN, external cells.
  package var flags: ColumnFlags
  /// The extent of the bytes: 0 is the head, k the k-th group.
  package var group: UInt16
  /// The exponent of a scaled column, or the number of entries of a dictionary.
  package var parameter: UInt16
  /// The offset of the bytes in their extent.
  package var offset: UInt32
  /// The number of bytes.
  package var length: UInt32
  /// The number of null rows.
  @usableFromInline package var nullCount: UInt32
  /// The smallest value that is neither null nor NaN, in the representation of its type.
  package var minimum: UInt64
  /// The largest value that is neither null nor NaN, in the representation of its type.
  package var maximum: UInt64

  /// An entry with these contents.
  package init(
    field: UInt32, type: PhysicalType, encoding: ColumnEncoding, width: UInt8, flags: ColumnFlags,
    group: UInt16, parameter: UInt16, offset: UInt32, length: UInt32, nullCount: UInt32,
    minimum: UInt64, maximum: UInt64
  ) {
    self.field = field
    self.type = type
    self.encoding = encoding
    self.width = width
    self.flags = flags
    self.group = group
    self.parameter = parameter
    self.offset = offset
    self.length = length
    self.nullCount = nullCount
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Reads the entry at `offset`; nil if the type, the encoding or a flag is unknown.
  ///
  /// The 40 bytes must lie in the view. ``ColumnChunk`` checks the numbers.
  package init?(_ bytes: ByteView, at offset: Int) {
    guard let type = PhysicalType(rawValue: bytes.uint8(at: offset + 4)),
      let encoding = ColumnEncoding(rawValue: bytes.uint8(at: offset + 5)),
      bytes.uint8(at: offset + 7) < 16
    else { return nil }
    self.init(
      field: bytes.uint32(at: offset), type: type, encoding: encoding,
      width: bytes.uint8(at: offset + 6),
      flags: ColumnFlags(rawValue: bytes.uint8(at: offset + 7)),
      group: bytes.uint16(at: offset + 8), parameter: bytes.uint16(at: offset + 10),
      offset: bytes.uint32(at: offset + 12), length: bytes.uint32(at: offset + 16),
      nullCount: bytes.uint32(at: offset + 20), minimum: bytes.uint64(at: offset + 24),
      maximum: bytes.uint64(at: offset + 32))
  }

  /// Writes the entry at `offset`.
  package func store(in bytes: MutableByteView, at offset: Int) {
    bytes.store(field, at: offset)
    bytes.store(type.rawValue, at: offset + 4)
    bytes.store(encoding.rawValue, at: offset + 5)
    bytes.store(width, at: offset + 6)
    bytes.store(flags.rawValue, at: offset + 7)
    bytes.store(group, at: offset + 8)
    bytes.store(parameter, at: offset + 10)
    bytes.store(self.offset, at: offset + 12)
    bytes.store(length, at: offset + 16)
    bytes.store(nullCount, at: offset + 20)
    bytes.store(minimum, at: offset + 24)
    bytes.store(maximum, at: offset + 32)
  }
}
