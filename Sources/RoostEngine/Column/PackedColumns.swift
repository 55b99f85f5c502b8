/// The columns of a collection's elements, packed into one value (Format.md §6).
///
/// Equal collections have equal bytes: each column has its minimum width, a null is zeros, and −0 is 0.
package struct PackedColumns {
  /// The physical type of a column's values, and whether they may be null.
  package struct Shape: Equatable, Sendable {
    /// The physical type.
    package var type: PhysicalType
    /// Whether null is a value.
    package var isOptional: Bool

    /// A shape.
    package init(_ type: PhysicalType, isOptional: Bool) {
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// The columns, in order.
  package let columns: [ColumnBuffer]
  /// The number of elements.
  package let count: Int

  // MARK: Packing

  /// The columns as bytes.
  ///
  /// - Parameters:
  ///   - shapes: How each of the columns is stored.
  ///   - rows: The places of the elements in the order in which they are to be; all of them unless told.
  package static func bytes(
    _ columns: [ColumnBuffer], as shapes: [Shape], rows: [Int]? = nil
  ) -> [UInt8] {
    let rows = rows ?? Array(0..<(columns.first?.count ?? 0))
    var bytes: [UInt8] = []
    append(varint: UInt64(rows.count), to: &bytes)
    for (column, shape) in zip(columns, shapes) {
      if shape.isOptional { appendNulls(of: column, rows, to: &bytes) }
      append(column, rows, to: &bytes)
    }
    return bytes
  }

  /// The columns as bytes, with the elements sorted by the bytes of their first columns.
  ///
  /// - Parameter keyCount: The number of those columns; none keeps the order.
  package static func bytes(
    _ columns: [ColumnBuffer], as shapes: [Shape], orderedBy keyCount: Int
  ) -> [UInt8] {
    guard keyCount > 0 else { return bytes(columns, as: shapes) }
    let keys = Array(columns.prefix(keyCount))
    let keyShapes = Array(shapes.prefix(keyCount))
    let rows = (0..<(keys.first?.count ?? 0)).map { row in
      OrderedRow(bytes: bytes(keys, as: keyShapes, rows: [row]), key: Int64(row))
    }
    return bytes(columns, as: shapes, rows: rows.ascendingPlaces())
  }

  private static func appendNulls(
    of column: ColumnBuffer, _ rows: [Int], to bytes: inout [UInt8]
  ) {
    var bits: UInt8 = 0
    for (place, row) in rows.enumerated() {
      if column.isNull(row) { bits |= 1 << UInt8(place & 7) }
      guard place & 7 == 7 || place == rows.count - 1 else { continue }
      bytes.append(bits)
      bits = 0
    }
  }

  private static func append(_ column: ColumnBuffer, _ rows: [Int], to bytes: inout [UInt8]) {
    switch column.type {
    case .integer:
      let width = rows.reduce(1) { max($0, byteWidth(of: column.integer($1))) }
      bytes.append(UInt8(width))
      for row in rows {
        append(UInt64(bitPattern: column.integer(row)), width: width, to: &bytes)
      }
    case .double:
      for row in rows { append((column.double(row) + 0).bitPattern, width: 8, to: &bytes) }
    case .float:
      for row in rows { append(UInt64((column.float(row) + 0).bitPattern), width: 4, to: &bytes) }
    case .uuid:
      for row in rows {
        let halves = column.uuid(row)
        append(halves.high.byteSwapped, width: 8, to: &bytes)
        append(halves.low.byteSwapped, width: 8, to: &bytes)
      }
    case .bytes:
      for row in rows { append(varint: UInt64(column.bytes(row).count), to: &bytes) }
      for row in rows {
        unsafe column.bytes(row).withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      }
    }
  }

  private static func byteWidth(of number: Int64) -> Int {
    if Int8(exactly: number) != nil { return 1 }
    if Int16(exactly: number) != nil { return 2 }
    return Int32(exactly: number) != nil ? 4 : 8
  }

  private static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
    for place in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
  }

  private static func append(varint number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 127 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  // MARK: Unpacking

  /// Decodes columns; nil if the bytes are not columns of these shapes.
  ///
  /// - Complexity: The number of bytes: an element takes at least one.
  package init?(_ bytes: ByteView, as shapes: [Shape]) {
    var input = Input(bytes)
    guard !shapes.isEmpty, let count = input.varint(), count <= bytes.count else { return nil }
    var columns: [ColumnBuffer] = []
    for shape in shapes {
      guard let nulls = input.take(shape.isOptional ? (count + 7) / 8 : 0),
        let column = input.column(shape.type, count: count, nulls: shape.isOptional ? nulls : nil)
      else { return nil }
      columns.append(column)
    }
    guard input.isAtEnd else { return nil }
    self.columns = columns
    self.count = count
  }

  /// Decodes columns from untrusted bytes.
  private struct Input {
    private let bytes: ByteView
    private var place = 0

    init(_ bytes: ByteView) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func take(_ count: Int) -> ByteView? {
      guard let part = bytes.checkedSlice(place, count) else { return nil }
      place += count
      return part
    }

    mutating func take(_ count: Int, of size: Int) -> ByteView? {
      let (byteCount, isTooMuch) = count.multipliedReportingOverflow(by: size)
      return isTooMuch ? nil : take(byteCount)
    }

    /// A number that is at most the number of bytes.
    mutating func varint() -> Int? {
      var number: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 35, by: 7) {
        guard let byte = take(1)?.uint8(at: 0) else { return nil }
        number |= UInt64(byte & 127) << shift
        if byte & 128 == 0 { return number <= UInt64(bytes.count) ? Int(number) : nil }
      }
      return nil
    }

    mutating func column(_ type: PhysicalType, count: Int, nulls: ByteView?) -> ColumnBuffer? {
      let column = ColumnBuffer(type: type)
      func isNull(_ row: Int) -> Bool {
        nulls.map { $0.uint8(at: row >> 3) >> UInt8(row & 7) & 1 == 1 } ?? false
      }
      func append(_ row: Int, _ value: (ColumnAppender) -> Void) {
        if isNull(row) { column.appendNull() } else { value(column.appender) }
      }
      switch type {
      case .integer:
        guard let width = take(1).map({ Int($0.uint8(at: 0)) }), [1, 2, 4, 8].contains(width),
          let cells = take(count, of: width)
        else { return nil }
        for row in 0..<count {
          append(row) { $0.append(Self.integer(cells, at: row * width, width: width)) }
        }
      case .double:
        guard let cells = take(count, of: 8) else { return nil }
        for row in 0..<count {
          append(row) { $0.append(Double(bitPattern: cells.uint64(at: row * 8))) }
        }
      case .float:
        guard let cells = take(count, of: 4) else { return nil }
        for row in 0..<count {
          append(row) { $0.append(Float(bitPattern: cells.uint32(at: row * 4))) }
        }
      case .uuid:
        guard let cells = take(count, of: 16) else { return nil }
        for row in 0..<count {
          append(row) {
            $0.append(
              uuid: cells.uint64(at: row * 16).byteSwapped,
              cells.uint64(at: row * 16 + 8).byteSwapped)
          }
        }
      case .bytes:
        var lengths: [Int] = []
        for _ in 0..<count {
          guard let length = varint() else { return nil }
          lengths.append(length)
        }
        for (row, length) in lengths.enumerated() {
          guard let content = take(length) else { return nil }
          append(row) { $0.append(bytes: content) }
        }
      }
      return column
    }

    private static func integer(_ cells: ByteView, at place: Int, width: Int) -> Int64 {
      switch width {
      case 1: Int64(Int8(bitPattern: cells.uint8(at: place)))
      case 2: Int64(Int16(bitPattern: cells.uint16(at: place)))
      case 4: Int64(Int32(bitPattern: cells.uint32(at: place)))
      default: cells.int64(at: place)
      }
    }
  }
}
