/// Several values as bytes that sort as the values do, the first value most significant (Format.md §6).
package enum CompoundBytes {
  private enum Tag {
    static let null: UInt8 = 0
    static let value: UInt8 = 1
    /// After a zero byte: the zero belongs to the text (`zero`), or ends the text (`end`).
    static let zero: UInt8 = 255
    static let end: UInt8 = 1
  }

  /// The bytes of the values in the first rows of columns.
  ///
  /// - Parameter shapes: How each of the columns is stored; there may be fewer columns than the value has, whose bytes
  ///   are then those that its own begin with.
  package static func bytes(
    _ columns: some Sequence<ColumnBuffer>, as shapes: [PackedColumns.Shape]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for (column, shape) in zip(columns, shapes) {
      if shape.isOptional {
        appendOptional(column, row: 0, to: &bytes)
      } else if !column.isNull(0) {
        append(column, row: 0, to: &bytes)
      }
    }
    return bytes
  }

  /// Appends the value in a row of a column, which may be null.
  ///
  /// - Parameter textBytesMax: Of a longer text only so many bytes are taken.
  static func appendOptional(
    _ column: ColumnBuffer, row: Int, textBytesMax: Int = .max, to bytes: inout [UInt8]
  ) {
    guard !column.isNull(row) else { return bytes.append(Tag.null) }
    bytes.append(Tag.value)
    append(column, row: row, textBytesMax: textBytesMax, to: &bytes)
  }

  /// Appends the stored form of a text's first bytes, without the end of a text.
  static func appendBeginning(_ text: ByteView, to bytes: inout [UInt8]) {
    for place in 0..<text.count {
      let byte = text.uint8(at: place)
      bytes.append(byte)
      if byte == 0 { bytes.append(Tag.zero) }
    }
  }

  private static func append(_ text: ByteView, to bytes: inout [UInt8]) {
    appendBeginning(text, to: &bytes)
    bytes.append(0)
    bytes.append(Tag.end)
  }

  /// The end offset of the first values, each optional, of these types; nil if the bytes end before it.
  static func end(of types: some Sequence<PhysicalType>, in bytes: ByteView) -> Int? {
    var place = 0
    for type in types {
      guard place < bytes.count else { return nil }
      place += 1
      guard bytes.uint8(at: place - 1) != Tag.null else { continue }
      switch type {
      case .integer, .double: place += 8
      case .float: place += 4
      case .uuid: place += 16
      case .bytes:
        while place < bytes.count, bytes.uint8(at: place) != 0 { place += 1 }
        while place + 1 < bytes.count, bytes.uint8(at: place + 1) == Tag.zero {
          place += 2
          while place < bytes.count, bytes.uint8(at: place) != 0 { place += 1 }
        }
        place += 2
      }
      guard place <= bytes.count else { return nil }
    }
    return place
  }

  /// Decodes values into columns of one row each; nil if the bytes are not values of these shapes.
  package static func columns(
    _ bytes: ByteView, as shapes: [PackedColumns.Shape]
  ) -> [ColumnBuffer]? {
    var place = 0
    var columns: [ColumnBuffer] = []
    for shape in shapes {
      let column = ColumnBuffer(type: shape.type)
      columns.append(column)
      if shape.isOptional {
        guard let tag = bytes.checkedSlice(place, 1)?.uint8(at: 0), tag <= Tag.value else {
          return nil
        }
        place += 1
        guard tag == Tag.value else {
          column.appendNull()
          continue
        }
      }
      guard take(shape.type, from: bytes, at: &place, into: column) else { return nil }
    }
    return place == bytes.count ? columns : nil
  }

  private static func take(
    _ type: PhysicalType, from bytes: ByteView, at place: inout Int, into column: ColumnBuffer
  ) -> Bool {
    if type == .bytes { return takeText(from: bytes, at: &place, into: column) }
    let size = type == .float ? 4 : type == .uuid ? 16 : 8
    guard let cell = bytes.checkedSlice(place, size) else { return false }
    place += size
    switch type {
    case .integer: column.append(Int64(bitPattern: cell.uint64(at: 0).byteSwapped ^ 1 << 63))
    case .double:
      let bits = cell.uint64(at: 0).byteSwapped
      column.append(Double(bitPattern: bits >> 63 == 1 ? bits ^ 1 << 63 : ~bits))
    case .float:
      let bits = cell.uint32(at: 0).byteSwapped
      column.append(Float(bitPattern: bits >> 31 == 1 ? bits ^ 1 << 31 : ~bits))
    case .uuid:
      column.append(uuid: cell.uint64(at: 0).byteSwapped, cell.uint64(at: 8).byteSwapped)
    case .bytes: return false
    }
    return true
  }

  private static func takeText(
    from bytes: ByteView, at place: inout Int, into column: ColumnBuffer
  ) -> Bool {
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes.uint8(at: place)
      place += 1
      guard byte == 0 else {
        text.append(byte)
        continue
      }
      guard place < bytes.count else { return false }
      let tag = bytes.uint8(at: place)
      place += 1
      switch tag {
      case Tag.zero: text.append(0)
      case Tag.end:
        unsafe text.withUnsafeBytes { unsafe column.append(bytes: $0) }
        return true
      default: return false
      }
    }
    return false
  }

  private static func append(
    _ column: ColumnBuffer, row: Int, textBytesMax: Int = .max, to bytes: inout [UInt8]
  ) {
    switch column.type {
    case .integer: append(UInt64(bitPattern: column.integer(row)) ^ 1 << 63, to: &bytes)
    case .double:
      let value = column.double(row)
      let bits = (value + 0).bitPattern
      append(value.isNaN ? .max : bits >> 63 == 1 ? ~bits : bits | 1 << 63, to: &bytes)
    case .float:
      let value = column.float(row)
      let bits = (value + 0).bitPattern
      append(value.isNaN ? .max : bits >> 31 == 1 ? ~bits : bits | 1 << 31, to: &bytes)
    case .uuid:
      append(column.uuid(row).high, to: &bytes)
      append(column.uuid(row).low, to: &bytes)
    case .bytes:
      let text = column.bytes(row)
      append(text.slice(0, min(text.count, textBytesMax)), to: &bytes)
    }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
