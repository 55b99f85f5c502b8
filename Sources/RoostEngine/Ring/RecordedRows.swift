/// What one transaction changed of a table's rows, as a record of the ring says it (Format.md §7).
///
/// Of a transaction on top of others: the rows are those of the version before it. First the deletions are made, then the
/// insertions, then the updates.
package struct RecordedRows: Sendable {
  package var table: UInt32
  /// The counter of surrogate keys, or of numbers that were given, afterwards.
  package var counter: UInt64
  package var deletes: [Int64] = []
  package var insertedKeys: [Int64] = []
  /// The values of the inserted rows, one for each of their keys, by field.
  package var inserts: [(field: FieldID, values: [Value])] = []
  /// The new values of rows, by field; the last of a row counts.
  package var updates: [(field: FieldID, rows: [(key: Int64, value: Value)])] = []

  /// The objects that they concern, some of them more than once.
  package var keys: [Int64] { deletes + insertedKeys + updates.flatMap { $0.rows.map(\.key) } }

  /// Reads the tables' changes of a record; bytes of padding may follow them.
  package static func all(_ bytes: ArraySlice<UInt8>) throws(EngineError) -> [RecordedRows] {
    var reader = RowReader(bytes)
    var tables: [RecordedRows] = []
    for _ in 0..<(try reader.count()) {
      let rows = try RecordedRows(&reader)
      guard rows.table > tables.last?.table ?? 0 else { throw RowReader.damaged }
      tables.append(rows)
    }
    try reader.checkPadding()
    return tables
  }

  private init(_ reader: inout RowReader) throws(EngineError) {
    table = try reader.number32()
    counter = try reader.varint()
    deletes = try reader.keys()
    insertedKeys = try reader.keys()
    for _ in 0..<(try reader.count()) {
      let (field, type) = try reader.field(after: inserts.last?.field)
      var values: [Value] = []
      for _ in insertedKeys { values.append(try reader.value(type)) }
      inserts.append((field, values))
    }
    for _ in 0..<(try reader.count()) {
      let (field, type) = try reader.field(after: updates.last?.field)
      var rows: [(key: Int64, value: Value)] = []
      for _ in 0..<(try reader.count()) { rows.append((try reader.key(), try reader.value(type))) }
      updates.append((field, rows))
    }
  }
}

/// An object that a transaction changed, as its record says.
struct RecordedChange {
  let key: Int64
  let table: UInt32
  /// Which of some commits changed it, counted from 1.
  var commit: Int32 = 0
  let isInserted: Bool
}

/// Writes what a transaction changed of rows.
struct RowWriter: ~Copyable {
  private(set) var bytes: [UInt8] = []
  /// How many changes were written.
  var changeCount = 0
  /// The objects that were changed, some of them more than once.
  private(set) var changes: [RecordedChange] = []
  private var table: UInt32 = 0

  init() { bytes.reserveCapacity(512) }

  mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
    var rest = UInt64(number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(count: Int) { append(UInt64(count)) }

  /// Small numbers of either sign take few bytes.
  mutating func append(_ number: Int64) {
    append(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  /// Begins the changes of a table.
  mutating func begin(_ table: UInt32) {
    self.table = table
    append(table)
  }

  /// Appends the key of an object that was changed.
  mutating func append(object key: Int64, isInserted: Bool = false) {
    append(key)
    if !isInserted, let last = changes.last, last.key == key, last.table == table { return }
    changes.append(RecordedChange(key: key, table: table, isInserted: isInserted))
  }

  mutating func append(_ field: TableField) {
    append(field.id)
    append(field.type.rawValue)
  }

  /// Appends a cell; `false` where its value lies in extents of its own.
  mutating func append(_ column: ColumnBuffer, row: Int) -> Bool {
    guard !column.isNull(row) else {
      bytes.append(0)
      return true
    }
    switch column.type {
    case .bytes:
      guard column.external(row) == nil else { return false }
      let content = column.bytes(row)
      append(count: content.count + 1)
      bytes.append(content)
    case .integer:
      bytes.append(1)
      append(column.integer(row))
    case .double:
      bytes.append(1)
      bytes.append(bytesOf: column.double(row).bitPattern.littleEndian)
    case .float:
      bytes.append(1)
      bytes.append(bytesOf: column.float(row).bitPattern.littleEndian)
    case .uuid:
      bytes.append(1)
      let (high, low) = column.uuid(row)
      bytes.append(bytesOf: high.bigEndian)
      bytes.append(bytesOf: low.bigEndian)
    }
    return true
  }
}

/// Reads what a ``RowWriter`` wrote.
private struct RowReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  static let damaged = EngineError.corrupt(Corruption(.ringRecord))

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private mutating func byte() throws(EngineError) -> UInt8 {
    guard position < bytes.endIndex else { throw Self.damaged }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func word(_ count: Int) throws(EngineError) -> UInt64 {
    var word: UInt64 = 0
    for place in 0..<count { word |= UInt64(try byte()) << UInt64(8 * place) }
    return word
  }

  mutating func varint() throws(EngineError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw Self.damaged }
      number |= UInt64(next & 0x7F) << UInt64(shift)
      if next < 0x80 { return number }
    }
    throw Self.damaged
  }

  mutating func number32() throws(EngineError) -> UInt32 {
    guard let number = UInt32(exactly: try varint()) else { throw Self.damaged }
    return number
  }

  /// The number of things that take a byte or more each.
  mutating func count() throws(EngineError) -> Int {
    let count = try varint()
    guard count <= UInt64(bytes.endIndex - position) else { throw Self.damaged }
    return Int(count)
  }

  mutating func key() throws(EngineError) -> Int64 {
    let word = try varint()
    return Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1)
  }

  mutating func keys() throws(EngineError) -> [Int64] {
    var keys: [Int64] = []
    for _ in 0..<(try count()) { keys.append(try key()) }
    return keys
  }

  mutating func field(
    after last: FieldID?
  ) throws(EngineError) -> (id: FieldID, type: PhysicalType) {
    let id = try number32()
    guard id > last ?? 0, let type = PhysicalType(rawValue: try byte()) else {
      throw Self.damaged
    }
    return (id, type)
  }

  mutating func value(_ type: PhysicalType) throws(EngineError) -> Value {
    if type == .bytes {
      let length = try varint()
      guard length > 0 else { return .null }
      guard length - 1 <= UInt64(bytes.endIndex - position) else { throw Self.damaged }
      let end = position + Int(length - 1)
      defer { position = end }
      return .bytes(Array(bytes[position..<end]))
    }
    switch try byte() {
    case 0: return .null
    case 1: break
    default: throw Self.damaged
    }
    switch type {
    case .integer: return .integer(try key())
    case .double: return .double(Double(bitPattern: try word(8)))
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try word(4))))
    case .uuid: return .uuid(try word(8).byteSwapped, try word(8).byteSwapped)
    case .bytes: throw Self.damaged
    }
  }

  /// Throws unless only zeros follow, fewer than a record is aligned to.
  func checkPadding() throws(EngineError) {
    let rest = bytes[position...]
    guard rest.count < RingPlace.alignment, rest.allSatisfy({ $0 == 0 }) else {
      throw Self.damaged
    }
  }
}
