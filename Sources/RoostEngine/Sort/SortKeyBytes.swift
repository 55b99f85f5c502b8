/// Writes all sort keys of a row as bytes whose unsigned order is the order of the rows.
///
/// Each key begins with 0 for null or 1 for a value. Bytes are followed by two zeros, and a zero inside by 255,
/// so that a text sorts before texts that it is a prefix of. The bytes of a descending key are inverted.
struct SortKeyBytes {
  private let order: [SortColumn]
  /// The bytes of the last row written.
  private(set) var bytes: [UInt8] = []

  init(_ order: [SortColumn]) {
    self.order = order
  }

  /// Writes the keys of a row.
  mutating func set(_ leaf: inout ScanLeaf, row: Int) throws(EngineError) {
    bytes.removeAll(keepingCapacity: true)
    for key in order {
      let start = bytes.count
      if key.field == 0 {
        append(leaf.head.key(row))
      } else {
        try append(try leaf.column(key.field), row, key.field, leaf)
      }
      if key.isDescending {
        for place in start..<bytes.count { bytes[place] = ~bytes[place] }
      }
    }
  }

  private mutating func append(
    _ column: ColumnChunk, _ row: Int, _ field: FieldID, _ leaf: borrowing ScanLeaf
  ) throws(EngineError) {
    guard !column.isNull(row) else { return bytes.append(0) }
    switch column.type {
    case .integer: append(column.integer(row))
    case .double:
      bytes.append(1)
      append(bits: column.double(row).sortBits)
    case .float:
      bytes.append(1)
      append(bits: column.float(row).sortBits)
    case .uuid:
      let halves = column.uuid(row)
      bytes.append(1)
      append(bits: halves.high)
      append(bits: halves.low)
    case .bytes:
      bytes.append(1)
      if let reference = column.external(row) {
        let value = try leaf.value(reference, of: field)
        value.withByteView { append(text: $0) }
      } else {
        append(text: column.bytes(row))
      }
    }
  }

  private mutating func append(_ number: Int64) {
    bytes.append(1)
    append(bits: UInt64(bitPattern: number) ^ (1 << 63))
  }

  private mutating func append(bits: some FixedWidthInteger & BitwiseCopyable) {
    bytes.append(bytesOf: bits.bigEndian)
  }

  private mutating func append(text: ByteView) {
    if text.contains(0) {
      for offset in 0..<text.count {
        let byte = text.uint8(at: offset)
        bytes.append(byte)
        if byte == 0 { bytes.append(.max) }
      }
    } else {
      bytes.append(text)
    }
    bytes.append(0)
    bytes.append(0)
  }
}

extension Double {
  /// A number whose order is that of the sort bits.
  var sortNumber: Int { Int(truncatingIfNeeded: sortBits ^ 1 << 63) }

  /// Bits whose unsigned order is that of the numbers; −0 equals 0, and every NaN is one value above all.
  @inline(__always)
  var sortBits: UInt64 {
    if isNaN { return .max }
    let bits = (self == 0 ? 0.0 : self).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
  }
}

extension Float {
  /// Bits whose unsigned order is that of the numbers; −0 equals 0, and every NaN is one value above all.
  @inline(__always)
  var sortBits: UInt32 {
    if isNaN { return .max }
    let bits = (self == 0 ? 0.0 : self).bitPattern
    return bits >> 31 == 1 ? ~bits : bits | (1 << 31)
  }
}
